"""Threads that help kernels: they wait inside a kernel for what another one shares, see ``kernels.sharing``."""

from __future__ import annotations

import functools
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.batch.waiting_threads import WaitingThreads
from endeavor_env.kernels.kernels import JIT_DISABLED
from endeavor_env.kernels.sharing import LINE, PATIENCE, SLEEPS, help_out, words_for

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
        help_out(words, thread, PATIENCE)
