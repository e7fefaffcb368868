"""The primer tells the clauses of docs/rules.md, in at most 2,500 words."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from endeavor_env import Board, Game
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.text import primer
from endeavor_env.endeavor.text.primer import BASE, MOST_WORDS, OF_VARIANT
from tests.kits.observations import TABLES

SOURCES = Path(__file__).resolve().parents[2] / "docs" / "make"


def clauses(source: str) -> set[str]:
    """Return the clauses of one source of docs/rules.md."""
    sections = tomllib.loads((SOURCES / source).read_text(encoding="utf-8"))["section"]
    return {clause for section in sections for clause, *_ in section["clauses"]}


def test_every_paragraph_names_clauses_of_the_rules():
    known = {
        "base": clauses("rules.toml"),
        "solo": clauses("rules_solo.toml"),
        "exploits": clauses("rules_exploits.toml"),
    }
    told = {"base": BASE, **{name: OF_VARIANT[name] for name in OF_VARIANT if name != "standard"}}
    for name, paragraphs in told.items():
        for paragraph in paragraphs:
            assert set(paragraph.clauses.split()) <= known.get(name, clauses("rules_variants.toml"))


def test_every_chapter_of_the_base_game_is_told():
    told = {clause.split(".")[0] for paragraph in BASE for clause in paragraph.clauses.split()}
    assert told == {clause.split(".")[0] for clause in clauses("rules.toml") if clause.startswith("R")}


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_it_is_short_and_tells_the_variant(variant: str, players: int):
    text = primer(Game.new(players, variant, seed=1).config)
    assert len(text.split()) <= MOST_WORDS
    assert all(paragraph.text in text for paragraph in OF_VARIANT[variant])


def test_all_exploits_fit():
    config = Game.new(5, "exploits", seed=1, exploits=c.EXPLOIT_NAMES).config
    assert len(primer(config).split()) <= MOST_WORDS


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
