"""What stands beside the supply and under two mats: last moves, Exploits, the solitaire table, Glory by source."""

from __future__ import annotations

import textwrap

from endeavor_env.drawing.shapes import Area, Circle, Label, Rect, Shape
from endeavor_env.endeavor.drawing.scene.legend import marker
from endeavor_env.endeavor.drawing.scene.pieces import SMALLEST, disc, shortened
from endeavor_env.endeavor.drawing.scene.places import Box
from endeavor_env.endeavor.drawing.scene.theme import Theme
from endeavor_env.endeavor.drawing.scene.tiles_part import tiles_shapes
from endeavor_env.endeavor.drawing.view import SolitaireTable, View
from endeavor_env.endeavor.drawing.words import move_in_words
from endeavor_env.endeavor.rules import constants as c

LETTER = 0.62
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
    y, fits = area.y + 36, int((area.width - 40) / (LETTER * 10))
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


def _solitaire(table: SolitaireTable, area: Box, theme: Theme) -> list[Shape]:
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


def _grid(table: SolitaireTable, box: Box, theme: Theme) -> list[Shape]:
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
