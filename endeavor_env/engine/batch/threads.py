"""Threads of batches: they wait for orders, share rows, and help inside kernels."""

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

from endeavor_env.kernels.kernels import JIT_DISABLED
from endeavor_env.kernels.sharing import LINE, SLEEPS, SPIN_LIMIT, help_out, words_for

# --- Threads that wait for orders: how they are started, ended, copied and pickled -----------------------------------

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


# --- Threads that help kernels: they wait inside a kernel for what another one shares, see ``kernels.sharing`` -------

SMALL = 128
"""Fewer rows than this for each thread are not worth sharing."""
THINKING = 4
"""The same for rows in which compiled players other than ``random`` play."""
PARTS = 4
"""Most parts for each thread, so that one that begins late or is slow delays no other."""


class HelpingThreads(WaitingThreads):
    """The calling thread, and others that help it.

    Attributes:
        threads: Most threads that work at once, the calling one included.
        words: ``shared_words`` of kernels, see ``kernels.sharing``.
        found: (parts, 2) int64, scratch for what the parts of a kernel return.
    """

    def __init__(self, threads: int | None, rows: int) -> None:
        """Set the size for ``rows`` rows, at most so many ``threads``; None for all cores."""
        super().__init__(threads, -(-rows // THINKING))

    def _forget_threads(self) -> None:
        """Know of no other thread, and let none know of later work."""
        super()._forget_threads()
        self.words = np.zeros(words_for(self.threads), np.int64)
        self._sleeps = self.words[SLEEPS::LINE]  # of the other threads
        self.found = np.zeros((PARTS * self.threads, 2), np.int64)

    def share(self, count: int, least: int) -> tuple[int, int]:
        """Return into how many parts of how many rows a kernel is to cut its work, and wake the threads that help.

        Args:
            count: Number of rows.
            least: Fewer rows than this for each thread are not shared.
        """
        threads = min(self.threads, count // least)
        if threads < 2 or JIT_DISABLED:
            return 1, max(1, count)
        self._start_threads(threads - 1)
        for index, queue in enumerate(self._queues[: threads - 1]):
            if self._sleeps[index]:
                queue.put(True)
        size = -(-count // min(PARTS * threads, count // least))
        return -(-count // size), size

    def _served_by(self, queue: SimpleQueue[Any], thread: int) -> Callable[[], None]:
        """Return what a thread does; it sleeps until it is woken by an order."""
        self._sleeps[thread - 1] = 1
        return functools.partial(_help, queue, self.words, thread)


def _help(queue: SimpleQueue[Any], words: npt.NDArray[np.int64], thread: int) -> None:
    """Help whenever an order comes into ``queue``, until None comes."""
    while queue.get() is not None:
        help_out(words, thread, SPIN_LIMIT)


# --- Threads that share the rows of an array: kernels release the interpreter's lock, so they run side by side -------

Work = Callable[[int, int, int], Any]
"""(thread, low, high): processes the rows [low, high)."""

LARGE = 2048
"""Ranges of at least this many rows are handed out one after the other, so that a slow thread delays no other."""


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
