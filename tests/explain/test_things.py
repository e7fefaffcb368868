"""Everything on every table has a sentence, and every sentence a clause that the rules have."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.drawing.scene import Area, draw_game
from endeavor_env.endeavor.explain import about
from endeavor_env.endeavor.explain.things import ACTION_SENTENCES, EXPLOIT_SENTENCES, KINDS
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.rules import constants as c
from tests.kits.games import GAMES, finished, running

ROOT = Path(__file__).resolve().parents[2]
CLAUSES = {
    clause[0]
    for file in ("rules", "rules_exploits", "rules_solo", "rules_variants")
    for section in tomllib.loads((ROOT / f"docs/make/{file}.toml").read_text(encoding="utf-8"))["section"]
    for clause in section["clauses"]
}
LONGEST = 330


def keys_of(game: Game) -> set[str]:
    return {shape.key for shape in draw_game(game).shapes if isinstance(shape, Area)}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("board", ["endeavor_2009", "generated_7"])
def test_everything_in_the_picture_has_a_sentence(name: str, board: str) -> None:
    games = [finished(name, 1, board)] if board != "endeavor_2009" else [running(name, 3, 60), finished(name, 1)]
    for game in games:
        for key in keys_of(game):
            sentence = about(game.board, key)
            assert sentence is not None, key
            assert sentence.clause in CLAUSES, key
            assert sentence.text[:1].isupper(), sentence
            assert sentence.text.endswith("."), sentence
            assert "_" not in sentence.text, sentence
            assert 20 < len(sentence.text) < LONGEST, sentence


def test_every_card_token_building_and_exploit_has_a_sentence_of_its_own(board: Board) -> None:
    keys = [
        *(f"card:0:{card}" for card in board.cards),
        *(f"build:{building}" for building in board.buildings),
        *(f"kind:{kind}" for kind in c.TOKEN_NAMES),
        *(f"exploit:{exploit}" for exploit in c.EXPLOIT_NAMES),
        *(f"status:0:{status}" for status in c.STATUS_NAMES),
        *(f"city:{city}" for city in board.cities),
        *(f"region:{region}" for region in board.regions),
    ]
    texts = [str(about(board, key)) for key in keys]
    assert "None" not in texts
    assert len({text for key, text in zip(keys, texts, strict=True) if not key.startswith("city")}) == len(
        [key for key in keys if not key.startswith("city")]
    )


def test_every_kind_of_key_is_explained_and_no_other() -> None:
    met = {key.partition(":")[0] for name in GAMES for key in keys_of(finished(name, 1))}
    assert met <= set(KINDS)
    assert set(KINDS) - met <= {"face_down"}
    assert about(Board.default(), "nothing:here") is None


@pytest.mark.parametrize(
    ("key", "text"),
    [
        (
            "build:dock",
            "Dock (level 3). Activate it with 1 disc: a Sail and an Occupy in the same region, in either order. (R8.8)",
        ),
        ("building:1:university", "University (level 4) brings 3 Glory at the end and takes no disc. (R12.6)"),
        ("token:0:attack", "Spend a blue token on your turn for an Attack; no disc goes on a building. (R7.3)"),
        (
            "card:0:far_east.governor",
            "The Governor of Far East brings 2 Industry, 1 Culture and 1 Glory at the end while you hold it, and goes "
            "to the player with most discs on the full track. (R8.2.3)",
        ),
        (
            "connection:london--paris",
            "The first player to hold both London and Paris takes the token; holding both at the end scores 1 Glory. "
            "(R8.4.2)",
        ),
    ],
)
def test_sentences_say_what_the_board_says(key: str, text: str, board: Board) -> None:
    assert str(about(board, key)) == text


def test_a_board_with_other_values_gets_other_sentences(board: Board) -> None:
    changed = board.to_dict()
    london = next(city for city in changed["cities"] if city["id"] == "london")
    london["glory"] = 2
    text = str(about(Board.from_dict(changed | {"id": "other"}), "city:london"))
    assert "worth 2 Glory" in text
    assert "worth 1 Glory" in str(about(board, "city:london"))


def test_every_clause_that_the_package_names_is_one_of_the_rules() -> None:
    named = set()
    for file in (ROOT / "endeavor_env" / "endeavor" / "explain").glob("*.py"):
        named |= set(re.findall(r'"((?:V2S|V2F|V3S|[RSXENA])[A-Z]?\d[\w.]*)"', file.read_text(encoding="utf-8")))
    named |= {sentence.clause for sentence in EXPLOIT_SENTENCES.values()}
    assert len(named) > 50
    assert named <= CLAUSES
    assert {sentence.clause for sentence in ACTION_SENTENCES.values()} <= CLAUSES


def test_all_fifteen_exploits_have_a_sentence_with_their_own_clause() -> None:
    assert list(EXPLOIT_SENTENCES) == list(c.EXPLOIT_NAMES)
    assert [one.clause for one in EXPLOIT_SENTENCES.values()] == [f"E{number}" for number in range(1, 16)]
