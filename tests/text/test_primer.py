"""The primer tells the variant and the board in play, in at most 2,500 words."""

from __future__ import annotations

import pytest

from endeavor_env import Board, Game
from endeavor_env.endeavor.text import primer
from endeavor_env.endeavor.text.primer import MOST_WORDS, OF_VARIANT
from tests.kits.observations import TABLES


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_it_is_short_and_tells_the_variant(variant: str, players: int):
    text = primer(Game.new(players, variant, seed=1).config)
    assert len(text.split()) <= MOST_WORDS
    assert all(paragraph.text in text for paragraph in OF_VARIANT[variant])


def test_it_tells_the_numbers_of_the_board():
    data = Board.default().to_dict()
    data["constants"] |= {"discs_per_glory": 4, "slavery_penalty": 2}
    data["status_tracks"] |= {"growth": [1, 2, 3, 4, 5]}
    text = primer(Game.new(4, seed=1, board=Board.from_dict(data)).config)
    assert "Culture 1, 2, 3, 4, 5;" in text
    assert "1 for every 4 discs in harbor; minus 2 for each face-down Slavery card" in text
    assert "sail+occupy in one region" in text
    assert "{" not in text


def test_it_tells_the_board_in_play():
    board = Board.generate(5)
    text = primer(Game.new(4, seed=1, board=board).config)
    assert all(name in text for name in (*board.cities, *board.connections, *board.buildings))
