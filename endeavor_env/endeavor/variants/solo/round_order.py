"""The order of the Opposition's tasks in set-up and in a round (S1.8, S3)."""

from __future__ import annotations

from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.base.actions import free_cities, reachable_regions
from endeavor_env.kernels.kernels import kernel

FIRST_TESTED_ROUND = 3  # in earlier rounds the player acts first (S3.2)


@kernel
def opposition_opens(board, state):
    """Return whether the Opposition acts first: from round 3 on, if its first colour can occupy a city (S3.2, S3.3)."""
    if state.round_number < FIRST_TESTED_ROUND:
        return False
    return free_cities(board, state, reachable_regions(board, state, state.scale[0], c.NONE)) != 0


@kernel
def set_task(state, task, acting):
    """Make ``task`` (TASK_*) the Opposition's task at hand, for the disc of ``acting`` (a side or NONE)."""
    state.task = task
    state.task_step = 0
    state.acting = acting


@kernel
def begin_actions(state):
    """Let the colours on the scale act, from position 1 to the one below the IPF (S2.3, S3.1)."""
    set_task(state, c.TASK_ACTION, state.scale[0])


@kernel
def next_action(state):
    """Set the task that follows an action: a waiting token, else the next disc of the scale, else the card limit."""
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
    """Go on to the next status of S1.8; return whether one is left."""
    state.task_step += 1
    if state.task_step == c.NUM_COLOURS:
        return False
    state.acting = state.europe_order[state.task_step]
    return True


@kernel
def begin_bonus(state):
    """Let the colour at the position of the IPF make the bonus draw if it is due; return whether it is (S3.6)."""
    if state.bonus_due:
        set_task(state, c.TASK_BONUS, state.scale[state.ipf - 1])
    else:
        set_task(state, c.TASK_NONE, c.NONE)
    return state.bonus_due == 1


@kernel
def note_draw(state):
    """Record a Draw of the player, which earns the Opposition a bonus draw this round (S3.5)."""
    state.bonus_due = 1
