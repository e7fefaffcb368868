"""The mask of the decision at hand: dispatch to the rules files, no rule of its own."""

from __future__ import annotations

from endeavor_env.core import constants as c
from endeavor_env.core._jit import kernel
from endeavor_env.core.actions import DONE_AT
from endeavor_env.core.bits import mark
from endeavor_env.core.rules.build import mark_builds
from endeavor_env.core.rules.cards import holding_legal, mark_discards
from endeavor_env.core.rules.pay import mark_pays
from endeavor_env.core.rules.targets import mark_target_decision
from endeavor_env.core.rules.turn import mark_turn
from endeavor_env.core.variants.neutral.discs import mark_neutral
from endeavor_env.core.variants.neutral.removals import mark_removals


@kernel
def legal(board, state, out):
    """Writes the whole mask, 1 = legal, all zeros when the game is over.

    ``out`` is (NUM_ACTIONS,) int8 in the base game and (NUM_VARIANT_ACTIONS,) int8 in the other variants.
    """
    out[:] = 0
    seat = state.seat
    if state.decision == c.DECIDE_TARGET:
        mark_target_decision(board, state, seat, out)
    elif state.decision == c.DECIDE_TURN:
        mark_turn(board, state, seat, out)
    elif state.decision == c.DECIDE_BUILD:
        mark_builds(board, state, seat, out)
    elif state.decision == c.DECIDE_SALARY:
        mark_pays(board, state, seat, c.NONE, out)
    elif state.decision == c.DECIDE_DISCARD:
        mark_discards(state, seat, out)
        if holding_legal(board, state, seat):
            out[DONE_AT] = 1  # the rest is optional (R9.8)
    elif state.decision == c.DECIDE_ROUND_END_DISCARD:
        mark_discards(state, seat, out)
    elif state.decision == c.DECIDE_NEUTRAL:
        mark_neutral(board, state, seat, out)
    elif state.decision == c.DECIDE_REMOVE:
        mark_removals(board, state, out)
    elif state.decision == c.DECIDE_OPPOSITION:
        mark(state.choices, state.choices_at, out)
