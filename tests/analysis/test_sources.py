"""Tables are made from games, records, folders, batches and positions; anything else is refused in one sentence."""

from __future__ import annotations

import builtins
import csv
import json
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pandas
import pytest

import endeavor_env  # noqa: F401 (registers Endeavor-v0)
from endeavor_env import Board, Game, analysis
from endeavor_env.agents.matches import Match
from endeavor_env.endeavor.records import write_record
from endeavor_env.endeavor.rules.state import STATE
from endeavor_env.errors import InvalidOptionError, MissingLibraryError, RecordError
from tests.kits.games import finished, finished_record, on_the_way


def texts(table: analysis.Table) -> list[str]:
    """The rows as texts: NaN is not equal to itself."""
    return [str({**row, "source": ""}) for row in table.rows()]


def test_game_record_and_file_give_the_same_tables(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    write_record(finished("neutral_2", 0), file)
    for name in analysis.COLUMNS:
        made = getattr(analysis, name)
        assert (
            texts(made(finished("neutral_2", 0))) == texts(made(finished_record("neutral_2", 0))) == texts(made(file))
        )
    assert analysis.games(file)["source"].tolist() == ["game.json"]


def test_a_folder_of_a_match_gives_its_games_with_who_sat_where(tmp_path: Path) -> None:
    match = Match(["greedy", "random", "automa"], 3, 5, records=tmp_path)
    list(match.play())
    (tmp_path / "fields.json").write_text("[]")
    tables = analysis.tables(tmp_path)
    assert tables.games["source"].tolist() == [f"setup_00000_seating_{seating}.json" for seating in range(3)]
    assert tables.seats.where(tables.seats["game"] == 1)["agent"].tolist() == ["automa", "greedy", "random"]
    sat = [set(zip(*(one[column].tolist() for column in ("game", "seat", "agent")), strict=True)) for one in tables[:3]]
    assert sat[0] == sat[1] == sat[2]
    for number, name in enumerate(match.names):
        rows = tables.seats.where(tables.seats["agent"] == name)
        assert rows["score"].tolist() == match.result().scores[0, :, number].tolist()


def test_boards_are_found_by_the_id_in_the_record(tmp_path: Path) -> None:
    generated, own = (
        Game.new(3, seed=1, board="generated_5"),
        Board.from_dict({**Board.default().to_dict(), "id": "mine", "name": "Mine"}),
    )
    records = [generated.record(), Game.new(3, seed=2, board=own).record(), Game.new(3, seed=3).record()]
    games = analysis.games(records, boards=[own, None])
    assert games["board"].tolist() == ["generated_5", "mine", "endeavor_2009"]
    with pytest.raises(RecordError, match="played on board 'mine'"):
        analysis.games(records)


def test_a_batch_of_a_vector_environment_gives_seats_and_games() -> None:
    env: Any = gymnasium.make_vec(
        "Endeavor-v0", 6, games=[{"players": 3}, {"players": 5, "board": "generated_4"}], opponents="random"
    )
    env.reset(seed=1)
    for _ in range(30):
        env.step(np.array([int(mask.argmax()) for mask in env.unwrapped.action_masks()]))
    batch = env.unwrapped.batch
    with pytest.raises(InvalidOptionError, match="plays on a board that was not given"):
        analysis.games(batch)
    games, seats = (made(batch, boards="generated_4") for made in (analysis.games, analysis.seats))
    assert games["board"].tolist() == ["endeavor_2009", "generated_4"] * 3
    assert games["players"].tolist() == [3, 5] * 3
    assert np.isnan(games["moves"]).all()
    assert games["seed"].tolist() == [None] * 6
    states = seats.where(seats["game"] == 0)["industry"]
    assert states.tolist() == batch.states["status"][0, :3, 0].tolist()
    assert len(seats) == 24
    env.close()


def test_positions_give_the_same_seats_as_their_games() -> None:
    games = [finished("solo", 0), finished("soloplay_3", 7), on_the_way(50, players=5)]
    states = np.concatenate([game.state.view(np.uint8).reshape(1, -1) for game in games]).view(STATE).reshape(-1)
    assert texts(analysis.seats(states)) == texts(analysis.seats(games))


def test_positions_without_a_game_are_refused() -> None:
    with pytest.raises(InvalidOptionError, match="position 1 is empty: no game was started in it"):
        analysis.seats(np.concatenate([finished("solo", 0).state, np.zeros(1, STATE)]).astype(STATE))
    with pytest.raises(InvalidOptionError, match="2 boards for an array of positions are not possible"):
        analysis.seats(finished("solo", 0).state, boards=["generated_1", None])


@pytest.mark.parametrize("name", ["decisions", "rounds", "regions"])
def test_tables_of_moves_refuse_positions(name: str) -> None:
    with pytest.raises(InvalidOptionError, match=f"the table {name} of game 1 is not possible: it needs moves"):
        getattr(analysis, name)([finished("solo", 0), finished("solo", 7).state])


@pytest.mark.parametrize("given", [3, None, b"abc", np.zeros(3), [1, 2]])
def test_what_holds_no_games_is_refused(given: Any) -> None:
    with pytest.raises(InvalidOptionError, match="holds no games: give games, records"):
        analysis.seats(given)


def test_a_folder_without_records_and_a_broken_record_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="holds no records"):
        analysis.seats(tmp_path)
    (tmp_path / "b.json").write_text(json.dumps({**finished_record("solo", 0), "result": {"scores": [1, 1]}}))
    with pytest.raises(RecordError, match=r"record b\.json: the record's result has scores"):
        analysis.seats(tmp_path)


