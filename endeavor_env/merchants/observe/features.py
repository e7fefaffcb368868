"""Features: the common numbers between 0 and 1, and a flag for each piece and place."""

from __future__ import annotations

import numpy as np

from endeavor_env.kernels.kernels import kernel
from endeavor_env.merchants.observe.layout import FLAGS_AT as _AT
from endeavor_env.merchants.observe.layout import GREATEST, NUM_NUMBERS
from endeavor_env.merchants.observe.numbers import relative, write_numbers
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules import sets
from endeavor_env.merchants.rules.nets import is_built
from endeavor_env.merchants.rules.production import ways_of_sum

_MOST_WAYS, _MOST_GOLD = 5, 5


@kernel
def write_features(board, state, observer, out):
    """Write the observation of a seat, float32."""
    out[:] = 0
    write_numbers(board, state, observer, out)
    for index in range(NUM_NUMBERS):
        out[index] /= GREATEST[index]
    _write_terrains(board, state, out)
    for seat in range(state.num_seats):
        _write_pieces(state, seat, relative(state, seat, observer), out)
    _write_cities(board, state, out)
    _write_places(board, state, out)


@kernel
def _write_terrains(board, state, out):
    """Write what each terrain gives, and when."""
    for terrain in range(board.num_terrains):
        number = np.int64(state.numbers[terrain])
        out[_AT.terrain_kind + terrain * c.NUM_RESOURCES + np.int64(board.kinds[terrain])] = 1
        if number > 0:
            out[_AT.terrain_ways + terrain] = ways_of_sum(number) / _MOST_WAYS
        out[_AT.terrain_token + terrain] = board.token_places[terrain] == 1 and number > 0
        out[_AT.terrain_empty + terrain] = number == 0
    out[_AT.terrain_robber + np.int64(state.robber)] = 1
    if state.terrain != c.NONE:
        out[_AT.terrain_chosen + np.int64(state.terrain)] = 1


@kernel
def _mark_cities(out, offset, cities):
    """Write 1 for each city of a set."""
    while cities != 0:
        out[offset + sets.lowest(cities)] = 1
        cities = sets.without_lowest(cities)


@kernel
def _write_pieces(state, seat, distance, out):
    """Write the pieces of a seat."""
    _mark_cities(out, _AT.posts + distance * c.MAX_CITIES, np.int64(state.posts[seat]))
    for word in range(sets.PATH_WORDS):
        paths = np.int64(state.routes[seat, word])
        while paths != 0:
            out[_AT.routes + distance * c.MAX_PATHS + word * sets.PATH_BITS + sets.lowest(paths)] = 1
            paths = sets.without_lowest(paths)
    for slot in range(c.SLOTS):
        row, where, path = distance * c.SLOTS + slot, state.merchants[seat, slot], state.caravans[seat, slot]
        if where != c.NONE:
            out[_AT.merchants + row * c.MAX_CROSSROADS + np.int64(where)] = 1
        if path != c.NONE:
            out[_AT.caravans + row * c.MAX_PATHS + np.int64(path)] = 1


@kernel
def _write_cities(board, state, out):
    """Write neutral posts, goods and gold."""
    _mark_cities(out, _AT.posts + c.NEUTRAL * c.MAX_CITIES, np.int64(state.posts[c.NEUTRAL]))
    _mark_cities(out, _AT.goods, np.int64(state.goods))
    for city in range(board.num_cities):
        out[_AT.city_gold + city] = board.city_gold[city] / _MOST_GOLD


@kernel
def _write_places(board, state, out):
    """Write double arrows, and the place of what is under way."""
    for path in range(board.num_paths):
        out[_AT.arrows + path] = board.path_arrow[path] == 1 and not is_built(state, path)
    if state.arrow != c.NONE:
        out[_AT.arrow + np.int64(state.arrow)] = 1
    if state.place != c.NONE:
        place = np.int64(state.place)
        out[(_AT.new_caravan if state.decision == c.DECIDE_LIFT_CARAVAN else _AT.place) + place] = 1
