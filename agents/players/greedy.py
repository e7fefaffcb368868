"""The greedy agent: plays the move after which its own turn ends in the best position, by a weighted estimate.

The estimate is Glory "as if the game ended now" plus the promises weighed here; the kernels are ``core/greedy.py``
(which moves are tried) and ``core/greedy_value.py`` (what a position is worth).
"""

from __future__ import annotations

import numpy as np

from endeavor_env import Game
from endeavor_env.compilation import ensure_greedy_compiled
from endeavor_env.core.actions import NUM_ACTIONS, NUM_VARIANT_ACTIONS, num_actions
from endeavor_env.core.policies.greedy import turn_search as greedy
from endeavor_env.core.policies.greedy.weights import WEIGHTS, Weights
from endeavor_env.core.rng import seeded
from endeavor_env.core.state import STATE

__all__ = ["WEIGHTS", "GreedyAgent", "Weights"]


class GreedyAgent:
    """Plays the best turn by a weighted estimate; equal moves are drawn by lot."""

    def __init__(self, weights: Weights = WEIGHTS, name: str = "greedy") -> None:
        """Makes an agent seeded with 0 until its first ``reset``; the first on a machine compiles its kernels."""
        ensure_greedy_compiled()
        self.name = name
        self.weights = weights
        self._weights = weights.as_array()
        self._scratch = np.zeros(greedy.DEPTH, STATE)
        sizes = (NUM_ACTIONS, NUM_VARIANT_ACTIONS)
        self._masks = {size: np.zeros((greedy.DEPTH, size), np.int8) for size in sizes}
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Starts the stream of ``seed``, which settles ties."""
        self._rng = seeded(seed)

    def act(self, game: Game) -> int:
        """Returns the legal action with the best outcome for the seat to move."""
        masks = self._masks[num_actions(game.variant)]
        return int(greedy.choose(game.board.array, game.state, self._weights, self._scratch, masks, self._rng))
