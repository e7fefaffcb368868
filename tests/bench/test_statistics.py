"""The statistics over runs and tasks are those of rliable, by numbers computed by hand."""

from __future__ import annotations

import numpy as np
import pytest

from endeavor_env.bench import statistics


def test_the_interquartile_mean_leaves_out_a_quarter_at_either_end() -> None:
    assert statistics.iqm([[1, 2, 3, 4, 5, 6, 7, 100]]) == (3 + 4 + 5 + 6) / 4
    assert statistics.iqm([[100, 1], [2, 3], [4, 5], [6, 7]]) == (3 + 4 + 5 + 6) / 4  # of all runs and tasks together


def test_the_interquartile_mean_leaves_out_whole_scores_alone() -> None:
    assert statistics.iqm([[0], [0], [3], [6], [100]]) == pytest.approx(3)  # a quarter of 5 is 1
    assert statistics.iqm([[1], [2], [6]]) == 3  # a quarter of 3 is none


def test_mean_median_and_gap_are_over_tasks() -> None:
    scores = [[0.0, 0.5, 2.0], [1.0, 0.7, 4.0]]  # means by task: 0.5, 0.6, 3
    assert statistics.mean(scores) == pytest.approx((0.5 + 0.6 + 3) / 3)
    assert statistics.median(scores) == pytest.approx(0.6)
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
