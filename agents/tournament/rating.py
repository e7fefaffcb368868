"""Plackett-Luce ratings of agents from the rankings of their games, by the library choix.

At a table of agents with strengths w, the first place goes to each with probability w / sum of all w, the second in the
same way among the others, and so on. An agent in several seats is ranked in each, with the same strength. choix's
``ilsr_rankings`` finds the most likely strengths for such rankings too; its ``opt_rankings`` does not, because its
gradient counts an agent once that a ranking names twice.
"""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from endeavor_env.errors import EndeavorError, InvalidOptionError

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
