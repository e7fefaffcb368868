"""The solitaire game's building grid and action scale, and who acts when (S2, S3, S6, S7.2-S7.6)."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.base.actions import free_cities, reachable_regions
from endeavor_env.endeavor.rules.bits import bit
from endeavor_env.kernels.kernels import kernel

# --- The solitaire game's building grid and action scale (S2, S6, S7.2-S7.6) -----------------------------------------
# Two markers have names in the rulebook. The ISB, the building selection indicator, is the crown: it stands on the cell
# of the last tile that the player took from the grid. The IPF is a blue token on the action scale: the discs below it
# act this round; the farther the ISB moved, the higher it stands.

LAST_COLUMN = c.GRID_COLUMNS - 1


@kernel
def base_position(round_number):
    """Return the position of the IPF when a round begins (S2.1)."""
    if round_number <= 3:
        return 3
    return 4 if round_number <= 5 else 5


@kernel
def types_on_grid(state):
    """Return the building types on the grid, as bits (S6.1)."""
    tiles = np.int64(0)
    for level in range(c.GRID_LEVELS):
        for column in range(c.GRID_COLUMNS):
            if state.grid[level, column] != c.NONE:
                tiles |= bit(state.grid[level, column])
    return tiles


@kernel
def take_tile(state, building):
    """Take a tile off the grid and move the ISB there; each column it moves adds an action (S2.2, S2.3, S6.3)."""
    for level in range(c.GRID_LEVELS):
        for column in range(c.GRID_COLUMNS):
            if state.grid[level, column] == building:
                state.grid[level, column] = c.NONE
                state.ipf = base_position(state.round_number) + abs(np.int64(column) - state.isb_column)
                state.isb_level = level
                state.isb_column = column
    state.last_built = building


@kernel
def refill_grid(state):
    """Close up the row of the tile taken, and refill the grid; types taken from column 3 wait (S7.2, S7.3)."""
    row, column = state.isb_level, np.int64(state.isb_column)
    for place in range(column, LAST_COLUMN):
        state.grid[row, place] = state.grid[row, place + 1]
    state.grid[row, LAST_COLUMN] = c.NONE
    if column == LAST_COLUMN:
        state.pending[row] = state.last_built
    else:
        for level in range(c.GRID_LEVELS):
            _bring_pending(state, level)
        _bring(state, state.last_built, row, LAST_COLUMN)
    state.last_built = c.NONE


@kernel
def _bring_pending(state, level):
    """Put the type that waits for this row on its leftmost empty cell (S7.3); without stock it is dropped (C12)."""
    if state.pending[level] == c.NONE:
        return
    column = np.int64(0)
    while state.grid[level, column] != c.NONE:
        column += 1
    _bring(state, state.pending[level], level, column)
    state.pending[level] = c.NONE


@kernel
def _bring(state, building, level, column):
    """Move a copy from the stock to a cell, if one is left."""
    if state.building_supply[building] > 0:
        state.building_supply[building] -= 1
        state.grid[level, column] = building


@kernel
def rotate_scale(state):
    """Move the discs that acted to the top, and the IPF to its position for the coming round (S7.5, S7.6)."""
    for _ in range(state.ipf - 1):
        first = state.scale[0]
        for place in range(c.SCALE_SIZE - 1):
            state.scale[place] = state.scale[place + 1]
        state.scale[c.SCALE_SIZE - 1] = first
    state.bonus_due = 0
    state.ipf = base_position(state.round_number + 1)


# --- The order of the Opposition's tasks in set-up and in a round (S1.8, S3) -----------------------------------------

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
