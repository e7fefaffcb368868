"""Loading boards from files, writing them out again, and naming them in constructors."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from endeavor_env.endeavor.board import Board
from endeavor_env.errors import InvalidBoardError, InvalidOptionError

DEFAULT_FILE = Path(__file__).parents[2] / "endeavor_env" / "endeavor" / "board" / "data" / "endeavor_2009.toml"


def test_the_shipped_file_is_the_default_board(board: Board) -> None:
    loaded = Board.load(DEFAULT_FILE)
    assert loaded == board
    assert loaded.to_dict() == board.to_dict()


def test_written_board_reads_as_the_same_board(board: Board, tmp_path: Path) -> None:
    path = tmp_path / "copy.toml"
    path.write_text(board.to_toml(), encoding="utf-8")
    again = Board.load(str(path))
    assert again == board
    assert again.to_dict() == board.to_dict()
    assert again.to_toml() == board.to_toml()


def test_a_corrected_copy_is_another_board(board: Board, tmp_path: Path) -> None:
    text = board.to_toml().replace('id = "endeavor_2009"', 'id = "my_copy"')
    old = '{ id = "london", name = "London", region = "europe", glory = 1, provenance = "source" }'
    assert old in text
    text = text.replace(old, old.replace("glory = 1", "glory = 2").replace('"source"', '"box"'))
    path = tmp_path / "my_copy.toml"
    path.write_text(text, encoding="utf-8-sig")  # as some editors write it
    mine = Board.load(path)
    assert mine != board
    assert (mine.id, int(mine.array[0].city_glory[0])) == ("my_copy", 2)
    assert mine.provenance["cities"]["london"] == "box"
    assert mine.provenance_counts()["cities"] == {"box": 1, "source": 3, "reconstructed": 25}


def test_names_with_quotes_and_accents_survive(board: Board, tmp_path: Path) -> None:
    data = board.to_dict()
    data["cities"][0]["name"] = 'Saint-"Étienne" \\ 北京'
    path = tmp_path / "names.toml"
    path.write_text(Board.from_dict(data).to_toml(), encoding="utf-8")
    assert Board.load(path).to_dict() == data


def test_one_word_of_provenance_stands_for_all_parts(board: Board) -> None:
    data = board.to_dict()
    for building in data["buildings"]:
        building["provenance"] = "box"
    counts = Board.from_dict(data).provenance_counts()
    assert counts["buildings.level"] == counts["buildings.icons"] == {"box": 16}


def test_cards_may_stand_in_any_order(board: Board) -> None:
    data = board.to_dict()
    for deck in data["decks"]:
        deck["cards"].reverse()
    assert Board.from_dict(data) == board


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"cities = [", "the file is not valid TOML: "),
        (b"id = 1\nid = 2\n", "the file is not valid TOML: "),
        (b"\xff\xfe\x00", "the file is not UTF-8 text: invalid start byte at byte 0"),
        (b"x = " + b"[" * 5000, "the file is not valid TOML: "),
        (b"x = " + b"9" * 5000, "the file is not valid TOML: "),
        (b"", "format is missing"),
    ],
)
def test_files_that_hold_no_board(content: bytes, fault: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_bytes(content)
    with pytest.raises(InvalidBoardError) as caught:
        Board.load(path)
    assert caught.value.source == str(path)
    assert caught.value.faults[0].startswith(fault)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InvalidBoardError, match="cannot be read: No such file or directory"):
        Board.load(tmp_path / "missing.toml")
    with pytest.raises(InvalidBoardError, match="cannot be read: "):
        Board.load(tmp_path)
    with pytest.raises(InvalidBoardError, match="cannot be read: "):
        Board.load("zero\0byte.toml")
    with pytest.raises(InvalidBoardError, match=r"board 7 has 1 fault:\n  1\. a board file is given by its path"):
        Board.load(7)  # type: ignore[arg-type]


def test_resolve_takes_every_form_of_a_board(board: Board, tmp_path: Path) -> None:
    assert Board.resolve() is board
    assert Board.resolve(None) is board
    assert Board.resolve("endeavor_2009") is board
    assert Board.resolve(board) is board
    assert Board.resolve("generated_12") == Board.generate(12)
    path = tmp_path / "without_suffix"
    path.write_text(board.to_toml(), encoding="utf-8")
    assert Board.resolve(path) == Board.resolve(str(path)) == board


@pytest.mark.parametrize(
    "unknown", ["endeavor", "", "generated_x", "generated_01", 7, b"endeavor_2009", "a\0b", "x" * 5000]
)
def test_resolve_names_what_is_possible(unknown: object) -> None:
    with pytest.raises(InvalidOptionError, match='possible are "endeavor_2009", "generated_<seed>", a Board, or the'):
        Board.resolve(unknown)  # type: ignore[arg-type]


def test_resolve_reports_the_faults_of_a_file(tmp_path: Path) -> None:
    with pytest.raises(InvalidBoardError, match="No such file"):
        Board.resolve(str(tmp_path / "missing.toml"))


def test_importing_the_board_imports_no_compiler() -> None:
    code = "import sys; from endeavor_env import Board; Board.default(); sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=DEFAULT_FILE.parents[2], check=False).returncode == 0
