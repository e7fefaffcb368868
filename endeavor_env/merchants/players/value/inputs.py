"""What a value network of Merchants sees of a position: layout and writing."""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.engine.kernels import rules
from endeavor_env.kernels.entries import code_entry
from endeavor_env.kernels.intrinsics import bytes_at, words_on_stack
from endeavor_env.kernels.kernels import constants, inlined, kernel
from endeavor_env.merchants.observe.write import relative
from endeavor_env.merchants.players.greedy.player import position_value, steps_to_post, write_yields
from endeavor_env.merchants.players.greedy.weights import WEIGHTS
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules import sets
from endeavor_env.merchants.rules.board_record import board_at
from endeavor_env.merchants.rules.caravans import free_goods
from endeavor_env.merchants.rules.hands import cards_in_hand, hand_size
from endeavor_env.merchants.rules.merchants import goods_of_seat, stock_of
from endeavor_env.merchants.rules.sets import free_cities, paths_between, paths_to_nearest, takers
from endeavor_env.merchants.rules.state import state_at

# --- What a value network of Merchants sees --------------------------------------------------------------------------
# Small whole numbers, int8, each with the number that it is divided by.
# A position is seen as if the turn ended now: so all that may happen in a turn can be compared. Nothing belongs to one
# board: places count by what they yield and how far they are. Seats are relative, the observer first.

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


# --- Writing what a value network sees of a position: nothing that its seat cannot know (K14) ------------------------

UNBUILT = 2.0
"""Steps that a path without a route counts."""
NUM_STEPS, NUM_GOLD, NUM_HAND = len(STEPS), len(GOLD_STEPS), len(HAND_STEPS)
_STEPS, _GOLD, _HAND = (np.array(bounds, np.int64) for bounds in (STEPS, GOLD_STEPS, HAND_STEPS))
_PIECES = [row for row in ROWS if row.name in PIECES]
NUM_PIECE_ROWS = len(_PIECES)
_PIECE_ROWS = np.array([OFFSETS[row.name] for row in _PIECES], np.int64)
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
        out[AT.own_hand + kind] = hand[kind]
        for number in range(CARDS_TOLD):
            out[AT.own_cards + kind * CARDS_TOLD + number] = hand[kind] > number
    for index in range(NUM_GOLD):
        out[AT.own_gold + index] = state.gold[observer] >= _GOLD[index]
    wood, ore, salt, wool = hand[c.WOOD] > 0, hand[c.ORE] > 0, hand[c.SALT] > 0, hand[c.WOOL] > 0
    out[AT.own_sets] = wood and ore
    out[AT.own_sets + 1] = wood and wool and hand[c.WHEAT] > 0
    out[AT.own_sets + 2] = wood and ore and salt
    out[AT.own_sets + 3] = wool and salt
    for kind in range(c.NUM_CARDS):
        out[AT.own_development + kind] = state.cards[observer, kind]
    if stock_of(board, state, observer) > 0:
        cities = free_cities(board, state)
        for slot in range(c.SLOTS):
            where = np.int64(state.merchants[observer, slot])
            if where != c.NONE:
                _write_reach(board, where, cities, AT.own_reach + 4 * slot, out)


@kernel
def _write_greedy_value(board, state, observer, out):
    """Write what ``greedy`` finds the position worth, from which a network can begin."""
    value = position_value(board, state, observer, _WEIGHTS)
    parts = np.int64((value - np.float64(GREEDY_LOWEST)) * np.float64(GREEDY_PARTS))
    parts = max(np.int64(0), min(parts, np.int64(GREEDY_DIGITS * GREEDY_DIGITS - 1)))
    out[AT.greedy_high], out[AT.greedy_low] = parts // GREEDY_DIGITS, parts % GREEDY_DIGITS


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
        out[AT.known + distance * c.NUM_RESOURCES + kind] = state.hand[seat, kind] - unseen
        unknown += unseen
    out[AT.unknown + distance] = unknown
    for index in range(NUM_HAND):
        out[AT.hand_size + distance * NUM_HAND + index] = size >= _HAND[index]
    out[AT.playing + distance] = 1
    out[AT.gold + distance] = state.gold[seat]
    out[AT.development + distance] = cards_in_hand(state, seat)
    out[AT.routes_left + distance] = state.routes_left[seat]
    stock, goods = stock_of(board, state, seat), free_goods(state, seat)
    out[AT.stock + distance] = stock
    out[AT.no_stock + distance] = stock <= 0
    out[AT.free_goods + distance] = goods
    out[AT.has_good + distance] = goods > 0
    out[AT.delivered + distance] = state.delivered[seat]
    left = goods_of_seat(board, state) - state.delivered[seat]
    for index in range(GOODS_LEFT):
        out[AT.left + distance * GOODS_LEFT + index] = left <= index


