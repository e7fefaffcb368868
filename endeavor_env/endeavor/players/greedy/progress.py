"""The way that status markers have gone towards their next step, which counts before the step is reached."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.base.statuses import marker
from endeavor_env.kernels.kernels import kernel


@kernel
def smooth(table, position, top, share):
    """Return ``table[position]`` plus ``share`` of the step to its next higher entry, in proportion to the way there.

    ``table`` (NUM_MARKERS,) int8 never falls; ``top`` is the last position in use.
    """
    value = table[position]
    low = position
    while low > 0 and table[low - 1] == value:
        low -= 1
    high = position
    while high < top and table[high] == value:
        high += 1
    step = np.float64(table[high]) - np.float64(value)
    if step <= 0.0:
        return np.float64(value)
    return np.float64(value) + share * step * np.float64(position - low) / np.float64(high - low)


@kernel
def promised_glory(board, state, mat):
    """Return the Glory that the next Glory spaces of the four markers add, each times the part of the way (R12.3)."""
    promised = 0.0
    for status in range(c.NUM_STATUSES):
        position = marker(board, state, mat, status)
        promised += smooth(board.status_glory, position, board.status_max, 1.0) - np.float64(
            board.status_glory[position]
        )
    return promised
