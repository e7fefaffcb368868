"""The automa's choice of a building. The Opposition never builds (S2.5), so these criteria are not in its rules."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import BUILD_AT
from endeavor_env.endeavor.rules.base.statuses import payments
from endeavor_env.endeavor.rules.bits import bit, has, lowest
from endeavor_env.endeavor.rules.sides import is_solo
from endeavor_env.endeavor.variants.solo.tie_breaks import effective_advance, icons_in_least
from endeavor_env.kernels.kernels import kernel

WORST = -(1 << 30)  # below every merit
NUM_CRITERIA = 7


@kernel
def _extra_actions(state, building):
    """Return the number of extra actions that the Opposition gets for this tile of the grid (S2.2)."""
    for level in range(c.GRID_LEVELS):
        for column in range(c.GRID_COLUMNS):
            if state.grid[level, column] == building:
                return abs(np.int64(column) - state.isb_column)
    return np.int64(0)


@kernel
def _short_of_actions(board, state, seat):
    """Return whether Salary can free all buildings with an action, so that the seat lacks actions, not payments."""
    actions = np.int64(0)
    for building in range(board.num_building_types):
        if board.building_mode[building] != c.MODE_NONE:
            actions += state.buildings[seat, building]
    return actions <= payments(board, state, seat)


@kernel
def _new_actions(board, state, seat, building):
    """Return how many of Occupy, Sail and Draw ``building`` has and no building of the seat has."""
    owned, offered = np.int64(0), np.int64(0)
    for other in range(board.num_building_types):
        for index in range(c.MAX_ACTION_PARTS):
            part = board.building_action[other, index]
            if part in (c.OCCUPY, c.SAIL, c.DRAW):
                owned |= bit(part) if state.buildings[seat, other] > 0 else 0
                offered |= bit(part) if other == building else 0
    count = np.int64(0)
    for part in range(c.DRAW + 1):
        count += 1 if has(offered & ~owned, part) else 0
    return count


@kernel
def _merit(board, state, seat, building, criterion, more_actions):
    """Return the score of ``building`` by ``criterion``, a number in [0, NUM_CRITERIA).

    0: few extra actions for the Opposition (solo); 1: Glory, in the last round; 2: an action if the seat needs
    ``more_actions``, else icons that advance a status; 3: kinds of action that the seat does not have yet, if it needs
    more; 4: level; 5 and 6: C1 and C2 of S5.3 for the icons.
    """
    if criterion == 0:
        return -_extra_actions(state, building) if is_solo(state) else np.int64(0)
    if criterion == 1:
        return np.int64(board.building_glory[building] if state.round_number >= board.num_rounds else 0)
    if criterion == 2:
        acts = board.building_mode[building] != c.MODE_NONE
        return np.int64(
            1
            if (acts if more_actions else effective_advance(board, state, seat, board.building_icons[building]) > 0)
            else 0
        )
    if criterion == 3:
        return _new_actions(board, state, seat, building) if more_actions else np.int64(0)
    if criterion == 4:
        return np.int64(board.building_level[building])
    if criterion == 5:
        return effective_advance(board, state, seat, board.building_icons[building])
    return icons_in_least(board, state, seat, board.building_icons[building])


@kernel
def choose_building(board, state, seat, mask):
    """Return the legal BUILD action that is best by the criteria in turn, of equals the first; -1 if none is legal."""
    kept = np.int64(0)
    for building in range(board.num_building_types):
        kept |= bit(building) if mask[BUILD_AT + building] else 0
    more_actions = _short_of_actions(board, state, seat)
    for criterion in range(NUM_CRITERIA):
        best, left = np.int64(WORST), np.int64(0)
        for building in range(board.num_building_types):
            if has(kept, building):
                merit = _merit(board, state, seat, building, criterion, more_actions)
                if merit > best:
                    best, left = merit, np.int64(0)
                if merit == best:
                    left |= bit(building)
        kept = left
    return BUILD_AT + lowest(kept) if kept != 0 else -1
