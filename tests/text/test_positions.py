"""A position in words is complete: a second program makes the same state of it."""

from __future__ import annotations

import pytest

from endeavor_env import Board, Game
from endeavor_env.endeavor.options import OPTIONS
from endeavor_env.endeavor.rules.exploit_additions import FIELDS
from endeavor_env.endeavor.text import position, result, short
from endeavor_env.endeavor.text.position import FIELDS as WRITTEN
from endeavor_env.endeavor.text.schema import FILE, as_text
from tests.kits.observations import TABLES, played
from tests.kits.words import SCHEMA, check_position, positions


def test_every_position_comes_back_from_its_words():
    seen = set()
    for game in positions(300):
        check_position(game)
        seen.add((game.variant, game.num_players))
    assert seen == set(TABLES)


def test_a_generated_board_comes_back_too():
    check_position(played(4, 1, 70, Board.generate(3)))


def test_the_schema_in_the_package_is_that_of_the_structures():
    assert FILE.read_text(encoding="utf-8") == as_text()


def test_the_schema_refuses_what_is_no_message():
    assert not SCHEMA.is_valid({})
    assert not SCHEMA.is_valid({"format": "endeavor-text/2"})


def test_every_field_of_the_exploits_is_written():
    elsewhere = {"exploits", *(option.field for option in OPTIONS)}
    assert {field.name for field in FIELDS} - elsewhere == set(WRITTEN)


def test_the_result_comes_at_the_end():
    game = Game.new(3, seed=1)
    assert result(game) is None
    while not game.over:
        game.apply(game.legal_actions()[-1])
    ended = result(game)
    assert ended is not None
    assert ended["scores"] == game.scores()
    assert ended["winners"] == game.winners()
    assert ended["ladder"] is None


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_the_short_form_names_who_decides(variant: str, players: int):
    game = played(players, 2, 20, variant=variant)
    text = short(position(game))
    assert f"Seat {game.seat} decides: {game.decision}." in text
    assert all(city in text for city in game.board.cities)
    assert len(text) < 5000
