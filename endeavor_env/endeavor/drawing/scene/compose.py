"""Puts the parts of the picture together."""

from __future__ import annotations

from collections.abc import Sequence

from endeavor_env.basics.inputs import plain_text
from endeavor_env.drawing.shapes import Scene
from endeavor_env.endeavor.drawing.scene.film_scene import draw_film
from endeavor_env.endeavor.drawing.scene.map_part import map_shapes
from endeavor_env.endeavor.drawing.scene.mats_part import mat_shapes
from endeavor_env.endeavor.drawing.scene.places import Box
from endeavor_env.endeavor.drawing.scene.side_part import side_shapes, under_mats_shapes
from endeavor_env.endeavor.drawing.scene.table_part import head_shapes, supply_shapes
from endeavor_env.endeavor.drawing.scene.targets import areas_of_moves, frames
from endeavor_env.endeavor.drawing.scene.theme import THEMES, Theme
from endeavor_env.endeavor.drawing.view import View, view_game
from endeavor_env.endeavor.game_like import GameLike
from endeavor_env.errors import InvalidOptionError, shown

WIDTH, HEIGHT = 1280, 800
HEAD = Box(12, 6, 1256, 34)
MAP = Box(8, 44, 864, 526)
SUPPLY = Box(8, 578, 476, 214)
SIDE = Box(492, 578, 380, 214)
MATS = Box(880, 44, 392, 748)
TWO_MATS, UNDER_MATS = Box(880, 44, 392, 510), Box(880, 560, 392, 232)
"""Two mats need less room than there is."""
LISTED_MOVES = 10
"""Moves that the picture of a game lists."""


def view_for_picture(game: GameLike) -> View:
    """Return the view of a game with as many of its last moves as a picture lists."""
    return view_game(game, max(0, len(game.history) - LISTED_MOVES))


def draw_game(game: GameLike, theme: str = "light", moves: Sequence[str] = ()) -> Scene:
    """Return the picture of a game with its last moves; arguments and errors as for ``draw_scene``."""
    return draw_scene(view_for_picture(game), theme, moves)


def draw_game_for_film(game: GameLike, theme: str = "light") -> Scene:
    """Return the picture of a game for films: less to see, in larger type; ``theme`` is "light" or "dark"."""
    return draw_film(view_for_picture(game), theme)


def draw_scene(view: View, theme: str | Theme = "light", moves: Sequence[str] = ()) -> Scene:
    """Return the picture of a position, 1280 x 800 pixels.

    Args:
        view: What there is to see.
        theme: "light", "dark", or the colours themselves.
        moves: Legal moves in words, whose targets get a frame.

    Raises:
        InvalidOptionError: There is no such theme.
    """
    colours = theme if isinstance(theme, Theme) else _colours(theme)
    shapes = [
        *head_shapes(view, HEAD, colours),
        *map_shapes(view, MAP, colours),
        *supply_shapes(view, SUPPLY, colours),
        *side_shapes(view, SIDE, colours),
    ]
    if len(view.mats) > 2:
        shapes += mat_shapes(view, MATS, colours)
    else:
        shapes += [*mat_shapes(view, TWO_MATS, colours), *under_mats_shapes(view, UNDER_MATS, colours)]
    title = f"{view.board.name}, round {view.round}, {view.phase}"
    scene = Scene(WIDTH, HEIGHT, colours.background, title, tuple(shapes))
    seat = "player" if view.solitaire else str(view.seat)
    framed = frames(areas_of_moves(scene, moves, seat).values(), colours)
    return scene._replace(shapes=(*scene.shapes, *framed))


def _colours(theme: str) -> Theme:
    """Return the colours of a theme by its name."""
    if plain_text(theme) not in THEMES:
        raise InvalidOptionError(f"theme={shown(theme)} is not possible: give one of {', '.join(THEMES)}")
    return THEMES[theme]
