"""Where a seat may occupy and attack: open regions in which it is present (R8.3.2, R8.5.1)."""

from __future__ import annotations

import numpy as np

from endeavor_env.core import constants as c
from endeavor_env.core._jit import kernel


@kernel
def reachable_regions(board, state, seat, lock):
    """Return the open regions where ``seat`` is present as bits, bit r for region r.

    Everybody is present in the start region, the one without a track (R8.3.2). ``lock`` allows only one region, for
    the second part of a same-region action (R8.8); NONE allows all.
    """
    regions = np.int64(0)
    for region in range(c.NUM_REGIONS):  # without a branch, which processors could not predict
        present = (board.track_length[region] == 0) | (state.presence[seat, region] > 0)
        regions |= np.int64(present & (state.open[region] == 1)) << region
    return regions if lock < 0 else regions & (np.int64(1) << lock)


@kernel
def open_regions(state):
    """Return the open regions as bits, whether or not anybody is present (R8.2.1)."""
    regions = np.int64(0)
    for region in range(c.NUM_REGIONS):
        regions |= np.int64(state.open[region] == 1) << region
    return regions
