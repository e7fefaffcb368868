"""Uniformly random legal play inside one compiled loop."""

from __future__ import annotations

import numpy as np

from endeavor_env.core import constants as c
from endeavor_env.core._jit import kernel
from endeavor_env.core.actions import NUM_ACTIONS
from endeavor_env.core.engine.apply import apply
from endeavor_env.core.engine.legal import legal
from endeavor_env.core.rng import next_below

STRIDE = 16


@kernel
def count_legal(mask):
    """Returns the number of legal actions of ``mask``, (n,) int8; narrow sums are added many at a time."""
    count = np.int32(0)
    for action in range(mask.size):
        count = np.int32(count + np.int32(mask[action]))
    return np.int64(count)


@kernel
def choose(mask, rng):
    """Returns a uniformly random legal action of ``mask``, int8, as ``legal`` writes it; -1 if there is none."""
    return _choose_below(mask, mask.size, rng)


@kernel
def choose_move(state, mask, rng):
    """Is ``choose`` for the mask of ``state``: it looks only at ids that the decision at hand can have."""
    return _choose_below(mask, NUM_ACTIONS if state.decision < c.DECIDE_REMOVE else mask.size, rng)


@kernel
def _choose_below(mask, size, rng):
    """Is ``choose`` among the first ``size`` ids."""
    count = count_legal(mask[:size])
    if count == 0:
        return -1
    left = next_below(rng, count)
    action = np.int64(0)
    while action + STRIDE <= size:  # whole strides are skipped by their sum, which is quicker than bit by bit
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


@kernel
def play_random(boards, states, rng, mask, stop_seat, limit):
    """Plays random legal moves until the game is over, ``stop_seat`` is to move, or ``limit`` decisions were made.

    ``mask``, int8 of the variant's number of actions, is scratch: the full mask is built at every decision. Returns the
    decisions made. It takes (1,) arrays, as Python calls it: a kernel around it would be compiled all over again.
    """
    board, state = boards[0], states[0]
    made = 0
    while made < limit and state.decision != c.DECIDE_NOTHING and state.seat != stop_seat:
        legal(board, state, mask)
        apply(board, state, choose_move(state, mask, rng))
        made += 1
    return made
