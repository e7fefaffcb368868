"""The mats: a panel for each seat with statuses, buildings, discs and cards."""

from __future__ import annotations

import re
from typing import NamedTuple

from endeavor_env.drawing.shapes import Area, Circle, Label, Rect, Shape
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.drawing.scene.map import Box
from endeavor_env.endeavor.drawing.scene.pieces import (
    LETTER,
    SMALLEST,
    TOKEN,
    card_name,
    card_title,
    chip,
    cut_to,
    disc,
    icon_shapes,
    icons_width,
    short_card_name,
    width_of,
)
from endeavor_env.endeavor.drawing.scene.theme import SIDES, STATUSES, TOKENS, Theme
from endeavor_env.endeavor.drawing.view import BuildingView, MatView, View
from endeavor_env.endeavor.results import OPPOSITION_NAME
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.engine.players_info import is_named

# --- The first lines of a mat: the disc and the name, the discs in harbor and supply, and the Glory ------------------

WIDE = 0.68
"""Width of a bold letter, as a part of its size."""
NAME, NOTES, HARBOR = 13.0, 10.0, 10.5
"""Letters of name and Glory, of "first" and "passed", and of harbor and supply on the smallest mat."""
LEAST_NAME = 10.4
"""Letters of a name are no smaller: what is too long then is cut."""
GAP = 6.0
"""Pixels between two words of the first line."""


class TitleStyle(NamedTuple):
    """The style of the first line of a mat; sizes are those of letters, in pixels."""

    name: str
    size: float
    notes: float
    """Size of "first" and "passed"."""
    harbor: float
    """Size of the discs in harbor and supply."""


def side_of(mat: MatView) -> str:
    """Return the side of a mat, for its colour and letter; the Opposition, with discs of four sides, has its own."""
    return {"player": "white", "Opposition": OPPOSITION_NAME}.get(mat.name, mat.name)


def mat_head_shapes(mat: MatView, box: Box, scale: float, theme: Theme, *, two_lines: bool) -> list[Shape]:
    """Return the first lines of a mat.

    Args:
        mat: The mat.
        box: Its rectangle.
        scale: How large it is: 1 on the smallest mat.
        theme: The colours.
        two_lines: Whether harbor and supply have a line of their own under the name.
    """
    left, right, y = box.x + 19 + 18 * scale, box.x + box.width, box.y + 14 * scale
    head = _fitting(mat, box.width, scale, two_lines=two_lines)
    wide = width_of(head.name, head.size, WIDE)
    shapes: list[Shape] = [
        *disc(box.x + 13 + 9 * scale, y, 9 * scale, side_of(mat)),
        Label(left, y, head.name, head.size, theme.ink, bold=True),
        Label(left + wide + GAP, y, _notes(mat), head.notes, theme.muted),
        Label(right - 8, y, _glory(mat), NAME * scale, theme.gold, "end", bold=True),
        *_harbor_shapes(mat, box, head.harbor, scale, theme, two_lines=two_lines),
    ]
    if is_named(mat.title):
        shapes.append(Area(box.x + 12, y - 9 * scale, 20 * scale + wide, 18 * scale, f"mat:{mat.name}", mat.title))
    return shapes


def _harbor_shapes(mat: MatView, box: Box, size: float, scale: float, theme: Theme, *, two_lines: bool) -> list[Shape]:
    """Return the discs in harbor and supply, in the first line or under it."""
    text = _harbor(mat)
    if not text:
        return []
    y, width = box.y + 14 * scale, LETTER * size * len(text)
    end = box.x + box.width - 8 - _width_of_glory(mat, scale) - GAP
    x, line = (box.x + 16, y + 20 * scale) if two_lines else (end - width, y)
    anchor, at = ("start", x) if two_lines else ("end", end)
    return [
        Label(at, line, text, size, theme.ink, anchor),
        Area(x, line - 8 * scale, width, 16 * scale, f"harbor:{mat.name}", text),
    ]


def _fitting(mat: MatView, width: float, scale: float, *, two_lines: bool) -> TitleStyle:
    """Return how the first line is written: too long a line has smaller letters first, and then the name is cut."""
    harbor_apart = HARBOR * scale if two_lines else SMALLEST
    for notes, harbor in ((NOTES * scale, HARBOR * scale), (SMALLEST, harbor_apart)):
        room = width - 19 - 18 * scale - 8 - _width_of_glory(mat, scale)
        if _notes(mat):
            room -= LETTER * notes * len(_notes(mat)) + GAP
        if not two_lines:
            room -= LETTER * harbor * len(_harbor(mat)) + 2 * GAP
        size = max(LEAST_NAME, min(NAME * scale, room / width_of(mat.title, 1.0, WIDE)))
        if width_of(mat.title, size, WIDE) <= room:
            break
    return TitleStyle(_cut(mat.title, size, room), size, notes, harbor)


def _cut(name: str, size: float, room: float) -> str:
    """Return as much of a name as has room, with the number that tells it from others of its kind: "Maxim…#2"."""
    number = re.search(r"(#\d+)?$", name)
    assert number
    return cut_to(name[: number.start()], size, WIDE, room - width_of(number[0], size, WIDE)) + number[0]


