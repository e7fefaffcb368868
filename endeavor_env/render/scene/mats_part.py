"""The mats: a panel for each seat with statuses, buildings, discs, cards and tokens."""

from __future__ import annotations

from typing import NamedTuple

from endeavor_env.board import Board
from endeavor_env.core import constants as c
from endeavor_env.played import is_named
from endeavor_env.render.scene.cards import card_name, card_title, icon_labels, icons_width
from endeavor_env.render.scene.pieces import disc, shortened, token
from endeavor_env.render.scene.places import Box
from endeavor_env.render.scene.shapes import Area, Circle, Label, Rect, Shape
from endeavor_env.render.scene.theme import SIDES, STATUSES, Theme
from endeavor_env.render.view import Building, Mat, View

LEVELS = {"industry": "builds", "culture": "grows", "finance": "pays", "politics": "holds"}
"""What the level of a status says."""
LETTER = 0.58
"""Width of a letter, as a part of its size."""
WIDE = 0.68
"""Width of a bold letter, as a part of its size."""
SMALLER = (1.0, 0.9, 0.8, 0.72, 0.65)
"""How much smaller letters become, step by step, where a seat owns more than its mat has room for."""
LARGEST = 1.4
"""How much larger letters become where a mat has room."""


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


class Sizes(NamedTuple):
    """How large the parts of a mat are, in pixels but for ``scale``."""

    scale: float
    """1 on the smallest mat, that of five seats."""
    head: float
    """Height of the lines above the statuses."""
    row: float
    """Height of a status track."""

    @classmethod
    def of(cls, height: float) -> Sizes:
        """Return the sizes for a mat of this height."""
        scale = max(1.0, min(LARGEST, height / 165))
        return cls(scale, 26 * scale if scale < 1.2 else 46 * scale, (13.0 if height < 160 else 15.0) * scale)

    @property
    def two_lines(self) -> bool:
        """Whether harbor and supply have a line of their own under the name."""
        return self.scale >= 1.2


def mat_shapes(view: View, area: Box, theme: Theme) -> list[Shape]:
    """Return the mats below each other in ``area``."""
    height = (area.height - 6 * (len(view.mats) - 1)) / len(view.mats)
    shapes: list[Shape] = []
    for index, mat in enumerate(view.mats):
        box = Box(area.x, area.y + index * (height + 6), area.width, height)
        shapes += _mat(view.board, mat, box, theme)
    return shapes


def side_of(mat: Mat) -> str:
    """Return the side whose discs a mat has, for its colour; the Opposition has four, of which black stands for all."""
    return {"player": "white", "Opposition": "black"}.get(mat.name, mat.name)


def _mat(board: Board, mat: Mat, box: Box, theme: Theme) -> list[Shape]:
    stroke, line = (theme.highlight, 2.5) if mat.decides else (theme.faint, 1.0)
    sizes = Sizes.of(box.height)
    tracks = Box(box.x + 16, box.y + sizes.head, box.width - 24, sizes.row)
    return [
        Rect(*box, fill=theme.panel, stroke=stroke, line=line, radius=6),
        Rect(box.x + 2, box.y + 2, 6, box.height - 4, SIDES[side_of(mat)].fill, radius=3),
        *_head(mat, box, sizes, theme),
        *_statuses(board, mat, tracks, sizes.scale, theme),
        *_owned(board, mat, Box(box.x + 16, tracks.y + 4 * sizes.row + 2, box.width - 22, 0), box, sizes.scale, theme),
    ]


def _owned(board: Board, mat: Mat, at: Box, box: Box, scale: float, theme: Theme) -> list[Shape]:
    """Return buildings, cards and tokens, with smaller letters if they would not fit into the mat."""
    shapes: list[Shape] = []
    for part in SMALLER:
        rows = Rows(at, 16 * scale * part)
        shapes = []
        for building in mat.buildings:
            shapes += _building(board, mat, building, rows, scale * part, theme)
        if mat.buildings:
            rows.end()
        shapes += _holdings(board, mat, rows, scale * part, theme)
        if rows.end() <= box.y + box.height:
            break
    return shapes


