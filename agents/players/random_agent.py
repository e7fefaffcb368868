"""The agent that plays any legal move, each as likely as the others."""

from __future__ import annotations

import numpy as np

from endeavor_env import Game
from endeavor_env.basics.inputs import fresh_seed
from endeavor_env.core import entry
from endeavor_env.core.actions import RULESETS, num_actions
from endeavor_env.rails.kernels.rng import seeded


class RandomAgent:
    """Plays uniformly random legal moves."""

    def __init__(self, name: str = "random") -> None:
        """Make an agent with a seed of its own until its first ``reset``."""
        self.name = name
        self._masks = {size: np.empty(size, np.int8) for size in {ruleset.num_actions for ruleset in RULESETS.values()}}
        self.reset(fresh_seed())

    def reset(self, seed: int) -> None:
        """Seed the choices of the next games."""
        self._rng = seeded(seed)

    def act(self, game: Game) -> int:
        """Return a random legal action of the seat to move."""
        mask = self._masks[num_actions(game.variant)]
        entry.legal(game.board.array, game.state, mask)
        return int(entry.choose(mask, self._rng))
