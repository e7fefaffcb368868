"""Uniformly random legal play inside one compiled loop."""

from __future__ import annotations

import numpy as np

from endeavor_env.core._jit import kernel
from endeavor_env.core.constants import DECIDE_NOTHING
from endeavor_env.core.engine import apply
from endeavor_env.core.legal import legal
from endeavor_env.core.rng import next_below


@kernel
def choose(mask, rng):
    """Returns a uniformly random legal action of ``mask``, int8, as ``legal`` writes it; -1 if there is none."""
    count = np.int64(0)
    for action in range(mask.size):
        count += mask[action]
    if count == 0:
        return -1
    left = next_below(rng, count)
    for action in range(mask.size):
        if mask[action]:
            if left == 0:
                return action
            left -= 1
    return -1


@kernel
def play_random(boards, states, rng, mask, stop_seat, limit):
    """Plays random legal moves until the game is over, ``stop_seat`` is to move, or ``limit`` decisions were made.

    ``mask``, int8 of the variant's number of actions, is scratch: the full mask is built at every decision. Returns the
    decisions made. It takes (1,) arrays, as Python calls it: a kernel around it would be compiled all over again.
    """
    board, state = boards[0], states[0]
    made = 0
    while made < limit and state.decision != DECIDE_NOTHING and state.seat != stop_seat:
        legal(board, state, mask)
        apply(board, state, choose(mask, rng))
        made += 1
    return made
