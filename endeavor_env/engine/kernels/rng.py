"""The random generator of set-ups and random play: xorshift64 on a (1,) uint64 array that the caller owns.

It uses only shifts and exclusive-or, so compiled and uncompiled runs agree, without overflow warnings.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from endeavor_env.kernels.entries import entry
from endeavor_env.kernels.kernels import kernel
from endeavor_env.kernels.kinds import INTEGER, array

GENERATOR = array(np.uint64, size=1)
_MASK64 = (1 << 64) - 1
_S13, _S7, _S17, _S32 = np.uint64(13), np.uint64(7), np.uint64(17), np.uint64(32)
_FRACTION = 1 << 30  # steps of a uniform number
_LOW = np.uint64((1 << 32) - 1)
_GOLDEN_INT, _MIX1_INT, _MIX2_INT = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB  # of splitmix64
_GOLDEN, _MIX1, _MIX2 = np.uint64(_GOLDEN_INT), np.uint64(_MIX1_INT), np.uint64(_MIX2_INT)


def seeded(seed: int) -> npt.NDArray[np.uint64]:
    """Return a new (1,) uint64 generator for ``seed``, any Python int; neighbouring seeds give unrelated streams."""
    z = (seed + _GOLDEN_INT) & _MASK64  # one step of splitmix64
    z = ((z ^ (z >> 30)) * _MIX1_INT) & _MASK64
    z = ((z ^ (z >> 27)) * _MIX2_INT) & _MASK64
    z ^= z >> 31
    return np.array([z or 1], dtype=np.uint64)  # zero is the one state xorshift cannot leave


@kernel
def next_below(rng, n):
    """Return a uniform int in [0, n), 1 <= n < 2**31, and advance ``rng`` in place; the bias is below n / 2**32."""
    x = rng[0]
    x ^= x << _S13
    x ^= x >> _S7
    x ^= x << _S17
    rng[0] = x
    return np.int64(((x >> _S32) * np.uint64(n)) >> _S32)


@kernel
def gumbel(rng):
    """Return Gumbel noise, and advance ``rng`` in place: the best of values with such noise is a softmax's draw."""
    drawn = (np.float64(next_below(rng, _FRACTION)) + 0.5) / np.float64(_FRACTION)
    return -np.log(-np.log(drawn))


@kernel
def shuffle(rng, array, n):
    """Shuffle the first ``n`` entries of ``array`` in place, every order equally likely (Fisher and Yates)."""
    for last in range(n - 1, 0, -1):
        other = next_below(rng, last + 1)
        swapped = array[last]
        array[last] = array[other]
        array[other] = swapped


@kernel
def _low(x):
    """Return the low 32 bits of ``x``."""
    return x & _LOW


@kernel
def _add(x, y):
    """Return x + y modulo 2**64, without an overflow, of which NumPy would warn."""
    low = _low(x) + _low(y)
    high = (x >> _S32) + (y >> _S32) + (low >> _S32)
    return (_low(high) << _S32) | _low(low)


@kernel
def _multiply(x, y):
    """Return x * y modulo 2**64, without an overflow, of which NumPy would warn."""
    low = _low(x) * _low(y)
    high = _low((x >> _S32) * _low(y)) + _low(_low(x) * (y >> _S32)) + (low >> _S32)
    return (_low(high) << _S32) | _low(low)


@entry(GENERATOR, INTEGER)
def reseed(rng, seed):
    """Set ``rng`` (1,) uint64 to the generator that ``seeded`` returns for ``seed``, an integer in [0, 2**63)."""
    z = _add(np.uint64(seed), _GOLDEN)
    z = _multiply(z ^ (z >> np.uint64(30)), _MIX1)
    z = _multiply(z ^ (z >> np.uint64(27)), _MIX2)
    z ^= z >> np.uint64(31)
    rng[0] = z if z != 0 else np.uint64(1)


@kernel
def branch_off(rng):
    """Set ``rng`` to another generator, the same for equal ones; what this one draws next shows nothing of it."""
    reseed(rng, next_seed(rng))


@entry(GENERATOR)
def next_seed(rng):
    """Return a seed in [0, 2**53), exact in JSON, and advance ``rng`` in place."""
    high = next_below(rng, 1 << 22)
    return (high << 31) | next_below(rng, (1 << 31) - 1)
