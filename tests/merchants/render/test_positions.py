"""Pictures of positions: every piece stands where the position has it, and no hidden card is shown."""

from __future__ import annotations

import random
import re
from typing import Any

import gymnasium
import pytest

from endeavor_env.cli.views import view_of
from endeavor_env.drawing.shapes import Area, Label, Rect, Scene
from endeavor_env.endeavor.drawing.scene.theme import THEMES, VARIABLES
from endeavor_env.merchants.drawing import DARK, LINES, NEUTRAL, Pieces, draw_board, pieces_seen
from endeavor_env.merchants.game import MerchantsGame
from endeavor_env.merchants.presenter import MerchantsPresenter
from endeavor_env.web import replay_page

FACES = MerchantsPresenter()
KINDS: list[dict[str, Any]] = [
    {"players": 4},
    {"players": 3},
    {"players": 3, "start": "free"},
    {"players": 4, "board": "expert"},
]


def played(moves: int, **kind: Any) -> MerchantsGame:
    """Return a game after so many random moves of seats, or at its end."""
    game, draw = MerchantsGame.new(seed=5, max_rolls=60, **kind), random.Random(5)
    while not game.over and moves:
        game.apply(draw.choice(game.legal_actions()))
        moves -= 1
    return game


def texts(scene: Scene) -> list[str]:
    """Return the texts of a picture."""
    return [shape.text for shape in scene.shapes if isinstance(shape, Label)]


@pytest.mark.parametrize("kind", KINDS, ids=str)
@pytest.mark.parametrize("moves", [0, 40, 400])
def test_every_piece_stands_where_the_position_has_it(kind: dict[str, Any], moves: int) -> None:
    game = played(moves, **kind)
    board, state = game.board, game.state[0]
    pieces = pieces_seen(board, game.view(None))
    assert pieces.robber == state["robber"]
    assert len(pieces.routes) == sum(30 - int(left) for left in state["routes_left"][: game.num_players])
    assert sorted(pieces.merchants) == sorted(place for place in state["merchants"].flatten().tolist() if place >= 0)
    assert sorted(path for path, _ in pieces.caravans) == sorted(
        path for path in state["caravans"].flatten().tolist() if path >= 0
    )
    for city in range(board.num_cities):
        owners = [owner for owner in range(NEUTRAL + 1) if int(state["posts"][owner]) >> city & 1]
        assert owners == ([pieces.posts[city]] if city in pieces.posts else [])
        assert (city in pieces.goods) == bool(int(state["goods"]) >> city & 1)
    numbers = enumerate(state["numbers"][: board.num_terrains].tolist())
    assert pieces.tokens == {terrain: number for terrain, number in numbers if number and board.terrain_place[terrain]}


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_all_pictures_of_a_game_have_one_size(kind: dict[str, Any]) -> None:
    sizes = {(scene.width, scene.height) for moves in (0, 30, 200) for scene in [FACES.picture(played(moves, **kind))]}
    assert len(sizes) == 1


def test_a_seat_sees_its_own_hand_alone() -> None:
    game = played(200, players=4)
    for seat in range(4):
        hands = [line for line in texts(FACES.picture(game, seat)) if line.startswith("Seat") and "delivered" in line]
        assert [bool(re.search(r"hand \d+ cards?;", line)) for line in hands] == [other != seat for other in range(4)]


def test_colours_follow_the_theme() -> None:
    game = played(3, players=4)
    assert FACES.picture(game).background != FACES.picture(game, theme=DARK).background == DARK.background
    assert FACES.picture(game, theme=VARIABLES).background == VARIABLES.background


def test_long_lines_are_broken_and_too_many_are_cut() -> None:
    game = played(0, players=4)
    board, pieces = game.board, Pieces(0)
    signs = len(texts(draw_board(board, pieces)))
    assert texts(draw_board(board, pieces, lines=["word " * 60]))[signs:] == [
        ("word " * 28).strip(),
        "    " + ("word " * 27).strip(),
        "    " + ("word " * 5).strip(),
    ]
    many = texts(draw_board(board, pieces, lines=[str(number) for number in range(100, 120)]))[signs:]
    assert many == [*(str(number) for number in range(100, 100 + LINES - 1)), "..."]


def test_a_replay_page_shows_the_map() -> None:
    page = replay_page(played(5, players=3))
    assert "Kaliningrad" in page
    assert "Copenhagen" in page


def test_environments_give_pixels_of_one_shape() -> None:
    env = gymnasium.make("Merchants-v0", players=3, opponents="random", render_mode="rgb_array")
    _, info = env.reset(seed=1)
    first: Any = env.render()
    for _ in range(5):
        _, _, _, _, info = env.step(env.action_space.sample(info["action_mask"]))
    second: Any = env.render()
    assert first.shape == second.shape
    assert first.shape[1:] == (1280, 3)
    assert (first != second).any()
    env.close()


@pytest.mark.parametrize("theme", THEMES)
def test_frames_of_targets_stand_round_their_places_below_the_names(theme: str) -> None:
    colours, seen = THEMES[theme], 0
    for moves in range(0, 120, 4):
        game = played(moves, players=4, board="expert")
        scene, keys = (
            view_of(game).scene(game, theme),
            {FACES.choice(game, action).key for action in game.legal_actions()},
        )
        areas = {shape.key: shape for shape in scene.shapes if isinstance(shape, Area)}
        drawn = view_of(game).scene(game, theme, targets=True).shapes
        frames = [shape for shape in drawn if isinstance(shape, Rect) and shape.stroke == colours.highlight]
        wanted = [(areas[key].x - 2, areas[key].y - 2) for key in keys if key is not None]
        assert sorted((frame.x, frame.y) for frame in frames) == sorted(wanted)
        name = next(place for place, shape in enumerate(drawn) if isinstance(shape, Label) and shape.halo)
        for frame in frames:
            place = drawn.index(frame)
            assert place < name
            assert drawn[place - 1] == frame._replace(stroke=colours.background, line=2 * frame.line)
        seen += len(frames)
    assert seen > 50
