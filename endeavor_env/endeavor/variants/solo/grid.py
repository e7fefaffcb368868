"""The solitaire game's building grid and action scale (S2, S6, S7.2-S7.6).

Two markers have names in the rulebook. The ISB, the building selection indicator, is the crown: it stands on the cell
of the last tile that the player took from the grid. The IPF is a blue token on the action scale: the discs below it
act this round; the farther the ISB moved, the higher it stands.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.bits import bit
from endeavor_env.kernels.kernels import kernel

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
