"""The Opposition's part of a solitaire game, one task after the other (S3, S7, S10)."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.flow.rounds import ask, begin_round, end_round, end_solo_actions, next_round_end
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.bits import lowest, several
from endeavor_env.endeavor.variants.solo.grid import next_action, next_in_europe, refill_grid, rotate_scale, set_task
from endeavor_env.endeavor.variants.solo.tasks import carry_out_choice, decide, drop_token
from endeavor_env.kernels.kernels import inlined, kernel


@inlined
def opposition_to_act(state):
    """Return whether the Opposition has a task and the player is not asked about it."""
    return state.task != c.TASK_NONE and state.decision != c.DECIDE_OPPOSITION


@kernel
def opposition_step(board, state):
    """Let the Opposition do one thing, or ask the player to choose for it (S10, notation 3.11).

    Return the offset of the block of action ids that the options belong to, the options as bits, the reason, and the
    action carried out; that is NONE if the player is asked or nothing is feasible.
    """
    block, options, reason = decide(board, state)
    if several(options) and not state.ties_first:
        ask(state, c.DECIDE_OPPOSITION, 0)
        state.choices, state.choices_at = options, block
        return block, options, reason, np.int64(c.NONE)
    action = block + lowest(options) if options != 0 else np.int64(c.NONE)
    finish_task(board, state, action)
    return block, options, reason, action


@kernel
def take_choice(board, state, action):
    """Carry out what the player chose for the Opposition (S10)."""
    state.decision = c.DECIDE_NOTHING
    state.choices = state.choices_at = 0
    finish_task(board, state, action)


@inlined
def finish_task(board, state, action):
    """Carry out ``action`` (NONE: nothing is feasible) and give the Opposition its next task, or end its part."""
    task = state.task
    if task == c.TASK_TOKEN:
        drop_token(state)
    if action != c.NONE:
        carry_out_choice(board, state, action)
        if task in (c.TASK_DISCARD, c.TASK_END_DISCARD):
            return  # until nothing more is to be discarded
    if task == c.TASK_EUROPE:
        if not next_in_europe(state):
            set_task(state, c.TASK_REMOVE, c.NONE)
    elif task == c.TASK_REMOVE:
        set_task(state, c.TASK_NONE, c.NONE)
        begin_round(board, state)
    elif task == c.TASK_DISCARD:
        _end_opposition_actions(board, state)
    elif task == c.TASK_BONUS:
        set_task(state, c.TASK_NONE, c.NONE)
        next_round_end(board, state)
    elif task == c.TASK_END_DISCARD:
        set_task(state, c.TASK_NONE, c.NONE)
        refill_grid(state)
        rotate_scale(state)
        end_round(board, state)
    else:
        next_action(state)


@kernel
def _end_opposition_actions(board, state):
    """Go on after the Opposition's actions: to the player's turn, or to the end of the round (S3.1)."""
    if state.opposition_first:
        set_task(state, c.TASK_NONE, c.NONE)
        ask(state, c.DECIDE_TURN, 0)
    else:
        end_solo_actions(board, state)
