"""Training value networks on another board than that of 2009, and measuring players on several boards."""

from __future__ import annotations

import json
import pickle
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer
from rich.console import Console

from endeavor_env import Board
from endeavor_env.analysis import Table
from endeavor_env.endeavor.game import GameConfig
from endeavor_env.endeavor.learning.self_play import RECORDS_POSITIONS, write_all_inputs
from endeavor_env.endeavor.players.network_file import VALUE_NETWORKS, num_inputs
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.state import STATE
from endeavor_env.errors import CheckpointError, InvalidBoardError, InvalidOptionError
from endeavor_env.training.match import COMPARISON_COLUMNS, compare_on_boards, over_boards
from endeavor_env.training.match import main as match
from endeavor_env.training.td.__main__ import main, train
from endeavor_env.training.td.adapter import adapter_of, play_on_boards, read_range
from endeavor_env.training.td.evaluation import FIRST_SEED
from endeavor_env.training.td.folder import TDRunFolder, board_of
from endeavor_env.training.td.games import LEARNER_CODE, SeatedPlayer, fixtures_of, play
from endeavor_env.training.td.run import TDRun
from endeavor_env.training.td.settings import TDSettings, preset
from tests.kits.commands import run_command
from tests.kits.td import new_run, stop_after_two

TINY = preset("smoke", "standard").replace(
    players=(3,), games=4, warm_up_games=4, first_width=8, second_width=4, batch_size=64
)
CONSOLE = Console(file=StringIO())


def trained(path: Path, settings: TDSettings) -> TDRunFolder:
    """Return the folder of a finished run."""
    folder = TDRunFolder.create(path, settings, "test")
    assert train(folder, CONSOLE, progress=False)
    return folder


def board_file(path: Path, seed: int) -> Path:
    """Write a generated board under the id "mine" and return its path."""
    path.write_text(Board.generate(seed).to_toml().replace(f'id = "generated_{seed}"', 'id = "mine"', 1))
    return path


