"""What a hand is worth to its seat: cards, gold, and the sets of cards that things cost."""

from __future__ import annotations

import numpy as np

from endeavor_env.kernels.kernels import inlined, kernel
from endeavor_env.merchants.players.greedy import weights as w
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules.merchants import stock_of


@inlined
def write_items(state, seat, items):
    """Write what a seat holds, which it alone may ask, to ``items`` (NUM_ITEMS,) int64."""
    for kind in range(c.NUM_RESOURCES):
        items[kind] = state.hand[seat, kind]
    items[c.GOLD] = state.gold[seat]


@inlined
def write_known_items(state, seat, other, items):
    """Write what ``seat`` knows that ``other`` holds (K14)."""
    for kind in range(c.NUM_RESOURCES):
        items[kind] = state.hand[other, kind] - state.unseen[other, kind, seat]
    items[c.GOLD] = state.gold[other]


@kernel
def items_value(board, state, seat, items, weights):
    """Return what ``items`` are worth to a seat."""
    value, size = 0.0, np.int64(0)
    for kind in range(c.NUM_RESOURCES):
        number = items[kind]
        size += number
        if number > 0:
            value += weights[w.FIRST_CARD]
        if number > 1:
            value += weights[w.SECOND_CARD] + np.float64(number - 2) * weights[w.MORE_CARD]
    if size > c.HAND_LIMIT:
        value -= np.float64(size - c.HAND_LIMIT) * weights[w.EXCESS]
    value += _sets_value(board, state, seat, items, weights)
    gold = items[c.GOLD]
    value += np.float64(min(gold, np.int64(w.SOME_GOLD))) * weights[w.GOLD]
    return value + np.float64(max(np.int64(0), gold - w.SOME_GOLD)) * weights[w.MORE_GOLD]


@kernel
def _sets_value(board, state, seat, items, weights):
    """Return what it is worth that the cards for something are complete."""
    value, wood = 0.0, items[c.WOOD] > 0
    if wood and items[c.ORE] > 0:
        if state.routes_left[seat] > 0:
            value += weights[w.ROUTE_SET]
        if items[c.SALT] > 0 and (state.caravans[seat, 0] == c.NONE or state.caravans[seat, 1] == c.NONE):
            value += weights[w.CARAVAN_SET]
    if wood and items[c.WOOL] > 0 and items[c.WHEAT] > 0 and stock_of(board, state, seat) > 0:
        value += weights[w.MERCHANT_SET]
    return value
