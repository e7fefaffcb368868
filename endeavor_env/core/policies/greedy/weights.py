"""The weights of the greedy agent, as ``greedy_value`` takes them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt


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
        """Return the weights as the kernels take them: (NUM_WEIGHTS,) float64, in the order of the fields."""
        return np.array(self, np.float64)


WEIGHTS = Weights()
