"""The picture of a board: everything is there, in its place, and can be read."""

from __future__ import annotations

import functools
import re
from xml.etree import ElementTree

import pytest

from endeavor_env.drawing.shapes import Area, Circle, Label, Line, Polygon, Rect, Scene
from endeavor_env.drawing.svg import to_svg
from endeavor_env.merchants.board import Board, generate_board, load_board
from endeavor_env.merchants.drawing import NEUTRAL, PIECES, THEMES, WIDTH, Pieces, Plane, draw_board, start_tokens
from tests.kits.legible import CONTRAST, SMALLEST, box_of, contrast, grounds

SEEDS = (None, *range(6))  # None for the declared board
BOARDS = [(side, seed) for seed in SEEDS for side in ("short", "expert")]


@functools.cache
def made(side: str, seed: int | None) -> Board:
    """Return a declared board, or a generated one."""
    return load_board(side) if seed is None else generate_board(seed, side)


def crowded(board: Board) -> Pieces:
    """Return a position with pieces of everybody."""
    return Pieces(
        robber=3,
        tokens=start_tokens(board),
        routes={path: path % 4 for path in range(0, board.num_paths, 2)},
        posts={city: city % 5 for city in range(board.num_cities)},
        goods=range(0, board.num_cities, 2),
        merchants={crossroads: crossroads % 4 for crossroads in range(0, board.num_crossroads, 9)},
        caravans=[(0, 0), (0, 1), (2, 2), (4, 3)],
    )


@pytest.fixture(params=BOARDS, ids=lambda board: " ".join(str(part) for part in board if part is not None))
def board(request: pytest.FixtureRequest) -> Board:
    return made(*request.param)


@pytest.mark.parametrize("theme", THEMES)
def test_texts_are_large_enough_and_stand_out(board: Board, theme: str) -> None:
    for pieces in (None, crowded(board)):
        scene = draw_board(board, pieces, THEMES[theme], ["Seat 0 has won"])
        assert scene.width == WIDTH == 1280
        for label, ground in grounds(scene):
            assert label.size >= SMALLEST, label
            assert contrast(label.fill, ground) >= CONTRAST, (label, ground)
            box = box_of(label)
            assert 0 <= box.left < box.right <= scene.width, label
            assert 0 <= box.top < box.bottom <= scene.height, label


def test_no_text_of_a_board_covers_another(board: Board) -> None:
    boxes = [(box_of(shape), shape.text) for shape in draw_board(board).shapes if isinstance(shape, Label)]
    for number, (box, text) in enumerate(boxes):
        assert [other for other_box, other in boxes[:number] if box.touches(other_box)] == [], text


def test_everything_is_there(board: Board) -> None:
    scene = draw_board(board)
    texts = [shape.text for shape in scene.shapes if isinstance(shape, Label)]
    assert all(name.title() in texts for name in board.city_ids)
    assert sum(text.isdigit() for text in texts) == (
        (board.terrain_number > 0).sum() + 5 + (board.city_gold > 0).sum() + 3  # the legend shows three numbers
    )
    hexes = [shape for shape in scene.shapes if isinstance(shape, Polygon) and len(shape.points) == 6]
    assert len(hexes) == board.num_terrains
    assert sum(isinstance(shape, Line) and shape.dashed for shape in scene.shapes) == board.path_sea.sum() + 1
    keys = [shape.key for shape in scene.shapes if isinstance(shape, Area)]
    assert len(set(keys)) == len(keys) == board.num_terrains + board.num_paths + board.num_crossroads


def test_hexes_are_regular(board: Board) -> None:
    plane = Plane.of(board, 0)
    for terrain in range(board.num_terrains):
        x, y = plane.terrain(terrain)
        for crossroads in board.terrain_crossroads[terrain].tolist():
            at = plane.crossroads(crossroads)
            assert ((at[0] - x) ** 2 + (at[1] - y) ** 2) ** 0.5 == pytest.approx(plane.edge)


