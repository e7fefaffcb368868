"""Pay: freeing a building by moving its disc to the harbor, as an action (R8.6) or in the Salary phase (R6)."""

from __future__ import annotations

import numpy as np

from endeavor_env.core import constants as c
from endeavor_env.core._jit import kernel
from endeavor_env.core.actions import PAY_AT


@kernel
def kept_building(state):
    """Return the type of the building whose Pay action is under way, or NONE for a token.

    The activated copy itself cannot be freed, another copy of the same type can (R8.6.2, C1). A cannon that activated
    the building is no disc, so that all discs on copies of this type can be freed (E1).
    """
    return np.int64(c.NONE if state.with_cannon else state.source)


@kernel
def _can_free(state, seat, building, kept):
    """Return whether a disc on ``building`` may be freed.

    ``kept`` is a building type of which the disc on one copy stays, or NONE; see ``kept_building``.
    """
    return state.occupied[seat, building] > (1 if building == kept else 0)


@kernel
def mark_pays(board, state, seat, kept, out):
    """Mark the building types that ``seat`` may free in the PAY block."""
    for building in range(board.num_building_types):
        if _can_free(state, seat, building, kept):
            out[PAY_AT + building] = 1


@kernel
def any_pay(board, state, seat, kept):
    """Return whether Pay has a target."""
    for building in range(board.num_building_types):
        if _can_free(state, seat, building, kept):
            return True
    return False


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
