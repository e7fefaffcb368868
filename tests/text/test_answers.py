"""A move is taken out of an answer only if the answer says it clearly."""

from __future__ import annotations

import pytest

from endeavor_env import Game
from endeavor_env.endeavor.text import AnswerError, move_in
from tests.kits.words import check_answers


@pytest.fixture
def game() -> Game:
    """A game at its first turn decision."""
    game = Game.new(3, seed=4)
    while game.decision != "turn":
        game.apply(game.legal_actions()[0])
    return game


def test_many_mutated_answers():
    found = check_answers(1000)
    assert found["kept"] > 900
    assert found["refused"] > 100


@pytest.mark.parametrize(
    "answer",
    [
        "[pass]",
        "PASS",
        "I could build, but no.\nMove: Pass.",
        '{"thoughts": "none", "move": "pass"}',
        '```json\n{"action": "Pass"}\n```',
        "\u201cpass\u201d",
        "My final answer is \u2018pass\u2019.",
        "<move>pass</move>",
        "**[pass]**",
        "[thinking] it is late.\nI choose pass",
    ],
)
def test_forms_that_are_read(game: Game, answer: str):
    assert move_in(game, answer) == "pass"


def test_names_stand_for_ids():
    game = Game.new(3, seed=4)
    while "occupy:constantinople" not in game.legal_moves():
        moves = game.legal_moves()
        game.play("activate:colonial_house" if "activate:colonial_house" in moves else moves[0])
    for answer in ("[Occupy: Constantinople]", "occupy Constantinople", "[OCCUPY CONSTANTINOPLE]"):
        assert move_in(game, answer) == "occupy:constantinople"


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("", "No move was found"),
        ("I do not know.", "No move was found"),
        ("I will not pass", "No move was found"),
        ("[occupy:narnia]", "no move here"),
        ("[build:workshop]", "is not legal"),
        ("[pass]\n[activate:colonial_house] or [pass]", "Several moves were read"),
        ('{"move": "pass"}\nactivate:colonial_house', "Several moves were read"),
        (None, "not a text"),
        (7, "not a text"),
    ],
)
def test_refusals_say_what_was_read(game: Game, answer: object, says: str):
    with pytest.raises(AnswerError, match=says) as raised:
        move_in(game, answer)
    assert "legal are activate:colonial_house, activate:market, pass." in str(raised.value)
    assert "\n" not in str(raised.value)


def test_refusals_tell_no_more_than_the_player_may_know(game: Game):
    with pytest.raises(AnswerError, match="there are 3 legal moves"):
        move_in(game, "?", "count")
    with pytest.raises(AnswerError) as raised:
        move_in(game, "?", "none")
    assert "colonial_house" not in str(raised.value)


def test_an_answer_of_any_length_is_read(game: Game):
    assert move_in(game, "{" * 100_000 + "\n" + "[" * 50_000 + "\n[pass]") == "pass"
