"""Files that grow by a line at a time: a line that is there is whole, whenever the program was killed."""

from __future__ import annotations

import os
from pathlib import Path


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
    """Return the lines of a file that end with a line break; cut off what stands behind the last of them."""
    content = file.read_bytes()
    end = content.rfind(b"\n") + 1
    if end < len(content):
        os.truncate(file, end)
    return content[:end].splitlines()
