"""The whole picture, that of a film, and the targets of legal moves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from endeavor_env.basics.inputs import plain_text
from endeavor_env.drawing.shapes import Area, Circle, Label, Line, Polygon, Rect, Scene, Shape
from endeavor_env.endeavor.drawing.scene.map import Box, map_shapes
from endeavor_env.endeavor.drawing.scene.mats import mat_shapes, side_of
from endeavor_env.endeavor.drawing.scene.pieces import LETTER, chip, disc, shortened
from endeavor_env.endeavor.drawing.scene.table import (
    head_shapes,
    headline_of,
    outcome_of,
    side_shapes,
    supply_shapes,
    under_mats_shapes,
    when_of,
)
from endeavor_env.endeavor.drawing.scene.theme import STATUSES, THEMES, Theme
from endeavor_env.endeavor.drawing.view import MatView, View, view_game
from endeavor_env.endeavor.drawing.words import exploit_of, move_in_words
from endeavor_env.endeavor.game_like import GameLike
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.errors import InvalidOptionError, shown

# --- Which part of the picture a move is about, so that legal moves can be shown and clicked -------------------------

_PLACES = {
    "build": "build:{0}",
    "activate": "building:{seat}:{0}",
    "pay": "building:{seat}:{0}",
    "spend": "token:{seat}:{0}",
    "sail": "track:{0}",
    "neutral_sail": "track:{0}",
    "occupy": "city:{0}",
    "neutral_occupy": "city:{0}",
    "attack": "city:{0}",
    "draw": "deck:{0}",
    "discard": "card:{seat}:{0}",
    "take": "status:{seat}:{0}",
}
"""The key of the area of each verb of the base game and the variants; {0} is the target."""
_KINDS = ("city", "track", "connection", "building:{seat}", "deck", "card:{seat}", "token:{seat}")
"""Kinds of areas that the target of an ability can have, in the order of the search."""


def keys_of_move(move: str, seat: str) -> list[str]:
    """Return the keys that the area of a move may have, the best first; none for "pass" and "done".

    Args:
        move: The move in words, such as "occupy:london".
        seat: The name of the mat of who decides: the number of the seat, or "player".
    """
    verb, _, target = move.partition(":")
    if verb in _PLACES:
        return [_PLACES[verb].format(target, seat=seat)]
    if verb == "remove":
        region = target.partition(".")[0]
        return [f"city:{target}", f"track:{region}"]
    tile = exploit_of(verb)
    if not tile:
        return []
    there = [f"{kind.format(seat=seat)}:{target}" for kind in _KINDS] if target else []
    return [*there, f"exploit:{tile}"]


def areas_of_moves(scene: Scene, moves: Iterable[str], seat: str) -> dict[str, Area]:
    """Return the area of each move that the picture shows; moves without one are left out."""
    areas = _areas_of(scene)
    found = {}
    for move in moves:
        key = next((key for key in keys_of_move(move, seat) if key in areas), None)
        if key is not None:
            found[move] = areas[key]
    return found


def _areas_of(scene: Scene) -> dict[str, Area]:
    """Return the areas of a picture by their keys."""
    return {shape.key: shape for shape in scene.shapes if isinstance(shape, Area)}


def framed(scene: Scene, keys: Iterable[str | None], theme: Theme) -> Scene:
    """Return a picture with frames round the areas of these keys, below the names of places that have a halo.

    Keys that the picture does not have are left out. Each frame has an edge in the colour of the background, because a
    map of one colour in all themes can be as light as the frame.
    """
    areas, shapes = _areas_of(scene), scene.shapes
    lines = frames((areas[key] for key in keys if key in areas), theme)
    edges = [line._replace(stroke=theme.background, line=2 * line.line) for line in lines]
    found = [shape for pair in zip(edges, lines, strict=True) for shape in pair]
    names = (place for place, shape in enumerate(shapes) if isinstance(shape, Label) and shape.halo)
    first = next(names, len(shapes))
    return scene._replace(shapes=(*shapes[:first], *found, *shapes[first:]))


def frames(areas: Iterable[Area], theme: Theme) -> list[Rect | Circle]:
    """Return a frame round each area, for the targets of legal moves; a ring round cities, whose names stand near."""
    return [_frame(area, theme) for area in dict.fromkeys(areas)]


def _frame(area: Area, theme: Theme) -> Rect | Circle:
    if area.key.startswith("city:"):
        middle = area.x + area.width / 2, area.y + area.height / 2
        return Circle(*middle, area.width / 2 + 2, None, theme.highlight, 2.0)
    return Rect(area.x - 2, area.y - 2, area.width + 4, area.height + 4, None, theme.highlight, 2.0, 5.0)


# --- The picture of a position for films -----------------------------------------------------------------------------
# Films are shown small: map, last move, Glory and statuses in large type.
# A film leaves out what stands on mats and in the supply, and its letters are half as large again.

FILM_WIDTH, FILM_HEIGHT = 1280, 960
FILM_MAP = Box(0, 0, 864, 526)
"""Size in which the map is drawn before it is enlarged."""
EDGE, FILM_HEAD = 12.0, 64.0
"""Widths of the margins and height of the lines above the map, in pixels."""
LARGER = (FILM_WIDTH - 2 * EDGE) / FILM_MAP.width
STRIP = Box(EDGE, FILM_HEAD + LARGER * FILM_MAP.height + 10, FILM_WIDTH - 2 * EDGE, 112)
"""Rectangle of the seats."""


def draw_film(view: View, theme: str = "light") -> Scene:
    """Return the picture of a position for a film, 1280 x 960 pixels.

    Args:
        view: What there is to see.
        theme: "light" or "dark", as a key of THEMES.
    """
    colours = THEMES[theme]
    shapes = [
        *_head(view, colours),
        *(larger(shape, LARGER, EDGE, FILM_HEAD) for shape in map_shapes(view, FILM_MAP, colours)),
        *_seats(view, colours),
    ]
    title = f"{view.board.name}, round {view.round}, {view.phase}"
    return Scene(FILM_WIDTH, FILM_HEIGHT, colours.background, title, tuple(shapes))


def _head(view: View, theme: Theme) -> list[Shape]:
    """Return round and phase, and what happened last, or who won."""
    y = FILM_HEAD / 2
    shapes: list[Shape] = [Label(EDGE, y, when_of(view), 28, theme.ink, bold=True)]
    left = 520.0
    room = FILM_WIDTH - left - EDGE
    if view.seat < 0:
        said, ink = outcome_of(view), theme.gold
    elif view.moves:
        last = view.moves[-1]
        said, ink = move_in_words(view.board, last.text), theme.ink
        shapes += disc(left + 18, y, 18, "white" if view.solitaire else str(last.seat))
        left, room = left + 46, room - 46
    else:
        said, ink = headline_of(view), theme.highlight
    return [*shapes, Label(left, y, shortened(said, 26, room), 26, ink, bold=True)]


def _seats(view: View, theme: Theme) -> list[Shape]:
    """Return a panel for each mat, with its Glory and its statuses."""
    width = (STRIP.width - 8 * (len(view.mats) - 1)) / len(view.mats)
    shapes: list[Shape] = []
    for index, mat in enumerate(view.mats):
        shapes += _seat(mat, Box(STRIP.x + index * (width + 8), STRIP.y, min(width, 410), STRIP.height), theme)
    return shapes


def _seat(mat: MatView, box: Box, theme: Theme) -> list[Shape]:
    stroke, line = (theme.highlight, 4.0) if mat.decides else (theme.faint, 1.5)
    glory = f"{mat.glory} Glory"
    shapes: list[Shape] = [
        Rect(*box, fill=theme.panel, stroke=stroke, line=line, radius=8),
        *disc(box.x + 32, box.y + 34, 20, side_of(mat)),
        Label(box.x + box.width - 14, box.y + 34, glory, 26, theme.gold, "end", bold=True),
    ]
    name = "" if mat.name.isdigit() else mat.name.capitalize()
    if box.width > 74 + LETTER * (20 * len(name) + 28 * len(glory)):
        shapes.append(Label(box.x + 62, box.y + 34, name, 20, theme.ink))
    step = (box.width - 24) / len(c.STATUS_NAMES)
    for row, status in enumerate(c.STATUS_NAMES):
        x, y = box.x + 28 + step * row, box.y + 82
        shapes += chip(x, y, 26, 26, STATUSES[status])
        shapes.append(Label(x + 18, y, str(mat.statuses[status]), 22, theme.ink, bold=True))
    return shapes


def larger(shape: Shape, factor: float, x: float, y: float) -> Shape:
    """Return a shape made larger around (0, 0), then moved by (x, y)."""

    def place(across: float, down: float) -> tuple[float, float]:
        return x + factor * across, y + factor * down

    if isinstance(shape, Line):
        ends = (*place(shape.x1, shape.y1), *place(shape.x2, shape.y2))
        return Line(*ends, shape.stroke, factor * shape.line, shape.dashed)
    if isinstance(shape, Polygon):
        points = tuple(place(*point) for point in shape.points)
        return shape._replace(points=points, line=factor * shape.line)
    left, top = place(shape.x, shape.y)
    moved = shape._replace(x=left, y=top)
    if isinstance(moved, Label):
        return moved._replace(size=factor * moved.size)
    if isinstance(moved, Circle):
        return moved._replace(radius=factor * moved.radius, line=factor * moved.line)
    moved = moved._replace(width=factor * moved.width, height=factor * moved.height)
    return moved if isinstance(moved, Area) else moved._replace(line=factor * moved.line, radius=factor * moved.radius)


# --- Puts the parts of the picture together --------------------------------------------------------------------------

WIDTH, HEIGHT = 1280, 800
HEAD = Box(12, 6, 1256, 34)
MAP = Box(8, 44, 864, 526)
SUPPLY = Box(8, 578, 476, 214)
SIDE = Box(492, 578, 380, 214)
MATS = Box(880, 44, 392, 748)
TWO_MATS, UNDER_MATS = Box(880, 44, 392, 510), Box(880, 560, 392, 232)
"""Two mats need less room than there is."""
LISTED_MOVES = 10
"""Moves that the picture of a game lists."""


def view_for_picture(game: GameLike) -> View:
    """Return the view of a game with as many of its last moves as a picture lists."""
    return view_game(game, max(0, len(game.history) - LISTED_MOVES))


def draw_game(game: GameLike, theme: str = "light", moves: Sequence[str] = ()) -> Scene:
    """Return the picture of a game with its last moves; arguments and errors as for ``draw_scene``."""
    return draw_scene(view_for_picture(game), theme, moves)


def draw_game_for_film(game: GameLike, theme: str = "light") -> Scene:
    """Return the picture of a game for films: less to see, in larger type; ``theme`` is "light" or "dark"."""
    return draw_film(view_for_picture(game), theme)


def draw_scene(view: View, theme: str | Theme = "light", moves: Sequence[str] = ()) -> Scene:
    """Return the picture of a position, 1280 x 800 pixels.

    Args:
        view: What there is to see.
        theme: "light", "dark", or the colours themselves.
        moves: Legal moves in words, whose targets get a frame.

    Raises:
        InvalidOptionError: There is no such theme.
    """
    colours = theme if isinstance(theme, Theme) else _colours(theme)
    shapes = [
        *head_shapes(view, HEAD, colours),
        *map_shapes(view, MAP, colours),
        *supply_shapes(view, SUPPLY, colours),
        *side_shapes(view, SIDE, colours),
    ]
    if len(view.mats) > 2:
        shapes += mat_shapes(view, MATS, colours)
    else:
        shapes += [*mat_shapes(view, TWO_MATS, colours), *under_mats_shapes(view, UNDER_MATS, colours)]
    title = f"{view.board.name}, round {view.round}, {view.phase}"
    scene = Scene(WIDTH, HEIGHT, colours.background, title, tuple(shapes))
    seat = "player" if view.solitaire else str(view.seat)
    framed = frames(areas_of_moves(scene, moves, seat).values(), colours)
    return scene._replace(shapes=(*scene.shapes, *framed))


def _colours(theme: str) -> Theme:
    """Return the colours of a theme by its name."""
    if plain_text(theme) not in THEMES:
        raise InvalidOptionError(f"theme={shown(theme)} is not possible: give one of {', '.join(THEMES)}")
    return THEMES[theme]
