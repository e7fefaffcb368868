"""Files that grow by a line at a time: a line that is there is whole, whenever the program was killed."""

from __future__ import annotations

import os
from pathlib import Path

from endeavor_env.basics.files import read_regular
from endeavor_env.errors import EndeavorError, named

MOST_BYTES = 1 << 31
"""Size of the largest file of lines that is read; a line of a game takes some kB."""


def append_line(file: Path, line: str) -> None:
    """Append a line to a file, which is created if it is missing; it is on the disk when this returns."""
    data = f"{line}\n".encode()
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        while data:
            data = data[os.write(descriptor, data) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def whole_lines(file: Path) -> list[bytes]:
    """Return the lines of a file that end with a line break; cut off what stands behind the last of them.

    Raises:
        EndeavorError: The file cannot be read.
    """
    try:
        content = read_regular(file, MOST_BYTES)
    except ValueError as error:
        raise EndeavorError(f"{named(str(file))} {error}") from error
    end = content.rfind(b"\n") + 1
    if end < len(content):
        os.truncate(file, end)
    return content[:end].splitlines()
