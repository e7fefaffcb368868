"""Observations: the kernels that fill both layouts, and their code entry."""

from __future__ import annotations

import numpy as np

from endeavor_env.engine.kernels import rules
from endeavor_env.kernels.entries import code_entry
from endeavor_env.kernels.intrinsics import bytes_at, floats_at
from endeavor_env.kernels.kernels import kernel
from endeavor_env.merchants.observe.layout import FLAGS_AT, GREATEST, IDS_AT, NUM_NUMBERS, NUMBERS_AT
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules import sets
from endeavor_env.merchants.rules.board_record import board_at
from endeavor_env.merchants.rules.caravans import free_goods
from endeavor_env.merchants.rules.hands import cards_in_hand
from endeavor_env.merchants.rules.merchants import goods_of_seat, stock_of
from endeavor_env.merchants.rules.production import ways_of_sum
from endeavor_env.merchants.rules.routes import is_built
from endeavor_env.merchants.rules.state import state_at

# --- The rows of small numbers with which both layouts begin ---------------------------------------------------------

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
        out[NUMBERS_AT.hand + kind] = state.hand[observer, kind]
    for kind in range(c.NUM_CARDS):
        out[NUMBERS_AT.cards + kind] = state.cards[observer, kind]
    if observer == state.mover and state.bought != c.NONE:
        out[NUMBERS_AT.bought + np.int64(state.bought)] = 1


@kernel
def _write_seat(board, state, observer, seat, distance, out):
    """Write what the observer knows of a seat."""
    for kind in range(c.NUM_RESOURCES):
        unseen = np.int64(state.unseen[seat, kind, observer])
        out[NUMBERS_AT.known + distance * c.NUM_RESOURCES + kind] = state.hand[seat, kind] - unseen
        out[NUMBERS_AT.unknown + distance] += unseen
    out[NUMBERS_AT.gold + distance] = state.gold[seat]
    out[NUMBERS_AT.num_cards + distance] = cards_in_hand(state, seat)
    out[NUMBERS_AT.routes_left + distance] = state.routes_left[seat]
    out[NUMBERS_AT.stock + distance] = stock_of(board, state, seat)
    out[NUMBERS_AT.free_goods + distance] = free_goods(state, seat)
    out[NUMBERS_AT.delivered + distance] = state.delivered[seat]
    out[NUMBERS_AT.to_deliver + distance] = goods_of_seat(board, state) - state.delivered[seat]
    out[NUMBERS_AT.discards + distance] = state.discards[seat]
    out[NUMBERS_AT.playing + distance] = 1
    out[NUMBERS_AT.mover + distance] = state.mover == seat
    out[NUMBERS_AT.asked + distance] = state.seat == seat
    out[NUMBERS_AT.accepted + distance] = sets.has(np.int64(state.accepted), seat)
    for slot in range(c.SLOTS):
        out[NUMBERS_AT.tolls + slot * c.MAX_SEATS + distance] = sets.has(np.int64(state.tolls[slot]), seat)


@kernel
def _write_table(state, out):
    """Write what lies on the table."""
    out[NUMBERS_AT.gold_left] = state.gold_left
    for kind in range(c.NUM_RESOURCES):
        out[NUMBERS_AT.reserve + kind] = state.reserve[kind]
        for value in range(c.NUM_VALUES):
            out[NUMBERS_AT.sea + kind * c.NUM_VALUES + value] = state.sea[kind, value]
    for kind in range(c.NUM_CARDS):
        out[NUMBERS_AT.pile] += state.pile[kind]
        out[NUMBERS_AT.used + kind] = state.used[kind]


@kernel
def _write_turn(state, out):
    """Write what has been done this turn, and what is under way."""
    if state.decision < c.NUM_DECISIONS:
        out[NUMBERS_AT.decision + np.int64(state.decision)] = 1
    out[NUMBERS_AT.rolled] = state.rolled
    out[NUMBERS_AT.card_played] = state.card_played
    out[NUMBERS_AT.has_bought] = state.bought != c.NONE
    out[NUMBERS_AT.buys] = state.buys
    out[NUMBERS_AT.offers] = state.offers
    for item in range(c.NUM_ITEMS):
        out[NUMBERS_AT.gives + item] = state.gives[item]
        out[NUMBERS_AT.wants + item] = state.wants[item]
    if state.card != c.NONE:
        out[NUMBERS_AT.card + np.int64(state.card)] = 1
    out[NUMBERS_AT.routes_of_card] = state.routes_of_card
    out[NUMBERS_AT.steps] = state.steps
    out[NUMBERS_AT.moved] = state.moved
    if state.slot != c.NONE:
        out[NUMBERS_AT.slot + np.int64(state.slot)] = 1


