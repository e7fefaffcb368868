"""The cannons of Saltpetre Stocks, which stand on buildings as discs do, but are none (E1)."""

from __future__ import annotations

import numpy as np

from endeavor_env.core import constants as c
from endeavor_env.core._jit import kernel
from endeavor_env.core.rules.shields import in_play


@kernel
def cannons_on(state, seat, building):
    """Return the number of cannons on the buildings of one type of ``seat``."""
    cannons = np.int64(0)
    if in_play(state, c.SALTPETRE):
        for index in range(c.NUM_CANNONS):
            cannons += (state.cannon_seat[index] == seat) & (state.cannon_building[index] == building)
    return cannons


@kernel
def return_cannons(state, seat):
    """Move the cannons of ``seat`` back to the harbor, without a payment (E1)."""
    for index in range(c.NUM_CANNONS):
        if state.cannon_seat[index] == seat:
            state.cannon_building[index] = c.NONE
