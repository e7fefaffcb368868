"""Potential-based shaping of the rewards of a batch."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from endeavor_env.engine.batch.game_batch import Batch
from endeavor_env.engine.batch.game_kinds import Kinds
from endeavor_env.engine.rewards import Shaping, margin_scale

Rows = npt.NDArray[np.int64]


class BatchShaping:
    """The shaping terms of the learner's rewards: gamma * phi(next decision) - phi(this one), see ``Shaping``."""

    def __init__(self, shaping: Shaping, batch: Batch, kinds: Kinds) -> None:
        """Take the option, the games and their kinds."""
        self._shaping, self._batch = shaping, batch
        scale = kinds.rules.scale
        # leads that count as 1, by kind
        self._scales = np.array([margin_scale(scale, game.num_scores > game.players) for game in kinds.games])
        self._potential = np.zeros(batch.size)

    def start(self, rows: Rows) -> None:
        """Note the potentials of games at their first decision."""
        self._potential[rows] = self._potentials(rows)

    def add_terms(self, rewards: npt.NDArray[np.float64], begun: Rows, ended: Rows) -> None:
        """Add the terms of a step to ``rewards``, (N,).

        Args:
            rewards: Written.
            begun: Games that began in this step without a move: they get 0.
            ended: Games that ended in this step, in any way: the potential of a finished game is 0.
        """
        now = self._potentials(None)
        after = now.copy()
        after[ended] = 0.0
        rewards += self._shaping.gamma * after - self._potential
        rewards[begun] = 0.0
        self._potential = now

    def _potentials(self, rows: Rows | None) -> npt.NDArray[np.float64]:
        """Return the potential of the learner's seat in ``rows``, None for all."""
        kinds = self._batch.tables["kind"] if rows is None else self._batch.tables["kind"][rows]
        return np.asarray(self._shaping.weight * self._batch.leads(rows) / self._scales[kinds], np.float64)
