"""The shapes of a scene, in pixels, x to the right and y down, drawn in their order.

Every output draws the same shapes, so that a picture in a notebook, a film and a page in the browser look alike.
"""

from __future__ import annotations

from typing import NamedTuple


class Rect(NamedTuple):
    """A rectangle, with round corners if ``radius`` is above 0."""

    x: float
    y: float
    width: float
    height: float
    fill: str | None = None
    stroke: str | None = None
    line: float = 1.0
    """Width of the stroke."""
    radius: float = 0.0


class Circle(NamedTuple):
    """A circle around (x, y)."""

    x: float
    y: float
    radius: float
    fill: str | None = None
    stroke: str | None = None
    line: float = 1.0


class Polygon(NamedTuple):
    """A closed polygon."""

    points: tuple[tuple[float, float], ...]
    fill: str | None = None
    stroke: str | None = None
    line: float = 1.0


class Line(NamedTuple):
    """A straight line."""

    x1: float
    y1: float
    x2: float
    y2: float
    stroke: str
    line: float = 1.0
    dashed: bool = False


class Label(NamedTuple):
    """A line of text; ``y`` is the middle of its letters."""

    x: float
    y: float
    text: str
    size: float
    fill: str
    anchor: str = "start"
    """Part of the text at ``x``: "start", "middle" or "end"."""
    bold: bool = False
    halo: str | None = None
    """A colour drawn round the letters, so that they can be read on lines."""


class Area(NamedTuple):
    """A part of the picture that stands for something: a tooltip in the browser, and a place to click.

    ``key`` names the thing, such as "city:london".
    """

    x: float
    y: float
    width: float
    height: float
    key: str
    title: str


Shape = Rect | Circle | Polygon | Line | Label | Area


class Scene(NamedTuple):
    """A picture of a position."""

    width: int
    height: int
    background: str
    title: str
    shapes: tuple[Shape, ...]
