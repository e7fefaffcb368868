"""Loading boards from files, writing them out again, and whatever else stands in a file."""

from __future__ import annotations

import copy
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from endeavor_env.errors import InvalidBoardError
from endeavor_env.merchants.board import check_board, dump_board, load_board, parse_board
from endeavor_env.merchants.board.content import FAULTS
from endeavor_env.merchants.board.files import board_data
from endeavor_env.merchants.data import DATA
from tests.merchants.board.edits import TEXTS, fresh

SIDES = ("short", "expert")


@pytest.mark.parametrize("side", SIDES)
def test_a_written_board_reads_as_the_same_board(side: str, tmp_path: Path) -> None:
    board = load_board(side)
    path = tmp_path / "copy.toml"
    path.write_text(dump_board(board), encoding="utf-8")
    again = load_board(path)
    assert again == board == load_board(str(path))
    assert dump_board(again) == dump_board(board)
    assert tomllib.loads(dump_board(board)) == board_data(board)


@pytest.mark.parametrize("side", SIDES)
def test_the_order_of_a_file_does_not_count(side: str) -> None:
    data = fresh(side)
    for key in ("terrains", "cities", "sea_paths", "arrows"):
        data[key].reverse()
    data["arrows"] = [ends[::-1] for ends in data["arrows"]]
    assert parse_board(data) == load_board(side)


def test_a_dictionary_is_copied() -> None:
    data = fresh("short")
    before = copy.deepcopy(data)
    board = parse_board(data)
    assert data == before
    data["tokens"]["forest"][0] = 11
    assert board == load_board("short")


@given(st.text(), st.text(min_size=1, max_size=60))
def test_texts_survive(provenance: str, name: str) -> None:
    data = fresh("short") | {"provenance": provenance, "id": name}
    faults = {fault for fault, _ in check_board(data)}
    assert faults <= {"format"}
    if not faults:
        board = parse_board(data)
        assert (board.provenance, board.id) == (provenance, name)
        assert parse_board(tomllib.loads(dump_board(board))) == board


def test_texts_that_no_file_holds() -> None:
    for data in ({"provenance": "\ud800"}, {"id": "a\ud800"}):
        assert [fault for fault, _ in check_board(fresh("short") | data)] == ["format"]
    assert "\\u007f" in dump_board(parse_board(fresh("short") | {"provenance": "\x7f\n"}))


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"cities = [", "the file is not valid TOML: "),
        (b"id = 1\nid = 2\n", "the file is not valid TOML: "),
        (b"\xff\xfe\x00", "the file is not UTF-8 text: invalid start byte at byte 0"),
        (b"x = " + b"[" * 5000, "the file is not valid TOML: "),
        (b"x = " + b"9" * 5000, "the file is not valid TOML: "),
        (b" " * ((1 << 22) + 1), "the file has 4,194,305 bytes: at most 4,194,304 are read"),
        (b"", "the board has no format: give a text (format)"),
    ],
)
def test_files_that_hold_no_board(content: bytes, fault: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_bytes(content)
    with pytest.raises(InvalidBoardError) as caught:
        load_board(path)
    assert caught.value.source == str(path)
    assert caught.value.faults[0].startswith(fault)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.toml", tmp_path, "zero\0byte.toml", "", "medium", "x" * 5000):
        with pytest.raises(InvalidBoardError, match="the file cannot be read: "):
            load_board(path)
    for source in (7, None, b"short", ["short"]):
        with pytest.raises(InvalidBoardError, match="a board is given as short or expert, or as the path of a file"):
            load_board(source)  # type: ignore[arg-type]


def test_a_file_may_begin_as_some_editors_write_it(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(TEXTS["short"], encoding="utf-8-sig", newline="\r\n")
    assert load_board(path) == load_board("short")


@pytest.mark.parametrize("junk", [None, 7, "short", [], {}, {1: 2, None: 3}, [{}], object(), {"terrains": [[]]}])
def test_what_is_no_board_at_all(junk: object) -> None:
    with pytest.raises(InvalidBoardError, match="fault"):
        parse_board(junk)


JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-7, 13),
    st.floats(),
    st.text(max_size=5),
    st.dates(),
    st.sampled_from(["field", "place", "dotted", "violet", "N", "short", "expert", "prague"]),
    st.just([]),
    st.just({}),
    st.lists(st.integers(-3, 3), max_size=3),
    st.lists(st.just({}), max_size=2),
    st.dictionaries(st.sampled_from(["id", "at", "ends", "posts"]), st.text(max_size=3), max_size=2),
)


def places(data: object, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path of every value within a board."""
    inner: list[tuple[Any, ...]] = []
    pairs = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in pairs:
        inner += [(*path, key), *places(value, (*path, key))]
    return inner


PLACES = {side: places(fresh(side)) for side in SIDES}


def replace(data: Any, path: tuple[Any, ...], junk: object) -> None:
    """Put ``junk`` at ``path``, or nowhere if an earlier replacement has removed that place."""
    *steps, last = path
    for step in steps:
        if not (isinstance(data, dict | list) and step in (data if isinstance(data, dict) else range(len(data)))):
            return
        data = data[step]
    if isinstance(data, dict) or (isinstance(data, list) and last in range(len(data))):
        data[last] = junk


def check_anything(data: object) -> None:
    """Check that a dictionary has well-named faults, or is a board that can be written and read again."""
    faults = check_board(data)
    assert all(name in FAULTS and detail and "\n" not in detail for name, detail in faults)
    assert [FAULTS.index(name) for name, _ in faults] == sorted(FAULTS.index(name) for name, _ in faults)
    if not faults:
        board = parse_board(data)
        assert parse_board(tomllib.loads(dump_board(board))) == board


@given(st.sampled_from(SIDES), st.data())
def test_junk_anywhere_is_a_fault_or_a_board(side: str, draw: st.DataObject) -> None:
    data = fresh(side)
    for place, junk in draw.draw(st.lists(st.tuples(st.sampled_from(PLACES[side]), JUNK), min_size=1, max_size=4)):
        replace(data, place, junk)
    check_anything(data)


@given(st.sampled_from(SIDES), st.data())
def test_anything_may_be_missing_or_there_twice(side: str, draw: st.DataObject) -> None:
    data = fresh(side)
    for path in draw.draw(st.lists(st.sampled_from(PLACES[side]), min_size=1, max_size=3)):
        *steps, last = path
        inner: Any = data
        try:
            for step in steps:
                inner = inner[step]
            if isinstance(inner, list) and draw.draw(st.booleans()):
                inner.append(inner[last])
            else:
                del inner[last]
        except (KeyError, IndexError):  # an earlier edit has removed that place
            continue
    check_anything(data)


@given(st.sampled_from(SIDES), st.data())
def test_a_file_with_wrong_letters_is_a_fault_or_a_board(side: str, draw: st.DataObject) -> None:
    content = bytearray((DATA / f"merchants_{side}.toml").read_bytes())
    for place, byte in draw.draw(
        st.lists(st.tuples(st.integers(0, len(content) - 1), st.sampled_from(b'019-"[]{}=,\nNSaz_\xc3')), max_size=4)
    ):
        content[place] = byte
    try:
        data = tomllib.loads(content.decode())
    except ValueError:
        return
    check_anything(data)