def test_a_game_whose_state_was_written_to_is_refused() -> None:
    game = on_the_way(30, players=3)
    game.state["supply"][0, 0] -= 1
    with pytest.raises(InvalidOptionError, match="game 1 cannot be played again"):
        analysis.rounds([on_the_way(3), game])


def test_a_generator_and_no_games_at_all_are_read() -> None:
    assert len(analysis.games(on_the_way(number) for number in range(3))) == 3
    nothing = analysis.tables([])
    assert [len(table) for table in nothing] == [0] * 5
    assert nothing.seats.columns == analysis.seats(on_the_way(0)).columns


# --- Table -----------------------------------------------------------------------------------------------------------
def test_a_table_becomes_a_data_frame_with_the_same_values() -> None:
    table = analysis.seats([finished("solo", 0), on_the_way(40)])
    frame = table.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert tuple(frame.columns) == table.columns
    assert frame.to_dict("records") == list(table.rows())


def test_without_pandas_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = builtins.__import__

    def without_pandas(name: str, *more: Any, **others: Any) -> Any:
        if name == "pandas":
            raise ImportError("no pandas")
        return plain(name, *more, **others)

    table = analysis.seats(on_the_way(0))
    monkeypatch.setattr(builtins, "__import__", without_pandas)
    with pytest.raises(MissingLibraryError, match=r"pip install 'endeavor-env\[data\]'"):
        table.to_pandas()


def test_a_csv_file_holds_every_row(tmp_path: Path) -> None:
    table, file = analysis.regions(finished("solo", 0)), tmp_path / "regions.csv"
    table.to_csv(file)
    with file.open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert [row["region"] for row in rows] == table["region"].tolist()
    assert [row["round"] == "" for row in rows] == np.isnan(table["round"]).tolist()
    with pytest.raises(InvalidOptionError, match="there is no folder"):
        table.to_csv(tmp_path / "none" / "regions.csv")


def test_rows_are_chosen_by_flags_numbers_and_slices() -> None:
    table = analysis.seats(on_the_way(0, players=3))
    assert table.where(table["seat"] > 0)["seat"].tolist() == [1, 2]
    assert table.where(np.array([2, 0]))["seat"].tolist() == [2, 0]
    assert len(table.where(slice(2))) == 2
    assert table.with_column("agent", ["a", "b", "c"])["agent"].dtype == object
    assert "Table seats: 3 rows of game, seat" in repr(table)


def test_unknown_columns_and_columns_of_other_lengths_are_refused() -> None:
    table = analysis.games(on_the_way(0))
    with pytest.raises(InvalidOptionError, match="column 'glory' is not in the table games: its columns are game"):
        table["glory"]
    with pytest.raises(InvalidOptionError, match="different lengths"):
        table.with_column("x", [1, 2])
    with pytest.raises(InvalidOptionError, match="table 'moves' is unknown"):
        analysis.columns_of("moves")
