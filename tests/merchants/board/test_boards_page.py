"""The page about boards of Merchants of Europe says what is so."""

from __future__ import annotations

import re
import tomllib

import pytest

from endeavor_env.merchants.board import Board, generate_board, load_board
from endeavor_env.merchants.board.content import FAULTS
from endeavor_env.merchants.board.reading import KEYS
from tests.kits.scripts import load_script

boards_page = load_script("make/merchants_boards_page.py")
TEXT = boards_page.pages()["merchants/boards.md"]


@pytest.mark.parametrize("side", ["short", "expert"])
def test_every_value_has_one_origin(side: str) -> None:
    board = load_board(side)
    found = boards_page.origins(board)
    sizes = {part: sum(counts.values()) for part, counts in found.items()}
    assert sizes["cells of land"] == sizes["kinds of terrains"] == board.num_terrains
    assert sizes["printed numbers"] + sizes["token places"] == board.num_terrains
    assert sizes["names of cities"] == sizes["gold of cities"] == sizes["colours of cities"] == board.num_cities
    assert (sizes["sea paths"], sizes["double arrows"]) == (board.path_sea.sum(), board.path_arrow.sum())
    assert sizes["values of tokens"] == sizes["kinds of tokens"] == 15
    assert all(count >= 0 for counts in found.values() for count in counts.values())


def test_facts_that_are_counted() -> None:
    short, expert = (boards_page.origins(load_board(side)) for side in ("short", "expert"))
    facts = ("kinds of terrains", "printed numbers", "token places", "names of cities", "distances", "double arrows")
    assert [short[part]["fact"] for part in facts] == [4, 1, 3, 10, 5, 1]
    assert [expert[part]["fact"] for part in facts] == [5, 2, 3, 13, 8, 1]
    assert "start posts" in short
    assert "start posts" not in expert


def test_the_page_has_every_fault_and_every_key() -> None:
    assert re.findall(r"^\| (?:entries|whole|facts) \| `(\w+)` \|", TEXT, re.MULTILINE) == list(FAULTS)
    assert re.findall(r"^\| `(\w+)` \| ", TEXT.partition("| key | value |")[2], re.MULTILINE)[: len(KEYS)] == list(KEYS)


def test_the_programs_of_the_page_run() -> None:
    (program,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    found: dict[str, object] = {}
    exec(program, found)
    assert found["board"] == load_board("short")
    assert found["random_board"] == generate_board(7, "expert")
    assert ("format", "the board has no id: give a text of 1 to 60 printable characters") in found["faults"]  # type: ignore[operator]


def test_the_example_is_a_part_of_a_board() -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL)
    data = tomllib.loads(example)
    assert set(KEYS) - set(data) == {"provenance"}
    assert len(data["terrains"]) == len(data["cities"]) == 2


def test_declared_boards_say_that_they_are_reconstructed() -> None:
    for side in ("short", "expert"):
        board: Board = load_board(side)
        assert board.id.endswith("_reconstructed")
        assert board.provenance.startswith("Reconstructed: no published text has the map.")
