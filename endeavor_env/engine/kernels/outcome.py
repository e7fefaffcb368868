"""What the end of a game is worth to a seat: the quantity that value networks of any game can estimate."""

from __future__ import annotations

import numpy as np

from endeavor_env.kernels.kernels import kernel


@kernel
def outcome_of(scores, mats, seat, margin_weight, most_margin):
    """Return the share of the win of ``seat``, 0..1, plus its lead over the best other mat times a weight.

    Seats that share the first place get equal shares.

    Args:
        scores: (MAX_SEATS,) the score of every mat.
        mats: The number of mats.
        seat: The seat.
        margin_weight: What a point of lead counts beside a win.
        most_margin: A lead or deficit above this counts as this.
    """
    own, best, equal = np.int64(scores[seat]), np.int64(-(1 << 30)), np.int64(1)
    for other in range(mats):
        if other != seat:
            best = max(best, np.int64(scores[other]))
            equal += np.int64(scores[other]) == own
    share = 1.0 / np.float64(equal) if own >= best else 0.0
    margin = np.float64(own - best)
    return share + margin_weight * min(most_margin, max(-most_margin, margin))
