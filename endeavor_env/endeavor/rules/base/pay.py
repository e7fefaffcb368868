"""Pay: freeing a building by moving its disc to the harbor, as an action (R8.6) or in the Salary phase (R6)."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import PAY_AT
from endeavor_env.endeavor.rules.bits import bit, where_above
from endeavor_env.engine.kernels.masks import allow_set
from endeavor_env.kernels.kernels import kernel

_buildings_above = where_above(c.MAX_BUILDING_TYPES)


@kernel
def pay_targets(state, seat, kept):
    """Return the building types that ``seat`` may free, as bits.

    ``kept`` is a building type of which the disc on one copy stays, or NONE: the building whose Pay action is under
    way. This copy cannot be freed, another one of the same type can (R8.6.2, C1).
    """
    buildings = _buildings_above(state.occupied[seat], 0)
    if kept >= 0 and state.occupied[seat, kept] == 1:
        buildings &= ~bit(kept)
    return buildings


@kernel
def mark_pays(state, seat, kept, words):
    """Mark the building types that ``seat`` may free in the PAY block."""
    allow_set(words, PAY_AT, pay_targets(state, seat, kept))


@kernel
def pay(state, seat, building):
    """Move one disc from an activation space of ``building`` back to the harbor (R6.1, R8.6.1)."""
    state.occupied[seat, building] -= 1
    state.harbor[seat] += 1


@kernel
def discs_on_buildings(board, state, seat):
    """Return the number of discs on the buildings of ``seat``."""
    discs = np.int64(0)
    for building in range(board.num_building_types):
        discs += state.occupied[seat, building]
    return discs


@kernel
def free_all(board, state, seat):
    """Free every building of ``seat``, as happens when the payments suffice for all (R6.2)."""
    for building in range(board.num_building_types):
        state.harbor[seat] += state.occupied[seat, building]
        state.occupied[seat, building] = 0
