"""Build phase (R4)."""

from __future__ import annotations

from endeavor_env.core._jit import kernel
from endeavor_env.core.actions import BUILD_AT
from endeavor_env.core.statuses import build_level, gain_icons

TOP_LEVEL = 5


@kernel
def _owns_top_level(board, state, seat):
    """Tells whether ``seat`` has its one level-5 building (R4.4)."""
    for building in range(board.num_building_types):
        if state.buildings[seat, building] > 0 and board.building_level[building] == TOP_LEVEL:
            return True
    return False


@kernel
def _reachable_level(board, state, level, allowed_top):
    """Returns ``level``, or the lowest level above it with a tile that may be taken if it has none (R4.3)."""
    lowest_above = TOP_LEVEL + 1
    for building in range(board.num_building_types):
        tile = board.building_level[building]
        if state.building_supply[building] > 0 and tile <= allowed_top:
            if tile <= level:
                return level
            lowest_above = min(lowest_above, tile)
    return lowest_above


@kernel
def mark_builds(board, state, seat, out):
    """Marks the building types ``seat`` may take (R4.2-R4.4) in the BUILD block."""
    allowed_top = TOP_LEVEL - 1 if _owns_top_level(board, state, seat) else TOP_LEVEL
    level = min(allowed_top, _reachable_level(board, state, build_level(board, state, seat), allowed_top))
    for building in range(board.num_building_types):
        if state.building_supply[building] > 0 and board.building_level[building] <= level:
            out[BUILD_AT + building] = 1


@kernel
def build(board, state, seat, building):
    """Puts one copy on the mat; its icons count at once (R4.1, R4.5)."""
    state.building_supply[building] -= 1
    state.buildings[seat, building] += 1
    gain_icons(state, seat, board.building_icons[building])
