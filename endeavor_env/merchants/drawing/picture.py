"""The picture of a board, and of what stands on it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from functools import lru_cache

from endeavor_env.drawing.shapes import Label, Rect, Scene, Shape
from endeavor_env.merchants.board.board import Board
from endeavor_env.merchants.drawing.legend import HEIGHT, legend_shapes
from endeavor_env.merchants.drawing.map_part import (
    BOARDS,
    areas,
    city_shapes,
    name_shapes,
    path_shapes,
    start_tokens,
    terrain_shapes,
)
from endeavor_env.merchants.drawing.palette import LIGHT, MapColours
from endeavor_env.merchants.drawing.pieces import Pieces, piece_shapes, piece_words, robber_shapes, route_shapes
from endeavor_env.merchants.drawing.plane import MARGIN, WIDTH, Plane

_LINE, _SIZE = 22, 14.0
LINES, _COLUMNS = 14, 140
"""How many lines of text a picture has room for, so that all pictures of a game are of one size; and their letters."""


def draw_board(
    board: Board, pieces: Pieces | None = None, theme: MapColours = LIGHT, lines: Sequence[str] = ()
) -> Scene:
    """Return the picture of a board, 1280 pixels wide; ``drawing.svg.to_svg`` writes it.

    Args:
        board: The board.
        pieces: What stands on it; at first, if None, the robber and the dotted tokens.
        theme: The colours of sea, texts and background.
        lines: Texts below the map, such as what each seat has; with any of them there is room for ``LINES`` lines, into
            which long ones are broken.
    """
    shown = Pieces(board.robber, start_tokens(board)) if pieces is None else pieces
    plane = Plane.of(board, 2.0 * MARGIN)
    sea = plane.bottom + MARGIN
    height = sea + HEIGHT + (_LINE * LINES + MARGIN / 2 if lines else 0) + MARGIN / 2
    shapes = (
        Rect(MARGIN / 2, MARGIN / 2, WIDTH - MARGIN, sea - MARGIN / 2, theme.sea, radius=8),
        *_map_shapes(plane, shown, theme),
        *legend_shapes(sea + MARGIN / 4, theme),
        *_text_shapes(lines, sea + HEIGHT + MARGIN / 2, theme),
        *areas(plane, piece_words(plane, shown)),
    )
    return Scene(WIDTH, round(height), theme.background, f"Merchants of Europe: {board.id}", shapes)


def _map_shapes(plane: Plane, pieces: Pieces, theme: MapColours) -> Iterator[Shape]:
    """Yield land, routes, cities and pieces from below to above."""
    paths, cities, names = _printed(plane, theme)
    yield from terrain_shapes(plane, pieces.tokens)
    yield from paths
    yield from route_shapes(plane, pieces)
    yield from cities
    x, y = plane.terrain(pieces.robber)
    yield from robber_shapes((x + 0.55 * plane.edge, y))
    yield from piece_shapes(plane, pieces)
    yield from names


@lru_cache(maxsize=BOARDS)
def _printed(plane: Plane, theme: MapColours) -> tuple[tuple[Shape, ...], ...]:
    """Return paths, cities and names of cities, which no move changes."""
    return tuple(path_shapes(plane, theme)), tuple(city_shapes(plane)), tuple(name_shapes(plane, theme))


def _text_shapes(lines: Sequence[str], top: float, theme: MapColours) -> Iterator[Shape]:
    """Yield lines of text, and a sign if there are more than fit."""
    broken = [part for line in lines for part in textwrap.wrap(line, _COLUMNS, subsequent_indent="    ")]
    if len(broken) > LINES:
        broken = [*broken[: LINES - 1], "..."]
    for number, line in enumerate(broken):
        yield Label(MARGIN, top + _LINE * (number + 0.5), line, _SIZE, theme.ink)