def _head(mat: Mat, box: Box, sizes: Sizes, theme: Theme) -> list[Shape]:
    """Return the name, the discs in harbor and supply, and the Glory."""
    scale, right = sizes.scale, box.x + box.width
    y = box.y + 14 * scale
    notes = [word for word, there in (("first", mat.first_player), ("passed", mat.passed)) if there]
    name, size = mat.title, 13 * scale
    if is_named(name):  # smaller letters first, then fewer
        room = _room_for_title(mat, " · ".join(notes), box, sizes)
        size = max(0.8 * size, min(size, room / (WIDE * len(name))))
        name = shortened(name, size * WIDE / 0.56, room)
    shapes: list[Shape] = [
        *disc(box.x + 13 + 9 * scale, y, 9 * scale, side_of(mat)),
        Label(box.x + 19 + 18 * scale, y, name, size, theme.ink, bold=True),
        Label(box.x + 27 + 18 * scale + WIDE * size * len(name), y, " · ".join(notes), 10 * scale, theme.muted),
        Label(right - 8, y, f"{mat.glory} Glory", 13 * scale, theme.gold, "end", bold=True),
    ]
    if is_named(mat.title):
        width = 20 * scale + LETTER * size * len(name)
        shapes.append(Area(box.x + 12, y - 9 * scale, width, 18 * scale, f"mat:{mat.name}", mat.title))
    text = _harbor(mat)
    if text:
        width = LETTER * 10.5 * scale * len(text)
        x, line = (box.x + 16, y + 20 * scale) if sizes.two_lines else (right - 84 - width, y)
        anchor, at = ("start", x) if sizes.two_lines else ("end", x + width)
        shapes.append(Label(at, line, text, 10.5 * scale, theme.ink, anchor))
        shapes.append(Area(x, line - 8 * scale, width, 16 * scale, f"harbor:{mat.name}", text))
    return shapes


def _harbor(mat: Mat) -> str:
    """Return the discs in harbor and supply; "" for the Opposition, which has none."""
    if mat.harbor is None:
        return ""
    neutral = f" · neutral {'+'.join(map(str, mat.neutral.values()))}" if mat.neutral else ""
    return f"harbor {mat.harbor} · supply {mat.supply}{neutral}"


def _room_for_title(mat: Mat, notes: str, box: Box, sizes: Sizes) -> float:
    """Return the pixels between the disc and what stands right of the name in the first line of a mat."""
    right = LETTER * 10 * len(notes) + (0 if sizes.two_lines else LETTER * 10.5 * len(_harbor(mat)))
    return box.width - (right + 84 + 18) * sizes.scale - 25


def _statuses(board: Board, mat: Mat, at: Box, scale: float, theme: Theme) -> list[Shape]:
    """Return the four status tracks, 0 to the last space, with the level that each gives at its end."""
    shapes: list[Shape] = []
    last = int(board.array["status_max"][0])
    left, right = 36 * scale, 62 * scale
    cell = (at.width - left - right) / (last + 1)
    for row, name in enumerate(c.STATUS_NAMES):
        y, count = at.y + at.height * row, mat.statuses[name]
        reached, middle = max(0, min(last, count)), y + (at.height - 3) / 2
        shapes.append(Label(at.x, middle, f"{name[0].upper()} {count}", 10.5 * scale, theme.ink, bold=True))
        for step in range(last + 1):
            fill = STATUSES[name] if step <= reached else None
            shapes.append(Rect(at.x + left + cell * step, y, cell - 1.5, at.height - 3, fill, theme.faint, 0.7))
        said = f"{LEVELS[name]} {mat.levels[name]}"
        shapes.append(Label(at.x + left + 4 + cell * (last + 1), middle, said, 10 * scale, theme.ink))
        shapes.append(Area(at.x, y, at.width, at.height - 2, f"status:{mat.name}:{name}", f"{name} {count}: {said}"))
    return shapes


