"""What a position is worth to a seat, by what this seat may see (K14): its own hand, and of the others what is open."""

from __future__ import annotations

import numpy as np

from endeavor_env.kernels.intrinsics import words_on_stack
from endeavor_env.kernels.kernels import inlined, kernel
from endeavor_env.merchants.players.greedy import weights as w
from endeavor_env.merchants.players.greedy.hands import items_value, write_items
from endeavor_env.merchants.players.greedy.ways import caravans_value, merchants_value
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules import sets
from endeavor_env.merchants.rules.caravans import free_goods
from endeavor_env.merchants.rules.hands import cards_in_hand
from endeavor_env.merchants.rules.merchants import goods_of_seat
from endeavor_env.merchants.rules.state import new_items

_new_yields = words_on_stack(c.NUM_RESOURCES)
_MEAN_WAYS = 3
"""Ways of the dice of a token that is still to be drawn (K1.6)."""


@inlined
def _ways(number):
    """Return in how many of the 36 ways the dice show a number, 0 for a terrain without."""
    return np.int64(0) if number == 0 else np.int64(6) - abs(np.int64(c.SEVEN) - np.int64(number))


@kernel
def write_yields(board, state, seat, yields):
    """Write in how many ways the posts of a seat yield a card of each kind; return the sum."""
    yields[:] = 0
    posts, total = np.int64(state.posts[seat]), np.int64(0)
    while posts != 0:
        where = np.int64(board.city_crossroads[sets.lowest(posts)])
        posts = sets.without_lowest(posts)
        for index in range(c.MEETING):
            terrain = np.int64(board.crossroads_terrains[where, index])
            if terrain == c.NONE or terrain == state.robber:
                continue
            ways = _ways(state.numbers[terrain])
            if state.decision == c.CHANCE_VALUE and terrain == state.terrain:
                ways = np.int64(_MEAN_WAYS)
            yields[board.kinds[terrain]] += ways
            total += ways
    return total


@kernel
def _income_value(board, state, seat, weights):
    """Return what the posts of a seat yield, less what those of the others do."""
    yields, value = _new_yields(c.NUM_RESOURCES), 0.0
    goods = np.float64(goods_of_seat(board, state))
    for other in range(state.num_seats):
        if other != seat:
            threat = 1.0 + np.float64(state.delivered[other]) / goods
            value -= weights[w.RIVAL] * threat * np.float64(write_yields(board, state, other, yields))
    value += weights[w.PRODUCTION] * np.float64(write_yields(board, state, seat, yields))
    for kind in range(c.NUM_RESOURCES):
        if yields[kind] > 0:
            value += weights[w.KIND]
    return value


@kernel
def _pending_value(state, weights):
    """Return what a draw that comes next brings the mover: a development card, or a card of another seat."""
    if state.decision == c.CHANCE_DRAWN:
        return weights[w.DEVELOPMENT]
    if state.decision == c.CHANCE_STOLEN:
        return weights[w.STOLEN] * (1.0 + np.float64(state.delivered[state.victim]))
    return 0.0


@kernel
def position_value(board, state, seat, weights):
    """Return the value of a position for ``seat``; ``weights`` is (number of weights,) float64."""
    items = new_items(c.NUM_ITEMS)
    write_items(state, seat, items)
    free = np.float64(free_goods(state, seat))
    value = weights[w.DELIVERED] * np.float64(state.delivered[seat]) + weights[w.FREE_GOOD] * free
    value += items_value(board, state, seat, items, weights)
    value += weights[w.DEVELOPMENT] * np.float64(cards_in_hand(state, seat))
    value += _income_value(board, state, seat, weights)
    value += merchants_value(board, state, seat, weights)
    near = caravans_value(board, state, seat, weights)
    value += near if free > 0.0 else weights[w.NO_GOOD] * near
    return value + _pending_value(state, weights)
