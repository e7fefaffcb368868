"""The words at the top of mats and regions are whole, and keep away from others."""

from __future__ import annotations

from itertools import pairwise

import pytest

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.drawing.scene import Label, draw_scene
from endeavor_env.endeavor.drawing.scene.compose import MAP, MATS
from endeavor_env.endeavor.drawing.scene.map import CLOSED, map_places, name_of_city
from endeavor_env.endeavor.drawing.scene.pieces import width_of
from endeavor_env.endeavor.drawing.view import View, view_game
from endeavor_env.endeavor.game import Game

APART = 2.5
"""Pixels that a city's name keeps above or below the word "closed"."""
NAMES = ("Human", "greedy", "greedy#2", "greedy#3", "value#2")


def crowded(names: tuple[str, ...], players: int) -> View:
    """Return a table where the first line of every mat has to say as much as it can."""
    view = view_game(Game.new(players, seed=1))
    mats = (
        mat._replace(title=name, first_player=True, passed=True, harbor=11, supply=19, glory=23)
        for mat, name in zip(view.mats, names, strict=False)
    )
    return view._replace(mats=tuple(mats))


def heads(view: View) -> list[list[Label]]:
    """Return the words of the first line of each mat, from left to right, without the letter of the disc."""
    words = [one for one in draw_scene(view).shapes if isinstance(one, Label) and one.x > MATS.x and one.text]
    lines = [one.y for one in words if one.text.endswith("Glory")]
    return [sorted((one for one in words if one.y == y and len(one.text) > 1), key=lambda one: one.x) for y in lines]


@pytest.mark.parametrize("players", [3, 4, 5])
def test_names_of_agents_are_whole_on_every_mat(players: int) -> None:
    found = heads(crowded(NAMES, players))
    assert [line[0].text for line in found] == list(NAMES[:players])
    for line in found:
        assert [one.text for one in line][1] == "first · passed"
        for one, other in pairwise(line):
            letter = 0.68 if one.bold else 0.52  # of the wide letters of DejaVu
            start = other.x - (
                width_of(other.text, other.size, 0.52 + 0.1 * other.bold) if other.anchor == "end" else 0
            )
            assert one.anchor == "end" or one.x + width_of(one.text, one.size, letter) <= start, (one, other)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_long_name_is_cut_before_its_number(players: int) -> None:
    found = heads(crowded(("Maximilian Montgomery the Great", *["Maximilian Montgomery the Great#2"] * 4), players))
    assert found[0][0].text.endswith("…")
    assert all(line[0].text.startswith("Maxi") and line[0].text.endswith("…#2") for line in found[1:])


@pytest.mark.parametrize("exploits", [False, True])
@pytest.mark.parametrize("seed", [None, 2, 7, 56])
def test_closed_keeps_away_from_the_names_of_cities(seed: int | None, exploits: bool) -> None:
    """Where the name of a city stands below the right end of its region, the word stands beside the region's name."""
    board = Game.new().board if seed is None else Board.generate(seed)
    places = map_places(board, MAP, exploits)
    for x, y in places.closed.values():
        for city, (across, down) in places.names.items():
            room = (6.6 * len(CLOSED) + 6.6 * len(name_of_city(board, city))) / 2
            assert abs(x - across) >= room or abs(y - down) >= 8 + APART, city


def test_closed_stands_at_the_right_end_where_there_is_room() -> None:
    places = map_places(Game.new().board, MAP, False)
    assert places.closed["caribbean"][0] < 140
    assert min(places.closed[region][0] for region in ("north_america", "south_america")) > 200


def test_tiles_speak_in_words() -> None:
    words = [one.text for one in draw_scene(view_game(_venus())).shapes if isinstance(one, Label)]
    assert {"South America and Far East, not active", "8 spaces free", "on the tile: Transit token x8"} <= set(words)
    assert {"Venus", "VOC", "Pirates"} <= set(words)
    assert not [word for word in words if "_" in word]


def _venus() -> Game:
    return Game.new(3, seed=1, exploits=["venus", "voc", "pirates"])
