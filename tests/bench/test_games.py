"""The games of a task: who sits where, and what loses a game whatever its scores are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from endeavor_env.bench import games
from endeavor_env.bench.games import OneGame, RunOptions, Stopped, Unit, UnitPlayer
from endeavor_env.bench.rows import games_of
from endeavor_env.bench.version import Task, TrackLimits, seed_of, version_one
from tests.bench.agents_of_tests import Clock
from tests.bench.conftest import played

HOME = "tests.bench.agents_of_tests"
TASK = version_one().task("table-3")


def play(agent: str, task: Task = TASK, seating: int = 1, seed: int = 0) -> OneGame:
    """Play one game of an agent among copies of ``greedy``."""
    return UnitPlayer([task], RunOptions(agent, "50ms", seed, {})).play_game(task, "greedy", 7, seating)


def paced(**values: object) -> Task:
    """Return the task with another pace."""
    pace = TrackLimits(**{"setups": 1, "seconds": 1.0, "slowest": 1.0, "fields": ("greedy",), **values})  # type: ignore[arg-type]
    return replace(TASK, paces={"50ms": pace})


def test_a_submission_that_keeps_the_rules_loses_no_game_by_them() -> None:
    game = play(f"{HOME}:First")
    assert (game.lost, len(game.scores)) == ("", 3)
    assert 0 < game.decisions < len(game.moves)
    assert 0 <= game.slowest <= game.seconds


@pytest.mark.parametrize(
    ("agent", "task", "why", "decisions"),
    [
        ("Illegal", TASK, "illegal", 3),
        ("Slow", paced(slowest=1.9), "slow", 2),
        ("Died", TASK, "died", 5),
        ("First", replace(TASK, most_decisions=9), "long", 10),
    ],
)
def test_what_loses_a_game(agent: str, task: Task, why: str, decisions: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "time", Clock)
    game = play(f"{HOME}:{agent}", task)
    assert (game.lost, game.decisions) == (why, decisions)
    assert len(game.moves) > 60  # a random player has played on to the end


def test_lost_games_count_nothing() -> None:
    run = played(f"{HOME}:Illegal", "language", "solo-normal", "table-4")
    for name, fields in (("solo-normal", ["opposition"]), ("table-4", ["greedy", "value"])):
        task = version_one().task(name)
        score = games_of(task, fields, task.pace("language").setups, run.units)
        assert score.score == 0
        assert set(score.fields[fields[0]].lost.values()) == {"illegal"}


def test_the_other_players_do_not_depend_on_the_seed_of_the_run() -> None:
    assert play(f"{HOME}:First", seed=1).moves == play(f"{HOME}:First", seed=2).moves
    assert play("random", seed=1).moves != play("random", seed=2).moves


def test_in_each_seating_the_submission_has_another_seat() -> None:
    seats = []
    for seating in range(3):
        game = TASK.config.new_game(seed_of(TASK, 7))
        first = play("random", seating=seating)
        for move in first.moves:
            game.apply(move)
        seats.append(game.scores().index(min(game.scores())))
        assert first.scores[0] == game.scores()[seating] == min(game.scores())
    assert seats == [0, 1, 2]


def test_games_are_given_up_when_a_run_is_stopped() -> None:
    player = UnitPlayer([TASK], RunOptions("greedy", "50ms", 0, {}), lambda: True)
    with pytest.raises(Stopped):
        player.play(Unit("table-3", "greedy", 0))
