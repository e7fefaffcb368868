"""Compact: the common numbers, and ids of what stands where, as int8."""

from __future__ import annotations

import numpy as np

from endeavor_env.kernels.kernels import kernel
from endeavor_env.merchants.observe.layout import IDS_AT as _AT
from endeavor_env.merchants.observe.numbers import relative, write_numbers
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules import sets

_HUNDRED = 100


@kernel
def write_compact(board, state, observer, out):
    """Write the observation of a seat, int8."""
    out[:] = 0
    write_numbers(board, state, observer, out)
    _write_terrains(board, state, out)
    _write_cities(board, state, observer, out)
    _write_paths(board, state, observer, out)
    _write_places(state, observer, out)


@kernel
def _write_terrains(board, state, out):
    """Write what each terrain gives, and when."""
    for terrain in range(c.MAX_TERRAINS):
        inside = terrain < board.num_terrains
        out[_AT.terrain_kind + terrain] = board.kinds[terrain] if inside else c.NONE
        out[_AT.terrain_number + terrain] = state.numbers[terrain]
        out[_AT.terrain_token + terrain] = board.token_places[terrain] == 1 and state.numbers[terrain] > 0
    out[_AT.robber] = state.robber
    out[_AT.terrain_chosen] = state.terrain


@kernel
def _write_cities(board, state, observer, out):
    """Write posts, goods and gold."""
    for city in range(c.MAX_CITIES):
        out[_AT.post + city] = c.NONE
        out[_AT.good + city] = sets.has(np.int64(state.goods), city)
        out[_AT.city_gold + city] = board.city_gold[city]
    for owner in range(c.NUM_OWNERS):
        sign = np.int64(c.NEUTRAL) if owner == c.NEUTRAL else relative(state, owner, observer)
        cities = np.int64(state.posts[owner])
        while cities != 0:
            out[_AT.post + sets.lowest(cities)] = sign
            cities = sets.without_lowest(cities)


@kernel
def _write_paths(board, state, observer, out):
    """Write routes and double arrows."""
    for path in range(c.MAX_PATHS):
        out[_AT.route + path] = c.NONE
        out[_AT.arrows + path] = board.path_arrow[path]
    for seat in range(state.num_seats):
        for word in range(sets.PATH_WORDS):
            paths = np.int64(state.routes[seat, word])
            while paths != 0:
                out[_AT.route + word * sets.PATH_BITS + sets.lowest(paths)] = relative(state, seat, observer)
                paths = sets.without_lowest(paths)


@kernel
def _write_place(out, at, place):
    """Write a number as hundreds and the rest, -1 and -1 for NONE."""
    out[at] = c.NONE if place == c.NONE else place // _HUNDRED
    out[at + 1] = c.NONE if place == c.NONE else place % _HUNDRED


@kernel
def _write_places(state, observer, out):
    """Write where pieces stand, and the place of what is under way."""
    for row in range(c.MAX_SEATS * c.SLOTS):
        _write_place(out, _AT.merchants + 2 * row, np.int64(c.NONE))
        _write_place(out, _AT.caravans + 2 * row, np.int64(c.NONE))
    for seat in range(state.num_seats):
        for slot in range(c.SLOTS):
            row = relative(state, seat, observer) * c.SLOTS + slot
            _write_place(out, _AT.merchants + 2 * row, np.int64(state.merchants[seat, slot]))
            _write_place(out, _AT.caravans + 2 * row, np.int64(state.caravans[seat, slot]))
    _write_place(out, _AT.arrow, np.int64(state.arrow))
    _write_place(out, _AT.place, np.int64(state.place))
