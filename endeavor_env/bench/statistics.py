"""Scores over runs and tasks: the means, intervals and profiles of rliable (Agarwal et al., 2021), in NumPy alone.

Scores are a table (runs, tasks), such as the seeds of a method and the tasks of the benchmark.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

Scores = npt.NDArray[np.float64]
RESAMPLES = 2000
LEVEL = 0.95
_TRIMMED = 0.25


def iqm(scores: npt.ArrayLike) -> float:
    """Return the interquartile mean: that of the middle half of all scores, whatever run and task they are of.

    As in SciPy's ``trim_mean``, a quarter of the scores, rounded down, is left out at either end.
    """
    values = np.sort(np.asarray(scores, float), axis=None)
    cut = int(_TRIMMED * values.size)
    return float(values[cut : values.size - cut].mean())


def mean(scores: npt.ArrayLike) -> float:
    """Return the mean over tasks of the mean over runs."""
    return float(np.asarray(scores, float).mean(axis=0).mean())


def median(scores: npt.ArrayLike) -> float:
    """Return the median over tasks of the mean over runs."""
    return float(np.median(np.asarray(scores, float).mean(axis=0)))


def optimality_gap(scores: npt.ArrayLike, target: float = 1.0) -> float:
    """Return by how much scores miss a target on average; those above it count as the target."""
    return float(target - np.minimum(np.asarray(scores, float), target).mean())


def performance_profile(scores: npt.ArrayLike, thresholds: Sequence[float] | Scores) -> Scores:
    """Return for each threshold the share of the scores that are above it, each task counting the same."""
    table = np.asarray(scores, float)
    return np.array([(table > threshold).mean(axis=0).mean() for threshold in np.asarray(thresholds, float)])


def stratified_bootstrap(
    scores: npt.ArrayLike, statistic: Callable[[Scores], float], resamples: int = RESAMPLES, seed: int = 0
) -> tuple[float, float]:
    """Return the 95 % interval of a statistic: runs are drawn again with replacement, for each task on its own.

    Args:
        scores: (runs, tasks).
        statistic: A function of such a table.
        resamples: How often they are drawn.
        seed: Draws them.
    """
    table, rng = np.asarray(scores, float), np.random.default_rng(seed)
    tasks = np.arange(table.shape[1])
    found = [statistic(table[rng.integers(table.shape[0], size=table.shape), tasks]) for _ in range(resamples)]
    return percentile_interval(found)


def percentile_interval(values: npt.ArrayLike) -> tuple[float, float]:
    """Return the ends between which the middle 95 % of resampled values lie."""
    low, high = np.quantile(np.asarray(values, float), [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def resampled_means(values: npt.NDArray[np.float64], resamples: int, seed: int) -> npt.NDArray[np.float64]:
    """Return (resamples, ...) means over set-ups, each of as many set-ups drawn with replacement.

    Args:
        values: (set-ups, ...). What belongs to one set-up stays together, so that what all of it shares, such as who
            begins, makes no interval too narrow.
        resamples: How often set-ups are drawn.
        seed: Draws them.
    """
    count, rng = values.shape[0], np.random.default_rng(seed)
    weights = rng.multinomial(count, np.full(count, 1 / count), size=resamples) / count
    return np.asarray(np.tensordot(weights, values, axes=1), np.float64)
