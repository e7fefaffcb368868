"""A ring of rows to learn from: the newest ones, in arrays of one length, which a file can hold."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.arrays import read_array
from endeavor_env.basics.files import open_regular

_HEAD = np.dtype([(name, "<i8") for name in ("mark", "next", "size", "newest", "capacity")])
"""Header of a file, before the rows."""


class Ring:
    """Columns of equally many rows, of which the oldest make room for new ones.

    Attributes:
        size: Rows held.
        newest: How many of them came since the last ``begin``.
    """

    def __init__(self, capacity: int, **columns: tuple[npt.DTypeLike, tuple[int, ...]]) -> None:
        """Make an empty ring; memory is used as it fills.

        Args:
            capacity: Most rows.
            columns: By name, the kind of the entries and the shape of a row.
        """
        self._columns = {name: np.empty((capacity, *shape), kind) for name, (kind, shape) in columns.items()}
        self._capacity, self._next = capacity, 0
        self.size = self.newest = 0

    def begin(self) -> None:
        """Count the rows that are added from now on as the newest."""
        self.newest = 0

    def add(self, **rows: npt.NDArray[Any]) -> None:
        """Add rows of all columns; of more than the ring holds, the last ones stay."""
        count = len(next(iter(rows.values())))
        places = (self._next + np.arange(count)) % self._capacity
        for name, values in rows.items():
            self._columns[name][places] = values
        self._next = (self._next + count) % self._capacity
        self.size, self.newest = min(self._capacity, self.size + count), min(self._capacity, self.newest + count)

    def draw(self, count: int, rng: np.random.Generator) -> npt.NDArray[np.int64]:
        """Return ``count`` random rows; the newest are drawn twice as often as the others."""
        drawn = rng.integers(self.size + self.newest, size=count)
        return np.where(drawn < self.size, drawn, (self._next - 1 - (drawn - self.size)) % self._capacity)

    def take(self, name: str, rows: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
        """Return a copy of some rows of a column."""
        return np.take(self._columns[name], rows, axis=0)

    def save(self, path: Path, mark: int) -> None:
        """Write all rows to a file in one step, with a ``mark`` that ``load`` asks for."""
        partial = path.with_name(f"partial-{path.name}")
        with partial.open("wb") as file:
            np.save(file, np.array((mark, self._next, self.size, self.newest, self._capacity), _HEAD))
            for column in self._columns.values():
                np.save(file, column[: self.size])
        os.replace(partial, path)

    def load(self, path: Path, mark: int) -> bool:
        """Take over the rows of a file; return whether that was possible: it is there, sound, and has ``mark``.

        A ring that was empty stays so where it was not.
        """
        try:
            with open_regular(path) as file:
                head = read_array(file, _HEAD.itemsize)
                if head.dtype != _HEAD or (head["mark"], head["capacity"]) != (mark, self._capacity):
                    return False
                following, size, newest = (int(head[name]) for name in ("next", "size", "newest"))
                if not (0 <= following < self._capacity and 0 <= newest <= size <= self._capacity):
                    return False
                for column in self._columns.values():
                    rows = read_array(file, column[:size].nbytes)
                    if (rows.dtype, rows.shape) != (column.dtype, column[:size].shape):
                        return False
                    column[:size] = rows
        except (OSError, ValueError):
            return False
        self._next, self.size, self.newest = following, size, newest
        return True
