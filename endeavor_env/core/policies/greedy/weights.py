"""The weights of the greedy player, by which ``position_value`` adds up the value of a position."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt


class Weights(NamedTuple):
    """What things other than Glory are worth, in Glory; ``docs/agents.md`` says how the numbers were found."""

    # --- income: for each round still to come -------------------------------------------------------------------------
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
    """"Either" buildings: the lesser action counts times this. Above 1, because such buildings are seldom idle."""
    second_part: float = 0.2
    """"Both" buildings: the lesser action counts times this."""
    # --- stock: what is ready to be used ------------------------------------------------------------------------------
    ready: float = 0.1
    """A building that can be activated now, times what it does; it decides which building is used and freed first."""
    disc: float = 0.32
    """A disc in harbor, or on a building that the next Salary frees. In the last round discs count only by R12.7."""
    card_limit: float = 1.0
    """One more card that Politics allows."""
    excess_card: float = 0.3
    """Subtracted for each card above the limit, which the seat would have to discard at its pass."""
    # --- chances: what the next actions may bring ---------------------------------------------------------------------
    late: float = 0.28
    """The factor of all chances together in the last round."""
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
    """The best card within reach in each pile, times its worth; the piles are added up."""
    near_card: float = 0.35
    """The factor of a card for which one disc is lacking."""
    closed_card: float = 0.6
    """The factor of a card of a closed region, times the filled part of the track."""
    governor: float = 0.5
    """A Governor whose majority the seat has, times its worth and the filled part of the track."""
    free_city: float = 0.17
    """A free city that the seat may occupy, up to four of them."""
    foothold: float = 1.1
    """Presence in a closed region, times the filled part of its track."""
    link: float = 0.3
    """A connection that lacks only a free city."""
    link_token: float = 1.0
    """The token still on it, times ``link``."""
    # --- the other seats ----------------------------------------------------------------------------------------------
    best_rival: float = 0.1
    """Subtracted for each Glory of the best other seat."""
    all_rivals: float = 0.12
    """Subtracted for each Glory of the other seats' mean."""

    def as_array(self) -> npt.NDArray[np.float64]:
        """Return the weights for the kernels: (NUM_WEIGHTS,) float64, in the order of the fields."""
        return np.array(self, np.float64)


WEIGHTS = Weights()
