"""Threads that wait for orders: how they are started, ended, copied and pickled."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

MOST_THREADS = 1024
"""More threads than this are never started, however many are allowed."""


def default_threads() -> int:
    """Return the number of cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class WaitingThreads:
    """The calling thread, and others that are started by work large enough and then wait for more.

    A copy or an unpickled object starts threads of its own, and so does a process forked from the one that started
    them. Subclasses say what the threads do.

    Attributes:
        threads: Most threads that work at once, the calling one included.
    """

    def __init__(self, threads: int | None, most: int) -> None:
        """Set the size; threads are started when there is work for them.

        Args:
            threads: At most this many; None for all cores.
            most: Never more than this, for there will be no work for them.
        """
        self.threads = max(1, min(threads or default_threads(), most, MOST_THREADS))
        self._forget_threads()

    def _forget_threads(self) -> None:
        """Know of no other thread."""
        self._queues: list[SimpleQueue[Any]] = []  # of orders, one for each other thread
        self._process = 0  # in which they were started
        self._stop: Callable[[], Any] | None = None

    def _served_by(self, queue: SimpleQueue[Any], thread: int) -> Callable[[], None]:
        """Return what a thread does: carry out the orders in ``queue`` until None comes.

        It must not hold this object, which would never be freed. ``thread`` is its number, 1 for the second.
        """
        raise NotImplementedError

    def _start_threads(self, count: int) -> None:
        """Let at least ``count`` other threads wait for orders."""
        if self._process != os.getpid():
            self._forget_threads()
            self._stop = weakref.finalize(self, _send_stop, self._queues)
            self._process = os.getpid()
        while len(self._queues) < count:
            queue: SimpleQueue[Any] = SimpleQueue()
            serve = self._served_by(queue, len(self._queues) + 1)
            threading.Thread(target=serve, name="endeavor-batch", daemon=True).start()
            self._queues.append(queue)  # after the start: an interrupt leaves no queue that nobody serves

    def close(self) -> None:
        """End the threads; later work starts others."""
        if self._stop is not None:
            self._stop()
        self._process = 0

    def __getstate__(self) -> dict[str, Any]:
        """Return the size alone: threads belong to one process."""
        return {"threads": self.threads}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore the size; no thread is started yet."""
        self.threads = state["threads"]
        self._forget_threads()


def _send_stop(queues: list[SimpleQueue[Any]]) -> None:
    """End the threads that wait for ``queues``."""
    for queue in queues:
        queue.put(None)
