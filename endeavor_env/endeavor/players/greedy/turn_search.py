"""The greedy player's choice: the legal action after which its own turn can end in the best position.

At a turn decision it tries every target of every action it could open, and both parts of combined actions; it does not
look beyond its own turn. Positions are compared by ``position_value``.

The caller provides scratch memory: ``scratch`` (DEPTH,) STATE and ``masks`` (DEPTH, number of actions) int8, with any
contents. The position itself is only read.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.exploits.follow_ups import belongs_to_turn
from endeavor_env.endeavor.flow.late_rules import apply, legal_bytes
from endeavor_env.endeavor.players.greedy.position_value import position_value
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import PASS_AT
from endeavor_env.engine.kernels.rng import next_below
from endeavor_env.kernels.kernels import kernel

DEPTH = 3  # an action, its first target, its second target
SAME = 1e-9  # values closer than this are a tie


@kernel
def _goes_on(state, seat):
    """Return whether the action of ``seat`` is not over."""
    return state.decision == c.DECIDE_TARGET or belongs_to_turn(state, seat)


@kernel
def _best_target(board, seat, weights, scratch, masks):
    """Return the best value over the targets of ``scratch[0]``, each followed by the best target of a second part.

    Both depths are in one kernel, because every kernel that calls the rules compiles all of them again.
    """
    best = -np.inf
    legal_bytes(board, scratch[0], masks[1])
    for first in range(masks.shape[1]):
        if not masks[1, first]:
            continue
        scratch[1] = scratch[0]
        apply(board, scratch[1], first)
        if not _goes_on(scratch[1], seat):
            best = max(best, position_value(board, scratch[1], seat, weights))
            continue
        legal_bytes(board, scratch[1], masks[2])
        for second in range(masks.shape[1]):
            if masks[2, second]:
                scratch[2] = scratch[1]
                apply(board, scratch[2], second)
                best = max(best, position_value(board, scratch[2], seat, weights))
    return best


@kernel
def greedy_action(board, state, weights, scratch, masks, rng):
    """Return the legal action of the highest value for ``state.seat``, ties drawn with ``rng``; -1 if none is legal.

    The value of PASS is that of the position as it is: what follows, the next round or the end, comes in any case.

    Args:
        board: BOARD record, read only.
        state: STATE record, read only; not one of ``scratch``.
        weights: (NUM_WEIGHTS,) float64, indexed by ``position_value.W_*``.
        scratch: (DEPTH,) STATE, overwritten.
        masks: (DEPTH, number of actions) int8, overwritten.
        rng: (1,) uint64, advanced once for each action that ties with the best one so far.
    """
    seat = state.seat
    chosen, best, ties = -1, -np.inf, 0
    legal_bytes(board, state, masks[0])
    for action in range(masks.shape[1]):
        if not masks[0, action]:
            continue
        if action == PASS_AT:
            value = position_value(board, state, seat, weights)
        else:
            scratch[0] = state
            apply(board, scratch[0], action)
            if _goes_on(scratch[0], seat):
                value = _best_target(board, seat, weights, scratch, masks)
            else:
                value = position_value(board, scratch[0], seat, weights)
        if value > best + SAME:
            chosen, best, ties = action, value, 1
        elif value > best - SAME:
            ties += 1
            if next_below(rng, ties) == 0:
                chosen = action
    return chosen
