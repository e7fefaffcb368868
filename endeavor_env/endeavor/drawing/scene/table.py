"""The parts of a picture beside map and mats: headline, supply, last moves, Exploits, legend."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from endeavor_env.drawing.shapes import Area, Circle, Label, Line, Polygon, Rect, Shape
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.drawing.scene.map import Box, closed_space, connection_line
from endeavor_env.endeavor.drawing.scene.pieces import (
    LETTER,
    SMALLEST,
    TOKEN,
    barrier,
    chip,
    diamond,
    disc,
    shortened,
    token,
)
from endeavor_env.endeavor.drawing.scene.theme import IN_CITIES, SIDES, TOKENS, Theme
from endeavor_env.endeavor.drawing.view import SolitaireView, TileView, View
from endeavor_env.endeavor.drawing.words import asked_in_words, exploit_in_words, move_in_words
from endeavor_env.endeavor.rules import constants as c

# --- What the signs of a picture mean: those of every game, and those of the kind of game that is shown --------------

COLUMNS, ROW = 4, 16.4
"""Signs beside each other, and the height of a line of them in pixels."""


class Sign(NamedTuple):
    """A sign and its meaning."""

    words: str
    draw: Callable[[float, float, Theme], list[Shape]]
    """Function that draws it around a point."""
    key: str = ""
    """Key of its explanation on pages; empty if it has none."""


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


# --- The Exploits in play beside the supply, each with its shields and what lies on it -------------------------------


def tiles_shapes(view: View, area: Box, theme: Theme) -> list[Shape]:
    """Return the Exploits in play: three at a time have room for everything, more are shown as a list of names."""
    columns = 1 if len(view.exploits) <= 3 else 3
    rows = -(-len(view.exploits) // columns)
    width, height = (area.width - 12) / columns, (area.height - 10) / rows
    shapes: list[Shape] = []
    for index, tile in enumerate(view.exploits):
        x, y = area.x + 6 + (index % columns) * width, area.y + 5 + (index // columns) * height
        shapes += _tile(view.board, tile, Box(x, y, width - 4, height - 4), theme, whole=columns == 1)
    return shapes


def _tile(board: Board, tile: TileView, box: Box, theme: Theme, *, whole: bool) -> list[Shape]:
    fill = theme.land if tile.active else theme.closed
    name = exploit_in_words(tile.id)
    shapes: list[Shape] = [
        Rect(*box, fill=fill, stroke=theme.muted, line=1, radius=5),
        Label(box.x + 8, box.y + 12, shortened(name, 12, box.width - (70 if whole else 10)), 12, theme.ink, bold=True),
    ]
    for index, seat in enumerate(tile.shields):
        x, y = (box.x + box.width - 14 - 17 * index, box.y + 12) if whole else (box.x + 14 + 17 * index, box.y + 27)
        shapes += disc(x, y, 7, seat)
    lines = _lines(board, tile, _taken(tile), _kinds(tile)) if whole else []
    for row, text in enumerate(lines[: int((box.height - 18) / 12)]):
        said = shortened(text, SMALLEST, box.width - 16)
        shapes.append(Label(box.x + 8, box.y + 27 + 12 * row, said, SMALLEST, theme.muted))
    spaces = [f"{_titled(name)}: {owner or 'free'}" for name, owner in tile.spaces.items()]
    title = "; ".join([name, *_lines(board, tile, spaces, tile.left)])
    shapes.append(Area(*box, f"exploit:{tile.id}", title))
    return shapes


def _titled(name: str) -> str:
    return name.replace("_", " ").title()


def _lines(board: Board, tile: TileView, spaces: list[str], left: dict[str, int]) -> list[str]:
    """Return where an Exploit is and what lies on it, in words.

    Args:
        board: The board, which names the regions.
        tile: The Exploit.
        spaces: What there is to say of its spaces.
        left: The pieces that still lie on it.
    """
    lines = [" and ".join(board.names[region] for region in tile.regions) + ("" if tile.active else ", not active")]
    if spaces:
        lines.append(" · ".join(spaces))
    for place, counts in tile.discs.items():
        lines.append(f"{_titled(place)}: " + ", ".join(f"{side} x{count}" for side, count in counts.items()))
    if left:
        lines.append("on the tile: " + ", ".join(f"{name} x{count}" for name, count in left.items()))
    return [*lines, *(note.replace("_", " ") for note in tile.notes)]


def _taken(tile: TileView) -> list[str]:
    """Return whose the taken spaces are, and how many are free: all of them have no room."""
    taken = [f"{_titled(name)}: {owner}" for name, owner in tile.spaces.items() if owner is not None]
    free = len(tile.spaces) - len(taken)
    return [*taken, f"{free} {'space' if free == 1 else 'spaces'} free"] if free else taken


def _kinds(tile: TileView) -> dict[str, int]:
    """Return the pieces left by their kind: "Transit token" for those of industry, of culture and others."""
    kinds: Counter[str] = Counter()
    for name, count in tile.left.items():
        kinds[name.partition(" of ")[0]] += count
    return dict(kinds)


# --- What stands beside the supply and under two mats ----------------------------------------------------------------
# Last moves, Exploits, the solitaire table, Glory by source.

SIDE_LETTER = 0.62
"""Width of a letter, as a part of its size."""


def side_shapes(view: View, area: Box, theme: Theme) -> list[Shape]:
    """Return what stands beside the supply: the solitaire table, the Exploits, or the last moves."""
    shapes: list[Shape] = [Rect(*area, fill=theme.panel, stroke=theme.faint, radius=6)]
    if view.solitaire is not None:
        return shapes + _solitaire(view.solitaire, area, theme)
    if view.exploits:
        return shapes + tiles_shapes(view, area, theme)
    return shapes + _last_moves(view, area, theme)


def under_mats_shapes(view: View, area: Box, theme: Theme) -> list[Shape]:
    """Return what stands under the mats of two players: what the Opposition did, or Glory by source."""
    shapes: list[Shape] = [Rect(*area, fill=theme.panel, stroke=theme.faint, radius=6)]
    return shapes + (_opposition if view.solitaire is not None else _glory_table)(view, area, theme)


def _glory_table(view: View, area: Box, theme: Theme) -> list[Shape]:
    """Return the Glory of each mat by source."""
    shapes: list[Shape] = [Label(area.x + 10, area.y + 13, "Glory by source", 12, theme.ink, bold=True)]
    columns = [area.x + 200 + 70 * index for index in range(len(view.mats))]
    for x, mat in zip(columns, view.mats, strict=True):
        shapes += disc(x, area.y + 14, 8, mat.name)
    sources = list(dict.fromkeys(key for mat in view.mats for key in mat.glory_by_source))
    for row, source in enumerate(sources):
        y = area.y + 38 + 17 * row
        shapes.append(Label(area.x + 10, y, source.replace("_", " "), 11, theme.muted))
        for x, mat in zip(columns, view.mats, strict=True):
            shapes.append(Label(x + 8, y, str(mat.glory_by_source.get(source, 0)), 11, theme.ink, "end"))
    return shapes


def _opposition(view: View, area: Box, theme: Theme) -> list[Shape]:
    """Return what the Opposition did last, and the rule that led there; the latest act stands on top."""
    shapes: list[Shape] = [Label(area.x + 10, area.y + 13, "What the Opposition did", 12, theme.ink, bold=True)]
    y, fits = area.y + 36, int((area.width - 40) / (SIDE_LETTER * 10))
    for step in reversed(view.opposition_steps):
        does = (
            move_in_words(view.board, step.move)
            if step.move
            else "waits for your choice"
            if step.asked
            else "can do nothing"
        )
        lines = textwrap.wrap(f"{does}: {step.reason} ({step.clause})", fits)
        if y + 14 * (len(lines) - 1) > area.y + area.height - 8:
            break
        shapes += disc(area.x + 18, y, 7, step.colour)
        for row, text in enumerate(lines):
            shapes.append(Label(area.x + 32, y + 14 * row, text, 10, theme.ink if row == 0 else theme.muted))
        y += 14 * len(lines) + 5
    return shapes


def _last_moves(view: View, area: Box, theme: Theme) -> list[Shape]:
    shapes: list[Shape] = [Label(area.x + 10, area.y + 13, "Last moves", 12, theme.ink, bold=True)]
    if view.slavery_abolished:
        shapes.append(Label(area.x + area.width - 10, area.y + 13, "slavery is abolished", 11, theme.gold, "end"))
    rows = int((area.height - 30) / 17)
    for row, move in enumerate(reversed(view.moves[-rows:])):
        y = area.y + 34 + 17 * row
        side = "white" if view.solitaire else str(move.seat)
        shapes += [
            *disc(area.x + 18, y, 7, side),
            Label(area.x + 32, y, move_in_words(view.board, move.text), 11, theme.ink),
        ]
    return shapes


def _solitaire(table: SolitaireView, area: Box, theme: Theme) -> list[Shape]:
    """Return the action scale with its marker, and the building grid with its crown."""
    shapes: list[Shape] = [Label(area.x + 10, area.y + 13, "Action scale", 12, theme.ink, bold=True)]
    for position, colour in enumerate(table.scale, 1):
        x, y = area.x + 112 + 30 * (position - 1), area.y + 16
        if position == table.acting_position:
            shapes.append(Circle(x, y, 13, None, theme.highlight, 2.5))
        shapes += disc(x, y, 9, colour)
        if position == table.marker:
            shapes.append(marker(x, y + 13, theme, bonus=table.bonus_due))
    return shapes + _grid(table, Box(area.x + 10, area.y + 50, area.width - 20, area.height - 58), theme)


def _grid(table: SolitaireView, box: Box, theme: Theme) -> list[Shape]:
    """Return the building grid, the highest level on top, the tile with the crown in gold."""
    width, height = (box.width - 40) / (c.GRID_COLUMNS + 1), box.height / len(table.grid)
    shapes: list[Shape] = []
    for row, tiles in enumerate(table.grid):
        y = box.y + box.height - (row + 1) * height
        shapes.append(Label(box.x, y + height / 2, f"level {row + 1}", SMALLEST, theme.muted))
        for column, building in enumerate((*tiles, table.pending[row])):
            cell = Box(box.x + 40 + column * width, y, width - 4, height - 3)
            crowned = table.crown == (row, column)
            stroke = theme.ring if crowned else theme.faint
            text = (building or "-").replace("_", " ") + (" (next)" if column == c.GRID_COLUMNS and building else "")
            shapes += [
                Rect(*cell, fill=theme.background, stroke=stroke, line=2.5 if crowned else 0.8, radius=3),
                Label(
                    cell.x + cell.width / 2,
                    cell.y + cell.height / 2,
                    shortened(text, SMALLEST, cell.width),
                    SMALLEST,
                    theme.ink,
                    "middle",
                ),
                Area(*cell, f"grid:{row + 1}:{column}", f"level {row + 1}: {text}"),
            ]
    return shapes


# --- The headline and the common supply of buildings, with the legend under it ---------------------------------------

LEGEND_HEIGHT = 104.0
"""Of the legend under the supply, pixels."""
TYPES_HEIGHT = 72.0
"""Of the building types of a level under each other."""
TYPES_TOP = 36.0
"""From the upper edge of the supply to its first building."""
LEVEL_TOP = 20.0
"""From the upper edge of the supply to what says the level."""
LAST_MOVE = 13
"""Size of the letters of the last move."""


def head_shapes(view: View, area: Box, theme: Theme) -> list[Shape]:
    """Return the headline: round, phase, who is asked what, and the last move."""
    y = area.y + area.height / 2
    over = view.seat < 0
    asked = outcome_of(view) if over else headline_of(view)
    asked = shortened(asked, 14, area.width - 320)
    shapes: list[Shape] = [
        Label(area.x, y, when_of(view), 16, theme.ink, bold=True),
        Label(area.x + 300, y, asked, 14, theme.gold if over else theme.highlight, bold=True),
    ]
    if view.moves:
        room = area.width - 300 - 1.1 * LETTER * 14 * len(asked) - 40
        said = f"last move: {_last_move(view)}"
        shapes.append(Label(area.x + area.width, y, shortened(said, LAST_MOVE, room), LAST_MOVE, theme.muted, "end"))
    return shapes


def when_of(view: View) -> str:
    """Return round and phase."""
    if not view.round:
        return "Set-up"
    return f"Round {view.round} of {view.num_rounds}" + ("" if view.seat < 0 else f" · {view.phase} phase")


def headline_of(view: View) -> str:
    """Return who is asked what, such as "Ada: sail or draw a card"."""
    return f"{view.who(view.seat)}: {asked_in_words(view.board, view.decision, view.open_actions, view.follow_up)}"


def _last_move(view: View) -> str:
    last = view.moves[-1]
    return f"{view.who(last.seat)} {move_in_words(view.board, last.text)}"


def outcome_of(view: View) -> str:
    """Return who won a game that is over."""
    best = max(mat.glory for mat in view.mats)
    if view.solitaire is not None:
        own, other = (mat.glory for mat in view.mats)
        result = view.solitaire.result
        return f"{result.name if result else 'over'}: {own} to {other} Glory"
    winners = [view.who(seat) for seat, mat in enumerate(view.mats) if mat.glory == best]
    who = f"{winners[0]} wins" if len(winners) == 1 else f"{' and '.join(winners)} share the win"
    return f"the game is over: {who} with {best} Glory"


def supply_shapes(view: View, area: Box, theme: Theme) -> list[Shape]:
    """Return the building supply by level, with the copies left of each type, and the legend."""
    levels, columns = view.board.array["building_level"][0], _levels(view)
    shapes: list[Shape] = [Rect(*area, fill=theme.panel, stroke=theme.faint, radius=6)]
    shapes.append(Label(area.x + 10, area.y + 13, "Building supply", 12, theme.ink, bold=True))
    width, row_height = _column_width(view, area), supply_row(view)
    for column, level in enumerate(columns):
        x = area.x + 8 + column * width
        shapes.append(Label(x + 2, area.y + 29, f"level {level}", 10, theme.muted))
        names = [name for index, name in enumerate(view.board.buildings) if levels[index] == level]
        for row, name in enumerate(names):
            left = view.building_supply.get(name, 0)
            box = Box(x, area.y + TYPES_TOP + row_height * row, width - 5, row_height - 3)
            ink = theme.ink if left else theme.muted
            shapes += [
                Rect(*box, fill=theme.background if left else theme.closed, stroke=theme.faint, radius=4),
                Label(
                    box.x + 5, box.y + box.height / 2, shortened(view.board.names[name], 10, box.width - 20), 10, ink
                ),
                Label(box.x + box.width - 5, box.y + box.height / 2, f"{left}", 11, ink, "end", bold=True),
                Area(*box, f"build:{name}", f"{view.board.names[name]}: {left} left"),
            ]
    return shapes + legend_shapes(view, legend_box(area), theme)


def supply_columns(view: View, area: Box) -> list[Box]:
    """Return where each level of the building supply stands, with what says the level."""
    width, height = _column_width(view, area), TYPES_TOP - LEVEL_TOP + TYPES_HEIGHT
    return [
        Box(area.x + 5.5 + column * width, area.y + LEVEL_TOP, width, height) for column in range(len(_levels(view)))
    ]


def supply_row(view: View) -> float:
    """Return how far apart the building types of a level are."""
    levels = view.board.array["building_level"][0]
    return TYPES_HEIGHT / max([3, *(int((levels == level).sum()) for level in _levels(view))])


def legend_box(area: Box) -> Box:
    """Return where the legend stands."""
    return Box(area.x + 10, area.y + area.height - LEGEND_HEIGHT, area.width - 20, LEGEND_HEIGHT)


def _levels(view: View) -> list[int]:
    """Return the levels of the building supply, the lowest first."""
    levels = view.board.array["building_level"][0]
    return sorted({int(levels[index]) for index in range(len(view.board.buildings))} - {0})


def _column_width(view: View, area: Box) -> float:
    return (area.width - 14) / max(1, len(_levels(view)))
