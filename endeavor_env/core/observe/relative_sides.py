"""Relative sides: who comes in which place of an observation, seen from one seat.

The places are packed into one int64, four bits a side, so that looking one up costs a shift and needs no table.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.core import constants as c
from endeavor_env.core._jit import kernel
from endeavor_env.core.sides import num_sides


@kernel
def place_of(places, side):
    """Returns the place of ``side`` >= 0."""
    return (places >> np.int64(4 * int(side))) & np.int64(15)


@kernel
def _after(seat, observer, num_seats):
    """Returns the place of ``seat`` in playing order after ``observer``, who is 0."""
    return seat - observer if seat >= observer else seat - observer + num_seats


@kernel
def places_of_seats(num_seats, observer):
    """Returns the places of the seats alone, which are all sides of the standard game: playing order."""
    places = np.int64(0)
    for seat in range(num_seats):
        places |= np.int64(_after(seat, observer, num_seats)) << np.int64(4 * seat)
    return places


@kernel
def places_of_sides(state, observer):
    """Returns the places of all sides of any variant.

    Sides without a seat keep their number, but for ``neutral_2``: there the neutral side of the observer comes before
    that of the other seat (V2F.1).
    """
    num_seats = int(state.num_seats)
    places = places_of_seats(num_seats, observer)
    for side in range(num_seats, int(num_sides(state))):
        place = side
        if state.variant == c.VARIANT_NEUTRAL_2:
            place = num_seats + _after(side - num_seats, observer, num_seats)
        places |= np.int64(place) << np.int64(4 * side)
    return places
