"""The agent that plays any legal move, each as likely as the others."""

from __future__ import annotations

import numpy as np

from endeavor_env import Game
from endeavor_env.basics.inputs import fresh_seed
from endeavor_env.endeavor.interface import entry
from endeavor_env.endeavor.rules.actions import num_actions
from endeavor_env.engine.base_game import only_reads
from endeavor_env.engine.kernels.rng import seeded


@only_reads
class RandomAgent:
    """Plays uniformly random legal moves."""

    def __init__(self, name: str = "random") -> None:
        """Make an agent with a seed of its own until its first ``reset``."""
        self.name = name
        self.reset(fresh_seed())

    def reset(self, seed: int) -> None:
        """Seed the choices of the next games."""
        self._rng = seeded(seed)

    def act(self, game: Game) -> int:
        """Return a random legal action of the seat to move."""
        mask = np.empty(num_actions(game.variant), np.int8)  # its own: threads may share the agent
        entry.legal(game.board.array, game.state, mask)
        return int(entry.choose(mask, self._rng))
