"""Timing: how often a piece of work is done per second, in several repeats."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

K = TypeVar("K")


@dataclass(frozen=True)
class Effort:
    """The effort of a measurement."""

    repeats: int
    seconds: float
    """Shortest duration of a repeat."""
    smoke: bool = False
    """True to do as little as possible: the figures mean nothing."""


SMOKE = Effort(2, 0.02, smoke=True)


def in_turns(works: Mapping[K, Callable[[], int]], effort: Effort) -> dict[K, list[float]]:
    """Return for each of ``works`` the rate per second, in every repeat, of what it returns as its count.

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


def repeated(act: Callable[[], object], times: int = 1, count: int = 1) -> Callable[[], int]:
    """Return work that calls ``act`` so many ``times`` and counts ``count`` for each call."""

    def work() -> int:
        for _ in range(times):
            act()
        return times * count

    return work
