"""The statistics of matches: shared wins, ranks, and the intervals of a win rate and of a mean."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

Z_95 = 1.959963984540054
"""The standard normal distribution holds 95 % between minus and plus this."""


def win_shares(scores: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return each player's share of the win: 1 alone in first place, 1/k for each of k who share it (R12.10).

    Args:
        scores: (..., players), the final Glory.
    """
    table = np.asarray(scores)
    first = table == table.max(axis=-1, keepdims=True)
    return first / first.sum(axis=-1, keepdims=True)


def ranks(scores: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return each player's rank, 1 for the best; equal scores get the mean of the ranks that they share.

    Args:
        scores: (..., players), the final Glory.
    """
    table = np.asarray(scores)
    own, other = table[..., :, None], table[..., None, :]
    better = (other > own).sum(axis=-1)
    equal = (other == own).sum(axis=-1)
    return better + (equal + 1) / 2


def wilson_interval(share: float, count: int, z: float = Z_95) -> tuple[float, float]:
    """Return Wilson's score interval of a rate; it stays within 0..1 and has a width even at 0 and 1.

    Args:
        share: The rate observed, 0..1; shared wins make it a mean of fractions, whose variance is at most that of the
            wins and losses the formula assumes, so that the interval is never too narrow for them.
        count: The number of trials, at least 1.
        z: How many standard deviations, 1.96 for 95 %.
    """
    scale = 1.0 + z * z / count
    center = (share + z * z / (2 * count)) / scale
    half = z * math.sqrt(share * (1.0 - share) / count + z * z / (4.0 * count * count)) / scale
    return min(share, max(0.0, center - half)), max(share, min(1.0, center + half))


def mean_interval(values: npt.ArrayLike, z: float = Z_95) -> tuple[float, float]:
    """Return the normal approximation's interval of a mean: ``z`` standard errors to either side.

    Args:
        values: (count,) independent observations, at least 2; for a few dozen and more the approximation is good.
        z: How many standard errors, 1.96 for 95 %.
    """
    table = np.asarray(values, float)
    mean, error = float(table.mean()), float(table.std(ddof=1)) / math.sqrt(table.size)
    return mean - z * error, mean + z * error
