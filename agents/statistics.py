"""From results to figures: shared wins, ranks, intervals, means over runs and tasks, and ratings.

Ratings are those of Plackett and Luce, by the library choix. At a table of agents with strengths w, the first place
goes to each with probability w / sum of all w, the second in the same way among the others, and so on. An agent in
several seats is ranked in each, with the same strength. choix's ``ilsr_rankings`` finds the most likely strengths for
such rankings too; its ``opt_rankings`` does not, because its gradient counts an agent once that a ranking names twice.
"""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from endeavor_env.errors import EndeavorError, InvalidOptionError

# --- One match: shares of wins, ranks, and the intervals of a rate and of a mean --------------------------------------

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


# --- Several runs and tasks: the means, intervals and profiles of rliable (Agarwal et al., 2021) ---------------------
# Scores are a table (runs, tasks), such as the seeds of a method and the tasks of the benchmark.

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


# --- Ratings of all agents of a tournament from the rankings of its games ---------------------------------------------

ELO = 400 / math.log(10)
"""Elo points of one unit of log-strength: 400 points more is ten times the strength."""
ALPHA = 0.1
"""choix's regularisation: as if every agent had done a little better and a little worse than it did, so that one that
loses every game has a finite rating. It counts about as much as ``ALPHA`` places an agent."""
MOST_STEPS = 10_000
"""Steps of choix's iteration; some ten are usual."""
TOLERANCE = 1e-4
"""Log-strengths are exact to about this, 0.02 Elo points."""
DEFAULT_RESAMPLES = 200

Rankings = Sequence[Sequence[Sequence[Sequence[int]]]]
"""For each table size and each of its set-ups the rankings of its games: agents from the best to the worst."""


@dataclass(frozen=True, eq=False)
class Rating:
    """Ratings of all agents, in Elo points."""

    values: npt.NDArray[np.float64]
    """(agents,): the ratings. Their mean is 0, or that of the anchor is."""
    low: npt.NDArray[np.float64]
    """(agents,): lower ends of the 95 % intervals."""
    high: npt.NDArray[np.float64]
    """(agents,): upper ends."""
    samples: npt.NDArray[np.float64]
    """(resamples, agents): the ratings from resampled set-ups."""
    apart: npt.NDArray[np.bool_]
    """(agents,): whether the games only bound the rating's distance from those of most agents, see ``agents_apart``."""


def check_choix() -> None:
    """Raise InvalidOptionError, which says what to install, if choix is missing."""
    if importlib.util.find_spec("choix") is None:
        raise InvalidOptionError("a rating needs choix: install it with pip install 'endeavor-env[arena]'")


def rate(
    rankings: Rankings,
    agents: int,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = 0,
    anchor: int | None = None,
    on_sample: Callable[[], object] = lambda: None,
) -> Rating:
    """Return the ratings of agents, with percentile intervals from a bootstrap over set-ups.

    The games of one set-up are not independent, so whole set-ups are drawn, with replacement, as many as there are at
    each table size.

    Args:
        rankings: Those of all games.
        agents: Number of agents, at least 2.
        resamples: Times the set-ups are drawn, at least 1.
        seed: Draws the set-ups.
        anchor: The agent whose rating is 0; None makes the mean 0.
        on_sample: Called after each of the ``resamples``.

    Raises:
        InvalidOptionError: choix is missing.
        EndeavorError: choix finds no ratings.
    """
    check_choix()
    rng = np.random.default_rng([seed, 1])
    tables = [[[tuple(ranking) for ranking in games] for games in table] for table in rankings]
    strengths = _strengths([ranking for table in tables for games in table for ranking in games], agents, None)
    drawn = []
    for _ in range(resamples):
        chosen = [table[number] for table in tables for number in rng.integers(len(table), size=len(table))]
        drawn.append(_strengths([ranking for games in chosen for ranking in games], agents, strengths))
        on_sample()
    values, samples = (_points(found, anchor) for found in (strengths, np.array(drawn)))
    low, high = np.percentile(samples, [2.5, 97.5], axis=0)
    return Rating(values, np.minimum(low, values), np.maximum(high, values), samples, agents_apart(rankings, agents))


def agents_apart(rankings: Rankings, agents: int) -> npt.NDArray[np.bool_]:
    """Return which agents, (agents,), have no finite rating beside most others but for the regularisation.

    Two agents have a finite difference if each was once ahead of the other in a game, or of one that was once ahead of
    a third that was ahead of the other, and so on. Those who are not so connected with the largest group are apart: one
    that never was ahead of anybody, for instance.
    """
    from scipy.sparse.csgraph import connected_components  # choix needs SciPy

    ahead = np.zeros((agents, agents), bool)
    for ranking in {tuple(ranking) for table in rankings for games in table for ranking in games}:
        for place, agent in enumerate(ranking):
            ahead[agent, list(ranking[place + 1 :])] = True
    groups = connected_components(ahead, connection="strong")[1]
    return groups != np.bincount(groups).argmax()


def _strengths(
    rankings: list[tuple[int, ...]], agents: int, start: npt.NDArray[np.float64] | None
) -> npt.NDArray[np.float64]:
    """Return the log-strengths of the agents, (agents,), with mean 0."""
    import choix

    try:
        return choix.ilsr_rankings(agents, rankings, ALPHA, start, MOST_STEPS, TOLERANCE)
    except (RuntimeError, ValueError) as error:
        raise EndeavorError(f"these games give no rating: {error}") from error


def _points(strengths: npt.NDArray[np.float64], anchor: int | None) -> npt.NDArray[np.float64]:
    """Return log-strengths, (..., agents), as Elo points with the anchor, or else the mean, at 0."""
    zero = strengths.mean(axis=-1, keepdims=True) if anchor is None else strengths[..., [anchor]]
    return ELO * (strengths - zero)
