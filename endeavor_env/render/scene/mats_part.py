"""The mats: a panel for each seat with statuses, buildings, discs, cards and tokens."""

from __future__ import annotations

from endeavor_env.board import Board
from endeavor_env.core import constants as c
from endeavor_env.render.scene.pieces import disc, token
from endeavor_env.render.scene.places import Box
from endeavor_env.render.scene.shapes import Area, Circle, Label, Rect, Shape
from endeavor_env.render.scene.theme import SIDES, STATUSES, Theme
from endeavor_env.render.view import Building, Mat, View

LEVELS = {"industry": "builds", "culture": "grows", "finance": "pays", "politics": "holds"}
"""What the level of a status says."""
LETTER = 0.58
"""Width of a letter, as a part of its size."""


class Rows:
    """Places for boxes of different widths in rows that wrap at the right edge."""

    def __init__(self, box: Box, height: float) -> None:
        """Begin in the upper left corner of ``box``, with rows of this height."""
        self._box, self._height = box, height
        self._x, self._y = box.x, box.y

    def take(self, width: float) -> tuple[float, float]:
        """Return the place for something of this width: its left edge and the middle of its row."""
        if self._x > self._box.x and self._x + width > self._box.x + self._box.width:
            self._x, self._y = self._box.x, self._y + self._height
        x = self._x
        self._x += width + 4
        return x, self._y + self._height / 2

    def end(self) -> float:
        """Return the lower edge of the last row, and begin anew below it."""
        self._x, self._y = self._box.x, self._y + self._height
        return self._y


def mat_shapes(view: View, area: Box, theme: Theme) -> list[Shape]:
    """Return the mats below each other in ``area``."""
    height = min(184.0, (area.height - 6 * (len(view.mats) - 1)) / len(view.mats))
    shapes: list[Shape] = []
    for index, mat in enumerate(view.mats):
        box = Box(area.x, area.y + index * (height + 6), area.width, height)
        shapes += _mat(view, mat, box, theme)
    return shapes


def side_of(mat: Mat) -> str:
    """Return the side whose discs a mat has, for its colour; the Opposition has four, of which black stands for all."""
    return {"player": "white", "Opposition": "black"}.get(mat.name, mat.name)


def _mat(view: View, mat: Mat, box: Box, theme: Theme) -> list[Shape]:
    stroke, line = (theme.highlight, 2.5) if mat.decides else (theme.faint, 1.0)
    row = 13.0 if box.height < 160 else 16.0
    shapes: list[Shape] = [
        Rect(*box, fill=theme.panel, stroke=stroke, line=line, radius=6),
        Rect(box.x + 2, box.y + 2, 6, box.height - 4, SIDES[side_of(mat)].fill, radius=3),
        *_head(mat, box, theme),
        *_statuses(view.board, mat, Box(box.x + 16, box.y + 26, box.width - 24, row), theme),
    ]
    rows = Rows(Box(box.x + 16, box.y + 28 + 4 * row, box.width - 22, 0), row + 3)
    for building in mat.buildings:
        shapes += _building(view.board, mat, building, rows, theme)
    rows.end()
    return shapes + _holdings(mat, rows, theme)


def _head(mat: Mat, box: Box, theme: Theme) -> list[Shape]:
    """Return the line with the name, discs and Glory."""
    y, right = box.y + 14, box.x + box.width
    name = f"Seat {mat.name}" if mat.name.isdigit() else mat.name.capitalize()
    notes = [word for word, there in (("first", mat.first_player), ("passed", mat.passed)) if there]
    shapes: list[Shape] = [
        *disc(box.x + 22, y, 9, side_of(mat)),
        Label(box.x + 37, y, name, 13, theme.ink, bold=True),
        Label(box.x + 45 + 8 * len(name), y, " · ".join(notes), 10, theme.muted),
        Label(right - 8, y, f"{mat.glory} Glory", 13, theme.gold, "end", bold=True),
    ]
    if mat.harbor is not None:
        neutral = f" · neutral {'+'.join(map(str, mat.neutral.values()))}" if mat.neutral else ""
        text = f"harbor {mat.harbor} · supply {mat.supply}{neutral}"
        shapes.append(Label(right - 84, y, text, 10.5, theme.ink, "end"))
        shapes.append(Area(right - 200, y - 8, 118, 16, f"harbor:{mat.name}", text))
    return shapes


