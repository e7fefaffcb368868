"""The random player: any legal action, each as likely as the others."""

from __future__ import annotations

import numpy as np

from endeavor_env.core._jit import kernel
from endeavor_env.core.actions import DECISION_ENDS
from endeavor_env.core.rng import next_below

STRIDE = 16  # ids that are looked at together


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
        return -2
    return _choose_below(mask, mask.size, rng)


@kernel
def choose_move(state, mask, rng):
    """Return a uniformly random legal action of ``mask``, the mask of ``state``; -1 if there is none.

    Faster than ``choose``, with the same result: it looks only at the ids that the decision at hand can offer.
    """
    return _choose_below(mask, min(mask.size, DECISION_ENDS[state.variant, state.decision]), rng)


@kernel
def _choose_below(mask, size, rng):
    """Return a uniformly random legal action below ``size``; -1 if there is none."""
    count = count_legal(mask[:size])
    if count == 0:
        return -1
    left = next_below(rng, count)
    action = np.int64(0)
    while action + STRIDE <= size:  # skip whole strides by their sum, which is faster than one by one
        inside = np.int32(0)
        for offset in range(STRIDE):
            inside = np.int32(inside + np.int32(mask[action + offset]))
        if left < inside:
            break
        left -= inside
        action += STRIDE
    while mask[action] == 0 or left > 0:
        left -= mask[action]
        action += 1
    return action
