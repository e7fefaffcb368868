"""Shared wins, ranks and intervals against published values; statistics over runs and tasks are those of rliable."""

from __future__ import annotations

import numpy as np
import pytest

from endeavor_env.agents import statistics
from endeavor_env.agents.statistics import mean_interval, ranks, wilson_interval, win_shares


@pytest.mark.parametrize(
    ("scores", "shares"),
    [
        ([30, 20, 10], [1, 0, 0]),
        ([20, 30, 30], [0, 1 / 2, 1 / 2]),
        ([7, 7, 7, 7], [1 / 4] * 4),
        ([-1, -2, -1], [1 / 2, 0, 1 / 2]),
    ],
)
def test_a_shared_first_place_is_shared(scores: list[int], shares: list[float]) -> None:
    np.testing.assert_allclose(win_shares(scores), shares)


def test_the_shares_of_every_game_add_up_to_one() -> None:
    scores = np.random.default_rng(0).integers(0, 5, (200, 3, 4))
    np.testing.assert_allclose(win_shares(scores).sum(axis=-1), 1.0)


@pytest.mark.parametrize(
    ("scores", "places"),
    [
        ([30, 20, 10], [1, 2, 3]),
        ([20, 30, 30], [3, 1.5, 1.5]),
        ([5, 5, 5, 9], [3, 3, 3, 1]),
        ([1, 4, 1, 4], [3.5, 1.5] * 2),
    ],
)
def test_ties_take_the_mean_of_their_ranks(scores: list[int], places: list[float]) -> None:
    np.testing.assert_array_equal(ranks(scores), places)


@pytest.mark.parametrize(
    ("wins", "count", "low", "high"),
    [  # the first four: R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (10, 10, 0.7225, 1.0),
        (5, 10, 0.2366, 0.7634),
    ],
)
def test_wilson_interval(wins: int, count: int, low: float, high: float) -> None:
    assert wilson_interval(wins / count, count) == pytest.approx((low, high), abs=6e-5)


def test_wilson_interval_holds_the_rate_95_times_in_100() -> None:
    rng = np.random.default_rng(1)
    held = 0
    for wins in rng.binomial(60, 0.3, 4000):
        low, high = wilson_interval(wins / 60, 60)
        held += low <= 0.3 <= high
    assert held / 4000 == pytest.approx(0.95, abs=0.015)


def test_the_interval_of_a_mean_is_two_standard_errors_to_either_side() -> None:
    low, high = mean_interval([1, 2, 3, 4])
    assert (low + high) / 2 == pytest.approx(2.5)
    assert high - low == pytest.approx(2 * 1.959964 * np.sqrt(5 / 3) / 2)


def test_the_interval_of_a_mean_holds_it_as_often_as_it_says() -> None:
    samples = np.random.default_rng(1).normal(7.0, 3.0, (4000, 200))
    held = [low <= 7.0 <= high for low, high in map(mean_interval, samples)]
    assert np.mean(held) == pytest.approx(0.95, abs=0.012)


def test_the_interquartile_mean_leaves_out_a_quarter_at_either_end() -> None:
    assert statistics.iqm([[1, 2, 3, 4, 5, 6, 7, 100]]) == (3 + 4 + 5 + 6) / 4
    assert statistics.iqm([[100, 1], [2, 3], [4, 5], [6, 7]]) == (3 + 4 + 5 + 6) / 4  # of all runs and tasks together


def test_the_interquartile_mean_leaves_out_whole_scores_alone() -> None:
    assert statistics.iqm([[0], [0], [3], [6], [100]]) == pytest.approx(3)  # a quarter of 5 is 1
    assert statistics.iqm([[1], [2], [6]]) == 3  # a quarter of 3 is none


def test_mean_and_gap_are_over_tasks() -> None:
    scores = [[0.0, 0.5, 2.0], [1.0, 0.7, 4.0]]  # means by task: 0.5, 0.6, 3
    assert statistics.mean(scores) == pytest.approx((0.5 + 0.6 + 3) / 3)
    assert statistics.optimality_gap(scores) == pytest.approx(1 - (0 + 0.5 + 1 + 1 + 0.7 + 1) / 6)


def test_a_profile_counts_the_scores_above_each_threshold() -> None:
    scores = [[0.0, 0.5], [1.0, 0.75]]
    assert statistics.performance_profile(scores, [-1, 0, 0.5, 0.75, 1]).tolist() == [1, 0.75, 0.5, 0.25, 0]


def test_the_bootstrap_draws_the_runs_of_each_task_on_its_own() -> None:
    scores = np.array([[0.0, 10.0], [1.0, 10.0]])
    seen: set[tuple[float, ...]] = set()

    def note(table: np.ndarray) -> float:
        seen.add(tuple(table[:, 0]))
        assert (table[:, 1] == 10).all()
        return float(table[:, 0].mean())

    assert statistics.stratified_bootstrap(scores, note, resamples=200) == (0, 1)
    assert seen == {(0, 0), (0, 1), (1, 0), (1, 1)}


def test_equal_runs_have_an_interval_without_width() -> None:
    assert statistics.stratified_bootstrap(np.full((5, 3), 0.25), statistics.iqm, resamples=20) == (0.25, 0.25)


def test_resampled_means_spread_as_means_do() -> None:
    values = np.tile([0.0, 1.0], 200)
    means = statistics.resampled_means(values, 4000, seed=1)
    assert means.shape == (4000,)
    assert means.mean() == pytest.approx(0.5, abs=0.002)
    assert means.std() == pytest.approx(0.5 / np.sqrt(400), rel=0.05)


def test_what_belongs_to_one_setup_is_drawn_together() -> None:
    values = np.array([[0.0, 1.0], [1.0, 0.0]])
    assert np.allclose(statistics.resampled_means(values, 50, seed=0).sum(axis=1), 1)
