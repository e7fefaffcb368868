"""Pictures can be read: letters are large enough and stand out, nothing runs through them, and every sign is named."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator

import pytest

from endeavor_env.cli.drawing import WIDTH as DEFAULT_WIDTH
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.drawing.scene import Area, Circle, Label, Line, Rect, Scene, draw_game, draw_scene
from endeavor_env.endeavor.drawing.scene.compose import LISTED_MOVES, MAP, SUPPLY, draw_film, frames
from endeavor_env.endeavor.drawing.scene.map import map_places, map_shapes, name_of_city
from endeavor_env.endeavor.drawing.scene.pieces import TOKEN
from endeavor_env.endeavor.drawing.scene.theme import SIDES, STATUSES, THEMES, TOKENS, Theme
from endeavor_env.endeavor.drawing.view import view_game, view_position
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.results import OPPOSITION_NAME
from endeavor_env.endeavor.rules import constants as c
from tests.kits.games import GAMES, on_the_way, running
from tests.kits.legible import CONTRAST, SMALLEST, Box, box_of, contrast, grounds
from tests.render.pictures import POSITIONS


def _games() -> Iterator[tuple[str, Callable[[], Game]]]:
    """Games of every variant and number of seats, at their beginning and later, and games on generated boards."""
    yield from POSITIONS.items()
    for name in ("solo", "soloplay_2", "soloplay_2, spaces stay", "soloplay_3", "neutral_2", "exploits, all options"):
        assert name in GAMES
        for moves in (0, 70):
            yield f"{name}, {moves} moves", functools.partial(running, name, 3, moves)
    for seats in (3, 4, 5):
        yield f"{seats} seats", functools.partial(on_the_way, 180, seed=5, players=seats)
    for seed in range(4):
        yield f"board {seed}", functools.partial(on_the_way, 90, seed=seed, players=4, board=f"generated_{seed}")


ALL = dict(_games())


@pytest.fixture(params=ALL, scope="module")
def game(request: pytest.FixtureRequest) -> Game:
    """A position to be drawn."""
    return ALL[request.param]()


def drawn(game: Game, theme: str) -> Scene:
    """The picture with a frame round the target of every legal move."""
    return draw_game(game, theme, () if game.over else game.legal_moves())


def test_the_contrast_of_known_colours():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", THEMES)
def test_texts_are_large_enough_and_stand_out(game: Game, theme: str):
    seen = 0
    for label, ground in grounds(drawn(game, theme)):
        assert label.size >= SMALLEST, label
        assert contrast(label.fill, ground) >= CONTRAST, (label, ground)
        seen += 1
    assert seen > 150


def runs_through(frame: Rect | Circle, box: Box) -> bool:
    """Whether the stroke of a frame touches a text."""
    half = frame.line / 2
    if isinstance(frame, Circle):
        across = sorted(abs(x - frame.x) for x in (box.left, box.right))
        down = sorted(abs(y - frame.y) for y in (box.top, box.bottom))
        nearest = math.hypot(
            0 if box.left < frame.x < box.right else across[0], 0 if box.top < frame.y < box.bottom else down[0]
        )
        return nearest < frame.radius + half and math.hypot(across[1], down[1]) > frame.radius - half
    left, top, right, bottom = frame.x, frame.y, frame.x + frame.width, frame.y + frame.height
    outside = Box(left - half, top - half, right + half, bottom + half)
    inside = box.left > left + half and box.right < right - half and box.top > top + half and box.bottom < bottom - half
    return box.touches(outside) and not inside


def test_no_frame_runs_through_a_text(game: Game):
    highlight = THEMES["light"].highlight
    seen = 0
    for _ in range(1 if game.over else 12):
        scene = drawn(game, "light")
        boxes = [(box_of(shape), shape) for shape in scene.shapes if isinstance(shape, Label) and shape.text]
        for shape in scene.shapes:
            if isinstance(shape, Rect | Circle) and not shape.fill and shape.stroke == highlight:
                seen += 1
                assert not [label for box, label in boxes if runs_through(shape, box)], shape
        if not game.over:
            game.apply(game.legal_actions()[-1])
    assert seen > 0


@pytest.mark.parametrize("exploits", [False, True])
@pytest.mark.parametrize("seed", [None, *range(10)])
def test_names_tokens_and_cities_of_the_map_do_not_cover_each_other(seed: int | None, exploits: bool):
    board = Game.new().board if seed is None else Board.generate(seed)
    cities, names, tokens, _ = map_places(board, MAP, exploits)
    half = TOKEN / 2
    written = {
        city: box_of(Label(x, y, name_of_city(board, city), 11, "#000000", "middle")) for city, (x, y) in names.items()
    }
    lying = [Box(x - half, y - half, x + half, y + half) for x, y in tokens.values()]
    for city, box in written.items():
        assert not [other for other, at in written.items() if other != city and box.touches(at)], city
        assert not any(box.touches(token) for token in lying), city
        for other, (x, y) in cities.items():
            assert not box.touches(Box(x - 11, y - 11, x + 11, y + 11)), (city, other)


CROWDED = (None, 10, 14, 56)
"""The usual board, and generated ones that have the most cities near each other."""
PLACES = {False: ("city:", "track:", "deck:"), True: ("city:", "track:", "deck:", "connection:")}
"""What of the map can be a target, without and with Exploits."""


@pytest.mark.parametrize("exploits", [False, True])
@pytest.mark.parametrize("seed", CROWDED)
def test_the_frame_of_any_place_of_the_map_runs_through_no_letters(seed: int | None, exploits: bool):
    game = Game.new(4, seed=1, board=_board(seed), exploits="random" if exploits else ())
    shapes = map_shapes(view_game(game), MAP, THEMES["light"])
    boxes = [(box_of(shape), shape.text) for shape in shapes if isinstance(shape, Label) and shape.text]
    areas = [shape for shape in shapes if isinstance(shape, Area) and shape.key.startswith(PLACES[exploits])]
    assert len(areas) > 35
    for area, frame in zip(areas, frames(areas, THEMES["light"]), strict=True):
        assert isinstance(frame, Rect | Circle)
        assert [text for box, text in boxes if runs_through(frame, box)] == [], area.key


@functools.cache
def _board(seed: int | None) -> Board:
    """The usual board or a generated one, whose cities are laid out once."""
    return Game.new().board if seed is None else Board.generate(seed)


def token_fills(theme: Theme) -> set[tuple[str, str]]:
    """The fill and the letters of every small box that shows a token, a status or an icon."""
    found = set()
    for position in POSITIONS.values():
        scene = draw_game(position(), "light" if theme is THEMES["light"] else "dark")
        letters = {piece.letter for piece in TOKENS.values()}
        for box, label in zip(scene.shapes, scene.shapes[1:], strict=False):
            if isinstance(box, Rect) and isinstance(label, Label) and label.text in letters and box.width < 22:
                found.add((box.fill, label.text))
    return found


@pytest.mark.parametrize("theme", THEMES)
def test_each_kind_of_token_has_one_colour_everywhere(theme: str):
    assert token_fills(THEMES[theme]) == {(piece.fill, piece.letter) for piece in TOKENS.values()}
    assert {TOKENS[name] for name in STATUSES} == set(STATUSES.values())
    assert len({piece.fill for piece in STATUSES.values()}) == len(STATUSES)


def test_tracks_have_the_colours_of_their_tokens():
    """Also where all four are full, as cells then have no other colour."""
    game = Game.new(3, seed=1)
    game.state[0].status[:3] = int(game.board.array["status_max"][0])
    cells = [
        shape.fill
        for shape in draw_game(game).shapes
        if isinstance(shape, Rect) and shape.line == 0.7 and shape.fill is not None
    ]
    spaces = int(game.board.array["status_max"][0]) + 1
    assert cells == [piece.fill for piece in STATUSES.values() for _ in range(spaces)] * 3


def legend_of(game: Game) -> list[str]:
    """The texts of the legend."""
    scene = draw_game(game)
    low = SUPPLY.y + 110
    return [
        shape.text
        for shape in scene.shapes
        if isinstance(shape, Label) and shape.x < SUPPLY.x + SUPPLY.width and shape.y > low
    ]


OF_EVERY_GAME = (
    *(kind.replace("_", " or ") for kind in c.TOKEN_NAMES),
    *("worth 2 Glory", "Glory of a card", "Governor", "cards left", "building in use"),
    *("controlled", "by a full track", "who is to move"),
)
OF_VARIANTS = {
    "solo": (
        *("disc of the player", "of the Opposition", "how many act", "bonus draw is due", "acts now"),
        "crown: last built",
    ),
    "soloplay_2": ("disc of seat 0", "neutral", "takes no disc"),
    "soloplay_3": ("disc of seat 0", "neutral", "takes no disc"),
    "neutral_2": ("disc of seat 0", "neutral, seat 0", "neutral, seat 1"),
    "three Exploits": (
        *("disc of seat 0", "blockade", "Governor apart", "fortified city", "missionary", "pirate"),
        "on a tile: shield",
    ),
    "opening": ("disc of seat 0",),
}


@pytest.mark.parametrize("name", OF_VARIANTS)
def test_the_legend_names_every_sign_of_the_kind_of_game(name: str):
    game = POSITIONS[name]()
    words = legend_of(game)
    signs = {piece.letter for piece in (*TOKENS.values(), *SIDES.values())} | {
        "+1",
        "Gov",
        "6x",
        "x2",
        "Fo",
        "Mi",
        "Pi",
    }
    assert [word for word in words if word not in signs] == [*OF_EVERY_GAME, *OF_VARIANTS[name]]


def small_boxes(scene: Scene) -> set[tuple[str | None, str]]:
    """Fill and letters of the discs and small boxes of a picture, but for the digits of seats."""
    found = set()
    for ground, label in zip(scene.shapes, scene.shapes[1:], strict=False):
        if isinstance(label, Label) and isinstance(ground, Rect | Circle) and not label.text.isdigit():
            width = ground.width if isinstance(ground, Rect) else 2 * ground.radius
            if len(label.text) <= 2 and label.anchor == "middle" and width < 26:
                found.add((ground.fill, label.text))
    return found


def test_every_letter_on_a_piece_stands_in_the_legend(game: Game):
    """Of the colours of the Opposition one stands for all; its own disc lies beside its name."""
    scene = draw_game(game)
    place = SUPPLY.y + 110
    in_legend = small_boxes(
        scene._replace(
            shapes=tuple(s for s in scene.shapes if getattr(s, "y", 0) > place and getattr(s, "x", 2000) < 484)
        )
    )
    opposition = {(SIDES[name].fill, SIDES[name].letter) for name in (*c.COLOUR_NAMES, OPPOSITION_NAME)}
    assert small_boxes(scene) - opposition <= in_legend


def test_blocked_connections_still_show_their_tokens():
    game = Game.new(4, seed=2, exploits=["imperialism"])
    game.state[0].blocked = 1
    shapes = draw_game(game).shapes
    bars = [shape for shape in shapes if isinstance(shape, Rect) and shape.fill == "#a4161a" and shape.height == 20]
    lines = [shape for shape in shapes if isinstance(shape, Line) and shape.stroke == THEMES["light"].highlight]
    assert len(bars) == 2
    assert not lines
    token = game.board.connections[0]
    x, y = map_places(game.board, MAP, True).tokens[token]
    assert all(abs(bar.y + 10 - y) < 0.1 and abs(abs(bar.x + 2.5 - x) - 12) < 0.1 for bar in bars)


@pytest.mark.parametrize(
    ("decision", "actions", "follow_up", "words"),
    [
        ("target", ("sail", "draw"), None, "sail or draw a card"),
        ("target", (), None, "choose a target"),
        ("build", (), None, "choose a building"),
        ("opposition", (), None, "choose for the Opposition"),
        ("follow_up", (), "a card of far_east", "choose a card of Far East"),
    ],
)
def test_the_headline_asks_as_a_person_would(
    decision: str, actions: tuple[str, ...], follow_up: str | None, words: str
):
    view = view_game(Game.new(3, seed=1))
    view = view._replace(decision=decision, open_actions=actions, follow_up=follow_up, seat=2)
    texts = [shape.text for shape in draw_scene(view).shapes if isinstance(shape, Label)]
    assert f"seat 2: {words}" in texts


def test_every_kind_of_decision_has_words():
    view = view_game(Game.new(3, seed=1))
    for decision in c.DECISION_NAMES:
        if decision not in ("nothing", "follow_up"):
            texts = [
                shape.text for shape in draw_scene(view._replace(decision=decision)).shapes if isinstance(shape, Label)
            ]
            assert not [text for text in texts if "decides" in text]


def test_the_open_parts_of_an_action_are_in_the_view():
    game = Game.new(3, seed=7)
    while game.decision != "target":
        game.apply(game.legal_actions()[0])
    verbs = {move.partition(":")[0] for move in game.legal_moves()} - {"done"}
    assert verbs <= set(view_position(game.board, game.state).open_actions) != set()


def test_films_have_larger_letters(game: Game):
    for theme in THEMES:
        scene = draw_film(view_game(game, max(0, len(game.history) - LISTED_MOVES)), theme)
        for label, ground in grounds(scene):
            assert label.size * DEFAULT_WIDTH / scene.width >= SMALLEST, label
            assert contrast(label.fill, ground) >= CONTRAST, (label, ground)