@kernel
def _write_rolls(state, out):
    """Write how long the game has lasted, and may last."""
    made = np.int64(state.rolls)
    left = max(np.int64(0), np.int64(state.most_rolls) - made)
    out[NUMBERS_AT.hundreds_of_rolls] = min(np.int64(_HUNDRED), made // _HUNDRED)
    out[NUMBERS_AT.rolls] = made % _HUNDRED
    out[NUMBERS_AT.hundreds_of_rolls_left] = min(np.int64(_HUNDRED), left // _HUNDRED)
    out[NUMBERS_AT.rolls_left] = left % _HUNDRED


# --- Features: the common numbers between 0 and 1, and a flag for each piece and place -------------------------------

_MOST_WAYS, _MOST_GOLD = 5, 5


@kernel
def write_features(board, state, observer, out):
    """Write the observation of a seat, float32."""
    out[:] = 0
    write_numbers(board, state, observer, out)
    for index in range(NUM_NUMBERS):
        out[index] /= GREATEST[index]
    _write_feature_terrains(board, state, out)
    for seat in range(state.num_seats):
        _write_pieces(state, seat, relative(state, seat, observer), out)
    _write_feature_cities(board, state, out)
    _write_feature_places(board, state, out)


@kernel
def _write_feature_terrains(board, state, out):
    """Write what each terrain gives, and when."""
    for terrain in range(board.num_terrains):
        number = np.int64(state.numbers[terrain])
        out[FLAGS_AT.terrain_kind + terrain * c.NUM_RESOURCES + np.int64(board.kinds[terrain])] = 1
        if number > 0:
            out[FLAGS_AT.terrain_ways + terrain] = ways_of_sum(number) / _MOST_WAYS
        out[FLAGS_AT.terrain_token + terrain] = board.token_places[terrain] == 1 and number > 0
        out[FLAGS_AT.terrain_empty + terrain] = number == 0
    out[FLAGS_AT.terrain_robber + np.int64(state.robber)] = 1
    if state.terrain != c.NONE:
        out[FLAGS_AT.terrain_chosen + np.int64(state.terrain)] = 1


@kernel
def _mark_cities(out, offset, cities):
    """Write 1 for each city of a set."""
    while cities != 0:
        out[offset + sets.lowest(cities)] = 1
        cities = sets.without_lowest(cities)


@kernel
def _write_pieces(state, seat, distance, out):
    """Write the pieces of a seat."""
    _mark_cities(out, FLAGS_AT.posts + distance * c.MAX_CITIES, np.int64(state.posts[seat]))
    for word in range(sets.PATH_WORDS):
        paths = np.int64(state.routes[seat, word])
        while paths != 0:
            out[FLAGS_AT.routes + distance * c.MAX_PATHS + word * sets.PATH_BITS + sets.lowest(paths)] = 1
            paths = sets.without_lowest(paths)
    for slot in range(c.SLOTS):
        row, where, path = distance * c.SLOTS + slot, state.merchants[seat, slot], state.caravans[seat, slot]
        if where != c.NONE:
            out[FLAGS_AT.merchants + row * c.MAX_CROSSROADS + np.int64(where)] = 1
        if path != c.NONE:
            out[FLAGS_AT.caravans + row * c.MAX_PATHS + np.int64(path)] = 1


@kernel
def _write_feature_cities(board, state, out):
    """Write neutral posts, goods and gold."""
    _mark_cities(out, FLAGS_AT.posts + c.NEUTRAL * c.MAX_CITIES, np.int64(state.posts[c.NEUTRAL]))
    _mark_cities(out, FLAGS_AT.goods, np.int64(state.goods))
    for city in range(board.num_cities):
        out[FLAGS_AT.city_gold + city] = board.city_gold[city] / _MOST_GOLD


@kernel
def _write_feature_places(board, state, out):
    """Write double arrows, and the place of what is under way."""
    for path in range(board.num_paths):
        out[FLAGS_AT.arrows + path] = board.path_arrow[path] == 1 and not is_built(state, path)
    if state.arrow != c.NONE:
        out[FLAGS_AT.arrow + np.int64(state.arrow)] = 1
    if state.place != c.NONE:
        place = np.int64(state.place)
        out[(FLAGS_AT.new_caravan if state.decision == c.DECIDE_LIFT_CARAVAN else FLAGS_AT.place) + place] = 1


# --- Compact: the common numbers, and ids of what stands where, as int8 ----------------------------------------------


@kernel
def write_compact(board, state, observer, out):
    """Write the observation of a seat, int8."""
    out[:] = 0
    write_numbers(board, state, observer, out)
    _write_compact_terrains(board, state, out)
    _write_compact_cities(board, state, observer, out)
    _write_paths(board, state, observer, out)
    _write_compact_places(state, observer, out)


@kernel
def _write_compact_terrains(board, state, out):
    """Write what each terrain gives, and when."""
    for terrain in range(c.MAX_TERRAINS):
        inside = terrain < board.num_terrains
        out[IDS_AT.terrain_kind + terrain] = board.kinds[terrain] if inside else c.NONE
        out[IDS_AT.terrain_number + terrain] = state.numbers[terrain]
        out[IDS_AT.terrain_token + terrain] = board.token_places[terrain] == 1 and state.numbers[terrain] > 0
    out[IDS_AT.robber] = state.robber
    out[IDS_AT.terrain_chosen] = state.terrain


@kernel
def _write_compact_cities(board, state, observer, out):
    """Write posts, goods and gold."""
    for city in range(c.MAX_CITIES):
        out[IDS_AT.post + city] = c.NONE
        out[IDS_AT.good + city] = sets.has(np.int64(state.goods), city)
        out[IDS_AT.city_gold + city] = board.city_gold[city]
    for owner in range(c.NUM_OWNERS):
        sign = np.int64(c.NEUTRAL) if owner == c.NEUTRAL else relative(state, owner, observer)
        cities = np.int64(state.posts[owner])
        while cities != 0:
            out[IDS_AT.post + sets.lowest(cities)] = sign
            cities = sets.without_lowest(cities)


@kernel
def _write_paths(board, state, observer, out):
    """Write routes and double arrows."""
    for path in range(c.MAX_PATHS):
        out[IDS_AT.route + path] = c.NONE
        out[IDS_AT.arrows + path] = board.path_arrow[path]
    for seat in range(state.num_seats):
        for word in range(sets.PATH_WORDS):
            paths = np.int64(state.routes[seat, word])
            while paths != 0:
                out[IDS_AT.route + word * sets.PATH_BITS + sets.lowest(paths)] = relative(state, seat, observer)
                paths = sets.without_lowest(paths)


@kernel
def _write_place(out, at, place):
    """Write a number as hundreds and the rest, -1 and -1 for NONE."""
    out[at] = c.NONE if place == c.NONE else place // _HUNDRED
    out[at + 1] = c.NONE if place == c.NONE else place % _HUNDRED


@kernel
def _write_compact_places(state, observer, out):
    """Write where pieces stand, and the place of what is under way."""
    for row in range(c.MAX_SEATS * c.SLOTS):
        _write_place(out, IDS_AT.merchants + 2 * row, np.int64(c.NONE))
        _write_place(out, IDS_AT.caravans + 2 * row, np.int64(c.NONE))
    for seat in range(state.num_seats):
        for slot in range(c.SLOTS):
            row = relative(state, seat, observer) * c.SLOTS + slot
            _write_place(out, IDS_AT.merchants + 2 * row, np.int64(state.merchants[seat, slot]))
            _write_place(out, IDS_AT.caravans + 2 * row, np.int64(state.caravans[seat, slot]))
    _write_place(out, IDS_AT.arrow, np.int64(state.arrow))
    _write_place(out, IDS_AT.place, np.int64(state.place))


# --- The code entry that writes observations -------------------------------------------------------------------------


@code_entry(*rules.SIGNATURES[rules.OBSERVE])
def observe_entry(board, place, what, seat, _second, out, size):
    """Write what a seat may see (K14)."""
    if what == rules.FEATURES:
        write_features(board_at(board), state_at(place), seat, floats_at(out, size))
    else:
        write_compact(board_at(board), state_at(place), seat, bytes_at(out, size))
    return np.int64(0)
