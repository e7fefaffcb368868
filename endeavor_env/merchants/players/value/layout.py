"""What a value network of Merchants sees: small whole numbers, int8, each with the number that it is divided by.

A position is seen as if the turn ended now: so all that may happen in a turn can be compared. Nothing belongs to one
board: places count by what they yield and how far they are. Seats are relative, the observer first.
"""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.kernels.constants import constants
from endeavor_env.merchants.rules import constants as c

NEAR_CITY = 7
"""Paths to a free city are told apart below this."""
STEPS = (0, 1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20)
"""Bounds of the steps of a caravan to a post that takes a good."""
CARDS_TOLD = 4
"""Cards of a kind are told apart up to so many."""
GOLD_STEPS = (1, 2, 3, 4, 6, 8, 12)
GOODS_LEFT = 5
HAND_STEPS = (1, 3, 5, 6, 7, 8, 10)
GREEDY_PARTS, GREEDY_LOWEST, GREEDY_DIGITS = 16, -128, 128
"""What ``greedy`` finds a position worth is told in sixteenths above a lowest value, in two digits of 128 each."""


class Row(NamedTuple):
    """A row of inputs."""

    name: str
    size: int
    divisor: int
    meaning: str
    """One sentence."""


_S, _R, _K = c.MAX_SEATS, c.NUM_RESOURCES, c.SLOTS
ROWS = (
    # --- what only the observer sees ----------------------------------------------------------------------------------
    Row("own_cards", _R * CARDS_TOLD, 1, "Whether the hand has at least 1, 2, ... cards of each kind."),
    Row("own_hand", _R, 4, "Cards of each kind."),
    Row("own_gold", len(GOLD_STEPS), 1, "Whether there is at least so much gold."),
    Row("own_sets", 4, 1, "Whether the cards for a route, a merchant, a caravan and a development card are there."),
    Row("own_development", c.NUM_CARDS, 2, "Development cards of each kind."),
    Row(
        "own_reach", 4 * _K, 1, "Whether each merchant has a free city within 3 and 6 paths, and more than one of them."
    ),
    Row("greedy_high", 1, 64, "The high digit of what greedy finds the position worth."),
    Row("greedy_low", 1, 64 * GREEDY_DIGITS, "The low digit of it."),
    # --- every seat ---------------------------------------------------------------------------------------------------
    Row("playing", _S, 1, "Seats that play."),
    Row("next", _S, 1, "Who rolls next."),
    Row("hand_size", _S * len(HAND_STEPS), 1, "Whether a hand has at least so many cards."),
    Row("known", _S * _R, 4, "Cards that a hand holds for sure."),
    Row("unknown", _S, 4, "Cards of a hand whose kind the observer does not know."),
    Row("gold", _S, 10, "Gold."),
    Row("development", _S, 3, "Development cards in each hand."),
    Row("routes_left", _S, 30, "Routes in supply."),
    Row("stock", _S, 4, "Posts that lie on goods."),
    Row("no_stock", _S, 1, "Whether there is none."),
    Row("free_goods", _S, 2, "Free goods."),
    Row("has_good", _S, 1, "Whether there is one."),
    Row("delivered", _S, 4, "Goods delivered."),
    Row("left", _S * GOODS_LEFT, 1, "Whether at most 0, 1, ... goods are not delivered."),
    Row("yields", _S * _R, 8, "Ways of the dice in which posts yield each kind."),
    Row("yielding", _S * _R, 1, "Whether they yield it."),
    Row("all_yields", _S, 24, "Ways of the dice of all kinds."),
    Row("posts", _S, 8, "Posts."),
    Row("covered", _S, 4, "Own posts with a good under them."),
    Row("takers", _S, 16, "Posts that take a good of the seat."),
    Row("merchants", _S, 2, "Merchants on the map."),
    Row("near_city", _S * NEAR_CITY, 1, "Whether the nearest merchant is at most 0, 1, ... paths from a free city."),
    Row("second_city", _S * NEAR_CITY, 1, "The same for the other one."),
    Row("caravans", _S, 2, "Caravans on the map."),
    Row("near_post", _S * len(STEPS), 1, "Whether the nearest caravan is at most so many steps from such a post."),
    Row("second_post", _S * len(STEPS), 1, "The same for the other one."),
    # --- the table ----------------------------------------------------------------------------------------------------
    Row("rolls", 1, 100, "Rolls made, 100 at most."),
    Row("reserve", _R, 10, "Cards of each kind in the reserve."),
    Row("pile", 1, 20, "Development cards in the pile."),
)
INPUTS = sum(row.size for row in ROWS)
"""The number of inputs."""


def _offsets() -> dict[str, int]:
    offsets, at = {}, 0
    for row in ROWS:
        offsets[row.name] = at
        at += row.size
    return offsets


def _factors() -> npt.NDArray[np.float32]:
    factors = np.concatenate([np.full(row.size, 1.0 / row.divisor, np.float32) for row in ROWS])
    factors.flags.writeable = False
    return factors


OFFSETS = _offsets()
"""The offsets of rows by name."""
AT: Any = constants("merchants_value_inputs", OFFSETS)
"""The same as constants of kernels."""
PIECES = frozenset(
    (
        "yields", "yielding", "all_yields", "posts", "covered", "takers", "merchants", "near_city", "second_city",
        "caravans", "near_post", "second_post",
    )
)  # fmt: skip
"""The rows that depend on where the pieces of a seat stand."""
FACTORS = _factors()
"""(INPUTS,) float32: what the numbers are multiplied by before the network gets them."""
BOUNDS = (STEPS, GOLD_STEPS, HAND_STEPS, NEAR_CITY, CARDS_TOLD, GOODS_LEFT, GREEDY_PARTS, GREEDY_LOWEST)
INPUTS_HASH = hashlib.sha256(repr((ROWS, BOUNDS)).encode()).hexdigest()[:16]
"""Of what networks depend on."""