def test_a_run_plays_and_learns_on_its_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    make = TDRun.__init__

    def noting(self: TDRun, folder: TDRunFolder, board: Board, *given: object) -> None:
        seen.append(board.id)
        make(self, folder, board, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(TDRun, "__init__", noting)
    names = ("", "generated_3", str(board_file(tmp_path / "mine.toml", 3)))
    runs = [trained(tmp_path / str(number), TINY.replace(board=name)) for number, name in enumerate(names)]
    assert seen == ["endeavor_2009", "generated_3", "mine"]
    cards = [VALUE_NETWORKS.read(run.path / "value.npz").card["training"] for run in runs]
    assert [card["settings"]["board"] for card in cards] == list(names)
    assert [card["board_hash"] for card in cards] == [board_of(run.settings).hash for run in runs]
    home, other, same = (VALUE_NETWORKS.read(run.path / "value.npz").arrays.flat() for run in runs)
    assert not np.array_equal(home, other)
    assert np.array_equal(other, same)  # the same map under another id


def test_a_run_is_resumed_on_its_board_only_while_the_file_stays(tmp_path: Path) -> None:
    file = board_file(tmp_path / "mine.toml", 3)
    run = trained(tmp_path / "run", TINY.replace(board=str(file)))
    assert TDRunFolder.reopen(run.path).newest_sound()[0] is not None
    board_file(file, 4)
    with pytest.raises(CheckpointError, match="board mine was changed after step_"):
        TDRunFolder.reopen(run.path).newest_sound()


def test_a_wrong_board_is_refused_before_there_is_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as ended:
        main("smoke", None, None, tmp_path / "run", changes=["board=atlantis"], progress=False)
    assert ended.value.exit_code == 2
    assert "the board 'atlantis' is unknown" in " ".join(capsys.readouterr().err.split())
    assert not (tmp_path / "run").exists()


def test_a_board_must_suit_every_variant_of_the_run(tmp_path: Path) -> None:
    data = Board.default().to_dict()
    track = next(region for region in data["regions"] if region["track_length"] > 2)
    spare = track["track_length"] - 2
    track["track_length"], data["id"] = 2, "short"
    other = next(region for region in data["regions"] if region["id"] != track["id"] and region["track_length"] == 6)
    other["track_length"] += min(spare, 2)
    data["tokens"]["industry"] -= spare - min(spare, 2)
    file = tmp_path / "short.toml"
    file.write_text(Board.from_dict(data).to_toml())
    assert board_of(TINY.replace(board=str(file))).id == "short"
    with pytest.raises(InvalidBoardError, match="for variant 'solo'"):
        board_of(preset("smoke", "solo").replace(board=str(file)))


def several_games(count: int) -> tuple[np.ndarray[Any, Any], dict[int, SeatedPlayer]]:
    """Return games of three seats and who plays them: ``greedy``, whose positions are recorded."""
    codes = np.full((count, c.MAX_SEATS), LEARNER_CODE)
    fixtures = fixtures_of((GameConfig(players=3),), np.zeros(count, np.int64), np.arange(40, 40 + count), codes)
    return fixtures, {LEARNER_CODE: SeatedPlayer("greedy", records=RECORDS_POSITIONS)}


def test_every_game_of_several_boards_is_played_and_seen_on_its_own() -> None:
    several = read_range("generated_5-7", ["standard"])
    assert [board.id for board in several.boards] == ["generated_5", "generated_6", "generated_7"]
    assert pickle.loads(pickle.dumps(several)) == several  # as workers on other machines get them
    fixtures, seated = several_games(8)
    played, adapter = play_on_boards(several.boards, fixtures, seated), adapter_of(several)
    rows = played.states.view(np.uint8).reshape(-1, adapter.row_bytes)
    seen = np.empty((rows.shape[0], num_inputs("standard")), np.float32)
    adapter.observe(rows, played.moments["seat"].astype(np.int64), seen)
    assert set(played.states["board"].tolist()) == {0, 1, 2}
    for game in range(8):
        board = several.boards[int(fixtures["seed"][game]) % 3]
        alone, own = play(board, fixtures[game : game + 1], seated), played.moments["fixture"] == game
        assert np.array_equal(alone.scores[0], played.scores[game])
        assert alone.states.tobytes() == played.states[own][list(STATE.names or ())].astype(STATE).tobytes()
        there = np.empty((alone.states.size, seen.shape[1]), np.float32)
        write_all_inputs(board.array, alone.states, alone.moments["seat"].astype(np.int64), there, 0, there.shape[0])
        assert np.array_equal(there, seen[own])


def test_on_several_boards_it_does_not_matter_which_games_share_a_call() -> None:
    several = read_range("generated_5-7", ["standard"])
    fixtures, seated = several_games(8)
    whole = play_on_boards(several.boards, fixtures, seated)
    parts = [play_on_boards(several.boards, fixtures[low:high], seated) for low, high in ((0, 5), (5, 8))]
    for name in ("states", "scores", "outcomes"):
        assert np.concatenate([getattr(part, name) for part in parts]).tobytes() == getattr(whole, name).tobytes()
    assert sum(part.decisions for part in parts) == whole.decisions


def test_a_run_on_several_boards_says_so_and_goes_on_as_an_unbroken_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = TINY.replace(board="generated_5-7", iterations=3)
    whole, broken = trained(tmp_path / "whole", settings.replace(threads=1)), new_run(tmp_path / "broken", settings)
    card = VALUE_NETWORKS.read(whole.path / "value.npz").card["training"]
    assert card["settings"]["board"] == "generated_5-7"
    assert card["board_hash"] == read_range("generated_5-7", []).hash
    stop_after_two(broken, monkeypatch)
    assert train(TDRunFolder.reopen(broken.path), CONSOLE, progress=False)
    one, other = (VALUE_NETWORKS.read(run.path / "value.npz").arrays.flat() for run in (whole, broken))
    assert np.array_equal(one, other)


@pytest.mark.parametrize(
    ("trainer", "changes", "fault"),
    [
        (
            "td",
            ["board=generated_7-5"],
            "the boards 'generated_7-5' are 0: give the seeds of the first and of the last",
        ),
        ("td", ["board=generated_0-10000"], "are 10001"),
    ],
)
def test_boards_that_are_not_possible_are_refused(trainer: str, changes: list[str], fault: str, tmp_path: Path) -> None:
    given = [part for change in changes for part in ("--set", change)]
    outcome = run_command(
        f"endeavor_env.training.{trainer}", "--preset", "smoke", "--out", str(tmp_path / "run"), *given
    )
    assert outcome.status == 2
    assert fault in " ".join(outcome.err.split())
    assert not (tmp_path / "run").exists()


def test_a_match_of_compiled_players_takes_a_board(capsys: pytest.CaptureFixture[str]) -> None:
    match("automa", "automa", "standard", 6, 1, "generated_2", progress=False)
    assert "automa among automa on generated_2" in capsys.readouterr().out


def test_a_match_is_spread_over_several_boards(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "found.json"
    match("greedy", "automa", "standard", 30, 1, "generated_1-3", progress=False, json_file=file)
    assert "greedy among automa on generated_1-3" in capsys.readouterr().out
    rows = json.loads(file.read_text())["results"]
    several, config = read_range("generated_1-3", []), GameConfig(players=3)
    own, codes = np.tile(np.arange(3), 10), np.full((30, c.MAX_SEATS), LEARNER_CODE + 1)
    codes[np.arange(30), own] = LEARNER_CODE
    fixtures = fixtures_of((config,), np.zeros(30, np.int64), np.repeat(np.arange(10) + FIRST_SEED, 3), codes)
    seated = {LEARNER_CODE: SeatedPlayer("greedy"), LEARNER_CODE + 1: SeatedPlayer("automa")}
    alone = [play(several.boards[int(one["seed"][0]) % 3], one, seated).scores[0] for one in np.split(fixtures, 30)]
    assert rows[0]["mean_score"] == np.mean([scores[seat] for scores, seat in zip(alone, own, strict=True)])


def test_players_are_compared_on_each_board_with_the_same_set_ups() -> None:
    rows = compare_on_boards(["greedy", "automa"], [None, "generated_2"], 30, rival="automa", seats=3, threads=2)
    assert rows.columns == COMPARISON_COLUMNS
    assert rows["player"].tolist() == ["greedy", "greedy", "automa", "automa"]
    assert rows["board"].tolist() == ["endeavor_2009", "generated_2"] * 2
    assert rows["games"].tolist() == [30] * 4
    assert (rows["low"] <= rows["wins"]).all()
    assert (rows["wins"] <= rows["high"]).all()
    assert rows["wins"][2:] == pytest.approx([1 / 3, 1 / 3])  # the same player in all seats of every set-up
    assert rows["wins"][0] > 0.5
    again = compare_on_boards(["greedy"], ["generated_2"], 30, rival="automa", seats=3, threads=1)
    assert json.dumps(list(again.rows())) == json.dumps(list(rows.where(slice(1, 2)).rows()))


def test_over_boards_a_board_is_one_observation() -> None:
    wins = np.array([0.2, 0.4, 0.6, 0.5, 0.5])
    names = np.array(["one", "one", "one", "two", "two"], object)
    table = over_boards(Table("boards", {"player": names, "wins": wins}))
    assert table["player"].tolist() == ["one", "two"]
    assert table["boards"].tolist() == [3, 2]
    assert table["wins"] == pytest.approx([0.4, 0.5])
    half = 4.302653 * 0.2 / np.sqrt(3)  # Student's t with 2 degrees of freedom, from a printed table
    assert table["low"] == pytest.approx([max(0.0, 0.4 - half), 0.5])
    assert table["high"] == pytest.approx([0.4 + half, 0.5], abs=1e-6)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"players": []}, "at least one player and one board"),
        ({"boards": []}, "at least one player and one board"),
        ({"players": ["gredy"]}, "player 'gredy' is unknown"),
        ({"rival": "gredy"}, "player 'gredy' is unknown"),
        ({"boards": ["atlantis"]}, "the board 'atlantis' is unknown"),
        ({"games": 0}, "games=0 is not possible"),
        ({"seats": 2}, "2"),
    ],
)
def test_wrong_comparisons_are_refused(given: dict, message: str) -> None:
    with pytest.raises(InvalidOptionError, match=message):
        compare_on_boards(**{"players": ["automa"], "boards": [None], "games": 4, **given})


def test_random_can_be_compared_on_boards_too() -> None:
    wins = compare_on_boards(["random", "greedy"], [None], 20, rival="random", threads=1)["wins"]
    assert wins[0] < 0.6 < wins[1]


def test_an_interval_over_boards_needs_two() -> None:
    one = Table("boards", {"player": np.array(["one"], object), "wins": np.array([0.5])})
    with pytest.raises(InvalidOptionError, match="player one was measured on one board"):
        over_boards(one)
