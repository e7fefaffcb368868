"""The positions that a run learns from: the newest ones, drawn at random and observed when they are drawn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from endeavor_env.training.runs.ring import Ring
from endeavor_env.training.td.adapter import AnyBoard, adapter_of
from endeavor_env.training.td.games import PlayedGames
from endeavor_env.training.td.labels import LABEL_SHAPES, labels_of


class Replay(Ring):
    """A ring of positions with the seat that sees them and their targets."""

    def __init__(self, capacity: int, board: AnyBoard, auxiliary: Sequence[str] = ()) -> None:
        """Make an empty ring for ``capacity`` positions of ``board``; memory is used as it fills.

        Args:
            capacity: Most positions.
            board: The board of all games.
            auxiliary: Labels that are kept beside targets: names of ``settings.AUXILIARY``.
        """
        self._adapter, self._auxiliary = adapter_of(board), auxiliary
        states = np.uint8, (self._adapter.row_bytes,)
        labels = {name: (np.int16, LABEL_SHAPES[name]) for name in auxiliary}
        super().__init__(capacity, states=states, seats=(np.int64, ()), targets=(np.float32, ()), **labels)

    def add_games(self, played: Sequence[PlayedGames]) -> None:
        """Add the positions of games, which have targets, as the newest; the oldest ones make room."""
        self.begin()
        for games in played:
            states = games.states.view(np.uint8).reshape(games.moments.size, self._adapter.row_bytes)
            labels = labels_of(games, self._auxiliary)
            self.add(states=states, seats=games.moments["seat"], targets=games.moments["target"], **labels)

    def observe(self, rows: npt.NDArray[np.int64], out: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Write what networks see of positions, ``rows`` (n,), to ``out`` (n, inputs); return their targets, (n,)."""
        self._adapter.observe(self.take("states", rows), self.take("seats", rows), out)
        return self.take("targets", rows)

    def labels(self, rows: npt.NDArray[np.int64]) -> dict[str, npt.NDArray[np.int16]]:
        """Return the labels of positions, ``rows`` (n,), by their names."""
        return {name: self.take(name, rows) for name in self._auxiliary}
