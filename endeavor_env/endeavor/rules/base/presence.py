"""Where a seat may occupy and attack: open regions in which it is present (R8.3.2, R8.5.1)."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.bits import bit, where_above, where_equal
from endeavor_env.kernels.kernels import kernel

_regions_above, _regions_equal = where_above(c.NUM_REGIONS), where_equal(c.NUM_REGIONS)


@kernel
def reachable_regions(board, state, seat, lock):
    """Return the open regions where ``seat`` is present as bits, bit r for region r.

    Everybody is present in the start region, the one without a track (R8.3.2). ``lock`` allows only one region, for
    the second part of a same-region action (R8.8); NONE allows all.
    """
    present = _regions_equal(board.track_length, 0) | _regions_above(state.presence[seat], 0)
    regions = present & open_regions(state)
    return regions if lock < 0 else regions & bit(lock)


@kernel
def cities_in(board, regions):
    """Return the cities of the board in ``regions``, both as bits."""
    cities = np.int64(0)
    for region in range(c.NUM_REGIONS):  # without a branch, which processors could not predict
        cities |= board.region_cities[region] & -((regions >> region) & np.int64(1))
    return cities


@kernel
def open_regions(state):
    """Return the open regions as bits, whether or not anybody is present (R8.2.1)."""
    return _regions_equal(state.open, 1)
