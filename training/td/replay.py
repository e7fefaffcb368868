"""The positions that a run learns from: the newest ones, drawn at random and observed when they are drawn."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from endeavor_env.board import Board
from endeavor_env.core.learning.self_play import write_all_inputs
from endeavor_env.core.state import STATE
from endeavor_env.training.td.games import Played


class Replay:
    """A ring of positions with the seat that sees them and their targets.

    Attributes:
        size: Positions held.
        newest: How many of them came with the last ``add``.
    """

    def __init__(self, capacity: int, board: Board) -> None:
        """Make an empty ring for ``capacity`` positions of ``board``; memory is used as it fills."""
        self._states = np.empty((capacity, STATE.itemsize), np.uint8)
        self._seats = np.empty(capacity, np.int64)
        self._targets = np.empty(capacity, np.float32)
        self._board, self._next = board, 0
        self.size = self.newest = 0

    def add(self, played: Sequence[Played]) -> None:
        """Add positions, which have targets; the oldest ones make room."""
        self.newest = 0
        for chunk in played:
            self._add(chunk)

    def _add(self, played: Played) -> None:
        """Add the positions of some games."""
        capacity, count = self._targets.size, played.moments.size
        rows = (self._next + np.arange(count)) % capacity
        self._states[rows] = played.states.view(np.uint8).reshape(count, STATE.itemsize)
        self._seats[rows] = played.moments["seat"]
        self._targets[rows] = played.moments["target"]
        self._next = int((self._next + count) % capacity)
        self.size, self.newest = min(capacity, self.size + count), min(capacity, self.newest + count)

    def draw(self, count: int, rng: np.random.Generator) -> npt.NDArray[np.int64]:
        """Return ``count`` random rows; the newest positions are drawn twice as often as the others."""
        drawn = rng.integers(self.size + self.newest, size=count)
        capacity = self._targets.size
        return np.where(drawn < self.size, drawn, (self._next - 1 - (drawn - self.size)) % capacity)

    def observe(self, rows: npt.NDArray[np.int64], out: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Write what networks see of positions, ``rows`` (n,), to ``out`` (n, inputs); return their targets, (n,)."""
        states = np.take(self._states, rows, axis=0).view(STATE).reshape(-1)
        write_all_inputs(self._board.array, states, self._seats[rows], out, 0, rows.size)
        return self._targets[rows]

    def save(self, path: Path, mark: int) -> None:
        """Write all positions to a file in one step, with a ``mark`` that ``load`` asks for."""
        partial = path.with_name(f"partial-{path.name}")
        with partial.open("wb") as file:
            np.save(file, np.array([mark, self._next, self.size, self.newest, self._targets.size]))
            for part in (self._states, self._seats, self._targets):
                np.save(file, part[: self.size])
        os.replace(partial, path)

    def load(self, path: Path, mark: int) -> bool:
        """Take over the positions of a file; return whether that was possible: it is there, sound, and has ``mark``."""
        try:
            with path.open("rb") as file:
                found, following, size, newest, capacity = np.load(file).tolist()
                if (found, capacity) != (mark, self._targets.size):
                    return False
                parts = [np.load(file) for _ in range(3)]
        except (OSError, ValueError, EOFError):
            return False
        for part, stored in zip((self._states, self._seats, self._targets), parts, strict=True):
            part[:size] = stored
        self._next, self.size, self.newest = following, size, newest
        return True
