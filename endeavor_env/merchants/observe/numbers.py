"""The rows of small numbers with which both layouts begin."""

from __future__ import annotations

import numpy as np

from endeavor_env.kernels.kernels import kernel
from endeavor_env.merchants.observe.layout import NUMBERS_AT as _AT
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules import sets
from endeavor_env.merchants.rules.caravans import free_goods
from endeavor_env.merchants.rules.hands import cards_in_hand
from endeavor_env.merchants.rules.merchants import goods_of_seat, stock_of

_HUNDRED = 100


@kernel
def relative(state, seat, observer):
    """Return how far clockwise a seat sits from the observer."""
    seats = np.int64(state.num_seats)
    return (np.int64(seat) - np.int64(observer) + seats) % seats


@kernel
def write_numbers(board, state, observer, out):
    """Write them; ``out`` is 0 before."""
    _write_own(state, observer, out)
    for distance in range(state.num_seats):
        _write_seat(board, state, observer, (observer + distance) % np.int64(state.num_seats), distance, out)
    _write_table(state, out)
    _write_turn(state, out)
    _write_rolls(state, out)


@kernel
def _write_own(state, observer, out):
    """Write what only the observer sees."""
    for kind in range(c.NUM_RESOURCES):
        out[_AT.hand + kind] = state.hand[observer, kind]
    for kind in range(c.NUM_CARDS):
        out[_AT.cards + kind] = state.cards[observer, kind]
    if observer == state.mover and state.bought != c.NONE:
        out[_AT.bought + np.int64(state.bought)] = 1


@kernel
def _write_seat(board, state, observer, seat, distance, out):
    """Write what the observer knows of a seat."""
    for kind in range(c.NUM_RESOURCES):
        unseen = np.int64(state.unseen[seat, kind, observer])
        out[_AT.known + distance * c.NUM_RESOURCES + kind] = state.hand[seat, kind] - unseen
        out[_AT.unknown + distance] += unseen
    out[_AT.gold + distance] = state.gold[seat]
    out[_AT.num_cards + distance] = cards_in_hand(state, seat)
    out[_AT.routes_left + distance] = state.routes_left[seat]
    out[_AT.stock + distance] = stock_of(board, state, seat)
    out[_AT.free_goods + distance] = free_goods(state, seat)
    out[_AT.delivered + distance] = state.delivered[seat]
    out[_AT.to_deliver + distance] = goods_of_seat(board, state) - state.delivered[seat]
    out[_AT.discards + distance] = state.discards[seat]
    out[_AT.playing + distance] = 1
    out[_AT.mover + distance] = state.mover == seat
    out[_AT.asked + distance] = state.seat == seat
    out[_AT.accepted + distance] = sets.has(np.int64(state.accepted), seat)
    for slot in range(c.SLOTS):
        out[_AT.tolls + slot * c.MAX_SEATS + distance] = sets.has(np.int64(state.tolls[slot]), seat)


@kernel
def _write_table(state, out):
    """Write what lies on the table."""
    out[_AT.gold_left] = state.gold_left
    for kind in range(c.NUM_RESOURCES):
        out[_AT.reserve + kind] = state.reserve[kind]
        for value in range(c.NUM_VALUES):
            out[_AT.sea + kind * c.NUM_VALUES + value] = state.sea[kind, value]
    for kind in range(c.NUM_CARDS):
        out[_AT.pile] += state.pile[kind]
        out[_AT.used + kind] = state.used[kind]


@kernel
def _write_turn(state, out):
    """Write what has been done this turn, and what is under way."""
    if state.decision < c.NUM_DECISIONS:
        out[_AT.decision + np.int64(state.decision)] = 1
    out[_AT.rolled] = state.rolled
    out[_AT.card_played] = state.card_played
    out[_AT.has_bought] = state.bought != c.NONE
    out[_AT.buys] = state.buys
    out[_AT.offers] = state.offers
    for item in range(c.NUM_ITEMS):
        out[_AT.gives + item] = state.gives[item]
        out[_AT.wants + item] = state.wants[item]
    if state.card != c.NONE:
        out[_AT.card + np.int64(state.card)] = 1
    out[_AT.routes_of_card] = state.routes_of_card
    out[_AT.steps] = state.steps
    out[_AT.moved] = state.moved
    if state.slot != c.NONE:
        out[_AT.slot + np.int64(state.slot)] = 1


@kernel
def _write_rolls(state, out):
    """Write how long the game has lasted, and may last."""
    made = np.int64(state.rolls)
    left = max(np.int64(0), np.int64(state.most_rolls) - made)
    out[_AT.hundreds_of_rolls] = min(np.int64(_HUNDRED), made // _HUNDRED)
    out[_AT.rolls] = made % _HUNDRED
    out[_AT.hundreds_of_rolls_left] = min(np.int64(_HUNDRED), left // _HUNDRED)
    out[_AT.rolls_left] = left % _HUNDRED
