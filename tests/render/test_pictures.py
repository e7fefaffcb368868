"""The picture of a position shows everything once, inside its edges, and knows where each legal move is clicked."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter

import pytest

from endeavor_env.drawing.svg import to_svg
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.drawing.scene import Area, Circle, Label, Line, Polygon, Rect, Scene, Shape, draw_scene
from endeavor_env.endeavor.drawing.scene.compose import areas_of_moves
from endeavor_env.endeavor.drawing.view import BuildingView, view_game, view_position
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.engine.players_info import PlayersInfo
from endeavor_env.errors import InvalidOptionError
from endeavor_env.testing import open_regions
from tests.kits.able_games import able_moves
from tests.kits.games import on_the_way
from tests.render.pictures import FOLDER, KEPT, POSITIONS, drawn, file_of, structure

WIDE = 0.62
"""Width of a letter of a wide font, as a part of its size."""


@pytest.fixture(params=POSITIONS)
def game(request: pytest.FixtureRequest) -> Game:
    """A position of each kind."""
    return POSITIONS[request.param]()


def corners(shape: Shape) -> list[tuple[float, float]]:
    """The corners of the box round a shape; letters are as wide as those of a wide font."""
    if isinstance(shape, Rect | Area):
        return [(shape.x, shape.y), (shape.x + shape.width, shape.y + shape.height)]
    if isinstance(shape, Circle):
        return [(shape.x - shape.radius, shape.y - shape.radius), (shape.x + shape.radius, shape.y + shape.radius)]
    if isinstance(shape, Polygon):
        return list(shape.points)
    if isinstance(shape, Line):
        return [(shape.x1, shape.y1), (shape.x2, shape.y2)]
    width = WIDE * shape.size * len(shape.text)
    left = shape.x - {"start": 0, "middle": width / 2, "end": width}[shape.anchor]
    return [(left, shape.y - shape.size / 2), (left + width, shape.y + shape.size / 2)]


def test_everything_is_inside(game: Game) -> None:
    scene = draw_scene(view_game(game, 0))
    for shape in scene.shapes:
        for x, y in corners(shape):
            assert -3 <= x <= scene.width + 3, shape
            assert -3 <= y <= scene.height + 3, shape


def test_every_place_of_the_board_has_one_area(game: Game) -> None:
    keys = Counter(shape.key for shape in draw_scene(view_game(game)).shapes if isinstance(shape, Area))
    board = game.board
    wanted = [f"city:{city}" for city in board.cities] + [f"deck:{deck}" for deck in board.decks]
    wanted += [f"connection:{connection}" for connection in board.connections]
    wanted += [
        f"build:{name}" for name, level in zip(board.buildings, board.array["building_level"][0], strict=False) if level
    ]
    assert {key: keys[key] for key in wanted} == dict.fromkeys(wanted, 1)


def letters(scene: Scene) -> Counter[str]:
    """How often each text stands in a picture."""
    return Counter(shape.text for shape in scene.shapes if isinstance(shape, Label))


def test_the_discs_of_the_position_are_there() -> None:
    game = on_the_way(120, seed=4, players=4)
    view = view_game(game)
    drawn, empty = letters(draw_scene(view)), letters(draw_scene(view_game(Game.new(4, seed=4))))
    for seat in range(4):
        in_cities = sum(city.space.owner == str(seat) for region in view.regions for city in region.cities)
        on_tracks = sum(space.owner == str(seat) for region in view.regions for space in region.track)
        beside = sum(str(seat) in region.beside for region in view.regions)
        assert in_cities + on_tracks > 0
        assert drawn[str(seat)] >= in_cities + on_tracks + beside
    assert sum(drawn.values()) > sum(empty.values())


NAMES = ("Ada", "x" * 40, "search:sims=100,network=c", "W" * 40, "value")


def test_the_names_of_a_game_stand_on_its_mats_and_in_the_headline() -> None:
    game = on_the_way(120, seed=4, players=4)
    game.played = PlayersInfo.of(["Ada & <Co>", "greedy", None, "Zoë"])
    scene = draw_scene(view_game(game))
    assert {"Ada & <Co>", "greedy", "Seat 2", "Zoë"} <= set(letters(scene))
    titles = {shape.key: shape.title for shape in scene.shapes if isinstance(shape, Area)}
    assert [titles.get(f"mat:{seat}") for seat in range(4)] == ["Ada & <Co>", "greedy", None, "Zoë"]
    decides, last = (view_game(game).who(seat) for seat in (game.seat, game.history[-1][0]))
    assert any(text.startswith(f"{decides}: ") for text in letters(scene))
    assert any(text.startswith(f"last move: {last} ") for text in letters(scene))
    ElementTree.fromstring(to_svg(scene))


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("moves", [20, 60, 10_000])
def test_long_names_leave_room_for_what_stands_beside_them(players: int, moves: int) -> None:
    game = on_the_way(moves, seed=4, players=players)
    game.played = PlayersInfo.of(NAMES[:players])
    scene = draw_scene(view_game(game))
    lines: dict[float, list[tuple[float, float, str]]] = {}
    for shape in scene.shapes:
        if isinstance(shape, Label) and shape.text and (shape.x > 880 or shape.y < 44):
            width = 0.56 * shape.size * len(shape.text)
            left = shape.x - {"start": 0, "middle": width / 2, "end": width}[shape.anchor]
            lines.setdefault(shape.y, []).append((left, left + width, shape.text))
    crowded = [line for line in lines.values() if any(text.endswith(("Glory", "decides: turn")) for *_, text in line)]
    assert len(crowded) >= players
    for line in crowded:
        line.sort()
        for (_, right, text), (left, _, other) in itertools.pairwise(line):
            assert right <= left + 1, (text, other)


IN_A_WIDE_FONT = {"Human": 3.98, "Museum": 4.24, "Workshop": 4.99}
"""Width of words in DejaVu Sans, the first in bold letters, as a part of the size of the letters."""


def test_letters_of_a_wide_font_leave_room_for_what_stands_behind_them() -> None:
    game = Game.new(3, seed=1)
    game.played = PlayersInfo.of(["Human"] * 3)
    view = view_game(game)
    owned = [BuildingView(name, 1, 0) for name in ("museum", "workshop")]
    shapes = draw_scene(view._replace(mats=[mat._replace(buildings=owned) for mat in view.mats])).shapes
    met = set()
    for word, width in IN_A_WIDE_FONT.items():
        behind = Label if word == "Human" else Circle
        for label in [one for one in shapes if isinstance(one, Label) and one.x > 880 and one.text.startswith(word)]:
            edges = [
                one.x - (one.radius if isinstance(one, Circle) else 0)
                for one in shapes
                if isinstance(one, behind) and one.y == label.y and one.x > label.x and getattr(one, "text", "-")
            ]
            tail = 0.838 + 0.696 if "#" in label.text else 0.0  # as in Human#2
            assert not edges or label.x + (width + tail) * label.size <= min(edges), label.text
            met |= {word} if edges else set()
    assert met == set(IN_A_WIDE_FONT)


def test_every_top_card_of_a_pile_shows_its_value() -> None:
    view = view_game(Game.new(3, seed=1))
    for taken in range(6):
        regions = [
            region._replace(decks=[deck._replace(cards=deck.cards[taken:]) for deck in region.decks])
            for region in view.regions
        ]
        shapes = draw_scene(view._replace(regions=regions)).shapes
        for deck in [deck for region in regions for deck in region.decks]:
            area = next(one for one in shapes if isinstance(one, Area) and one.key == f"deck:{deck.id}")
            inside = [
                one
                for one in shapes
                if isinstance(one, Label) and area.x < one.x < area.x + 20 and area.y < one.y < area.y + area.height
            ]
            value = deck.cards[0].partition(".")[2].replace("governor", "Gov")
            (said,) = [one for one in inside if one.text.split()[-1] == value]
            icons = [one for one in shapes if isinstance(one, Rect) and one.width < 20 and area.x < one.x < area.x + 80]
            beside = [one.x for one in icons if one.y < said.y < one.y + one.height]
            assert min(beside, default=said.x + 99) >= said.x + 0.64 * said.size * len(value), deck.cards[0]


def test_each_legal_move_with_a_target_has_its_area(game: Game) -> None:
    seen = 0
    for _ in range(30):
        if game.over:
            return
        view = view_game(game)
        seat = "player" if game.variant == "solo" else str(game.seat)
        moves = [move for move in game.legal_moves() if ":" in move and not move.startswith("take:")]
        scene = draw_scene(view, moves=moves)
        areas = areas_of_moves(scene, moves, seat)
        if game.decision != "opposition":
            assert set(areas) == set(moves)
            seen += len(moves)
        game.apply(game.legal_actions()[len(game.history) % len(game.legal_actions())])
    assert seen > 0


def test_abilities_of_exploits_can_be_clicked() -> None:
    game, verbs = open_regions(Game.new(4, seed=5, exploits=c.EXPLOIT_NAMES), 5), set()
    for number, _ in enumerate(able_moves(game, seed=1)):
        if number % 10 == 0:
            moves = [move for move in game.legal_moves() if ":" in move]
            assert set(areas_of_moves(draw_scene(view_game(game)), moves, str(game.seat))) == set(moves)
            verbs |= {move.partition(":")[0] for move in moves}
    assert len(verbs) > 20


def test_svg_is_sound_and_small(game: Game) -> None:
    for theme in ("light", "dark"):
        text = game.svg(theme=theme, targets=not game.over)
        root = ElementTree.fromstring(text)
        assert root.attrib["viewBox"] == "0 0 1280 800"
        assert len(text.encode()) < 150_000
        titles = [element.text for element in root.iter("{http://www.w3.org/2000/svg}title")]
        assert any("Glory" in (title or "") for title in titles)
    assert game._repr_html_() == game.svg()


def test_themes_differ_in_colours_only() -> None:
    view = view_game(on_the_way(90, seed=7, players=3))
    light, dark = draw_scene(view), draw_scene(view, "dark")
    assert [type(shape) for shape in light.shapes] == [type(shape) for shape in dark.shapes]
    assert [corners(shape) for shape in light.shapes] == [corners(shape) for shape in dark.shapes]
    assert to_svg(light) != to_svg(dark)


def test_an_unknown_theme_is_refused() -> None:
    for theme in ("blue", [], None, 7):
        with pytest.raises(InvalidOptionError, match=r"theme=.* is not possible: give one of light, dark"):
            Game.new().svg(theme=theme)  # type: ignore[arg-type]


def test_cities_of_a_generated_board_lie_apart() -> None:
    for seed in range(8):
        board = Board.generate(seed)
        scene = draw_scene(view_game(Game.new(3, board=board, seed=1)))
        areas = [shape for shape in scene.shapes if isinstance(shape, Area) and shape.key.startswith("city:")]
        for index, one in enumerate(areas):
            for other in areas[:index]:
                assert abs(one.x - other.x) + abs(one.y - other.y) > 24, (seed, one.key, other.key)


def test_what_a_seat_owns_stays_on_its_mat(game: Game) -> None:
    """Also where it owns more than its mat has room for at the usual size."""
    state = game.state[0]
    state.buildings[0, : len(game.board.buildings)] = 1
    state.card_place[:9] = 0
    state.tokens[0] = 12
    view = view_position(game.board, game.state)
    scene = draw_scene(view)
    name = "player" if game.variant == "solo" else "0"
    areas = [shape for shape in scene.shapes if isinstance(shape, Area)]
    other = next((shape for shape in areas if shape.key == "harbor:1"), None)
    below = 560 if len(view.mats) == 2 else scene.height
    own = [shape for shape in areas if shape.key.startswith((f"building:{name}:", f"card:{name}:", f"token:{name}:"))]
    assert len(own) >= len(game.board.buildings) + 9 + len(c.TOKEN_NAMES)
    for shape in own:
        assert shape.y + shape.height <= (other.y if other and other.y > 100 else below)


@pytest.mark.parametrize("name", KEPT)
def test_pictures_show_what_they_showed(name: str) -> None:
    assert structure(drawn(name)) == structure(file_of(name).read_text(encoding="utf-8"))


def test_every_variant_has_a_kept_picture() -> None:
    assert {POSITIONS[name]().variant for name in KEPT} == set(c.VARIANT_NAMES)
    assert {path.name for path in FOLDER.iterdir()} == {file_of(name).name for name in KEPT}


def test_the_library_for_pixels_prints_nothing() -> None:
    draw = "from endeavor_env.drawing.raster import load_pygame; load_pygame()"
    command = [sys.executable, "-c", draw]
    environment = {name: value for name, value in os.environ.items() if name != "PYGAME_HIDE_SUPPORT_PROMPT"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=120)
    assert (done.stdout, done.stderr) == ("", "")
