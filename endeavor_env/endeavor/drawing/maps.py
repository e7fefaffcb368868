"""Maps of several games side by side, as one picture: for a look at boards, or at positions of several games."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from endeavor_env.basics.inputs import positive_number
from endeavor_env.drawing.svg import CLOSING, element, opening_lines
from endeavor_env.endeavor.drawing.scene import Scene
from endeavor_env.endeavor.drawing.scene.map import Box, map_shapes
from endeavor_env.endeavor.drawing.scene.theme import THEMES, Theme
from endeavor_env.endeavor.drawing.view import view_game
from endeavor_env.endeavor.game_like import GameLike
from endeavor_env.errors import InvalidOptionError, shown

WIDTH, GAP, TITLE = 1280, 12, 26
"""Pixels: of the picture, between the maps, and of the line with the title of a map."""
MAP = Box(0, 0, 864, 526)
"""The size in which a map is drawn before it is made smaller or larger."""


class Maps:
    """The maps of several games; a notebook shows it as a picture."""

    def __init__(self, games: Mapping[str, GameLike], columns: int = 2, theme: str = "light") -> None:
        """Take the games, which may be on different boards.

        Args:
            games: At least one, each by its title.
            columns: Number of maps side by side.
            theme: "light" or "dark".

        Raises:
            InvalidOptionError: No games, a wrong number of columns, or no such theme.
        """
        if not games:
            raise InvalidOptionError("a picture of no maps is not possible: give at least one game with its title")
        if theme not in THEMES:
            raise InvalidOptionError(f"theme={shown(theme)} is not possible: give one of {', '.join(THEMES)}")
        self._columns = positive_number("columns", columns)
        self._colours = THEMES[theme]
        self._maps = {title: map_shapes(view_game(game), MAP, self._colours) for title, game in games.items()}

    def svg(self) -> str:
        """Return the picture as SVG, 1280 pixels wide and as high as it needs."""
        width = (WIDTH - (self._columns + 1) * GAP) / self._columns
        height = width * MAP.height / MAP.width
        rows = -(-len(self._maps) // self._columns)
        total = round(GAP + rows * (TITLE + height + GAP))
        lines = opening_lines(Scene(WIDTH, total, self._colours.background, ", ".join(self._maps), ()))
        for number, (title, shapes) in enumerate(self._maps.items()):
            row, column = divmod(number, self._columns)
            x, y = GAP + column * (width + GAP), GAP + row * (TITLE + height + GAP)
            lines.append(_title(title, x, y, self._colours))
            place = f'x="{x:.1f}" y="{y + TITLE:.1f}" width="{width:.1f}" height="{height:.1f}"'
            lines.append(f'<svg {place} viewBox="0 0 {MAP.width:g} {MAP.height:g}">')
            lines += [*map(element, shapes), CLOSING]
        return "\n".join([*lines, CLOSING])

    def _repr_html_(self) -> str:
        """Return the picture, which notebooks show by themselves."""
        return self.svg()


def _title(text: str, x: float, y: float, colours: Theme) -> str:
    """Return the line above a map."""
    look = f'font-size="17" font-weight="600" fill="{colours.ink}"'
    return f'<text x="{x:.1f}" y="{y + 18:.1f}" {look}>{escape(text)}</text>'
