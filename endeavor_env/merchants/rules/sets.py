"""Sets of paths, crossroads, terrains and cities as words of bits: no memory is allocated.

All words hold as many members, fewer than 63, so that no word is ever negative: 48 paths, 52 crossroads or 36 terrains.
A set of cities is one word.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.kernels.intrinsics import count_bits, lowest_bit, words_on_stack
from endeavor_env.kernels.kernels import inlined, kernel
from endeavor_env.merchants.rules import constants as c

PATH_BITS, CROSSROADS_BITS, TERRAIN_BITS = 48, 52, 36
PATH_WORDS, CROSSROADS_WORDS, TERRAIN_WORDS = (
    c.MAX_PATHS // PATH_BITS,
    c.MAX_CROSSROADS // CROSSROADS_BITS,
    c.MAX_TERRAINS // TERRAIN_BITS,
)
count = count_bits
"""``count(bits)``: the number of members of a word."""
lowest = lowest_bit
"""``lowest(bits)``: the first member of a word, which must not be empty."""
new_crossroads = words_on_stack(CROSSROADS_WORDS)
"""``new_crossroads(CROSSROADS_WORDS)``: a set of crossroads on the stack, with any contents."""


@inlined
def bit(index):
    """Return the word whose only member is ``index``."""
    return np.int64(1) << np.int64(index)


@inlined
def has(bits, index):
    """Return whether ``index`` is a member of a word."""
    return (bits >> np.int64(index)) & np.int64(1) == 1


@inlined
def without_lowest(bits):
    """Return a word without its first member; together with ``lowest`` this goes through all."""
    return bits & (bits - np.int64(1))


@inlined
def has_crossroads(crossroads, which):
    """Return whether a crossroads is in a set."""
    return has(crossroads[which // CROSSROADS_BITS], which % CROSSROADS_BITS)


@inlined
def add_crossroads(crossroads, which):
    """Add a crossroads to a set."""
    crossroads[which // CROSSROADS_BITS] |= bit(which % CROSSROADS_BITS)


@inlined
def clear(words):
    """Take everything out of a set."""
    words[:] = 0


# --- Cities by who has a post there, and how far it is between places: what several chapters and players ask ---------


@inlined
def taken_cities(state):
    """Return the cities with a post of anybody, neutral ones included."""
    taken = np.int64(0)
    for owner in range(c.NUM_OWNERS):
        taken |= state.posts[owner]
    return taken


@inlined
def free_cities(board, state):
    """Return the cities without a post."""
    return (board.brown | board.violet) & ~taken_cities(state)


@inlined
def takers(state, seat):
    """Return the cities whose post takes a good of a seat: one of another colour, without a good (K8.4)."""
    posts = np.int64(0)
    for owner in range(c.NUM_OWNERS):
        if owner != seat:
            posts |= state.posts[owner]
    return posts & ~state.goods


@inlined
def paths_between(board, here, there):
    """Return the fewest paths between two crossroads (K7.1)."""
    return np.int64(board.distances[here, there // CROSSROADS_BITS, there % CROSSROADS_BITS])


@kernel
def paths_to_nearest(board, where, cities, most):
    """Return the fewest paths from a crossroads to one of some cities, ``most`` at most."""
    best = np.int64(most)
    while cities != 0:
        there = np.int64(board.city_crossroads[lowest(cities)])
        cities = without_lowest(cities)
        best = min(best, paths_between(board, where, there))
    return best
