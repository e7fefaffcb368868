"""Move texts: every id of every board there and back, and one named error for everything else."""

from __future__ import annotations

from typing import Any

import pytest

from endeavor_env import notation
from endeavor_env.board import Board
from endeavor_env.core.actions import BLOCKS, NUM_ACTIONS
from endeavor_env.errors import IllegalActionError

BOARDS = ["endeavor_2009", *(f"generated_{seed}" for seed in range(6))]


@pytest.mark.parametrize("name", BOARDS)
def test_every_id_goes_to_text_and_back(name: str) -> None:
    board = Board.resolve(name)
    texts: dict[str, int] = {}
    for block in BLOCKS:
        known = notation.targets(board, block)
        for index in range(block.size):
            action = block.offset + index
            if index >= len(known):
                with pytest.raises(IllegalActionError, match=f"action {action} names no move on board {name}"):
                    notation.to_text(board, action)
                continue
            text = notation.to_text(board, action)
            assert text == (f"{block.verb}:{known[index]}" if known[index] else block.verb)
            assert notation.to_action(board, text) == action
            texts[text] = action
    buildings, cities = len(board.buildings), len(board.cities)
    assert len(texts) == 3 * buildings + 4 + 1 + 1 + 7 + 2 * cities + 8 + 48


def test_two_boards_share_ids_but_not_texts() -> None:
    first, second = Board.default(), Board.generate(1)
    action = notation.to_action(first, "occupy:london")
    assert notation.to_text(second, action) == "occupy:europe_1"
    with pytest.raises(IllegalActionError, match="'occupy:london' is no move on board generated_1"):
        notation.to_action(second, "occupy:london")
    assert notation.to_action(first, "pass") == notation.to_action(second, "pass")


@pytest.mark.parametrize("action", [-1, NUM_ACTIONS, 10**9, 1.5, "pass", None, True, float("nan")])
def test_an_id_that_is_none_is_named(action: Any) -> None:
    with pytest.raises(IllegalActionError, match="names no move"):
        notation.to_text(Board.default(), action)


@pytest.mark.parametrize("move", [None, 3, b"pass", ["pass"], "", "pass ", "PASS", "walk:london"])
def test_a_text_that_is_none_is_named(move: Any) -> None:
    with pytest.raises(IllegalActionError, match="is no move"):
        notation.to_action(Board.default(), move)
