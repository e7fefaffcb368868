"""The picture of a position for films, which are shown small: map, last move, Glory and statuses in large type.

A film leaves out what stands on mats and in the supply, and its letters are half as large again.
"""

from __future__ import annotations

from endeavor_env.drawing.shapes import Area, Circle, Label, Line, Polygon, Rect, Scene, Shape
from endeavor_env.endeavor.drawing.scene.map_part import map_shapes
from endeavor_env.endeavor.drawing.scene.mat_head import side_of
from endeavor_env.endeavor.drawing.scene.pieces import LETTER, chip, disc, shortened
from endeavor_env.endeavor.drawing.scene.places import Box
from endeavor_env.endeavor.drawing.scene.table_part import headline_of, outcome_of, when_of
from endeavor_env.endeavor.drawing.scene.theme import STATUSES, THEMES, Theme
from endeavor_env.endeavor.drawing.view import Mat, View
from endeavor_env.endeavor.drawing.words import move_in_words
from endeavor_env.endeavor.rules import constants as c

WIDTH, HEIGHT = 1280, 960
MAP = Box(0, 0, 864, 526)
"""The size in which the map is drawn before it is made larger."""
EDGE, HEAD = 12.0, 64.0
"""Pixels at the sides, and of the lines above the map."""
LARGER = (WIDTH - 2 * EDGE) / MAP.width
STRIP = Box(EDGE, HEAD + LARGER * MAP.height + 10, WIDTH - 2 * EDGE, 112)
"""Where the seats stand."""


def draw_film(view: View, theme: str = "light") -> Scene:
    """Return the picture of a position for a film, 1280 x 960 pixels.

    Args:
        view: What there is to see.
        theme: "light" or "dark", as a key of THEMES.
    """
    colours = THEMES[theme]
    shapes = [
        *_head(view, colours),
        *(larger(shape, LARGER, EDGE, HEAD) for shape in map_shapes(view, MAP, colours)),
        *_seats(view, colours),
    ]
    title = f"{view.board.name}, round {view.round}, {view.phase}"
    return Scene(WIDTH, HEIGHT, colours.background, title, tuple(shapes))


def _head(view: View, theme: Theme) -> list[Shape]:
    """Return round and phase, and what happened last, or who won."""
    y = HEAD / 2
    shapes: list[Shape] = [Label(EDGE, y, when_of(view), 28, theme.ink, bold=True)]
    left = 520.0
    room = WIDTH - left - EDGE
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


def _seat(mat: Mat, box: Box, theme: Theme) -> list[Shape]:
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
