"""Whether a picture can be read: boxes of texts, what they stand on, and contrasts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from endeavor_env.drawing.shapes import Circle, Label, Polygon, Rect, Scene, Shape

SMALLEST, CONTRAST = 9.5, 4.5
"""Pixels of letters in a picture 1280 pixels wide, of which pages leave 9, and the contrast of WCAG for texts."""
WIDE, HIGH = 0.6, 0.72
"""Width and height of the letters of a usual font, as parts of their size."""


class Box(NamedTuple):
    """A rectangle by its edges."""

    left: float
    top: float
    right: float
    bottom: float

    def touches(self, other: Box) -> bool:
        """Whether the two have a part in common."""
        return (
            self.left < other.right and self.right > other.left and self.top < other.bottom and self.bottom > other.top
        )


def box_of(label: Label) -> Box:
    """The rectangle of a text."""
    width = WIDE * label.size * len(label.text)
    left = label.x - {"start": 0, "middle": width / 2, "end": width}[label.anchor]
    return Box(left, label.y - HIGH / 2 * label.size, left + width, label.y + HIGH / 2 * label.size)


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, 1 to 21, by the formula of WCAG 2."""

    def light(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


def covers(shape: Shape, x: float, y: float) -> bool:
    """Whether a place lies on a filled shape; of a polygon, in the rectangle round it."""
    if isinstance(shape, Rect):
        return shape.x <= x <= shape.x + shape.width and shape.y <= y <= shape.y + shape.height
    if isinstance(shape, Circle):
        return (shape.x - x) ** 2 + (shape.y - y) ** 2 <= shape.radius**2
    assert isinstance(shape, Polygon)
    across, down = zip(*shape.points, strict=True)
    return min(across) <= x <= max(across) and min(down) <= y <= max(down)


def grounds(scene: Scene) -> Iterator[tuple[Label, str]]:
    """Each text with the colour that it stands on: its halo, or the last filled shape under its middle."""
    filled: list[Rect | Circle | Polygon] = []
    for shape in scene.shapes:
        if isinstance(shape, Label):
            box = box_of(shape)
            x = (box.left + box.right) / 2
            under = next((one.fill for one in reversed(filled) if covers(one, x, shape.y)), scene.background)
            assert under
            yield shape, shape.halo or under
        elif isinstance(shape, Rect | Circle | Polygon) and shape.fill:
            filled.append(shape)