@kernel
def _write_pieces(board, state, seat, distance, cities, out):
    """Write what the pieces of a seat yield, and how near they are to where they want to be."""
    yields = _new_yields(c.NUM_RESOURCES)
    total = write_yields(board, state, seat, yields)
    for kind in range(c.NUM_RESOURCES):
        out[AT.yields + distance * c.NUM_RESOURCES + kind] = min(np.int64(_MOST), yields[kind])
        out[AT.yielding + distance * c.NUM_RESOURCES + kind] = yields[kind] > 0
    out[AT.all_yields + distance] = min(np.int64(_MOST), total)
    posts, targets = np.int64(state.posts[seat]), takers(state, seat)
    out[AT.posts + distance] = sets.count(posts)
    out[AT.covered + distance] = sets.count(posts & state.goods)
    out[AT.takers + distance] = sets.count(targets)
    _write_merchants(board, state, seat, distance, cities, out)
    _write_caravans(board, state, seat, distance, targets, out)


@kernel
def _write_merchants(board, state, seat, distance, cities, out):
    """Write how far merchants are from free cities; without a post in stock they are nowhere."""
    first = second = np.int64(NEAR_CITY)
    if stock_of(board, state, seat) <= 0:
        return
    for slot in range(c.SLOTS):
        where = np.int64(state.merchants[seat, slot])
        if where == c.NONE:
            continue
        out[AT.merchants + distance] += 1
        paths = paths_to_nearest(board, where, cities, NEAR_CITY)
        if paths < first:
            first, second = paths, first
        else:
            second = min(second, paths)
    for index in range(NEAR_CITY):
        out[AT.near_city + distance * NEAR_CITY + index] = first <= index
        out[AT.second_city + distance * NEAR_CITY + index] = second <= index


@kernel
def _write_caravans(board, state, seat, distance, targets, out):
    """Write how far caravans are from posts that take a good; steps that are paid for count as made."""
    first = second = _FAR
    for slot in range(c.SLOTS):
        path = np.int64(state.caravans[seat, slot])
        if path == c.NONE:
            continue
        out[AT.caravans + distance] += 1
        steps = steps_to_post(board, state, seat, path, targets, UNBUILT)
        if state.decision == c.DECIDE_DRIVE and seat == state.mover and slot == state.slot:
            steps -= min(steps, np.float64(state.steps))
        if steps < first:
            first, second = steps, first
        else:
            second = min(second, steps)
    for index in range(NUM_STEPS):
        out[AT.near_post + distance * NUM_STEPS + index] = first <= _STEPS[index]
        out[AT.second_post + distance * NUM_STEPS + index] = second <= _STEPS[index]


@kernel
def _write_table(state, observer, out):
    """Write who rolls next, and what lies on the table."""
    following = np.int64(state.mover)
    if state.rolled == 1 and state.decision != c.CHANCE_DICE:
        following += 1
    out[AT.next + relative(state, following, observer)] = 1
    out[AT.rolls] = min(np.int64(_MOST), np.int64(state.rolls))
    for kind in range(c.NUM_RESOURCES):
        out[AT.reserve + kind] = state.reserve[kind]
    for kind in range(c.NUM_CARDS):
        out[AT.pile] += state.pile[kind]


@code_entry(*rules.INPUTS_SIGNATURE)
def inputs_entry(board, place, _what, seat, _second, out, size):
    """Write what a value network sees, (INPUTS,) int8; return 1 if a turn has just ended, else 0."""
    state = state_at(place)
    write_inputs(board_at(board), state, seat, bytes_at(out, size))
    return np.int64(state.decision == c.DECIDE_PRODUCTION and state.rolled == 0)