def _building(board: Board, mat: Mat, building: Building, rows: Rows, scale: float, theme: Theme) -> list[Shape]:
    """Return a building type with a dot for each copy, filled if a disc is on it."""
    name = board.names[building.id]
    width = (10 + LETTER * 9.5 * len(name) + 8 * building.copies) * scale
    x, y = rows.take(width)
    high = 14 * scale
    shapes: list[Shape] = [
        Rect(x, y - high / 2, width, high, theme.background, theme.muted, 0.8, 3),
        Label(x + 4 * scale, y, name, 9.5 * scale, theme.ink),
    ]
    for copy in range(building.copies):
        fill = SIDES[side_of(mat)].fill if copy < building.occupied else None
        shapes.append(Circle(x + width - (6 + 8 * copy) * scale, y, 3.2 * scale, fill, theme.muted, 0.9))
    title = f"{name}: {building.copies} owned, {building.occupied} in use"
    return [*shapes, Area(x, y - high / 2, width, high, f"building:{mat.name}:{building.id}", title)]


def _holdings(board: Board, mat: Mat, rows: Rows, scale: float, theme: Theme) -> list[Shape]:
    """Return the cards, tokens and other pieces."""
    shapes: list[Shape] = []
    for card in mat.cards:
        shapes += _card(board, mat, card, rows, scale, theme)
    for number in range(mat.face_down):
        shapes += _face_down(mat, number, rows, scale, theme)
    for kind, count in mat.tokens.items():
        x, y = rows.take(28 * scale)
        shapes += token(x + 7 * scale, y, 14 * scale, kind)
        shapes.append(Label(x + 15 * scale, y, f"x{count}", 9 * scale, theme.ink))
        title = f"{count} {kind.replace('_', ' ')} tokens"
        shapes.append(Area(x, y - 7 * scale, 28 * scale, 14 * scale, f"token:{mat.name}:{kind}", title))
    for name, count in mat.items.items():
        text = name if count == 1 else f"{name} x{count}"
        x, y = rows.take(LETTER * 9 * scale * len(text))
        shapes.append(Label(x, y, text, 9 * scale, theme.muted))
    return shapes


def _card(board: Board, mat: Mat, card: str, rows: Rows, scale: float, theme: Theme) -> list[Shape]:
    """Return a card as a small box, a Governor with a gold edge, with the letters of its icons."""
    text, high = card_name(card), 14 * scale
    width = (12 + LETTER * 9 * len(text)) * scale + icons_width(board, card, 9 * scale)
    x, y = rows.take(width)
    edge = theme.gold if card.endswith("governor") else theme.muted
    return [
        Rect(x, y - high / 2, width, high, theme.background, edge, 1, 3),
        Label(x + 4 * scale, y, text, 9 * scale, theme.ink),
        *icon_labels(board, card, x + width - 4 * scale, y, 9 * scale, theme),
        Area(x, y - high / 2, width, high, f"card:{mat.name}:{card}", card_title(board, card)),
    ]


def _face_down(mat: Mat, number: int, rows: Rows, scale: float, theme: Theme) -> list[Shape]:
    """Return a Slavery card that was set aside face down."""
    text, high = "face down", 14 * scale
    width = (8 + LETTER * 9 * len(text)) * scale
    x, y = rows.take(width)
    return [
        Rect(x, y - high / 2, width, high, theme.closed, theme.muted, 1, 3),
        Label(x + width / 2, y, text, 9 * scale, theme.muted, "middle"),
        Area(x, y - high / 2, width, high, f"face_down:{mat.name}:{number}", "a Slavery card set aside: -1 Glory"),
    ]
