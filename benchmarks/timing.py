"""Timing: how often a piece of work is done per second, in several repeats."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

K = TypeVar("K")


@dataclass(frozen=True)
class Effort:
    """The effort of a measurement."""

    repeats: int
    seconds: float
    """Shortest duration of a repeat."""


FULL, SMOKE = Effort(5, 0.6), Effort(2, 0.02)


def rates(work: Callable[[], Sequence[int]], effort: Effort) -> list[list[float]]:
    """Repeat ``work`` and return, for each of the counts that it returns, the rate per second in every repeat.

    The first call is not timed.
    """
    totals = [0.0] * len(work())
    found: list[list[float]] = [[] for _ in totals]
    for _ in range(effort.repeats):
        totals = [0.0] * len(totals)
        start = time.perf_counter()
        elapsed = 0.0
        while elapsed < effort.seconds:
            for index, count in enumerate(work()):
                totals[index] += count
            elapsed = time.perf_counter() - start
        for index, total in enumerate(totals):
            found[index].append(total / elapsed)
    return found


def in_turns(works: Mapping[K, Callable[[], int]], effort: Effort) -> dict[K, list[float]]:
    """Return for each of ``works`` the rate per second in every repeat.

    The works take turns, repeat by repeat, so that a machine that slows down for a while slows down all of them, and
    rates of the same repeat can be compared. The first call of each is not timed.
    """
    found: dict[K, list[float]] = {name: [] for name in works}
    for work in works.values():
        work()
    for _ in range(effort.repeats):
        for name, work in works.items():
            found[name].append(rate(work, effort.seconds))
    return found


def rate(work: Callable[[], int], seconds: float) -> float:
    """Repeat ``work`` for at least ``seconds``; return the rate per second of what it counts."""
    total, elapsed, start = 0, 0.0, time.perf_counter()
    while elapsed < seconds:
        total += work()
        elapsed = time.perf_counter() - start
    return total / elapsed


def nanoseconds(work: Callable[[], int], effort: Effort) -> list[float]:
    """Return the nanoseconds per unit that ``work`` counts, for every repeat."""
    return [1e9 / rate for rate in rates(lambda: (work(),), effort)[0]]
