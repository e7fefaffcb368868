"""The page about boards of Merchants of Europe says what is so."""

from __future__ import annotations

import re
import tomllib

from endeavor_env.merchants.board import Board, generate_board, load_board
from endeavor_env.merchants.board.reading import KEYS
from tests.kits.scripts import load_script

boards_page = load_script("make/merchants_boards_page.py")
TEXT = boards_page.pages()["merchants/boards.md"]


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
