"""Nets: crossroads that are joined by routes of any owners, and the cities in them (K6.5)."""

from __future__ import annotations

import numpy as np

from endeavor_env.kernels.intrinsics import words_on_stack
from endeavor_env.kernels.kernels import inlined, kernel
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules import sets

new_queue = words_on_stack(c.MAX_CROSSROADS)
"""``new_queue(n)``: a number for each crossroads on the stack, with any contents."""


@inlined
def built_word(state, word):
    """Return a word of the set of paths with a route of anybody."""
    routes = state.routes
    return routes[0, word] | routes[1, word] | routes[2, word] | routes[3, word]


@inlined
def is_built(state, path):
    """Return whether a path has a route of anybody."""
    return sets.has(built_word(state, path // sets.PATH_BITS), path % sets.PATH_BITS)


@inlined
def owner_of(state, path):
    """Return the seat whose route lies on a path, or NONE."""
    word, place = path // sets.PATH_BITS, path % sets.PATH_BITS
    owner = np.int64(c.NONE)
    for seat in range(c.MAX_SEATS):
        if sets.has(state.routes[seat, word], place):
            owner = np.int64(seat)
    return owner


@kernel
def cities_of_net(board, state, start, other):
    """Return the cities of the net of a crossroads, and whether another crossroads is in it.

    Nobody asks which ones there are if there are several, so the search ends with the second, or with the other
    crossroads.
    """
    queue, seen = new_queue(c.MAX_CROSSROADS), sets.new_crossroads(sets.CROSSROADS_WORDS)
    sets.clear(seen)
    sets.add_crossroads(seen, start)
    queue[0] = start
    done, found, cities, joined = 0, 1, np.int64(0), start == other
    while done < found and not joined and sets.without_lowest(cities) == 0:
        here = queue[done]
        done += 1
        if board.crossroads_city[here] != c.NONE:
            cities |= sets.bit(board.crossroads_city[here])
        for way in range(c.MEETING):
            path = np.int64(board.crossroads_paths[here, way])
            if path != c.NONE and is_built(state, path):
                there = np.int64(board.crossroads_ends[here, way])
                if not sets.has_crossroads(seen, there):
                    sets.add_crossroads(seen, there)
                    queue[found] = there
                    found += 1
                    joined = joined or there == other
    return cities, joined
