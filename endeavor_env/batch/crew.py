"""Crew: threads that share the rows of a batch. Kernels release the interpreter's lock, so they run side by side."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from typing import Any

Work = Callable[[int, int, int], Any]
"""(thread, low, high): does the rows [low, high)."""

SMALL = 128
"""Fewer games than this for each thread are not worth handing to another one."""
LARGE = 2048
"""Ranges of at least this many are handed out one after the other, so that a thread held up holds up no other."""
PARTS = 4
"""Into at most how many ranges each thread's share is cut."""


def default_threads() -> int:
    """Returns the number of cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Crew:
    """The calling thread and, from the first work large enough, others that wait for more.

    Attributes:
        threads: How many there are at most, the calling one included.
    """

    def __init__(self, threads: int | None, rows: int) -> None:
        """Starts no thread yet.

        Args:
            threads: At most this many; None for all cores.
            rows: The most there will be to do at once.
        """
        self.threads = max(1, min(threads or default_threads(), -(-rows // SMALL)))
        self._orders: list[SimpleQueue[Any]] = []
        self._process = 0
        self._dismissed: Callable[[], Any] = _nothing

    def run(self, work: Work, count: int, least: int | None = None) -> None:
        """Calls ``work`` for ranges that cover [0, ``count``); raises what a call of it raised.

        ``least`` rows for each thread are worth sharing, None: SMALL.
        """
        threads = min(self.threads, count // (least or SMALL))
        if threads < 2:
            work(0, 0, count)
            return
        size = -(-count // (threads * max(1, min(PARTS, count // (threads * LARGE)))))
        lows = iter(range(0, count, size))  # shared: a range's iterator hands out each number once
        self._call_in()
        reports: SimpleQueue[BaseException | None] = SimpleQueue()
        helpers = self._orders[: threads - 1]
        for thread, orders in enumerate(helpers, 1):
            orders.put((reports, work, thread, lows, size, count))
        errors = [_try_to_work(work, 0, lows, size, count), *(reports.get() for _ in helpers)]
        for error in errors:
            if error is not None:
                raise error

    def _call_in(self) -> None:
        """Starts the other threads, again in a process forked from this one."""
        if self._process == os.getpid():
            return
        self._orders = [SimpleQueue() for _ in range(self.threads - 1)]
        self._process = os.getpid()
        for orders in self._orders:
            threading.Thread(target=_serve, args=(orders,), name="endeavor-batch", daemon=True).start()
        self._dismissed = weakref.finalize(self, _dismiss, self._orders)

    def close(self) -> None:
        """Ends the threads; later work starts others."""
        self._dismissed()
        self._process = 0


def _nothing() -> None:
    """Is what there is to end before any thread was started."""


def _try_to_work(work: Work, thread: int, lows: Iterator[int], size: int, count: int) -> BaseException | None:
    """Does ranges of ``size`` rows for as long as ``lows`` hands them out; returns what went wrong."""
    try:
        for low in lows:
            work(thread, low, min(low + size, count))
    except BaseException as error:
        return error
    return None


def _serve(orders: SimpleQueue[Any]) -> None:
    """Works off orders until there is an empty one."""
    while (order := orders.get()) is not None:
        reports, *rest = order
        reports.put(_try_to_work(*rest))
        del order, reports, rest  # they hold the batch, which must be able to go


def _dismiss(orders: list[SimpleQueue[Any]]) -> None:
    """Lets the threads that wait for ``orders`` end."""
    for queue in orders:
        queue.put(None)
