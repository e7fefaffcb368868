"""Scenes as SVG, which browsers and notebooks show."""

from __future__ import annotations

import functools
from collections.abc import Callable
from html import escape
from typing import Any

from endeavor_env.drawing.shapes import Area, Circle, Label, Line, Polygon, Rect, Scene, Shape

FONT = "system-ui, 'Segoe UI', Helvetica, Arial, sans-serif"


CLOSING = "</svg>"
"""The last line of every document."""
REMEMBERED = 4096
"""Shapes of each kind whose lines are kept: from move to move most of a picture stays as it is."""

_remembered = functools.lru_cache(REMEMBERED)


def to_svg(scene: Scene) -> str:
    """Return a scene as the text of an SVG document without external parts."""
    return "\n".join([*opening_lines(scene), *map(element, scene.shapes), CLOSING])


def opening_lines(scene: Scene) -> list[str]:
    """Return the lines of a document before its shapes."""
    size = f'width="{scene.width}" height="{scene.height}" viewBox="0 0 {scene.width} {scene.height}"'
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{FONT}" role="img">',
        f"<title>{escape(scene.title)}</title>",
        f'<rect width="{scene.width}" height="{scene.height}" fill="{scene.background}"/>',
    ]


def element(shape: Shape) -> str:
    """Return the line of a shape."""
    return _WRITERS[type(shape)](shape)


def _number(value: float) -> str:
    """Return a coordinate with at most one decimal."""
    return f"{value + 0.0:.1f}".removesuffix(".0")  # -0.0 and 0.0 are one number: shapes with them are equal


def _paint(fill: str | None, stroke: str | None, line: float) -> str:
    """Return the attributes of fill and stroke."""
    text = f'fill="{fill or "none"}"'
    return f'{text} stroke="{stroke}" stroke-width="{_number(line)}"' if stroke else text


@_remembered
def _rect(shape: Rect) -> str:
    at = (
        f'x="{_number(shape.x)}" y="{_number(shape.y)}" width="{_number(shape.width)}" height="{_number(shape.height)}"'
    )
    corner = f' rx="{_number(shape.radius)}"' if shape.radius else ""
    return f"<rect {at}{corner} {_paint(shape.fill, shape.stroke, shape.line)}/>"


@_remembered
def _circle(shape: Circle) -> str:
    at = f'cx="{_number(shape.x)}" cy="{_number(shape.y)}" r="{_number(shape.radius)}"'
    return f"<circle {at} {_paint(shape.fill, shape.stroke, shape.line)}/>"


@_remembered
def _polygon(shape: Polygon) -> str:
    points = " ".join(f"{_number(x)},{_number(y)}" for x, y in shape.points)
    return f'<polygon points="{points}" {_paint(shape.fill, shape.stroke, shape.line)}/>'


@_remembered
def _line(shape: Line) -> str:
    ends = f'x1="{_number(shape.x1)}" y1="{_number(shape.y1)}" x2="{_number(shape.x2)}" y2="{_number(shape.y2)}"'
    dashes = ' stroke-dasharray="5 3"' if shape.dashed else ""
    return f'<line {ends} stroke="{shape.stroke}" stroke-width="{_number(shape.line)}"{dashes}/>'


@_remembered
def _label(shape: Label) -> str:
    at = f'x="{_number(shape.x)}" y="{_number(shape.y + 0.35 * shape.size)}" font-size="{_number(shape.size)}"'
    anchor = "" if shape.anchor == "start" else f' text-anchor="{shape.anchor}"'
    weight = ' font-weight="600"' if shape.bold else ""
    halo = f' stroke="{shape.halo}" stroke-width="3" paint-order="stroke"' if shape.halo else ""
    return f'<text {at}{anchor}{weight}{halo} fill="{shape.fill}">{escape(shape.text)}</text>'


@_remembered
def _area(shape: Area) -> str:
    at = (
        f'x="{_number(shape.x)}" y="{_number(shape.y)}" width="{_number(shape.width)}" height="{_number(shape.height)}"'
    )
    return f'<rect {at} fill="transparent" data-key="{escape(shape.key)}"><title>{escape(shape.title)}</title></rect>'


_WRITERS: dict[type, Callable[[Any], str]] = {
    Rect: _rect, Circle: _circle, Polygon: _polygon, Line: _line, Label: _label, Area: _area,
}  # fmt: skip
