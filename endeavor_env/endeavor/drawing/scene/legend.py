"""What the signs of a picture mean: those of every game, and those of the kind of game that is shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from endeavor_env.drawing.shapes import Area, Circle, Label, Line, Polygon, Rect, Shape
from endeavor_env.endeavor.drawing.scene.map_part import closed_space, connection_line
from endeavor_env.endeavor.drawing.scene.pieces import SMALLEST, TOKEN, barrier, chip, diamond, disc, token
from endeavor_env.endeavor.drawing.scene.places import Box
from endeavor_env.endeavor.drawing.scene.theme import IN_CITIES, SIDES, TOKENS, Theme
from endeavor_env.endeavor.drawing.view import View

COLUMNS, ROW = 4, 16.4
"""Signs beside each other, and the height of a line of them in pixels."""


class Sign(NamedTuple):
    """A sign and what it means."""

    words: str
    draw: Callable[[float, float, Theme], list[Shape]]
    """Draws it around a place."""
    key: str = ""
    """What it has as key for pages, where there are words about it."""


def _token(kind: str) -> Sign:
    return Sign(kind.replace("_", " or "), lambda x, y, _: token(x, y, TOKEN, kind), f"kind:{kind}")


def _disc(side: str, words: str) -> Sign:
    return Sign(words, lambda x, y, _: disc(x, y, 7, side))


def _in_city(name: str, words: str) -> Sign:
    return Sign(words, lambda x, y, _: chip(x, y, 14, 12, IN_CITIES[name]))


def _two_glory(x: float, y: float, theme: Theme) -> list[Shape]:
    return [Circle(x, y, 7.5, theme.ring, None), Circle(x, y, 5, theme.panel, theme.ink, 1)]


def _words_as_sign(text: str, *, gold: bool) -> Callable[[float, float, Theme], list[Shape]]:
    return lambda x, y, theme: [Label(x, y, text, SMALLEST, theme.gold if gold else theme.muted, "middle", bold=gold)]


def _beside(x: float, y: float, theme: Theme) -> list[Shape]:
    return [Circle(x - 6.5, y, 4.5, SIDES["0"].fill, theme.ink), Label(x - 1.5, y, "x2", SMALLEST, theme.ink)]


def marker(x: float, y: float, theme: Theme, *, bonus: bool) -> Shape:
    """Return the marker of the action scale, which points up to (x, y)."""
    fill = theme.highlight if bonus else theme.ring
    return Polygon(((x - 6, y + 9), (x + 6, y + 9), (x, y)), fill, theme.ink, 0.8)


def signs_of(view: View) -> list[Sign]:
    """Return the signs that the picture of a game of this kind can show."""
    signs = [
        *map(_token, TOKENS),
        Sign("worth 2 Glory", _two_glory),
        Sign("Glory of a card", _words_as_sign("+1", gold=True)),
        Sign("Governor", _words_as_sign("Gov", gold=True)),
        Sign("cards left", _words_as_sign("6x", gold=False)),
        Sign("building in use", lambda x, y, theme: [Circle(x, y, 3.2, theme.ink, theme.muted, 0.9)]),
        Sign("controlled", lambda x, y, theme: connection_line((x - 8, y), (x + 8, y), _first_side(view), theme)),
        Sign("by a full track", _beside),
        Sign("who is to move", lambda x, y, theme: [Rect(x - 7, y - 5, 14, 10, None, theme.highlight, 2, 3)]),
    ]
    if view.solitaire is not None:
        return signs + _of_the_solitaire_game()
    signs.append(_disc("0", "disc of seat 0"))
    signs += [_disc(side, f"neutral{side[7:].replace('-', ', seat ')}") for side in view.sides if "neutral" in side]
    if view.variant.startswith("soloplay"):
        signs.append(Sign("takes no disc", closed_space))
    return signs + (_of_exploits() if view.exploits else [])


def _first_side(view: View) -> str:
    return "white" if view.solitaire is not None else "0"


def _of_the_solitaire_game() -> list[Sign]:
    return [
        _disc("white", "disc of the player"),
        _disc("red", "of the Opposition"),
        Sign("how many act", lambda x, y, theme: [marker(x, y - 5, theme, bonus=False)]),
        Sign("bonus draw is due", lambda x, y, theme: [marker(x, y - 5, theme, bonus=True)]),
        Sign("acts now", lambda x, y, theme: [Circle(x, y, 7, None, theme.highlight, 2.5)]),
        Sign(
            "crown: last built", lambda x, y, theme: [Rect(x - 7, y - 5, 14, 10, theme.background, theme.ring, 2.5, 3)]
        ),
    ]


def _of_exploits() -> list[Sign]:
    return [
        Sign("blockade", lambda x, y, _: barrier(x, y, apart=5, high=13)),
        Sign("Governor apart", lambda x, y, theme: [diamond(x, y, 4.0, theme.ring)]),
        _in_city("fortified", "fortified city"),
        _in_city("missionary", "missionary"),
        _in_city("pirate", "pirate"),
        Sign("on a tile: shield", lambda x, y, _: disc(x, y, 7, "0")),
    ]


def legend_shapes(view: View, area: Box, theme: Theme) -> list[Shape]:
    """Return the signs with their meanings, in lines of ``COLUMNS``."""
    shapes: list[Shape] = [Line(area.x, area.y, area.x + area.width, area.y, theme.faint)]
    for index, sign in enumerate(signs_of(view)):
        x = area.x + area.width / COLUMNS * (index % COLUMNS)
        y = area.y + 11 + ROW * (index // COLUMNS)
        shapes += [*sign.draw(x + 8, y, theme), Label(x + 20, y, sign.words, 10, theme.ink)]
        if sign.key:
            width = area.width / COLUMNS - 4
            shapes.append(Area(x, y - ROW / 2, width, ROW, sign.key, f"a trade token: {sign.words}"))
    return shapes
