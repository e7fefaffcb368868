"""The agent that plays any legal move, each as likely as the others."""

from __future__ import annotations

import numpy as np

from endeavor_env import Game
from endeavor_env.core import entry
from endeavor_env.core.actions import NUM_ACTIONS
from endeavor_env.core.rng import seeded


class RandomAgent:
    """Plays uniformly random legal moves."""

    def __init__(self, name: str = "random") -> None:
        """Makes an agent seeded with 0 until its first ``reset``."""
        self.name = name
        self._mask = np.empty(NUM_ACTIONS, np.int8)
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Starts the stream of ``seed``."""
        self._rng = seeded(seed)

    def act(self, game: Game) -> int:
        """Returns a random legal action of the seat to move."""
        entry.legal(game.board.array, game.state, self._mask)
        return int(entry.choose(self._mask, self._rng))
