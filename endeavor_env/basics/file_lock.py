"""A lock that processes share through a file; it ends with the process that holds it, however that ends."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

PAUSE = 0.1  # seconds between two attempts


def _go_on(_: OSError) -> None:
    """Do nothing: without a lock the work is done all the same."""


@contextmanager
def file_lock(
    path: Path, waiting: Callable[[float], None], impossible: Callable[[OSError], None] = _go_on
) -> Iterator[None]:
    """Hold the lock of a file, which is created if it is missing and never removed.

    Where the file cannot be opened or its file system has no locks, hold nothing.

    Args:
        path: The file.
        waiting: Called again and again while another process or thread holds the lock, with the seconds so far.
        impossible: Called where no lock can be held, with the reason.
    """
    from filelock import FileLock, Timeout  # 30 ms, which only those pay who take a lock

    lock = FileLock(path, mode=0o600, preserve_lock_file=True)
    start = time.monotonic()
    while not lock.is_locked:
        try:
            lock.acquire(timeout=0)
        except Timeout:
            waiting(time.monotonic() - start)
            time.sleep(PAUSE)
        except OSError as error:
            impossible(error)
            break
    try:
        yield
    finally:
        lock.release()
