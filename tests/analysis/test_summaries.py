"""Summaries agree with counting by hand."""

from __future__ import annotations

import functools
import math
from collections import Counter

import numpy as np
import pytest

from endeavor_env import Game, analysis
from endeavor_env.analysis import Tables
from endeavor_env.errors import InvalidOptionError
from tests.kits.games import finished


@functools.cache
def played() -> tuple[Game, ...]:
    return finished("solo", 0), finished("soloplay_2", 7), finished("neutral_2", 0)


@functools.cache
def made() -> Tables:
    return analysis.tables(played())


def test_action_frequencies_count_verbs_by_round() -> None:
    counted: Counter[tuple[str, int]] = Counter()
    for game in played():
        step = game.at_move(0)
        for _, action in game.history:
            counted[step.describe(action).partition(":")[0], step.round] += 1
            step.apply(action)
    total, per_game, per_round = (
        analysis.action_frequencies(made().decisions, per) for per in ("total", "game", "round")
    )
    assert {(v, r): total.values[i, j] for i, v in enumerate(total.rows) for j, r in enumerate(total.columns)} == {
        (verb, number): counted[verb, number] for verb in total.rows for number in total.columns
    }
    assert total.values.sum() == sum(counted.values())
    assert (np.diff(total.values.sum(axis=1)) <= 0).all()
    np.testing.assert_allclose(per_game.values * 3, total.values)
    np.testing.assert_allclose(per_round.values.sum(axis=0), 1)
    frame = total.to_pandas()
    assert frame.loc["build", 1] == counted["build", 1]
    with pytest.raises(InvalidOptionError, match="per"):
        analysis.action_frequencies(made().decisions, "seat")


def test_points_by_source_add_up_to_the_mean_score() -> None:
    points = analysis.points_by_source(made().seats)
    scores = [score for game in played() for score in game.scores()]
    assert points["glory"].sum() == pytest.approx(np.mean(scores))
    assert points["share"].sum() == pytest.approx(1)
    cities = [game.breakdown(who)["cities"] for game, who in _scorers()]
    (at,) = np.flatnonzero(points["source"] == "cities")
    assert points["glory"][at] == pytest.approx(np.mean(cities))
    by_rank = analysis.points_by_source(made().seats, by="rank")
    winners = [max(game.scores()) for game in played()]
    assert by_rank["glory"][by_rank["rank"] == 1].sum() == pytest.approx(np.mean(winners))


def _scorers() -> list[tuple[Game, int | str]]:
    return [(game, who) for game in played() for who in ((0, "opposition") if game.variant == "solo" else (0, 1))]


def test_glory_by_round_is_the_mean_of_the_rows() -> None:
    rows = analysis.glory_by_round(made().rounds)
    assert rows["round"].tolist() == [1, 2, 3, 4, 5, 6, 7]
    assert rows["rows"].tolist() == [6] * 7
    scores = [score for game in played() for score in game.scores()]
    assert rows["mean"][-1] == pytest.approx(np.mean(scores))
    assert rows["sd"][-1] == pytest.approx(np.std(scores, ddof=1))
    alone = analysis.glory_by_round(analysis.rounds(played()[0]), by="seat")
    assert alone["mean"][alone["round"] == 7].tolist() == played()[0].scores()
    assert np.isnan(alone["sd"]).all()


def test_openings_say_how_often_and_when() -> None:
    table = analysis.openings(made().regions)
    assert len(table) == 6
    assert (np.diff(table["share"]) <= 0).all()
    for row in table.rows():
        rows = [one for one in made().regions.rows() if one["region"] == row["region"]]
        opened = [one for one in rows if one["opened"]]
        assert (row["games"], row["share"]) == (3, pytest.approx(len(opened) / 3))
        if opened:
            assert row["mean_round"] == pytest.approx(np.mean([one["round"] for one in opened]))
            assert row["mean_order"] == pytest.approx(np.mean([one["order"] for one in opened]))
        else:
            assert math.isnan(row["mean_round"])


def test_other_tables_are_refused() -> None:
    for summary in (analysis.points_by_source, analysis.glory_by_round, analysis.openings, analysis.action_frequencies):
        with pytest.raises(InvalidOptionError, match="is not in the table games"):
            summary(made().games)


def test_the_opposition_has_its_own_name_among_agents() -> None:
    assert analysis.seats(played())["agent"].tolist() == ["", "opposition", "", "", "", ""]
    seats = analysis.with_agents(analysis.seats(played()), [["me"], ["a", "b"], ["c", "d"]])
    assert seats["agent"].tolist() == ["me", "opposition", "a", "b", "c", "d"]
    with pytest.raises(InvalidOptionError, match="no entry for seat 1 of game 1"):
        analysis.with_agents(analysis.seats(played()), [["me"], ["a"], ["c", "d"]])
