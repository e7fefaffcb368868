"""Sets of paths, crossroads and terrains as words of bits: no memory is allocated.

All words hold as many members, fewer than 63, so that no word is ever negative: 48 paths, 52 crossroads or 36 terrains.
A set of cities is one word.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.kernels.intrinsics import count_bits, lowest_bit, words_on_stack
from endeavor_env.kernels.kernels import inlined
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
new_paths = words_on_stack(PATH_WORDS)
"""``new_paths(PATH_WORDS)``: a set of paths on the stack, with any contents."""
new_crossroads = words_on_stack(CROSSROADS_WORDS)
"""``new_crossroads(CROSSROADS_WORDS)``: the same of crossroads."""


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
def has_path(paths, path):
    """Return whether a path is in a set."""
    return has(paths[path // PATH_BITS], path % PATH_BITS)


@inlined
def add_path(paths, path):
    """Add a path to a set."""
    paths[path // PATH_BITS] |= bit(path % PATH_BITS)


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