def _statuses(board: Board, mat: Mat, at: Box, theme: Theme) -> list[Shape]:
    """Return the four status tracks, 0 to the last space, with the level that each gives at its end."""
    shapes: list[Shape] = []
    last = int(board.array["status_max"][0])
    cell = (at.width - 40 - 62) / (last + 1)
    for row, name in enumerate(c.STATUS_NAMES):
        y, count = at.y + at.height * row, mat.statuses[name]
        reached, middle = max(0, min(last, count)), y + (at.height - 3) / 2
        shapes.append(Label(at.x, middle, f"{name[0].upper()} {count}", 10.5, theme.ink, bold=True))
        for step in range(last + 1):
            fill = STATUSES[name] if step <= reached else None
            shapes.append(Rect(at.x + 36 + cell * step, y, cell - 1.5, at.height - 3, fill, theme.faint, 0.7, 1.5))
        said = f"{LEVELS[name]} {mat.levels[name]}"
        shapes.append(Label(at.x + 40 + cell * (last + 1), middle, said, 10, theme.ink))
        shapes.append(Area(at.x, y, at.width, at.height - 2, f"status:{mat.name}:{name}", f"{name} {count}: {said}"))
    return shapes


def _building(board: Board, mat: Mat, building: Building, rows: Rows, theme: Theme) -> list[Shape]:
    """Return a building type with a dot for each copy, filled if a disc is on it."""
    name = board.names[building.id]
    width = 10 + LETTER * 9.5 * len(name) + 8 * building.copies
    x, y = rows.take(width)
    shapes: list[Shape] = [
        Rect(x, y - 7, width, 14, theme.background, theme.muted, 0.8, 3),
        Label(x + 4, y, name, 9.5, theme.ink),
    ]
    for copy in range(building.copies):
        fill = SIDES[side_of(mat)].fill if copy < building.occupied else None
        shapes.append(Circle(x + width - 6 - 8 * copy, y, 3.2, fill, theme.muted, 0.9))
    title = f"{name}: {building.copies} owned, {building.occupied} in use"
    return [*shapes, Area(x, y - 7, width, 14, f"building:{mat.name}:{building.id}", title)]


def _holdings(mat: Mat, rows: Rows, theme: Theme) -> list[Shape]:
    """Return the cards, tokens and other pieces."""
    shapes: list[Shape] = []
    for card in [*mat.cards, *(["face down"] * mat.face_down)]:
        text = card.replace("_", " ").replace(".governor", " Governor").replace(".", " ")
        width = 8.0 + LETTER * 9 * len(text)
        x, y = rows.take(width)
        shapes += [
            Rect(x, y - 7, width, 14, theme.background, theme.gold if "governor" in card else theme.muted, 1, 3),
            Label(x + width / 2, y, text, 9, theme.ink, "middle"),
            Area(x, y - 7, width, 14, f"card:{mat.name}:{card}", f"card {text}"),
        ]
    for kind, count in mat.tokens.items():
        x, y = rows.take(28)
        shapes += token(x + 7, y, 14, kind)
        shapes.append(Label(x + 15, y, f"x{count}", 9, theme.ink))
        shapes.append(Area(x, y - 7, 28, 14, f"token:{mat.name}:{kind}", f"{count} {kind.replace('_', ' ')} tokens"))
    for name, count in mat.items.items():
        text = name if count == 1 else f"{name} x{count}"
        x, y = rows.take(LETTER * 9 * len(text))
        shapes.append(Label(x, y, text, 9, theme.muted))
    return shapes
