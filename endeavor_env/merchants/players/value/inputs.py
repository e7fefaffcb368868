"""Writing what a value network sees of a position: nothing that its seat cannot know (K14)."""

from __future__ import annotations

import numpy as np

from endeavor_env.engine.kernels import rules
from endeavor_env.kernels.entries import code_entry
from endeavor_env.kernels.intrinsics import bytes_at, words_on_stack
from endeavor_env.kernels.kernels import inlined, kernel
from endeavor_env.merchants.observe.numbers import relative
from endeavor_env.merchants.players.greedy.value import position_value, write_yields
from endeavor_env.merchants.players.greedy.ways import paths_to_city, steps_to_post
from endeavor_env.merchants.players.greedy.weights import WEIGHTS
from endeavor_env.merchants.players.value import layout
from endeavor_env.merchants.players.value.layout import AT as _AT
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules import sets
from endeavor_env.merchants.rules.board_record import board_at
from endeavor_env.merchants.rules.caravans import free_goods
from endeavor_env.merchants.rules.hands import cards_in_hand, hand_size
from endeavor_env.merchants.rules.merchants import goods_of_seat, stock_of
from endeavor_env.merchants.rules.places import free_cities, paths_between, takers
from endeavor_env.merchants.rules.state import state_at

UNBUILT = 2.0
"""Steps that a path without a route counts."""
NUM_STEPS, NUM_GOLD, NUM_HAND = len(layout.STEPS), len(layout.GOLD_STEPS), len(layout.HAND_STEPS)
_STEPS, _GOLD, _HAND = (np.array(bounds, np.int64) for bounds in (layout.STEPS, layout.GOLD_STEPS, layout.HAND_STEPS))
_PIECES = [row for row in layout.ROWS if row.name in layout.PIECES]
NUM_PIECE_ROWS = len(_PIECES)
_PIECE_ROWS = np.array([layout.OFFSETS[row.name] for row in _PIECES], np.int64)
_PIECE_SIZES = np.array([row.size // c.MAX_SEATS for row in _PIECES], np.int64)
_WEIGHTS = WEIGHTS.as_array()
_MOST = 127
_REACH = (3, 6)
_FAR = 99.0

_new_yields = words_on_stack(c.NUM_RESOURCES)


@kernel
def write_inputs(board, state, observer, out):
    """Write what ``observer`` sees, (INPUTS,) int8."""
    _write_all_but_pieces(board, state, observer, out)
    cities = free_cities(board, state)
    for distance in range(state.num_seats):
        _write_pieces(board, state, _seat_at(state, observer, distance), distance, cities, out)


@kernel
def write_inputs_near(board, state, observer, before, known, out):
    """Write the same, with what ``known`` (INPUTS,) has for ``before``, a position of the same game, where that holds.

    To see how near pieces are to where they want to be takes most of the time, and few moves change it.
    """
    _write_all_but_pieces(board, state, observer, out)
    cities, same = free_cities(board, state), _is_same_map(state, before)
    for distance in range(state.num_seats):
        seat = _seat_at(state, observer, distance)
        if same and _has_same_pieces(state, before, seat):
            _copy_pieces(known, distance, out)
        else:
            _write_pieces(board, state, seat, distance, cities, out)


@inlined
def _seat_at(state, observer, distance):
    """Return the seat so far clockwise from the observer."""
    return (np.int64(observer) + distance) % np.int64(state.num_seats)


@kernel
def _write_all_but_pieces(board, state, observer, out):
    """Write what does not depend on where the pieces of a seat stand."""
    out[:] = 0
    _write_own(board, state, observer, out)
    _write_greedy_value(board, state, observer, out)
    for distance in range(state.num_seats):
        _write_holdings(board, state, observer, _seat_at(state, observer, distance), distance, out)
    _write_table(state, observer, out)


@kernel
def _is_same_map(state, before):
    """Return whether two positions have the same posts, goods, routes, numbers and robber."""
    differences = np.int64(state.goods) ^ np.int64(before.goods)
    for owner in range(c.NUM_OWNERS):
        differences |= np.int64(state.posts[owner]) ^ np.int64(before.posts[owner])
    for seat in range(c.MAX_SEATS):
        for word in range(sets.PATH_WORDS):
            differences |= np.int64(state.routes[seat, word]) ^ np.int64(before.routes[seat, word])
    for terrain in range(c.MAX_TERRAINS):
        differences |= np.int64(state.numbers[terrain] ^ before.numbers[terrain])
    drawn = state.decision == c.CHANCE_VALUE or before.decision == c.CHANCE_VALUE
    return differences == 0 and state.robber == before.robber and not drawn


@kernel
def _has_same_pieces(state, before, seat):
    """Return whether merchants and caravans of a seat are where they were, with the same ways to go on."""
    same = state.built[seat] == before.built[seat] and (state.routes_left[seat] > 0) == (before.routes_left[seat] > 0)
    for slot in range(c.SLOTS):
        same = same and state.merchants[seat, slot] == before.merchants[seat, slot]
        same = same and state.caravans[seat, slot] == before.caravans[seat, slot]
    drives = seat == state.mover and state.decision == c.DECIDE_DRIVE
    drove = seat == before.mover and before.decision == c.DECIDE_DRIVE
    return same and not drives and not drove


@kernel
def _copy_pieces(known, distance, out):
    """Copy what ``_write_pieces`` writes."""
    for row in range(NUM_PIECE_ROWS):
        size = _PIECE_SIZES[row]
        at = _PIECE_ROWS[row] + distance * size
        for index in range(size):
            out[at + index] = known[at + index]


@kernel
def _write_own(board, state, observer, out):
    """Write what only the observer sees."""
    hand = state.hand[observer]
    for kind in range(c.NUM_RESOURCES):
        out[_AT.own_hand + kind] = hand[kind]
        for number in range(layout.CARDS_TOLD):
            out[_AT.own_cards + kind * layout.CARDS_TOLD + number] = hand[kind] > number
    for index in range(NUM_GOLD):
        out[_AT.own_gold + index] = state.gold[observer] >= _GOLD[index]
    wood, ore, salt, wool = hand[c.WOOD] > 0, hand[c.ORE] > 0, hand[c.SALT] > 0, hand[c.WOOL] > 0
    out[_AT.own_sets] = wood and ore
    out[_AT.own_sets + 1] = wood and wool and hand[c.WHEAT] > 0
    out[_AT.own_sets + 2] = wood and ore and salt
    out[_AT.own_sets + 3] = wool and salt
    for kind in range(c.NUM_CARDS):
        out[_AT.own_development + kind] = state.cards[observer, kind]
    if stock_of(board, state, observer) > 0:
        cities = free_cities(board, state)
        for slot in range(c.SLOTS):
            where = np.int64(state.merchants[observer, slot])
            if where != c.NONE:
                _write_reach(board, where, cities, _AT.own_reach + 4 * slot, out)


@kernel
def _write_greedy_value(board, state, observer, out):
    """Write what ``greedy`` finds the position worth, from which a network can begin."""
    value = position_value(board, state, observer, _WEIGHTS)
    parts = np.int64((value - np.float64(layout.GREEDY_LOWEST)) * np.float64(layout.GREEDY_PARTS))
    parts = max(np.int64(0), min(parts, np.int64(layout.GREEDY_DIGITS * layout.GREEDY_DIGITS - 1)))
    out[_AT.greedy_high], out[_AT.greedy_low] = parts // layout.GREEDY_DIGITS, parts % layout.GREEDY_DIGITS


@kernel
def _write_reach(board, where, cities, at, out):
    """Write whether free cities can be reached soon, one and more than one."""
    near, far = np.int64(0), np.int64(0)
    while cities != 0:
        there = np.int64(board.city_crossroads[sets.lowest(cities)])
        cities = sets.without_lowest(cities)
        paths = paths_between(board, where, there)
        near += paths <= _REACH[0]
        far += paths <= _REACH[1]
    out[at], out[at + 1], out[at + 2], out[at + 3] = near > 0, near > 1, far > 0, far > 1


@kernel
def _write_holdings(board, state, observer, seat, distance, out):
    """Write what the observer knows that a seat has."""
    unknown, size = np.int64(0), hand_size(state, seat)
    for kind in range(c.NUM_RESOURCES):
        unseen = np.int64(state.unseen[seat, kind, observer])
        out[_AT.known + distance * c.NUM_RESOURCES + kind] = state.hand[seat, kind] - unseen
        unknown += unseen
    out[_AT.unknown + distance] = unknown
    for index in range(NUM_HAND):
        out[_AT.hand_size + distance * NUM_HAND + index] = size >= _HAND[index]
    out[_AT.playing + distance] = 1
    out[_AT.gold + distance] = state.gold[seat]
    out[_AT.development + distance] = cards_in_hand(state, seat)
    out[_AT.routes_left + distance] = state.routes_left[seat]
    stock, goods = stock_of(board, state, seat), free_goods(state, seat)
    out[_AT.stock + distance] = stock
    out[_AT.no_stock + distance] = stock <= 0
    out[_AT.free_goods + distance] = goods
    out[_AT.has_good + distance] = goods > 0
    out[_AT.delivered + distance] = state.delivered[seat]
    left = goods_of_seat(board, state) - state.delivered[seat]
    for index in range(layout.GOODS_LEFT):
        out[_AT.left + distance * layout.GOODS_LEFT + index] = left <= index


@kernel
def _write_pieces(board, state, seat, distance, cities, out):
    """Write what the pieces of a seat yield, and how near they are to where they want to be."""
    yields = _new_yields(c.NUM_RESOURCES)
    total = write_yields(board, state, seat, yields)
    for kind in range(c.NUM_RESOURCES):
        out[_AT.yields + distance * c.NUM_RESOURCES + kind] = min(np.int64(_MOST), yields[kind])
        out[_AT.yielding + distance * c.NUM_RESOURCES + kind] = yields[kind] > 0
    out[_AT.all_yields + distance] = min(np.int64(_MOST), total)
    posts, targets = np.int64(state.posts[seat]), takers(state, seat)
    out[_AT.posts + distance] = sets.count(posts)
    out[_AT.covered + distance] = sets.count(posts & state.goods)
    out[_AT.takers + distance] = sets.count(targets)
    _write_merchants(board, state, seat, distance, cities, out)
    _write_caravans(board, state, seat, distance, targets, out)


@kernel
def _write_merchants(board, state, seat, distance, cities, out):
    """Write how far merchants are from free cities; without a post in stock they are nowhere."""
    first = second = np.int64(layout.NEAR_CITY)
    if stock_of(board, state, seat) <= 0:
        return
    for slot in range(c.SLOTS):
        where = np.int64(state.merchants[seat, slot])
        if where == c.NONE:
            continue
        out[_AT.merchants + distance] += 1
        paths = paths_to_city(board, where, cities)
        if paths < first:
            first, second = paths, first
        else:
            second = min(second, paths)
    for index in range(layout.NEAR_CITY):
        out[_AT.near_city + distance * layout.NEAR_CITY + index] = first <= index
        out[_AT.second_city + distance * layout.NEAR_CITY + index] = second <= index


@kernel
def _write_caravans(board, state, seat, distance, targets, out):
    """Write how far caravans are from posts that take a good; steps that are paid for count as made."""
    first = second = _FAR
    for slot in range(c.SLOTS):
        path = np.int64(state.caravans[seat, slot])
        if path == c.NONE:
            continue
        out[_AT.caravans + distance] += 1
        steps = steps_to_post(board, state, seat, path, targets, UNBUILT)
        if state.decision == c.DECIDE_DRIVE and seat == state.mover and slot == state.slot:
            steps -= min(steps, np.float64(state.steps))
        if steps < first:
            first, second = steps, first
        else:
            second = min(second, steps)
    for index in range(NUM_STEPS):
        out[_AT.near_post + distance * NUM_STEPS + index] = first <= _STEPS[index]
        out[_AT.second_post + distance * NUM_STEPS + index] = second <= _STEPS[index]


@kernel
def _write_table(state, observer, out):
    """Write who rolls next, and what lies on the table."""
    following = np.int64(state.mover)
    if state.rolled == 1 and state.decision != c.CHANCE_DICE:
        following += 1
    out[_AT.next + relative(state, following, observer)] = 1
    out[_AT.rolls] = min(np.int64(_MOST), np.int64(state.rolls))
    for kind in range(c.NUM_RESOURCES):
        out[_AT.reserve + kind] = state.reserve[kind]
    for kind in range(c.NUM_CARDS):
        out[_AT.pile] += state.pile[kind]


@code_entry(*rules.INPUTS_KINDS)
def inputs_entry(board, place, _what, seat, _second, out, size):
    """Write what a value network sees, (INPUTS,) int8; return 1 if a turn has just ended, else 0."""
    state = state_at(place)
    write_inputs(board_at(board), state, seat, bytes_at(out, size))
    return np.int64(state.decision == c.DECIDE_PRODUCTION and state.rolled == 0)
