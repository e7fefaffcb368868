"""Build phase (R4)."""

from __future__ import annotations

import numpy as np

from endeavor_env.core import constants as c
from endeavor_env.core._jit import kernel
from endeavor_env.core.actions import BUILD_AT
from endeavor_env.core.bits import bit, has
from endeavor_env.core.rules.statuses import build_level, gain_icons
from endeavor_env.core.variants.solo.grid import take_tile, tiles_on_grid

TOP_LEVEL = 5


@kernel
def _owns_top_level(board, state, seat):
    """Tells whether ``seat`` has its one level-5 building (R4.4)."""
    for building in range(board.num_building_types):
        if state.buildings[seat, building] > 0 and board.building_level[building] == TOP_LEVEL:
            return True
    return False


@kernel
def _reachable_level(board, offered, level, allowed_top):
    """Returns ``level``, or the lowest level above it with a tile that may be taken if it has none (R4.3)."""
    lowest_above = TOP_LEVEL + 1
    for building in range(board.num_building_types):
        tile = board.building_level[building]
        if has(offered, building) and tile <= allowed_top:
            if tile <= level:
                return level
            lowest_above = min(lowest_above, tile)
    return lowest_above


@kernel
def _offered(board, state):
    """Returns the building types on offer: those with a copy in supply, in the solitaire game those on the grid."""
    offered = np.int64(0)
    if state.variant == c.VARIANT_SOLO:
        return tiles_on_grid(state)
    for building in range(board.num_building_types):
        if state.building_supply[building] > 0:
            offered |= bit(building)
    return offered


@kernel
def mark_builds(board, state, seat, out):
    """Marks the building types ``seat`` may take (R4.2-R4.4; S6.2, C10 of the solitaire game) in the BUILD block."""
    offered = _offered(board, state)
    allowed_top = TOP_LEVEL - 1 if _owns_top_level(board, state, seat) else TOP_LEVEL
    level = TOP_LEVEL if state.ignore_industry else build_level(board, state, seat)
    level = min(allowed_top, _reachable_level(board, offered, level, allowed_top))
    for building in range(board.num_building_types):
        if has(offered, building) and board.building_level[building] <= level:
            out[BUILD_AT + building] = 1


@kernel
def build(board, state, seat, building):
    """Puts one copy on the mat; its icons count at once (R4.1, R4.5)."""
    if state.variant == c.VARIANT_SOLO:
        take_tile(board, state, building)
    else:
        state.building_supply[building] -= 1
    state.buildings[seat, building] += 1
    gain_icons(state, seat, board.building_icons[building])
