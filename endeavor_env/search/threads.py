"""Ranges of rows on several threads: the kernels of search release the interpreter's lock and share no row."""

from __future__ import annotations

import functools
from collections.abc import Callable

from endeavor_env.batch.crew import SMALL, Crew, default_threads
from endeavor_env.errors import InvalidOptionError
from endeavor_env.whole_numbers import whole_number


def read_threads(threads: object) -> int:
    """Returns the number of threads meant by ``threads``, None being all cores; raises InvalidOptionError."""
    if threads is None:
        return default_threads()
    number = whole_number(threads)
    if number is None or number < 1:
        raise InvalidOptionError(f"threads={threads!r} is not possible: give a positive whole number, or None for all")
    return number


@functools.cache
def _crew(threads: int) -> Crew:
    """Returns the threads that all positions of a process share."""
    return Crew(threads, threads * SMALL)


def in_threads(work: Callable[[int, int], None], count: int, threads: int, least: int) -> None:
    """Calls ``work(low, high)`` for ranges that cover [0, ``count``).

    Args:
        work: Works on its range alone; called from several threads at once.
        count: Number of rows.
        threads: At most this many.
        least: Fewer rows than this for each thread are not worth handing to another one.
    """
    _crew(threads).run(lambda _, low, high: work(low, high), count, least)
