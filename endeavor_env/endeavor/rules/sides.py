"""Sides: who owns discs and mats, sides as an observer counts them, and rows of numbers."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.rules import constants as c
from endeavor_env.kernels.kernels import kernel

# --- Small functions over rows of numbers ----------------------------------------------------------------------------


@kernel
def share(count, factor):
    """Return ``count`` times ``factor``, clipped to [0, 1]."""
    return min(1.0, max(0, int(count)) * factor)


@kernel
def within(values, low, high):
    """Return whether every entry of the flat array ``values`` is in [low, high]."""
    for index in range(values.size):
        if not low <= values[index] <= high:
            return False
    return True


# --- Who can own what in each variant: seats, sides and mats (see ``state``). No rules are defined here --------------


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


# --- Relative sides: the place of every side in an observation from the view of one seat -----------------------------
# The places are packed into one int64, four bits for each side, so that a look-up is one shift and needs no table.


@kernel
def place_of(places, side):
    """Return the place of ``side``, which must be 0 or more."""
    return (places >> np.int64(4 * int(side))) & np.int64(15)


@kernel
def _relative_seat(seat, observer, num_seats):
    """Return the place of ``seat`` in playing order counted from ``observer``, which has place 0."""
    return seat - observer if seat >= observer else seat - observer + num_seats


@kernel
def places_of_sides(state, observer):
    """Return the places of all sides of a game of any variant.

    Seats are in playing order. Sides without a seat keep their number, except in ``neutral_2``, where the neutral side
    of the observer comes before that of the other seat (V2F.1).
    """
    num_seats = int(state.num_seats)
    places = np.int64(0)
    for seat in range(num_seats):
        places |= np.int64(_relative_seat(seat, observer, num_seats)) << np.int64(4 * seat)
    for side in range(num_seats, int(num_sides(state))):
        place = side
        if state.variant == c.VARIANT_NEUTRAL_2:
            place = num_seats + _relative_seat(side - num_seats, observer, num_seats)
        places |= np.int64(place) << np.int64(4 * side)
    return places
