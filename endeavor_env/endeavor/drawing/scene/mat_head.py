"""The first lines of a mat: the disc and the name, the discs in harbor and supply, and the Glory."""

from __future__ import annotations

import re
from typing import NamedTuple

from endeavor_env.drawing.shapes import Area, Label, Shape
from endeavor_env.endeavor.drawing.scene.pieces import LETTER, SMALLEST, cut_to, disc, width_of
from endeavor_env.endeavor.drawing.scene.places import Box
from endeavor_env.endeavor.drawing.scene.theme import Theme
from endeavor_env.endeavor.drawing.view import Mat
from endeavor_env.endeavor.results import OPPOSITION_NAME
from endeavor_env.engine.played import is_named

WIDE = 0.68
"""Width of a bold letter, as a part of its size."""
NAME, NOTES, HARBOR = 13.0, 10.0, 10.5
"""Letters of name and Glory, of "first" and "passed", and of harbor and supply on the smallest mat."""
LEAST_NAME = 10.4
"""Letters of a name are no smaller: what is too long then is cut."""
GAP = 6.0
"""Pixels between two words of the first line."""


class Head(NamedTuple):
    """How the first line of a mat is written; sizes are those of letters, in pixels."""

    name: str
    size: float
    notes: float
    """Of "first" and "passed"."""
    harbor: float
    """Of the discs in harbor and supply."""


def side_of(mat: Mat) -> str:
    """Return the side of a mat, for its colour and letter; the Opposition, with discs of four sides, has its own."""
    return {"player": "white", "Opposition": OPPOSITION_NAME}.get(mat.name, mat.name)


def mat_head_shapes(mat: Mat, box: Box, scale: float, theme: Theme, *, two_lines: bool) -> list[Shape]:
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


def _harbor_shapes(mat: Mat, box: Box, size: float, scale: float, theme: Theme, *, two_lines: bool) -> list[Shape]:
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


def _fitting(mat: Mat, width: float, scale: float, *, two_lines: bool) -> Head:
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
    return Head(_cut(mat.title, size, room), size, notes, harbor)


def _cut(name: str, size: float, room: float) -> str:
    """Return as much of a name as has room, with the number that tells it from others of its kind: "Maxim…#2"."""
    number = re.search(r"(#\d+)?$", name)
    assert number
    return cut_to(name[: number.start()], size, WIDE, room - width_of(number[0], size, WIDE)) + number[0]


def _notes(mat: Mat) -> str:
    return " · ".join(word for word, there in (("first", mat.first_player), ("passed", mat.passed)) if there)


def _glory(mat: Mat) -> str:
    return f"{mat.glory} Glory"


def _width_of_glory(mat: Mat, scale: float) -> float:
    return width_of(_glory(mat), NAME * scale, WIDE)


def _harbor(mat: Mat) -> str:
    """Return the discs in harbor and supply; "" for the Opposition, which has none."""
    if mat.harbor is None:
        return ""
    neutral = f" · neutral {'+'.join(map(str, mat.neutral.values()))}" if mat.neutral else ""
    return f"harbor {mat.harbor} · supply {mat.supply}{neutral}"
