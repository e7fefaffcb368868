"""What is no game, no path, no vector and no board is one named error, and nothing is written or changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from endeavor_env import Game, read_record, write_record
from endeavor_env.basics.files import MOST_BOARD_BYTES
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.drawing import ansi
from endeavor_env.endeavor.observation import describe, observe, to_state
from endeavor_env.endeavor.opposition import explain, explain_since
from endeavor_env.envs.sampling import generator, sample_action
from endeavor_env.errors import EndeavorError, IllegalActionError, InvalidBoardError, RecordError
from endeavor_env.testing import random_game

GAME = Game.new(seed=1)
SOLO = Game.new(variant="solo", seed=1)
HUGE = 10**5000
CALLS: dict[str, Callable[[], Any]] = {
    "observe a list": lambda: observe([]),  # type: ignore[arg-type]
    "observe for a seat in an array": lambda: observe(GAME, np.array([1])),  # type: ignore[arg-type]
    "observe for True": lambda: observe(GAME, True),
    "observe with an array for a kind": lambda: observe(GAME, observation=np.zeros(2)),  # type: ignore[arg-type]
    "a list as a vector": lambda: to_state([1, 2]),  # type: ignore[arg-type]
    "words for nothing": lambda: describe(None),  # type: ignore[arg-type]
    "words on no board": lambda: describe(observe(GAME), 5),  # type: ignore[arg-type]
    "a vector with NaN": lambda: describe(np.full_like(observe(GAME), np.nan)),
    "a vector out of range": lambda: to_state(np.full_like(observe(GAME, observation="compact"), 127)),
    "explain a number": lambda: explain(5),  # type: ignore[arg-type]
    "explain since a text": lambda: explain_since(SOLO, "1"),  # type: ignore[arg-type]
    "draw a number": lambda: ansi.render(5),  # type: ignore[arg-type]
    "draw since -3": lambda: ansi.render(GAME, -3),
    "a mask of texts": lambda: sample_action(np.full(GAME.mask().shape, "a"), generator(1)),
    "a generator of NumPy": lambda: sample_action(GAME.mask(), np.random.default_rng(1)),  # type: ignore[arg-type]
    "a huge seed": lambda: Game.new(seed=HUGE),
    "a huge seat": lambda: GAME.breakdown(HUGE),
    "huge exploits": lambda: Game.new(exploits=HUGE),  # type: ignore[arg-type]
    "a set-up with huge names": lambda: Game.new(setup={HUGE: 1}),  # type: ignore[dict-item]
    "a game of random moves without a seed": lambda: random_game(seed=None),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_wrong_arguments_are_one_short_named_error(call: Callable[[], Any]) -> None:
    with pytest.raises(EndeavorError) as caught:
        call()
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 800


@pytest.mark.parametrize("action", [HUGE, [HUGE], "x" * 10**6, "\ud800"], ids=["huge", "a list", "long", "a surrogate"])
def test_a_move_that_cannot_be_written_down_is_refused(action: Any) -> None:
    for call in (GAME.apply, GAME.play, GAME.encode, GAME.describe):
        with pytest.raises(IllegalActionError) as caught:
            call(action)
        assert str(caught.value).isprintable()
    assert GAME.history == []


@pytest.mark.parametrize("path", [None, 5, "", ".", b"x", "x" * 10**5], ids=str)
def test_what_is_no_path_is_neither_written_nor_read(path: Any) -> None:
    with pytest.raises(RecordError, match="names no record"):
        write_record(GAME, path)
    with pytest.raises(RecordError, match="names no record"):
        read_record(path)


def test_a_record_is_not_written_over_a_folder_or_into_none(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nowhere" / "game.json", tmp_path / ("x" * 300), f"{tmp_path}/a\0b"):
        with pytest.raises(RecordError, match="cannot be written"):
            write_record(GAME, path)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(RecordError, match="5 has no record: give a Game"):
        write_record(5, tmp_path / "game.json")  # type: ignore[arg-type]


def test_board_files_of_any_content_are_boards_or_faults(tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    contents = (
        b"",
        b"\xff\x00",
        b"[" * MOST_BOARD_BYTES,
        b"a = " + b"[" * 10**5,
        b"a" * (MOST_BOARD_BYTES + 1),
        b"a = 1" + b"1" * 5000,
    )
    for content in contents:
        path.write_bytes(content)
        with pytest.raises(InvalidBoardError):
            Board.load(path)
    with pytest.raises(InvalidBoardError, match="cannot be read"):
        Board.load(tmp_path)


def test_very_many_faults_are_counted_but_not_all_listed() -> None:
    with pytest.raises(InvalidBoardError) as caught:
        Board.from_dict({**Board.default().to_dict(), "cities": [{}] * 5000})
    assert len(caught.value.faults) > 20_000
    assert str(caught.value).endswith(" more")
    assert len(str(caught.value)) < 100_000
