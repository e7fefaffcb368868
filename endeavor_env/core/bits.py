"""Sets of numbers in [0, 63) as the bits of an int64: no memory is allocated, the lowest bit is the first element."""

from __future__ import annotations

import numpy as np

from endeavor_env.core._jit import kernel

_PRIME = 67
"""Divided by this prime, the powers of two up to 2**62 leave different remainders: they are looked up in _RANKS."""
_RANKS = np.zeros(_PRIME, np.int8)
for _rank in range(63):
    _RANKS[(1 << _rank) % _PRIME] = _rank


@kernel
def bit(index):
    """Return the set whose only element is ``index``."""
    return np.int64(1) << np.int64(index)


@kernel
def has(bits, index):
    """Return whether ``index`` is in the set."""
    return (bits >> np.int64(index)) & np.int64(1) == 1


@kernel
def several(bits):
    """Return whether the set has at least two elements."""
    return bits & (bits - np.int64(1)) != 0


@kernel
def lowest(bits):
    """Return the first element of a set, which must not be empty."""
    return np.int64(_RANKS[(bits & -bits) % _PRIME])


@kernel
def without_lowest(bits):
    """Return the set without its first element; together with ``lowest`` this iterates over a set."""
    return bits & (bits - np.int64(1))


@kernel
def mark(bits, offset, out):
    """Set ``out[offset + i]`` to 1 for every element i of the set."""
    while bits != 0:
        out[offset + lowest(bits)] = 1
        bits = without_lowest(bits)