def _notes(mat: MatView) -> str:
    return " · ".join(word for word, there in (("first", mat.first_player), ("passed", mat.passed)) if there)


def _glory(mat: MatView) -> str:
    return f"{mat.glory} Glory"


def _width_of_glory(mat: MatView, scale: float) -> float:
    return width_of(_glory(mat), NAME * scale, WIDE)


def _harbor(mat: MatView) -> str:
    """Return the discs in harbor and supply; "" for the Opposition, which has none."""
    if mat.harbor is None:
        return ""
    neutral = f" · neutral {'+'.join(map(str, mat.neutral.values()))}" if mat.neutral else ""
    return f"harbor {mat.harbor} · supply {mat.supply}{neutral}"


# --- The mats: a panel for each seat with statuses, buildings, discs, cards and tokens -------------------------------

LEVELS = {"industry": "builds", "culture": "grows", "finance": "pays", "politics": "holds"}
"""Verb for the level of a status."""
TITLE_LETTER = 0.58
"""Width of a letter, as a part of its size."""
USUAL, DENSE = 9.5, 12.5
"""Size of the letters of a seat's possessions on the smallest mat, and row height where much has to fit."""
MOST = (None, 8, 6, 4, 3)
"""Numbers of letters to which long names are cut, step by step, where a seat owns more than its mat has room for."""
LARGEST = 1.4
"""Largest factor by which letters grow where a mat has room."""


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


class PossessionStyle(NamedTuple):
    """The style of a seat's possessions on its mat, in pixels."""

    size: float
    """Size of the letters."""
    row: float
    """Height of a row."""
    most: int | None = None
    """Number of letters to which long names are cut; None for all."""

    @property
    def high(self) -> float:
        """Height of a box."""
        return self.row - (1.0 if self.row == DENSE else 2.0)

    def cut(self, name: str) -> str:
        """Return as much of a name as is written."""
        return name if self.most is None or len(name) <= self.most + 1 else f"{name[: self.most]}."

    def width(self, text: str) -> float:
        """Return the width of a text."""
        return width_of(text, self.size, TITLE_LETTER)

    @classmethod
    def steps(cls, scale: float) -> list[PossessionStyle]:
        """Return ever denser ways to write, from the usual one for a mat of this scale."""
        looser = [cls(max(SMALLEST, USUAL * scale * part), 16 * scale * part) for part in (1.0, 0.9, 0.8)]
        return [*(fit for fit in looser if fit.row >= DENSE), *(cls(SMALLEST, DENSE, most) for most in MOST)]


class Sizes(NamedTuple):
    """Sizes of the parts of a mat, in pixels but for ``scale``."""

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
        """True if harbor and supply have a line of their own under the name."""
        return self.scale >= 1.2


def mat_shapes(view: View, area: Box, theme: Theme) -> list[Shape]:
    """Return the mats below each other in ``area``."""
    height = (area.height - 6 * (len(view.mats) - 1)) / len(view.mats)
    shapes: list[Shape] = []
    for index, mat in enumerate(view.mats):
        box = Box(area.x, area.y + index * (height + 6), area.width, height)
        shapes += _mat(view.board, mat, box, theme)
    return shapes


def _mat(board: Board, mat: MatView, box: Box, theme: Theme) -> list[Shape]:
    stroke, line = (theme.highlight, 2.5) if mat.decides else (theme.faint, 1.0)
    sizes = Sizes.of(box.height)
    tracks = Box(box.x + 16, box.y + sizes.head, box.width - 24, sizes.row)
    return [
        Rect(*box, fill=theme.panel, stroke=stroke, line=line, radius=6),
        Rect(box.x + 2, box.y + 2, 6, box.height - 4, SIDES[side_of(mat)].fill, radius=3),
        *mat_head_shapes(mat, box, sizes.scale, theme, two_lines=sizes.two_lines),
        *_statuses(board, mat, tracks, sizes.scale, theme),
        *_owned(board, mat, Box(box.x + 16, tracks.y + 4 * sizes.row + 2, box.width - 22, 0), box, sizes.scale, theme),
    ]


def _owned(board: Board, mat: MatView, at: Box, box: Box, scale: float, theme: Theme) -> list[Shape]:
    """Return buildings, cards and tokens, written densely and with cut names if they would not fit into the mat."""
    shapes: list[Shape] = []
    for fit in PossessionStyle.steps(scale):
        rows = Rows(at, fit.row)
        shapes = []
        for building in mat.buildings:
            shapes += _building(board, mat, building, rows, fit, theme)
        if mat.buildings and fit.most is None:
            rows.end()
        shapes += _holdings(board, mat, rows, fit, theme)
        if rows.end() <= box.y + box.height:
            break
    return shapes


