"""What the end of a game is worth to a seat: the quantity that value networks estimate."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.rules.sides import is_solo
from endeavor_env.kernels.kernels import kernel

MARGIN_WEIGHT = 0.02
"""What a Glory of lead counts beside a win, so that leads still count in games that are decided."""
MOST_MARGIN = 30.0
"""A lead or deficit above this counts as this."""


@kernel
def outcome(state, scores, mats, seat):
    """Return the share of the win of ``seat``, 0..1, plus its lead over the best other mat times MARGIN_WEIGHT.

    Seats that share the first place get equal shares (R12.10); in the solitaire game a tie wins (S8.3).

    Args:
        state: STATE record; the position need not be the end of the game.
        scores: (MAX_SEATS,) Glory of every mat, as ``engine.scoring.write_totals`` writes it.
        mats: The number of mats.
        seat: The seat, 0 or more.
    """
    own, best, equal = np.int64(scores[seat]), np.int64(-(1 << 30)), np.int64(1)
    for other in range(mats):
        if other != seat:
            best = max(best, np.int64(scores[other]))
            equal += np.int64(scores[other]) == own
    share = 0.0
    if own >= best:
        share = 1.0 if is_solo(state) else 1.0 / np.float64(equal)
    margin = np.float64(own - best)
    return share + MARGIN_WEIGHT * min(MOST_MARGIN, max(-MOST_MARGIN, margin))
