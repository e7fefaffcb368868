"""Build phase (R4)."""

from __future__ import annotations

import numpy as np

from endeavor_env.core._jit import kernel
from endeavor_env.core.actions import BUILD_AT
from endeavor_env.core.bits import bit, has
from endeavor_env.core.rules.statuses import gain_icons

TOP_LEVEL = 5


@kernel
def owns_top_level(board, state, seat):
    """Return whether ``seat`` has its one level-5 building (R4.4)."""
    for building in range(board.num_building_types):
        if state.buildings[seat, building] > 0 and board.building_level[building] == TOP_LEVEL:
            return True
    return False


@kernel
def _reachable_level(board, offered, level, allowed_top):
    """Return ``level``, or if no tile up to it may be taken, the lowest level above it that has one (R4.3)."""
    lowest_above = TOP_LEVEL + 1
    for building in range(board.num_building_types):
        tile = board.building_level[building]
        if has(offered, building) and tile <= allowed_top:
            if tile <= level:
                return level
            lowest_above = min(lowest_above, tile)
    return lowest_above


@kernel
def types_in_supply(board, state):
    """Return the building types with a copy in the common supply, as bits (R4.2)."""
    types = np.int64(0)
    for building in range(board.num_building_types):
        if state.building_supply[building] > 0:
            types |= bit(building)
    return types


@kernel
def mark_builds(board, state, seat, offered, level, out):
    """Mark the building types that ``seat`` may take in the BUILD block (R4.2-R4.4).

    ``offered`` are the types on offer, as bits; ``level`` is the highest level that ``seat`` may build.
    """
    allowed_top = TOP_LEVEL - 1 if owns_top_level(board, state, seat) else TOP_LEVEL
    highest = min(allowed_top, _reachable_level(board, offered, level, allowed_top))
    for building in range(board.num_building_types):
        if has(offered, building) and board.building_level[building] <= highest:
            out[BUILD_AT + building] = 1


@kernel
def take_from_supply(state, building):
    """Take one copy from the common supply (R4.1)."""
    state.building_supply[building] -= 1


@kernel
def put_on_mat(board, state, seat, building):
    """Put one copy on the mat of ``seat``; its icons count at once (R4.5)."""
    state.buildings[seat, building] += 1
    gain_icons(state, seat, board.building_icons[building])
