"""The automa: plays by the priority list of the solitaire game's Opposition, in any seat of any variant.

The kernels are in ``endeavor_env.core.policies.automa``: ``choice`` (the list), ``silent`` and ``builds`` (what the
list does not say); ``docs/agents.md`` explains every choice in words.
"""

from __future__ import annotations

import numpy as np

from endeavor_env import Game
from endeavor_env.compilation import ensure_automa_compiled
from endeavor_env.core.actions import NUM_ACTIONS, NUM_VARIANT_ACTIONS, num_actions
from endeavor_env.core.policies.automa import choice


class AutomaAgent:
    """Plays by the Opposition's list; there is no chance in its play."""

    def __init__(self, name: str = "automa") -> None:
        """Make an agent; the first on a machine compiles its kernels."""
        ensure_automa_compiled()
        self.name = name
        self._masks = {size: np.zeros(size, np.int8) for size in (NUM_ACTIONS, NUM_VARIANT_ACTIONS)}

    def reset(self, seed: int) -> None:
        """Do nothing: equal positions get equal moves, whatever the seed and the games before."""

    def act(self, game: Game) -> int:
        """Return the legal action of the seat to move that the list puts first."""
        return int(choice.choose(game.board.array, game.state, self._masks[num_actions(game.variant)]))
