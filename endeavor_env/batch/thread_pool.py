"""Threads that share the rows of an array: kernels release the interpreter's lock, so they run side by side."""

from __future__ import annotations

import functools
import os
import threading
import weakref
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.core.batch.bells import LINE, NEXT, PATIENCE, ring, wait_for_end, wait_for_ring

Work = Callable[[int, int, int], Any]
"""(thread, low, high): processes the rows [low, high)."""

SMALL = 128
"""Fewer rows than this for each thread are not worth handing to another one."""
LARGE = 2048
"""Ranges of at least this many rows are handed out one after the other, so that a slow thread delays no other."""
PARTS = 4
"""Most ranges that each thread's share is cut into."""
MOST_THREADS = 1024
"""More threads than this are never started, however many are allowed."""


def default_threads() -> int:
    """Return the number of cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Job:
    """Work that several threads share: the calling thread, number 0, and others.

    Each other thread holds its own lock while it works, and finds it taken if it comes after the end. The calling
    thread takes these locks at the end, one after the other, which means waiting for those at work. An interrupt
    (Ctrl-C) can come between any two instructions of the calling thread; taking a lock that it has already does
    nothing, so it can wait again from the start, which no count of threads would allow.
    """

    def __init__(self, work: Work, count: int, size: int, threads: int, number: int) -> None:
        """Cut [0, ``count``) into ranges of ``size`` rows; ``number`` is how bells name the job."""
        self._work, self._count, self._size = work, count, size
        self.number = number
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

    def finish(self, bells: npt.NDArray[np.int64]) -> None:
        """Wait until no other thread works, and let none begin; called by the calling thread alone."""
        for thread, lock in enumerate(self._locks, 1):
            if not lock.acquire(blocking=False):
                wait_for_end(bells, thread, self.number, PATIENCE)  # it may end before this thread could sleep and wake
                lock.acquire()


class ThreadPool:
    """The calling thread, and others that are started by work large enough and then wait for more.

    A copy or an unpickled pool starts threads of its own.

    Attributes:
        threads: Most threads that work at once, the calling one included.
        bells: (8 * threads,) int64, what kernels ring, see ``core.batch.bells``.
    """

    def __init__(self, threads: int | None, rows: int) -> None:
        """Set the size; threads are started when there is work for them.

        Args:
            threads: At most this many; None for all cores.
            rows: Most rows there will be to process at once.
        """
        self.threads = max(1, min(threads or default_threads(), -(-rows // SMALL), MOST_THREADS))
        self._forget_threads()

    def _forget_threads(self) -> None:
        """Know of no other thread."""
        self._queues: list[SimpleQueue[Any]] = []  # one for each other thread
        self._process = 0  # in which they were started
        self._stop: Callable[[], Any] | None = None
        self.bells = np.zeros(LINE * self.threads, np.int64)

    def run(self, work: Work, count: int, least: int | None = None, rings: bool = False) -> None:
        """Call ``work`` for ranges that cover [0, ``count``); raise what a call of it raised.

        No thread works any more when this returns or raises, an interrupt (Ctrl-C) included.

        Args:
            work: Called from several threads at once.
            count: Number of rows.
            least: Fewer rows than this for each thread are not shared; None for SMALL.
            rings: Whether ``work`` calls kernels that ring the bells.
        """
        threads = min(self.threads, count // (least or SMALL))
        if threads < 2:
            work(0, 0, count)
            return
        self._start_threads(threads - 1)
        size = -(-count // (threads * max(1, min(PARTS, count // (threads * LARGE)))))
        self.bells[NEXT] += 1
        job = _Job(work, count, size, threads, int(self.bells[NEXT]))
        error: BaseException | None = None
        begun = False
        while True:  # in a loop, because an interrupt can come at any place in it, the waiting included
            try:
                if not begun:
                    begun = True
                    for queue in self._queues[: threads - 1]:
                        queue.put(job)
                    if not rings:
                        ring(self.bells)
                    job.process(0)
                job.finish(self.bells)
                break
            except BaseException as raised:
                error = raised
        if error is None and job.errors:
            error = job.errors[0]
        if error is not None:
            raise error

    def _start_threads(self, count: int) -> None:
        """Let at least ``count`` other threads wait for work; a process forked from this one starts its own."""
        if self._process != os.getpid():
            self._queues = []
            self._stop = weakref.finalize(self, _send_stop, self._queues)
            self._process = os.getpid()
        while len(self._queues) < count:
            queue: SimpleQueue[Any] = SimpleQueue()
            served = (queue, self.bells, len(self._queues) + 1)
            threading.Thread(target=_serve, args=served, name="endeavor-batch", daemon=True).start()
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


def _serve(queue: SimpleQueue[_Job | None], bells: npt.NDArray[np.int64], thread: int) -> None:
    """Help with the jobs in ``queue`` until None comes; ``thread`` is the number of this one."""
    while (job := queue.get()) is not None:
        job.help_out(thread)
        number = job.number
        del job  # it holds the batch, which must be able to be freed
        wait_for_ring(bells, thread, number, PATIENCE)


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
    _shared_pool(min(threads, MOST_THREADS)).run(lambda _, low, high: work(low, high), count, least)