def titles(scene: Scene) -> dict[str, str]:
    """Return what tooltips say, by place."""
    return {shape.key: shape.title for shape in scene.shapes if isinstance(shape, Area)}


def test_tooltips_name_places_and_pieces() -> None:
    board = load_board("short")
    plain = titles(draw_board(board))
    assert plain["terrain:t0"] == "Salt-works west of Stockholm"
    assert plain["crossroads:stockholm"] == "Stockholm, brown city, 3 gold"
    assert plain["crossroads:rome"] == "Rome, violet city"
    assert plain["crossroads:c6"] == "Crossroads north of Stockholm"
    assert plain[f"terrain:t{board.robber}"].endswith(": the robber")
    assert sum(", double arrow" in title for title in plain.values()) == 8
    assert sum(title.startswith("Sea path ") for title in plain.values()) == 2
    city, crossroads = 3, int(board.city_crossroads[3])
    pieces = Pieces(
        robber=1, routes={0: 2}, caravans=[(0, 1)], posts={city: 0, 4: NEUTRAL}, goods=[city], merchants={crossroads: 3}
    )
    said = titles(draw_board(board, pieces))
    assert said["path:p0"] == "Fifth path north of Hamburg: route of seat 2, caravan of seat 1"
    assert said["crossroads:copenhagen"] == "Copenhagen, violet city: post of seat 0 with a good, merchant of seat 3"
    assert said["crossroads:moscow"] == "Moscow, brown city: post of nobody"
    assert said["terrain:t1"] == "Field north-west of Stockholm: the robber"


def test_pieces_bear_the_letters_of_their_owners() -> None:
    board = load_board("short")
    pieces = Pieces(
        robber=0,
        routes={0: 0, 1: 1},
        posts={0: 2, 1: NEUTRAL},
        merchants={50: 3},
        caravans=[(1, 1), (1, 0)],
    )
    letters = [one.letter for one in PIECES]
    assert len(set(letters)) == len(letters)

    def count(scene: Scene) -> dict[str, int]:
        texts = [shape.text for shape in scene.shapes if isinstance(shape, Label)]
        return {letter: texts.count(letter) for letter in letters}

    assert count(draw_board(board)) == dict.fromkeys(letters, 0)
    assert count(draw_board(board, pieces)) == {"R": 2, "B": 1, "W": 1, "O": 1, "N": 1}


def test_tokens_are_those_of_the_position() -> None:
    board = load_board("short")
    assert start_tokens(board) == {4: 9, 9: 5, 15: 9, 21: 5, 27: 9}
    place = int((board.terrain_place == 1).nonzero()[0][0])
    scenes = [draw_board(board, Pieces(0, tokens)) for tokens in ({}, {place: 4})]
    rings = [sum(map(is_token, scene.shapes)) for scene in scenes]
    assert rings == [1, 2]  # one stands in the legend


def is_token(shape: object) -> bool:
    """Return whether a shape is the ring of a token."""
    return isinstance(shape, Circle) and shape.line == 2.5


def test_lines_stand_below_the_map() -> None:
    board = load_board("short")
    plain, scene = draw_board(board), draw_board(board, lines=["Seat 0: 2 goods", "Seat 1: none"])
    assert scene.height > plain.height
    below = [shape.y for shape in scene.shapes if isinstance(shape, Label) and shape.text.startswith("Seat")]
    assert below == sorted(below)
    assert below[0] > max(shape.y + shape.height for shape in plain.shapes if isinstance(shape, Rect))


def test_the_picture_is_one_svg_document(board: Board) -> None:
    text = to_svg(draw_board(board, crowded(board)))
    root = ElementTree.fromstring(text)
    assert root.tag.endswith("svg")
    assert re.search(r"<title>Merchants of Europe: \w+</title>", text)
    assert not re.search(r"href|url\(|\b(nan|inf)\b", text)
    assert text == to_svg(draw_board(board, crowded(board)))
