"""Plackett-Luce ratings: the order and distances behind simulated rankings, intervals that cover them, and bounds."""

from __future__ import annotations

import importlib
import importlib.util

import numpy as np
import pytest

from endeavor_env.agents import statistics as rating
from endeavor_env.agents.statistics import ELO, Rankings, agents_apart, rate
from endeavor_env.agents.tournament.playing import Matchup, table_matchups
from endeavor_env.agents.tournament.result import SeatResult
from endeavor_env.errors import EndeavorError, InvalidOptionError

STRENGTHS = np.array([-1.0, 0.0, 0.3, 1.2])
POINTS = ELO * (STRENGTHS - STRENGTHS.mean())


def simulated(setups: int, seed: int, strengths: np.ndarray = STRENGTHS) -> list[list[list[int]]]:
    """Return rankings of all fields of a table of four, drawn from the model."""
    rng = np.random.default_rng(seed)  # the model is the order of log-strengths plus Gumbel noise
    fields = np.array([field.agents for field in table_matchups(len(strengths), 4, 20, 0)])
    noise = rng.gumbel(size=(setups, *fields.shape))
    order = np.argsort(-(strengths[fields] + noise), axis=-1)
    return np.take_along_axis(np.broadcast_to(fields, order.shape), order, axis=-1).tolist()


def flat(rankings: Rankings) -> list[tuple[int, ...]]:
    """Return all rankings in one list."""
    return [tuple(ranking) for table in rankings for games in table for ranking in games]


def test_ratings_find_the_strengths_behind_rankings_that_name_agents_repeatedly() -> None:
    found = rate([simulated(300, 1)], 4, resamples=15)
    assert np.argsort(found.values).tolist() == [0, 1, 2, 3]
    assert found.values == pytest.approx(POINTS, abs=30)
    assert found.values.mean() == pytest.approx(0)
    assert ((found.low <= found.values) & (found.values <= found.high)).all()
    assert found.samples.shape == (15, 4)
    assert not found.apart.any()


def test_ratings_have_the_greatest_likelihood() -> None:
    """Compared with the likelihood itself, in which an agent in several seats is ranked in each."""
    rankings = [simulated(100, 2)]

    def likelihood(points: np.ndarray) -> float:
        strengths = (points / ELO)[np.array(flat(rankings))]
        left = np.flip(np.logaddexp.accumulate(np.flip(strengths, -1), axis=-1), -1)
        return float((strengths - left).sum())

    values = rate(rankings, 4, resamples=1).values
    best = likelihood(values)
    for agent in range(4):
        for step in (-10.0, 10.0):
            assert likelihood(values + step * (np.arange(4) == agent)) < best


def test_intervals_cover_the_true_ratings_about_as_often_as_they_say() -> None:
    inside = [
        (found.low <= POINTS) & (found.high >= POINTS)
        for found in (rate([simulated(15, seed)], 4, resamples=30, seed=seed) for seed in range(10))
    ]
    assert 0.8 <= np.mean(inside) <= 1.0


def test_games_of_one_set_up_are_resampled_together() -> None:
    """Copies of a game in the same set-up bring no information, and make no interval narrower."""
    once = simulated(20, 3)
    copied = [games * 3 for games in once]
    found, again = (rate([rankings], 4, resamples=5).samples for rankings in (once, copied))
    assert again == pytest.approx(found, abs=3)  # the regularisation weighs less beside more games


def test_table_sizes_are_rated_together() -> None:
    three = [[[0, 1, 2], [1, 0, 2], [0, 2, 1], [2, 1, 0]]] * 5
    four = [[[0, 3, 3, 3], [3, 0, 3, 3]]] * 5
    both = rate([three, four], 4, resamples=3)
    choix = importlib.import_module("choix")  # with SciPy: only here, for every worker looks at this file
    expected = ELO * choix.ilsr_rankings(4, flat([three, four]), alpha=rating.ALPHA)
    assert both.values == pytest.approx(expected, abs=0.5)


def test_the_anchor_has_the_rating_zero_in_every_resample() -> None:
    free, anchored = (rate([simulated(30, 4)], 4, resamples=5, anchor=anchor) for anchor in (None, 2))
    assert anchored.values == pytest.approx(free.values - free.values[2])
    assert (anchored.values[2], anchored.low[2], anchored.high[2]) == (0, 0, 0)


@pytest.mark.parametrize("games", [1, 2000])
def test_an_agent_that_loses_every_game_has_a_finite_rating_and_is_apart(games: int) -> None:
    rankings = [[[[0, 1, 2], [1, 0, 2]]] * games]
    found = rate(rankings, 3, resamples=2)
    assert np.isfinite([found.values, found.low, found.high]).all()
    assert found.values[2] < found.values[:2].min()
    assert found.apart.tolist() == [False, False, True]


def test_agents_in_a_circle_are_not_apart() -> None:
    assert not agents_apart([[[[0, 1], [1, 2], [2, 0]]]], 3).any()
    assert agents_apart([[[[0, 1], [1, 2], [0, 2]]]], 3).sum() == 2


def test_equal_scores_are_ranked_at_random() -> None:
    scores = np.full((1, 200, 3, 3), 7)
    scores[..., 2] = 6
    result = SeatResult(("a", "b", "c"), 3, (Matchup((0, 1, 2)),), scores, np.zeros((1, 200, 3, 7, 3), np.int64))
    rankings = result.rankings(np.random.default_rng(5))
    first = [ranking[0] for games in rankings for ranking in games]
    assert (len(rankings), len(first)) == (200, 600)
    assert all(ranking[2] == 2 for games in rankings for ranking in games)
    assert 240 <= first.count(0) <= 360
    assert rankings == result.rankings(np.random.default_rng(5))


def test_without_choix_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(InvalidOptionError, match=r"needs choix: install it with pip install 'endeavor-env\[arena\]'"):
        rate([[[[0, 1]]]], 2)


def test_ratings_that_cannot_be_found_are_an_error_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rating, "MOST_STEPS", 1)
    with pytest.raises(EndeavorError, match="these games give no rating: Did not converge"):
        rate([simulated(5, 6)], 4)
