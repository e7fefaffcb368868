"""Who can own what in each variant: seats, sides and mats (see ``state``). No rules are defined here."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.rules import constants as c
from endeavor_env.kernels.kernels import kernel


@kernel
def is_solo(state):
    """Return whether this is the solitaire game."""
    return state.variant == c.VARIANT_SOLO


@kernel
def is_soloplay(state):
    """Return whether this is SoloPlay's variant for 2 or 3 players, whose seats place neutral discs (V2S, V3S)."""
    return (state.variant == c.VARIANT_SOLOPLAY_2) | (state.variant == c.VARIANT_SOLOPLAY_3)


@kernel
def has_neutral_discs(state):
    """Return whether there are neutral discs, owned by a side without a seat: SoloPlay's variants and ``neutral_2``."""
    return is_soloplay(state) | (state.variant == c.VARIANT_NEUTRAL_2)


@kernel
def has_exploits(state):
    """Return whether this is a game with Exploits."""
    return state.variant == c.VARIANT_EXPLOITS


@kernel
def num_sides(state):
    """Return the number of sides that own discs on the map: seats, opposing colours, neutral sides."""
    if is_solo(state):
        return np.int64(c.FIRST_COLOUR + c.NUM_COLOURS)
    neutral = 2 if state.variant == c.VARIANT_NEUTRAL_2 else (1 if is_soloplay(state) else 0)
    return np.int64(state.num_seats) + neutral


@kernel
def num_mats(state):
    """Return the number of mats, with statuses, tokens and cards: one for each seat, and the Opposition's (S0)."""
    return np.int64(c.OPPOSITION + 1 if is_solo(state) else state.num_seats)


@kernel
def mat_of(state, side):
    """Return the mat that receives what ``side`` gains; NONE for a neutral side, and for NONE.

    Each seat has its own mat; the four opposing colours share the Opposition's.
    """
    if side < state.num_seats:
        return np.int64(side)
    return np.int64(c.OPPOSITION if is_solo(state) else c.NONE)
