"""The order of things in a solitaire round that needs no decision of the engine (S3, S7)."""

from __future__ import annotations

from endeavor_env.core import constants as c
from endeavor_env.core._jit import kernel
from endeavor_env.core.rules.occupy import free_cities
from endeavor_env.core.rules.presence import reachable_regions

FIRST_TESTED_ROUND = 3


@kernel
def opposition_opens(board, state):
    """Return whether the Opposition acts first: from round 3 on, if its first colour can occupy a city (S3.2, S3.3)."""
    if state.round_number < FIRST_TESTED_ROUND:
        return False
    return free_cities(board, state, reachable_regions(board, state, state.scale[0], c.NONE)) != 0


@kernel
def set_task(state, task, acting):
    """Give the Opposition something to do."""
    state.task = task
    state.task_step = 0
    state.acting = acting


@kernel
def begin_actions(state):
    """Let the colours on the scale act, from position 1 up to below the marker (S2.3, S3.1)."""
    set_task(state, c.TASK_ACTION, state.scale[0])


@kernel
def next_action(state):
    """Go on within the Opposition's actions: a waiting token, the next disc of the scale, then its card limit."""
    if state.num_waiting > 0:
        state.task = c.TASK_TOKEN
        return
    state.task_step += 1
    if state.task_step < state.ipf - 1:
        state.task = c.TASK_ACTION
        state.acting = state.scale[state.task_step]
    else:
        set_task(state, c.TASK_DISCARD, c.NONE)


@kernel
def next_in_europe(state):
    """Go on to the next status of S1.8; return whether there is one."""
    state.task_step += 1
    if state.task_step == c.NUM_COLOURS:
        return False
    state.acting = state.europe_order[state.task_step]
    return True


@kernel
def begin_bonus(state):
    """Let the colour under the marker make the bonus draw if it is due; return whether it is (S3.6)."""
    if state.bonus_due:
        set_task(state, c.TASK_BONUS, state.scale[state.ipf - 1])
    else:
        set_task(state, c.TASK_NONE, c.NONE)
    return state.bonus_due == 1


@kernel
def note_draw(state):
    """Note that a Draw of the player earns the Opposition a bonus draw this round (S3.5)."""
    state.bonus_due = 1
