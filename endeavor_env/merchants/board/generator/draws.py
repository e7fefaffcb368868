"""Draws of whole numbers only, so that a seed gives the same board on every machine."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import TypeVar

import numpy as np

_Item = TypeVar("_Item")


class NoBoardError(Exception):
    """An attempt has come to a place where nothing fits; the generator tries again."""


class Draws:
    """One stream of chance."""

    def __init__(self, *seed: int) -> None:
        """Begin the stream of a seed."""
        self._rng = np.random.Generator(np.random.PCG64(seed))

    def below(self, limit: int) -> int:
        """Return a whole number from 0 up to but not including ``limit``."""
        return int(self._rng.integers(limit))

    def between(self, low: int, high: int) -> int:
        """Return a whole number from ``low`` to ``high``, both included."""
        return low + self.below(high - low + 1)

    def one_of(self, items: Sequence[_Item]) -> _Item:
        """Return an item, each alike; raise NoBoardError if there is none."""
        if not items:
            raise NoBoardError
        return items[self.below(len(items))]

    def weighted(self, items: Sequence[_Item], weights: Iterable[int]) -> _Item:
        """Return an item by weight; raise NoBoardError if all weights are 0."""
        limits = list(accumulate(weights))
        if not limits or not limits[-1]:
            raise NoBoardError
        return items[bisect_right(limits, self.below(limits[-1]))]

    def shuffled(self, items: Iterable[_Item]) -> list[_Item]:
        """Return the items in any order, each alike."""
        rest = list(items)
        for end in range(len(rest) - 1, 0, -1):
            other = self.below(end + 1)
            rest[end], rest[other] = rest[other], rest[end]
        return rest
