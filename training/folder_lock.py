"""The lock on the folder of a run: one process trains in it at a time."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from endeavor_env.errors import InvalidOptionError

LOCK = "run.lock"
TAKEN = (errno.EACCES, errno.EAGAIN, errno.EWOULDBLOCK, errno.EDEADLK)
"""What systems answer if another process holds a lock."""

if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        """Lock an open file; raise OSError if it cannot be locked."""
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(file: int) -> None:
        """Lock an open file; raise OSError if it cannot be locked."""
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def sole_use(folder: Path) -> Iterator[None]:
    """Hold the lock of ``folder`` in this context; the system releases it when the process dies.

    The empty file ``run.lock`` stays. If the file system has no locks, print a line on stderr and go on without.

    Raises:
        InvalidOptionError: Another process holds the lock, or the folder cannot be written.
    """
    try:
        file = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT)
    except OSError as error:
        raise InvalidOptionError(f"{folder} cannot be written: {error.strerror}") from error
    try:
        _lock_or_say(file, folder)
        yield
    finally:
        os.close(file)


def _lock_or_say(file: int, folder: Path) -> None:
    """Lock an open file; print a line if that is impossible; raise InvalidOptionError if another process holds it."""
    try:
        _lock(file)
    except OSError as error:
        if error.errno in TAKEN:
            raise InvalidOptionError(
                f"another process is training in {folder}: wait for it, stop it, or give another --out"
            ) from error
        print(f"{folder} cannot be locked ({error.strerror}): start no other run in it", file=sys.stderr)
