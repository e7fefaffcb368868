"""Relative sides: the place of every side in an observation from the view of one seat.

The places are packed into one int64, four bits for each side, so that a look-up is one shift and needs no table.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.sides import num_sides
from endeavor_env.kernels.kernels import kernel


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
