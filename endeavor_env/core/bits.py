"""Sets of up to 63 things as the bits of an int64: a set costs no memory, and its lowest bit is its first thing."""

from __future__ import annotations

import numpy as np

from endeavor_env.core._jit import kernel


@kernel
def bit(index):
    """Returns the set of one thing."""
    return np.int64(1) << np.int64(index)


@kernel
def has(bits, index):
    """Tells whether ``index`` is in the set."""
    return (bits >> np.int64(index)) & np.int64(1) == 1


@kernel
def several(bits):
    """Tells whether the set has at least two things."""
    return bits & (bits - np.int64(1)) != 0


@kernel
def lowest(bits):
    """Returns the first thing of a set, which must not be empty."""
    index = np.int64(0)
    while not has(bits, index):
        index += 1
    return index


@kernel
def mark(bits, offset, out):
    """Sets ``out[offset + i]`` to 1 for every i of the set."""
    index = np.int64(0)
    while bits != 0:
        if bits & np.int64(1):
            out[offset + index] = 1
        bits >>= np.int64(1)
        index += 1
