"""What the signs of the map mean, in rows below it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from endeavor_env.drawing.shapes import Circle, Label, Line, Rect, Shape
from endeavor_env.merchants.board import vocabulary as v
from endeavor_env.merchants.drawing.map_part import KIND_WORDS, arrow_shapes, coin_shapes, number_shapes
from endeavor_env.merchants.drawing.palette import CITIES, DARK_LETTER, DISC, TERRAINS, MapColours
from endeavor_env.merchants.drawing.pieces import robber_shapes
from endeavor_env.merchants.drawing.plane import MARGIN, WIDTH, Point

_SIZE, _ROW, _COLUMNS = 13.0, 44, 7
_PRODUCTS = dict(zip(v.KINDS, ("wood", "wool", "wheat", "ore", "salt"), strict=True))
Drawn = Callable[[Point], Iterator[Shape]]
HEIGHT = 2 * _ROW


def legend_shapes(top: float, theme: MapColours) -> Iterator[Shape]:
    """Yield a sign and its meaning for each kind of place."""
    for number, (draw, words) in enumerate(_entries(theme)):
        x = MARGIN + 24 + number % _COLUMNS * (WIDTH - 2 * MARGIN) / _COLUMNS
        y = top + _ROW * (number // _COLUMNS + 0.5)
        yield from draw((x, y))
        yield Label(x + 26, y, words, _SIZE, theme.ink)


def _entries(theme: MapColours) -> Iterator[tuple[Drawn, str]]:
    for kind in v.KINDS:
        yield _swatch(TERRAINS[kind]), f"{KIND_WORDS[kind]}: {_PRODUCTS[kind]}"
    for colour in v.CITY_COLOURS:
        yield _dot(CITIES[colour]), f"{colour} city"
    yield lambda at: _plate(at, number_shapes(at, 9, 0)), "printed number"
    yield lambda at: _plate(at, number_shapes(at, 0, 9)), "token"
    yield lambda at: _plate(at, number_shapes(at, 0, 0)), "token place"
    yield lambda at: coin_shapes(at, 2), "gold of a city"
    yield lambda at: arrow_shapes((at[0] - 26, at[1]), (at[0] + 26, at[1]), theme.ink), "double arrow"
    yield lambda at: iter([Line(at[0] - 18, at[1], at[0] + 18, at[1], theme.muted, 2.5, True)]), "sea path"
    yield robber_shapes, "robber"


def _swatch(colour: str) -> Drawn:
    return lambda at: iter([Rect(at[0] - 16, at[1] - 12, 32, 24, colour, DARK_LETTER)])


def _dot(colour: str) -> Drawn:
    return lambda at: iter([Circle(*at, 8, colour, DISC, 1.5)])


def _plate(at: Point, signs: Iterator[Shape]) -> Iterator[Shape]:
    """Yield signs on a piece of land, as they stand on the map."""
    yield Rect(at[0] - 20, at[1] - 20, 40, 40, TERRAINS["salt_works"])
    yield from signs
