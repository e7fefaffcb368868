"""The weights of the greedy player, by which ``value.position_value`` adds up what a position is worth to a seat.

``docs/log/tune_greedy.py merchants`` searches them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt


class Weights(NamedTuple):
    """What things are worth; only their relations matter."""

    # --- the aim ------------------------------------------------------------------------------------------------------
    delivered: float = 121.0
    """A good that was delivered."""
    free_good: float = 18.0
    """A good that is free to be delivered."""
    # --- income -------------------------------------------------------------------------------------------------------
    production: float = 0.734
    """A way of the dice, of 36, in which a post yields a card."""
    kind: float = 1.73
    """A kind of resource that the posts yield at all."""
    rival: float = 0.122
    """Subtracted for a way of the dice in which posts of others yield a card, more for those who delivered more."""
    # --- merchants ----------------------------------------------------------------------------------------------------
    merchant: float = 1.4
    """A merchant on the map while posts are left."""
    near_city: float = 1.14
    """A path by which a merchant is nearer to a free city than ``FAR_CITY``."""
    second_merchant: float = 0.199
    """The factor of the merchant that is farther from free cities."""
    # --- caravans -----------------------------------------------------------------------------------------------------
    near_post: float = 1.98
    """A step by which a caravan is nearer to a post that takes a good than ``FAR_POST``."""
    second_caravan: float = -0.266
    """The factor of the caravan that is farther from such posts."""
    unbuilt: float = 4.11
    """A path without route, in steps along routes."""
    no_good: float = 0.72
    """The factor of the caravans of a seat without a free good."""
    # --- in hand ------------------------------------------------------------------------------------------------------
    first_card: float = 1.26
    """The first card of a kind."""
    second_card: float = 0.213
    """The second card of a kind."""
    more_card: float = 0.268
    """Each card of a kind after the second one."""
    excess: float = 0.279
    """Subtracted for a card above seven."""
    route_set: float = 0.61
    """The cards for a route."""
    merchant_set: float = 2.16
    """The cards for a merchant while posts are left."""
    caravan_set: float = 0.102
    """The cards for a caravan while one is not on the map."""
    gold: float = 1.07
    """A gold, up to ``SOME_GOLD``."""
    more_gold: float = 0.487
    """Each gold after them."""
    development: float = 2.22
    """A development card."""
    stolen: float = 0.928
    """A card that is about to be stolen, more if its owner delivered more."""
    # --- trade --------------------------------------------------------------------------------------------------------
    offer: float = 0.32
    """What an exchange must bring before it is offered."""
    accept: float = 0.688
    """An offer is accepted if it brings more than this times what it seems to bring the mover."""

    def as_array(self) -> npt.NDArray[np.float64]:
        """Return the weights for the kernels: (number of weights,) float64."""
        return np.array(self, np.float64)

    def changed(self, values: Mapping[str, float]) -> Weights:
        """Return a copy with other values for some of NAMES, which must be known."""
        return self._replace(**values)


WEIGHTS = Weights()
NAMES = Weights._fields
NUM_WEIGHTS = len(NAMES)
(
    DELIVERED,
    FREE_GOOD,
    PRODUCTION,
    KIND,
    RIVAL,
    MERCHANT,
    NEAR_CITY,
    SECOND_MERCHANT,
    NEAR_POST,
    SECOND_CARAVAN,
    UNBUILT,
    NO_GOOD,
    FIRST_CARD,
    SECOND_CARD,
    MORE_CARD,
    EXCESS,
    ROUTE_SET,
    MERCHANT_SET,
    CARAVAN_SET,
    GOLD,
    MORE_GOLD,
    DEVELOPMENT,
    STOLEN,
    OFFER,
    ACCEPT,
) = range(NUM_WEIGHTS)
"""Where each weight stands in the array."""
FAR_CITY, FAR_POST, SOME_GOLD = 10, 24, 4
"""Distances beyond which a free city, in paths, and a post, in steps, do not count; and how much gold counts fully."""
