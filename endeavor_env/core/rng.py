"""The generator of set-ups and random play: xorshift64 in a caller-owned (1,) uint64 array.

It uses shifts and exclusive-or only, so compiled and uncompiled runs agree without overflow warnings.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from endeavor_env.core._jit import kernel

_MASK64 = (1 << 64) - 1
_S13, _S7, _S17, _S32 = np.uint64(13), np.uint64(7), np.uint64(17), np.uint64(32)


def seeded(seed: int) -> npt.NDArray[np.uint64]:
    """Returns a fresh (1,) uint64 generator for ``seed``, any Python int; near seeds give unrelated streams."""
    z = (seed + 0x9E3779B97F4A7C15) & _MASK64  # one step of splitmix64
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK64
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK64
    z ^= z >> 31
    return np.array([z or 1], dtype=np.uint64)  # zero is the one state xorshift cannot leave


@kernel
def next_below(rng, n):
    """Returns a uniform int in [0, n), 1 <= n < 2**31, and advances ``rng`` in place (bias below n / 2**32)."""
    x = rng[0]
    x ^= x << _S13
    x ^= x >> _S7
    x ^= x << _S17
    rng[0] = x
    return np.int64(((x >> _S32) * np.uint64(n)) >> _S32)


@kernel
def shuffle(rng, array, n):
    """Shuffles the first ``n`` entries of ``array`` in place, every order equally likely (Fisher and Yates)."""
    for last in range(n - 1, 0, -1):
        other = next_below(rng, last + 1)
        swapped = array[last]
        array[last] = array[other]
        array[other] = swapped
