"""Playing on: from a decision to the next one, and from set-up to the first (notation 3)."""

from __future__ import annotations

from endeavor_env.endeavor.flow.decisions import begin
from endeavor_env.endeavor.flow.opposition_turn import opposition_step, opposition_to_act
from endeavor_env.endeavor.flow.rounds import ask, begin_round
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.variants.neutral.removals import first_remover
from endeavor_env.kernels.kernels import kernel


@kernel
def apply(board, state, action):
    """Carry out a legal ``action`` of ``state.seat`` and run on to the next decision; the caller checks legality."""
    begin(board, state, action)
    while opposition_to_act(state):
        opposition_step(board, state)


@kernel
def start(board, state):
    """Run from the end of what nobody decides in set-up to the first decision (R3.1, S1.8, V2S.4)."""
    if state.removals_left > 0:
        ask(state, c.DECIDE_REMOVE, first_remover(state))
    elif state.task == c.TASK_NONE:
        begin_round(board, state)
    while opposition_to_act(state):
        opposition_step(board, state)