def _statuses(board: Board, mat: MatView, at: Box, scale: float, theme: Theme) -> list[Shape]:
    """Return the four status tracks, 0 to the last space, with the level that each gives at its end."""
    shapes: list[Shape] = []
    last = int(board.array["status_max"][0])
    left, right = 36 * scale, 62 * scale
    cell = (at.width - left - right) / (last + 1)
    for row, name in enumerate(c.STATUS_NAMES):
        y, count = at.y + at.height * row, mat.statuses[name]
        reached, middle = max(0, min(last, count)), y + (at.height - 3) / 2
        shapes += chip(at.x + 5.5 * scale, middle, 11.5 * scale, at.height - 1.5, STATUSES[name])
        shapes.append(Label(at.x + 15 * scale, middle, str(count), 10.5 * scale, theme.ink, bold=True))
        for step in range(last + 1):
            fill = STATUSES[name].fill if step <= reached else None
            shapes.append(Rect(at.x + left + cell * step, y, cell - 1.5, at.height - 3, fill, theme.faint, 0.7))
        said = f"{LEVELS[name]} {mat.levels[name]}"
        shapes.append(Label(at.x + left + 4 + cell * (last + 1), middle, said, 10 * scale, theme.ink))
        shapes.append(Area(at.x, y, at.width, at.height - 2, f"status:{mat.name}:{name}", f"{name} {count}: {said}"))
    return shapes


def _building(
    board: Board, mat: MatView, building: BuildingView, rows: Rows, fit: PossessionStyle, theme: Theme
) -> list[Shape]:
    """Return a building type with a dot for each copy, filled if a disc is on it."""
    name, dot = board.names[building.id], fit.size / 3
    text = fit.cut(name)
    width = fit.width(text) + fit.size + 2.5 * dot * building.copies
    x, y = rows.take(width)
    shapes: list[Shape] = [
        Rect(x, y - fit.high / 2, width, fit.high, theme.background, theme.muted, 0.8, 3),
        Label(x + 0.4 * fit.size, y, text, fit.size, theme.ink),
    ]
    for copy in range(building.copies):
        fill = SIDES[side_of(mat)].fill if copy < building.occupied else None
        shapes.append(Circle(x + width - 1.9 * dot - 2.5 * dot * copy, y, dot, fill, theme.muted, 0.9))
    title = f"{name}: {building.copies} owned, {building.occupied} in use"
    return [*shapes, Area(x, y - fit.high / 2, width, fit.high, f"building:{mat.name}:{building.id}", title)]


def _holdings(board: Board, mat: MatView, rows: Rows, fit: PossessionStyle, theme: Theme) -> list[Shape]:
    """Return the cards, tokens and other pieces."""
    shapes: list[Shape] = []
    for card in mat.cards:
        shapes += _card(board, mat, card, rows, fit, theme)
    for number in range(mat.face_down):
        shapes += _face_down(mat, number, rows, fit, theme)
    high = min(fit.row - 0.5, TOKEN / USUAL * fit.size)
    side = max(high, TOKEN)
    for kind, count in mat.tokens.items():
        text = f"x{count}"
        width = side + 2 + fit.width(text)
        x, y = rows.take(width)
        shapes += chip(x + side / 2, y, side, high, TOKENS[kind])
        shapes.append(Label(x + side + 1, y, text, fit.size, theme.ink))
        title = f"{count} {kind.replace('_', ' ')} tokens"
        shapes.append(Area(x, y - fit.high / 2, width, fit.high, f"token:{mat.name}:{kind}", title))
    for name, count in mat.items.items():
        text = fit.cut(name) if count == 1 else f"{fit.cut(name)} x{count}"
        x, y = rows.take(fit.width(text))
        shapes.append(Label(x, y, text, fit.size, theme.muted))
    return shapes


def _card(board: Board, mat: MatView, card: str, rows: Rows, fit: PossessionStyle, theme: Theme) -> list[Shape]:
    """Return a card as a small box, a Governor with a gold edge, with its icons."""
    text = card_name(card) if fit.most is None else short_card_name(card)
    width = fit.width(text) + 1.2 * fit.size + icons_width(board, card, fit.size)
    x, y = rows.take(width)
    edge = theme.ring if card.endswith("governor") else theme.muted
    return [
        Rect(x, y - fit.high / 2, width, fit.high, theme.background, edge, 1, 3),
        Label(x + 0.4 * fit.size, y, text, fit.size, theme.ink),
        *icon_shapes(board, card, x + width - 0.3 * fit.size, y, fit.size, theme),
        Area(x, y - fit.high / 2, width, fit.high, f"card:{mat.name}:{card}", card_title(board, card)),
    ]


def _face_down(mat: MatView, number: int, rows: Rows, fit: PossessionStyle, theme: Theme) -> list[Shape]:
    """Return a Slavery card that was set aside face down."""
    text = "face down"
    width = fit.width(text) + fit.size
    x, y = rows.take(width)
    return [
        Rect(x, y - fit.high / 2, width, fit.high, theme.closed, theme.muted, 1, 3),
        Label(x + width / 2, y, text, fit.size, theme.muted, "middle"),
        Area(
            x, y - fit.high / 2, width, fit.high, f"face_down:{mat.name}:{number}", "a Slavery card set aside: -1 Glory"
        ),
    ]
