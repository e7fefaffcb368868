"""Moves in words, as logs and pictures say them."""

from __future__ import annotations

import pytest

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.drawing.words import move_in_words


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("spend:sail_draw", "spends a token: sail or draw"),
        ("spend:pay", "spends a token: pay"),
        ("discard:africa.2", "discards Africa 2"),
        ("discard:far_east.governor", "discards Governor of Far East"),
        ("discard:slavery.0", "discards Slavery 0"),
        ("build:trade_office", "builds a Trade Office"),
        ("pass", "passes"),
        ("spanish_main_fortify:havana", "Spanish Main: fortify Havana"),
    ],
)
def test_moves_name_tokens_and_cards_as_the_questions_do(move: str, words: str) -> None:
    assert move_in_words(Board.default(), move) == words
