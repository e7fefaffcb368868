"""What lies on the table, its sentences as the page gets them, the help and the page How to play."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from endeavor_env import Game
from endeavor_env.agents.play.app import make_app
from endeavor_env.agents.play.shown import shown_snapshot
from endeavor_env.agents.play.snapshot import SessionSnapshot
from endeavor_env.agents.play.store import GameStore
from endeavor_env.agents.play.tooltips import action_rows, token_rows
from endeavor_env.endeavor.explain import about
from endeavor_env.endeavor.rules.constants import TOKEN_NAMES
from tests.kits.games import GAMES, running
from tests.kits.playing import AppClient


def things(game: Game, *people: int) -> dict[str, dict[str, str]]:
    """What the page gets to know of each thing, by its key."""
    seats = tuple("human" if seat in people else "greedy" for seat in range(game.num_players))
    shown = shown_snapshot(SessionSnapshot(game, seats, frozenset(people), None, "0"), "light")
    json.dumps(shown)
    return {thing["key"]: thing for thing in shown["things"]}


def test_a_thing_says_what_it_is_what_it_does_and_why_not() -> None:
    game = Game.new(3, seed=1)
    found = things(game, game.seat)
    museum = found["build:museum"]
    assert museum["title"] == "Museum: 1 left"
    assert museum["says"] == "Museum (level 5) brings 2 Culture. Activate it with 1 disc: a Pay."
    assert museum["clause"] == "R7.2"
    assert museum["why"] == "Museum has level 5, and your Industry of 0 builds up to level 1. (R4.2)"
    assert found["build:market"]["why"] is None
    assert found["city:london"]["title"].startswith("London: ")


def test_nobody_who_is_not_asked_is_told_why() -> None:
    game = Game.new(3, seed=1)
    assert {thing["why"] for thing in things(game, (game.seat + 1) % 3).values()} == {None}


@pytest.mark.parametrize("name", ["solo", "soloplay_2", "neutral_2", "exploits, first three"])
def test_every_area_of_a_picture_is_a_thing_on_the_page(name: str) -> None:
    game = running(name, 3, 50)
    found = things(game, *range(game.num_players))
    kinds = {key.partition(":")[0] for key in found}
    assert kinds >= {"region", "city", "connection", "track", "deck", "build", "status", "harbor", "kind"}
    assert ("grid" in kinds, "exploit" in kinds) == (name == "solo", name.startswith("exploits"))
    assert name in GAMES


def test_the_help_explains_every_token_and_action() -> None:
    rows, board = token_rows(), Game.new(3, seed=1).board
    assert rows.count("<svg") == rows.count("<li>") == len(TOKEN_NAMES)
    for kind in TOKEN_NAMES:
        sentence = about(board, f"kind:{kind}")
        assert sentence is not None
        assert sentence.text in rows
    assert action_rows().count("<li>") == 5


@pytest.fixture
def client(tmp_path: Path) -> AppClient:
    return AppClient(make_app(GameStore(tmp_path), "the-token", "greedy"), "the-token")


def test_the_page_has_the_help_in_it(client: AppClient) -> None:
    page = client.get("/").text
    assert token_rows() in page
    assert action_rows() in page
    assert "{tokens}" not in page
    assert "{actions}" not in page


def test_how_to_play_is_served_in_both_themes_and_loads_nothing(client: AppClient) -> None:
    for theme in ("light", "dark"):
        answer = client.get(f"/how_to_play?theme={theme}")
        assert answer.status_code == 200
        assert f'data-theme="{theme}"' in answer.text
        assert "<h1>How to play</h1>" in answer.text
        assert re.findall(r"(?:src|href)=\"(?!data:)", answer.text) == []
        assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_how_to_play_refuses_other_themes_and_other_readers(client: AppClient) -> None:
    answer = client.get("/how_to_play?theme=pink")
    assert answer.status_code == 400
    assert answer.json()["error"] == '"theme" must be one of light, dark'
    assert client.get("/how_to_play", headers={"X-Token": "wrong"}).status_code == 403
    assert client.post("/how_to_play", json={}).status_code == 405
