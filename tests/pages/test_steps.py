"""Steps of a game, each complete in itself, are together its film; the empty page takes what another program has."""

from __future__ import annotations

import json
from typing import Any

import pytest

from endeavor_env.endeavor.game import Game
from endeavor_env.web import Film, empty_page, step_of
from tests.kits.games import GAMES, running


def pictures(rows: list[dict[str, Any]], lines: list[str] | None = None) -> list[list[str]]:
    """The pictures of rows, whose new lines are texts, or numbers into ``lines``."""
    found: list[list[str]] = []
    for row in rows:
        picture = list(found[-1]) if found else []
        for place, removed, added in row["changes"]:
            picture[place : place + removed] = added if lines is None else [lines[number] for number in added]
        found.append(picture)
    return found


def rest(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != "changes"}


@pytest.mark.parametrize("name", GAMES)
def test_the_steps_of_a_game_are_its_film(name: str) -> None:
    game = running(name, 9, 3)
    steps = [json.loads(json.dumps(step_of(game.at_move(number)))) for number in range(4)]
    film = json.loads(json.dumps(Film.of(game).part()))
    assert pictures([step["row"] for step in steps]) == pictures(film["rows"], film["lines"])
    assert [rest(step["row"]) for step in steps] == [rest(row) for row in film["rows"]]
    for field in ("names", "sides", "letters", "unit", "period", "side_colours"):
        assert steps[0].get(field) == film.get(field)
    assert all(set(step) == {"format", "over", "row"} for step in steps[1:])


def test_a_step_depends_on_the_position_alone() -> None:
    game = Game.new(3, seed=4)
    for _ in range(2):
        before = step_of(game)
        assert step_of(game) == before == step_of(game.clone())
        game.apply(game.legal_actions()[0])
        assert step_of(game) != before


def test_the_empty_page_has_a_script_and_no_film() -> None:
    page = empty_page("tellTheWorld();", "A <game>")
    assert '<script id="film" type="application/json"></script>' in page
    assert page.index("function begin(part)") < page.index("tellTheWorld();")
    assert "<title>A &lt;game&gt;</title>" in page
    assert "sha256" not in page  # other programs write scripts into it
    assert "default-src 'none'" in page
