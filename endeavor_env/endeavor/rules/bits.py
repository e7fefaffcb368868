"""Sets of numbers in [0, 63) as the bits of an int64: no memory is allocated, the lowest bit is the first element.

``where_equal`` and ``where_above`` turn rows of bytes, such as the owners of all cities, into sets: a few instructions
compare all bytes, and no branch depends on any of them.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.kernels import intrinsics
from endeavor_env.kernels.intrinsics import where_above, where_equal
from endeavor_env.kernels.kernels import kernel

__all__ = ["bit", "count", "has", "lowest", "mark", "several", "where_above", "where_equal", "without_lowest"]

count = intrinsics.count_bits
"""``count(bits)``: the number of elements of a set."""


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
    return intrinsics.lowest_bit(bits)


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
