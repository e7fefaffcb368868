"""The mask of the decision at hand: dispatch to the rules files, no rule of its own."""

from __future__ import annotations

from endeavor_env.core._jit import kernel
from endeavor_env.core.actions import DONE_AT
from endeavor_env.core.bits import mark
from endeavor_env.core.build import mark_builds
from endeavor_env.core.cards import holding_legal, mark_discards
from endeavor_env.core.constants import (
    DECIDE_BUILD,
    DECIDE_DISCARD,
    DECIDE_NEUTRAL,
    DECIDE_OPPOSITION,
    DECIDE_REMOVE,
    DECIDE_ROUND_END_DISCARD,
    DECIDE_SALARY,
    DECIDE_TARGET,
    DECIDE_TURN,
    NONE,
)
from endeavor_env.core.neutral import mark_neutral
from endeavor_env.core.neutral_setup import mark_removals
from endeavor_env.core.pay import mark_pays
from endeavor_env.core.targets import mark_target_decision
from endeavor_env.core.turn import mark_turn


@kernel
def legal(board, state, out):
    """Writes the whole mask, 1 = legal, all zeros when the game is over.

    ``out`` is (NUM_ACTIONS,) int8 in the base game and (NUM_VARIANT_ACTIONS,) int8 in the other variants.
    """
    out[:] = 0
    seat = state.seat
    if state.decision == DECIDE_TARGET:
        mark_target_decision(board, state, seat, out)
    elif state.decision == DECIDE_TURN:
        mark_turn(board, state, seat, out)
    elif state.decision == DECIDE_BUILD:
        mark_builds(board, state, seat, out)
    elif state.decision == DECIDE_SALARY:
        mark_pays(board, state, seat, NONE, out)
    elif state.decision == DECIDE_DISCARD:
        mark_discards(state, seat, out)
        if holding_legal(board, state, seat):
            out[DONE_AT] = 1  # the rest is optional (R9.8)
    elif state.decision == DECIDE_ROUND_END_DISCARD:
        mark_discards(state, seat, out)
    elif state.decision == DECIDE_NEUTRAL:
        mark_neutral(board, state, seat, out)
    elif state.decision == DECIDE_REMOVE:
        mark_removals(board, state, out)
    elif state.decision == DECIDE_OPPOSITION:
        mark(state.choices, state.choices_at, out)
