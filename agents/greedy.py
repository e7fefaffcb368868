"""The greedy agent: plays the move after which its own turn ends in the best position, by a weighted estimate.

The estimate is Glory "as if the game ended now" plus the promises weighed here; the kernels are ``core/greedy.py``
(which moves are tried) and ``core/greedy_value.py`` (what a position is worth).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env import Game
from endeavor_env.compilation import ensure_greedy_compiled
from endeavor_env.core import greedy
from endeavor_env.core.actions import NUM_ACTIONS
from endeavor_env.core.rng import seeded
from endeavor_env.core.state import STATE


class Weights(NamedTuple):
    """What the greedy agent counts besides Glory, in Glory. How the numbers were found: ``docs/agents.md``."""

    # --- engine: for each round still to come -------------------------------------------------------------------------
    growth: float = 1.2
    """A disc that Growth will bring."""
    build_level: float = 0.25
    """A level of buildings that Industry allows."""
    action: float = 1.1
    """An action building whose disc Salary can pay back, times what it does (next lines)."""
    unpaid_action: float = 0.5
    """An action building beyond the payments, times what it does."""
    sail: float = 1.3
    """What a building does: Sail."""
    occupy: float = 2.0
    """Occupy."""
    attack: float = 1.4
    """Attack."""
    draw: float = 0.8
    """Draw."""
    pay: float = 1.3
    """Pay."""
    second_choice: float = 3.7
    """"Either" buildings: the lesser action counts times this. Above 1, for they seldom stand idle."""
    second_part: float = 0.2
    """"Both" buildings: the lesser action counts times this."""
    # --- stock: what is ready for use ---------------------------------------------------------------------------------
    ready: float = 0.1
    """A building that can be activated now, times what it does: decides which building is used and paid first."""
    disc: float = 0.32
    """A disc in harbor, or on a building that the next Salary frees. In the last round only what R12.7 gives."""
    card_limit: float = 1.0
    """A card more that Politics allows."""
    excess_card: float = 0.3
    """Subtracted for each card above the limit, which passing would cost."""
    # --- chances: what the next actions may bring ---------------------------------------------------------------------
    late: float = 0.28
    """All chances together count this much once no round is to come."""
    progress: float = 1.1
    """The part of the way to a marker's next Glory space, times the Glory it adds."""
    level_progress: float = 0.55
    """The part of the way to a marker's next level, times what the level is worth."""
    attack_token: float = 3.9
    """A blue Attack token."""
    occupy_draw_token: float = 4.8
    """A blue Occupy/Draw token."""
    sail_draw_token: float = 4.5
    """A blue Sail/Draw token."""
    pay_token: float = 0.7
    """A blue Pay token."""
    icon: float = 1.1
    """An icon on a card not yet held; its Glory counts fully."""
    best_card: float = 1.25
    """The best card within reach, times its worth."""
    every_card: float = 0.25
    """The best card within reach of every pile, times its worth, added up."""
    near_card: float = 0.35
    """A card for which one disc is lacking, against one within reach."""
    closed_card: float = 0.6
    """A card of a closed region, against an open one's, times the filled part of the track."""
    governor: float = 0.5
    """A Governor one is about to win, times its worth and the filled part of the track."""
    free_city: float = 0.17
    """A free city one may occupy, up to four of them."""
    foothold: float = 1.1
    """Presence in a closed region, times the filled part of its track."""
    link: float = 0.3
    """A connection that lacks only a free city."""
    link_token: float = 1.0
    """The token still on it, in the measure of ``link``."""
    # --- the others ---------------------------------------------------------------------------------------------------
    best_rival: float = 0.1
    """Subtracted for each Glory of the best other seat."""
    all_rivals: float = 0.12
    """Subtracted for each Glory of the others' mean."""

    def as_array(self) -> npt.NDArray[np.float64]:
        """Returns the weights as the kernels take them: (NUM_WEIGHTS,) float64, in the order of the fields."""
        return np.array(self, np.float64)


WEIGHTS = Weights()


class GreedyAgent:
    """Plays the best turn by a weighted estimate; equal moves are drawn by lot."""

    def __init__(self, weights: Weights = WEIGHTS, name: str = "greedy") -> None:
        """Makes an agent seeded with 0 until its first ``reset``; the first on a machine compiles its kernels."""
        ensure_greedy_compiled()
        self.name = name
        self.weights = weights
        self._weights = weights.as_array()
        self._scratch = np.zeros(greedy.DEPTH, STATE)
        self._masks = np.zeros((greedy.DEPTH, NUM_ACTIONS), np.int8)
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Starts the stream of ``seed``, which settles ties."""
        self._rng = seeded(seed)

    def act(self, game: Game) -> int:
        """Returns the legal action with the best outcome for the seat to move."""
        return int(greedy.choose(game.board.array, game.state, self._weights, self._scratch, self._masks, self._rng))
