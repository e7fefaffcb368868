"""Threads that share the rows of an array: kernels release the interpreter's lock, so they run side by side."""

from __future__ import annotations

import functools
import os
import threading
import weakref
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from typing import Any

Work = Callable[[int, int, int], Any]
"""(thread, low, high): processes the rows [low, high)."""

SMALL = 128
"""Fewer rows than this for each thread are not worth handing to another one."""
LARGE = 2048
"""Ranges of at least this many rows are handed out one after the other, so that a slow thread delays no other."""
PARTS = 4
"""Most ranges that each thread's share is cut into."""


def default_threads() -> int:
    """Return the number of cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class ThreadPool:
    """The calling thread, and others that are started by the first work large enough and then wait for more.

    Attributes:
        threads: Most threads that work at once, the calling one included.
    """

    def __init__(self, threads: int | None, rows: int) -> None:
        """Set the size; no thread is started yet.

        Args:
            threads: At most this many; None for all cores.
            rows: Most rows there will be to process at once.
        """
        self.threads = max(1, min(threads or default_threads(), -(-rows // SMALL)))
        self._queues: list[SimpleQueue[Any]] = []  # one for each other thread
        self._process = 0  # in which they were started
        self._stop: Callable[[], Any] | None = None

    def run(self, work: Work, count: int, least: int | None = None) -> None:
        """Call ``work`` for ranges that cover [0, ``count``); raise what a call of it raised.

        Args:
            work: Called from several threads at once.
            count: Number of rows.
            least: Fewer rows than this for each thread are not shared; None for SMALL.
        """
        threads = min(self.threads, count // (least or SMALL))
        if threads < 2:
            work(0, 0, count)
            return
        size = -(-count // (threads * max(1, min(PARTS, count // (threads * LARGE)))))
        lows = iter(range(0, count, size))  # shared: a range's iterator hands out each number once
        self._start_threads()
        results: SimpleQueue[BaseException | None] = SimpleQueue()
        queues = self._queues[: threads - 1]
        for thread, queue in enumerate(queues, 1):
            queue.put((results, work, thread, lows, size, count))
        errors = [_run_ranges(work, 0, lows, size, count), *(results.get() for _ in queues)]
        for error in errors:
            if error is not None:
                raise error

    def _start_threads(self) -> None:
        """Start the other threads if this process has not; a process forked from this one starts its own."""
        if self._process == os.getpid():
            return
        self._queues = [SimpleQueue() for _ in range(self.threads - 1)]
        self._process = os.getpid()
        for queue in self._queues:
            threading.Thread(target=_serve, args=(queue,), name="endeavor-batch", daemon=True).start()
        self._stop = weakref.finalize(self, _send_stop, self._queues)

    def close(self) -> None:
        """End the threads; later work starts others."""
        if self._stop is not None:
            self._stop()
        self._process = 0


def _run_ranges(work: Work, thread: int, lows: Iterator[int], size: int, count: int) -> BaseException | None:
    """Process ranges of ``size`` rows until ``lows`` is used up; return the error that ended it early, if any."""
    try:
        for low in lows:
            work(thread, low, min(low + size, count))
    except BaseException as error:
        return error
    return None


def _serve(queue: SimpleQueue[Any]) -> None:
    """Process the work in ``queue`` until None comes."""
    while (order := queue.get()) is not None:
        results, *rest = order
        results.put(_run_ranges(*rest))
        del order, results, rest  # they hold the batch, which must be able to be freed


def _send_stop(queues: list[SimpleQueue[Any]]) -> None:
    """End the threads that wait for ``queues``."""
    for queue in queues:
        queue.put(None)


@functools.cache
def _shared_pool(threads: int) -> ThreadPool:
    """Return the pool of so many threads that all positions of a process share."""
    return ThreadPool(threads, threads * SMALL)


def run_shared(work: Callable[[int, int], None], count: int, threads: int, least: int) -> None:
    """Call ``work(low, high)`` for ranges that cover [0, ``count``), on threads that the whole process shares.

    Args:
        work: Works on its range alone; called from several threads at once.
        count: Number of rows.
        threads: At most this many.
        least: Fewer rows than this for each thread are not shared.
    """
    _shared_pool(threads).run(lambda _, low, high: work(low, high), count, least)
