"""Agents that compiled players decide for: any name of ``endeavor_env.core.policies.choose.POLICIES``."""

from __future__ import annotations

import numpy as np

from endeavor_env import Game
from endeavor_env.compilation import ensure_players_compiled
from endeavor_env.core.actions import RULESETS, num_actions
from endeavor_env.core.policies.choose import CODES, choose_action, new_memory
from endeavor_env.core.policies.greedy.weights import WEIGHTS, Weights
from endeavor_env.core.rng import seeded


class CompiledAgent:
    """Plays as a compiled player does."""

    def __init__(self, policy: str, name: str | None = None, weights: Weights = WEIGHTS) -> None:
        """Make an agent, seeded with 0 until its first ``reset``; the first on a machine compiles its kernels.

        Args:
            policy: A name of POLICIES.
            name: How the agent is called; the policy's name if left out.
            weights: The weights of ``greedy``; other players have none.
        """
        ensure_players_compiled()
        self.name = policy if name is None else name
        self.weights = weights
        self._code = CODES[policy]
        sizes = {ruleset.num_actions for ruleset in RULESETS.values()}
        self._masks = {size: np.zeros(size, np.int8) for size in sizes}
        self._memories = {size: new_memory(size)._replace(weights=weights.as_array()) for size in sizes}
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Seed what the player draws, if it draws anything."""
        self._rng = seeded(seed)

    def act(self, game: Game) -> int:
        """Return the legal action that the player chooses for the seat to move."""
        size = num_actions(game.variant)
        boards, mask, memory = game.board.array, self._masks[size], self._memories[size]
        return int(choose_action(self._code, boards, game.state, mask, memory, self._rng))
