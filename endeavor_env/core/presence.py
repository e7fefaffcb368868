"""Where a seat may occupy and attack: open regions in which it is present (R8.3.2, R8.5.1)."""

from __future__ import annotations

from endeavor_env.core._jit import kernel
from endeavor_env.core.constants import NUM_REGIONS


@kernel
def reachable_regions(board, state, seat, lock):
    """Returns the open regions where ``seat`` is present as bits, bit r for region r.

    Everybody is present in the start region, the one without a track (R8.3.2). ``lock`` keeps only that region
    (the second half of a same-region action, R8.8); NONE keeps all.
    """
    regions = 0
    for region in range(NUM_REGIONS):
        present = board.track_length[region] == 0 or state.presence[seat, region] > 0
        if state.open[region] and present and (lock < 0 or lock == region):
            regions |= 1 << region
    return regions


@kernel
def open_regions(state):
    """Returns the open regions as bits, whoever is present (R8.2.1)."""
    regions = 0
    for region in range(NUM_REGIONS):
        if state.open[region]:
            regions |= 1 << region
    return regions
