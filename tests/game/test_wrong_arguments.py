"""What is no move, no path and no board is one named error, and nothing is written or changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from endeavor_env import Game, read_record, write_record
from endeavor_env.basics.files import MOST_BOARD_BYTES
from endeavor_env.endeavor.board import Board
from endeavor_env.errors import IllegalActionError, InvalidBoardError, RecordError

GAME = Game.new(seed=1)
SOLO = Game.new(variant="solo", seed=1)
HUGE = 10**5000


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
