"""The random player: any legal action, each as likely as the others."""

from __future__ import annotations

import numpy as np

from endeavor_env.engine.kernels.masks import BITS, count_allowed, new_words, nth_allowed, read_bytes
from endeavor_env.engine.kernels.rng import next_below
from endeavor_env.kernels.kernels import inlined, kernel


@inlined
def choose_move(words, rng):
    """Return a uniformly random legal action of a mask in ``words``; -1 if there is none."""
    count = count_allowed(words)
    return nth_allowed(words, next_below(rng, count)) if count > 0 else np.int64(-1)


@kernel
def count_legal(mask):
    """Return the number of legal actions of ``mask``, (n,) int8."""
    count = np.int32(0)  # 32 bits wide, so that the processor adds many entries at a time
    for action in range(mask.size):
        count = np.int32(count + np.int32(mask[action]))
    return np.int64(count)


@kernel
def choose(mask, rng):
    """Return a uniformly random legal action of ``mask``, int8; -1 if there is none, -2 if it is not all 0 and 1."""
    other_bits = np.int8(0)
    for action in range(mask.size):
        other_bits |= mask[action] & np.int8(-2)
    if other_bits != 0:
        return np.int64(-2)
    words = new_words(-(-mask.size // BITS))
    read_bytes(mask, words)
    return choose_move(words, rng)
