"""Threads that share the rows of an array: kernels release the interpreter's lock, so they run side by side."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

from endeavor_env.batch.waiting_threads import MOST_THREADS, WaitingThreads

Work = Callable[[int, int, int], Any]
"""(thread, low, high): processes the rows [low, high)."""

SMALL = 128
"""Fewer rows than this for each thread are not worth handing to another one."""
LARGE = 2048
"""Ranges of at least this many rows are handed out one after the other, so that a slow thread delays no other."""
PARTS = 4
"""Most ranges that each thread's share is cut into."""


class _Job:
    """Work that several threads share: the calling thread, number 0, and others.

    Each other thread holds its own lock while it works, and finds it taken if it comes after the end. The calling
    thread takes these locks at the end, one after the other, which means waiting for those at work. An interrupt
    (Ctrl-C) can come between any two instructions of the calling thread; taking a lock that it has already does
    nothing, so it can wait again from the start, which no count of threads would allow.
    """

    def __init__(self, work: Work, count: int, size: int, threads: int) -> None:
        """Cut [0, ``count``) into ranges of ``size`` rows."""
        self._work, self._count, self._size = work, count, size
        self._lows = iter(range(0, count, size))  # shared: a range's iterator hands out each number once
        self._locks = [threading.RLock() for _ in range(threads - 1)]
        self.errors: list[BaseException] = []

    def process(self, thread: int) -> None:
        """Process ranges until there are none left."""
        for low in self._lows:
            self._work(thread, low, min(low + self._size, self._count))

    def help_out(self, thread: int) -> None:
        """Process ranges on another thread than the calling one, unless the job has ended; keep an error."""
        lock = self._locks[thread - 1]
        if not lock.acquire(blocking=False):
            return
        try:
            self.process(thread)
        except BaseException as error:
            self.errors.append(error)
        finally:
            lock.release()

    def finish(self) -> None:
        """Wait until no other thread works, and let none begin; called by the calling thread alone."""
        for lock in self._locks:
            lock.acquire()


class ThreadPool(WaitingThreads):
    """The calling thread, and others that share work which Python gives to kernels.

    Attributes:
        threads: Most threads that work at once, the calling one included.
    """

    def __init__(self, threads: int | None, rows: int) -> None:
        """Set the size for ``rows`` rows, at most so many ``threads``; None for all cores."""
        super().__init__(threads, -(-rows // SMALL))

    def run(self, work: Work, count: int, least: int | None = None) -> None:
        """Call ``work`` for ranges that cover [0, ``count``); raise what a call of it raised.

        No thread works any more when this returns or raises, an interrupt (Ctrl-C) included.

        Args:
            work: Called from several threads at once.
            count: Number of rows.
            least: Fewer rows than this for each thread are not shared; None for SMALL.
        """
        threads = min(self.threads, count // (least or SMALL))
        if threads < 2:
            work(0, 0, count)
            return
        self._start_threads(threads - 1)
        size = -(-count // (threads * max(1, min(PARTS, count // (threads * LARGE)))))
        job = _Job(work, count, size, threads)
        error: BaseException | None = None
        begun = False
        while True:  # in a loop, because an interrupt can come at any place in it, the waiting included
            try:
                if not begun:
                    begun = True
                    for queue in self._queues[: threads - 1]:
                        queue.put(job)
                    job.process(0)
                job.finish()
                break
            except BaseException as raised:
                error = raised
        if error is None and job.errors:
            error = job.errors[0]
        if error is not None:
            raise error

    def _served_by(self, queue: SimpleQueue[Any], thread: int) -> Callable[[], None]:
        """Return what a thread does; orders are jobs."""
        return functools.partial(_serve, queue, thread)


def _serve(queue: SimpleQueue[_Job | None], thread: int) -> None:
    """Help with the jobs in ``queue`` until None comes."""
    while (job := queue.get()) is not None:
        job.help_out(thread)
        del job  # it holds the batch, which must be able to be freed


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
    if count < 2 * least:
        work(0, count)
        return
    _shared_pool(min(threads, MOST_THREADS)).run(lambda _, low, high: work(low, high), count, least)
