"""A lock that processes share through a file; it ends with the process that holds it, however that ends."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

PAUSE = 0.1  # seconds between two attempts

_held: set[int] = set()
"""Descriptors of the lock files that this process has open."""

if sys.platform == "win32":
    import msvcrt

    def _try_lock(descriptor: int) -> bool:
        """Return whether the file is now locked by this process; raise an OSError if it cannot be."""
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        return True

    def _unlock(descriptor: int) -> None:
        """Release the lock."""
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)
else:
    import fcntl

    def _try_lock(descriptor: int) -> bool:
        """Return whether the file is now locked by this process; raise an OSError if it cannot be."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _unlock(descriptor: int) -> None:
        """Release the lock, also for forks of this process that have inherited the descriptor."""
        fcntl.flock(descriptor, fcntl.LOCK_UN)

    def _close_inherited() -> None:
        """Close what a fork inherits: the lock must not outlive the process that took it."""
        while _held:
            os.close(_held.pop())

    os.register_at_fork(after_in_child=_close_inherited)


@contextmanager
def file_lock(path: Path, waiting: Callable[[float], None]) -> Iterator[None]:
    """Hold the lock of a file, which is created if it is missing and never removed.

    Where the file cannot be opened or its file system has no locks, hold nothing.

    Args:
        path: The file.
        waiting: Called again and again while another process or thread holds the lock, with the seconds so far.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        yield
        return
    _held.add(descriptor)
    try:
        locked = _wait_for_lock(descriptor, waiting)
        try:
            yield
        finally:
            if locked and descriptor in _held:
                _unlock(descriptor)
    finally:
        if descriptor in _held:  # else this is a fork, in which it is closed already
            _held.discard(descriptor)
            os.close(descriptor)


def _wait_for_lock(descriptor: int, waiting: Callable[[float], None]) -> bool:
    """Lock an open file when nobody else holds it; return False if its file system has no locks."""
    start = time.monotonic()
    while True:
        try:
            if _try_lock(descriptor):
                return True
        except OSError:
            return False
        waiting(time.monotonic() - start)
        time.sleep(PAUSE)
