"""What a player wins by how long it thinks."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import typer

from endeavor_env import Board
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.training.strength import Clock, main, measure
from endeavor_env.training.td.games import SeatedPlayer, fixtures_of
from endeavor_env.training.td.settings import GAMES


def test_more_simulations_take_more_time_and_a_player_among_its_like_wins_its_share() -> None:
    table = GAMES["standard"][1]
    few, many = (measure(Board.default(), table, f"search:sims={number}", "value", 4, 1) for number in (2, 40))
    assert 0 < few["milliseconds"] < many["milliseconds"]
    assert (few["player"], few["games"], few["opponent"]) == ("search:sims=2", 4, "value")
    assert measure(Board.default(), table, "value", "value", 8, 1)["win_rate"] == pytest.approx(0.25)


def test_random_can_take_the_other_seats_or_all() -> None:
    table = GAMES["standard"][1]
    among = measure(Board.default(), table, "greedy", "random", 8, 1)
    assert (among["opponent"], among["win_rate"]) == ("random", 1.0)
    assert measure(Board.default(), table, "random", "random", 8, 1)["win_rate"] == pytest.approx(0.25)


def test_the_clock_counts_all_decisions_of_the_games() -> None:
    clock, tables = Clock(), GAMES["standard"]
    fixtures = fixtures_of(tables, np.zeros(2, np.int64), np.arange(2), np.full((2, c.MAX_SEATS), 2))
    played = clock.play(Board.default(), fixtures, {2: SeatedPlayer("greedy")})
    assert clock.decisions == played.decisions > 100
    before = clock.seconds
    clock.play(Board.default(), fixtures, {2: SeatedPlayer("greedy")})
    assert clock.decisions == 2 * played.decisions
    assert clock.seconds > before > 0


def test_the_command_plays_each_number_and_refuses_what_it_cannot_play(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "out.json"
    main("search:sims={}", [2, 3], variant="solo", games=2, threads=1, json_file=file)
    assert [row["player"] for row in json.loads(file.read_text())["results"]] == ["search:sims=2", "search:sims=3"]
    assert "search:sims={}" in capsys.readouterr().out
    for wrong, why in (({"player": "search:sims=4"}, "has no {}"), ({"players": 2}, "has no such table")):
        with pytest.raises(typer.Exit):
            main(**{"player": "search:sims={}", "at": [2], "games": 2, **wrong})
        assert why in capsys.readouterr().err
