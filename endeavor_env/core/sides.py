"""Who may own what: seats, sides and mats (see ``STATE``). Each variant has its own; no rule stands here."""

from __future__ import annotations

import numpy as np

from endeavor_env.core import constants as c
from endeavor_env.core._jit import kernel


@kernel
def num_sides(state):
    """Returns the number of sides that own discs on the map: seats, opposing colours, neutral sides."""
    if state.variant == c.VARIANT_STANDARD:
        return np.int64(state.num_seats)
    if state.variant == c.VARIANT_SOLO:
        return np.int64(c.FIRST_COLOUR + c.NUM_COLOURS)
    return np.int64(state.num_seats) + (2 if state.variant == c.VARIANT_NEUTRAL_2 else 1)


@kernel
def num_mats(state):
    """Returns the number of mats with statuses, tokens and cards: one a seat, and the Opposition's (S0)."""
    return np.int64(c.OPPOSITION + 1 if state.variant == c.VARIANT_SOLO else state.num_seats)


@kernel
def mat_of(state, side):
    """Returns the mat that gets what ``side`` gains: its seat, the Opposition's, NONE for a neutral side or NONE."""
    if side < state.num_seats:
        return np.int64(side)
    return np.int64(c.OPPOSITION if state.variant == c.VARIANT_SOLO else c.NONE)
