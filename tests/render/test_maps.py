"""Maps of several games side by side in one picture."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from endeavor_env import Game
from endeavor_env.endeavor.drawing.maps import GAP, WIDTH, Maps
from endeavor_env.errors import InvalidOptionError

SVG = "{http://www.w3.org/2000/svg}"


def parts(maps: Maps) -> tuple[ElementTree.Element, list[ElementTree.Element], list[str]]:
    """Return the picture, its maps, and the titles above them."""
    picture = ElementTree.fromstring(maps.svg())
    return picture, picture.findall(f"{SVG}svg"), [text.text or "" for text in picture.findall(f"{SVG}text")]


def test_each_board_has_its_map_with_its_title_and_cities() -> None:
    games = {f"board {seed} <new>": Game.new(3, seed=1, board=f"generated_{seed}") for seed in (1, 2, 3)}
    _, found, titles = parts(Maps(games))
    assert titles == list(games)
    for one, game in zip(found, games.values(), strict=True):
        words = [text.text for text in one.iter(f"{SVG}text")]
        assert "Europe & Mediterranean" in words
        deals = sum(text in ("I", "C", "F", "P", "At", "OD", "SD", "Py") for text in words)
        assert deals >= len(game.board.space_index)


@pytest.mark.parametrize(("count", "columns", "rows"), [(1, 1, 1), (3, 2, 2), (4, 2, 2), (5, 3, 2)])
def test_maps_lie_in_rows_inside_the_picture_and_do_not_overlap(count: int, columns: int, rows: int) -> None:
    games = {str(number): Game.new(3, seed=number) for number in range(count)}
    picture, found, _ = parts(Maps(games, columns))
    boxes = [tuple(float(one.attrib[name]) for name in ("x", "y", "width", "height")) for one in found]
    assert len({y for _, y, _, _ in boxes}) == rows
    assert float(picture.attrib["width"]) == WIDTH
    for number, (x, y, width, height) in enumerate(boxes):
        assert x >= GAP - 1
        assert x + width <= WIDTH
        assert y + height <= float(picture.attrib["height"])
        for other_x, other_y, _, _ in boxes[:number]:
            assert abs(other_x - x) >= width or abs(other_y - y) >= height


def test_a_notebook_shows_the_picture_in_either_theme() -> None:
    games = {"one": Game.new(seed=1)}
    assert Maps(games)._repr_html_() == Maps(games).svg()
    assert Maps(games, theme="dark").svg() != Maps(games).svg()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"games": {}}, "a picture of no maps is not possible"),
        ({"columns": 0}, "columns=0 is not possible"),
        ({"theme": "grey"}, "theme='grey' is not possible: give one of light, dark"),
    ],
)
def test_wrong_arguments_are_named(given: dict, message: str) -> None:
    with pytest.raises(InvalidOptionError, match=message):
        Maps(**{"games": {"one": Game.new(seed=1)}, **given})
