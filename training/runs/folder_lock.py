"""The lock on the folder of a run: one process trains in it at a time."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from endeavor_env.basics.file_lock import file_lock
from endeavor_env.errors import InvalidOptionError

LOCK = "run.lock"


@contextmanager
def sole_use(folder: Path) -> Iterator[None]:
    """Hold the lock of ``folder`` in this context; the system releases it when the process dies.

    The empty file ``run.lock`` stays. If the file system has no locks, print a line on stderr and go on without.

    Raises:
        InvalidOptionError: Another process holds the lock, or the folder cannot be written.
    """

    def refuse(_: float) -> None:
        raise InvalidOptionError(
            f"another process is training in {folder}: wait for it, stop it, or give another --out"
        )

    def say(error: OSError) -> None:
        print(f"{folder} cannot be locked ({error.strerror}): start no other run in it", file=sys.stderr)

    try:
        (folder / LOCK).touch()
    except OSError as error:
        raise InvalidOptionError(f"{folder} cannot be written: {error.strerror}") from error
    with file_lock(folder / LOCK, refuse, say):
        yield
