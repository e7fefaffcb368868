"""The automa: plays by the priority list of the solitaire game's Opposition, in any seat of any variant.

The kernels are ``core/automa.py`` (the list), ``core/automa_silent.py`` and ``core/automa_build.py`` (what it is silent
about); ``docs/agents.md`` tells every choice in words.
"""

from __future__ import annotations

import numpy as np

from endeavor_env import Game
from endeavor_env.compilation import ensure_automa_compiled
from endeavor_env.core.actions import NUM_ACTIONS, NUM_VARIANT_ACTIONS, num_actions
from endeavor_env.core.policies.automa import choice as automa


class AutomaAgent:
    """Plays by the Opposition's list; there is no chance in its play."""

    def __init__(self, name: str = "automa") -> None:
        """Makes an agent; the first on a machine compiles its kernels."""
        ensure_automa_compiled()
        self.name = name
        self._masks = {size: np.zeros(size, np.int8) for size in (NUM_ACTIONS, NUM_VARIANT_ACTIONS)}

    def reset(self, seed: int) -> None:
        """Does nothing: the agent remembers nothing, and equal positions get equal moves whatever the seed."""

    def act(self, game: Game) -> int:
        """Returns the legal action of the seat to move that the list puts first."""
        return int(automa.choose(game.board.array, game.state, self._masks[num_actions(game.variant)]))
