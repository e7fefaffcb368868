"""The cannons of Saltpetre Stocks, which stand on buildings as discs do, but are none (E1)."""

from __future__ import annotations

import numpy as np

from endeavor_env.core import constants as c
from endeavor_env.core.bits import bit, has, where_above
from endeavor_env.core.rules.shields import in_play
from endeavor_env.machine.kernels import kernel

_types_above = where_above(c.MAX_BUILDING_TYPES)


@kernel
def cannons_on(state, seat, building):
    """Return the number of cannons on the buildings of one type of ``seat``."""
    cannons = np.int64(0)
    if in_play(state, c.SALTPETRE):
        for index in range(c.NUM_CANNONS):
            cannons += (state.cannon_seat[index] == seat) & (state.cannon_building[index] == building)
    return cannons


@kernel
def free_types(board, state, seat):
    """Return the building types of which ``seat`` has a copy without a disc or cannon, as bits (R7.2, E1)."""
    types = _types_above(state.buildings[seat], state.occupied[seat])
    if in_play(state, c.SALTPETRE):
        for building in range(board.num_building_types):
            used = np.int64(state.occupied[seat, building]) + cannons_on(state, seat, building)
            if has(types, building) and state.buildings[seat, building] <= used:
                types &= ~bit(building)
    return types


@kernel
def return_cannons(state, seat):
    """Move the cannons of ``seat`` back to the harbor, without a payment (E1)."""
    for index in range(c.NUM_CANNONS):
        if state.cannon_seat[index] == seat:
            state.cannon_building[index] = c.NONE
