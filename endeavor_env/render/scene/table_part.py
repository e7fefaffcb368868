"""The rest of the table: the headline, the common supply, Exploits, and what only the solitaire game has."""

from __future__ import annotations

from endeavor_env.core import constants as c
from endeavor_env.render.scene.pieces import disc, shortened
from endeavor_env.render.scene.places import Box
from endeavor_env.render.scene.shapes import Area, Circle, Label, Polygon, Rect, Shape
from endeavor_env.render.scene.theme import Theme
from endeavor_env.render.view import SolitaireTable, Tile, View

WIDE = 0.56
"""Width of a letter, as a part of its size."""


def head_shapes(view: View, area: Box, theme: Theme) -> list[Shape]:
    """Return the headline: round, phase, who decides what, and the last move."""
    y = area.y + area.height / 2
    when = f"Round {view.round} of {view.num_rounds} · {view.phase} phase" if view.round else "Set-up"
    who = {"solo": "the player"}.get(view.variant, f"seat {view.seat}")
    asked = (
        f"{who} decides: {view.follow_up or view.decision.replace('_', ' ')}" if view.seat >= 0 else "the game is over"
    )
    shapes: list[Shape] = [
        Label(area.x, y, when, 16, theme.ink, bold=True),
        Label(area.x + 300, y, asked, 14, theme.highlight if view.seat >= 0 else theme.gold, bold=True),
    ]
    if view.moves:
        last = view.moves[-1]
        mover = "player" if view.solitaire else f"seat {last.seat}"
        shapes.append(Label(area.x + area.width, y, f"last move · {mover}: {last.text}", 13, theme.muted, "end"))
    return shapes


def supply_shapes(view: View, area: Box, theme: Theme) -> list[Shape]:
    """Return the building supply by level, with the copies left of each type."""
    levels = view.board.array["building_level"][0]
    shapes: list[Shape] = [Rect(*area, fill=theme.panel, stroke=theme.faint, radius=6)]
    shapes.append(Label(area.x + 10, area.y + 13, "Building supply", 12, theme.ink, bold=True))
    columns = sorted({int(levels[index]) for index in range(len(view.board.buildings))} - {0})
    width = (area.width - 14) / max(1, len(columns))
    for column, level in enumerate(columns):
        x = area.x + 8 + column * width
        shapes.append(Label(x + 2, area.y + 32, f"level {level}", 10, theme.muted))
        names = [name for index, name in enumerate(view.board.buildings) if levels[index] == level]
        for row, name in enumerate(names):
            left = view.building_supply.get(name, 0)
            box = Box(x, area.y + 42 + 30 * row, width - 5, 26)
            ink = theme.ink if left else theme.muted
            shapes += [
                Rect(*box, fill=theme.background if left else theme.closed, stroke=theme.faint, radius=4),
                Label(box.x + 5, box.y + 13, shortened(view.board.names[name], 10, box.width - 20), 10, ink),
                Label(box.x + box.width - 5, box.y + 13, f"{left}", 11, ink, "end", bold=True),
                Area(*box, f"build:{name}", f"{view.board.names[name]}: {left} left"),
            ]
    return shapes


def side_shapes(view: View, area: Box, theme: Theme) -> list[Shape]:
    """Return what stands beside the supply: the solitaire table, the Exploits, or the last moves."""
    shapes: list[Shape] = [Rect(*area, fill=theme.panel, stroke=theme.faint, radius=6)]
    if view.solitaire is not None:
        return shapes + _solitaire(view, view.solitaire, area, theme)
    if view.exploits:
        return shapes + _tiles(view, area, theme)
    return shapes + _last_moves(view, area, theme)


def _last_moves(view: View, area: Box, theme: Theme) -> list[Shape]:
    shapes: list[Shape] = [Label(area.x + 10, area.y + 13, "Last moves", 12, theme.ink, bold=True)]
    if view.slavery_abolished:
        shapes.append(Label(area.x + area.width - 10, area.y + 13, "slavery is abolished", 11, theme.gold, "end"))
    rows = int((area.height - 30) / 17)
    for row, move in enumerate(reversed(view.moves[-rows:])):
        y = area.y + 34 + 17 * row
        side = "white" if view.solitaire else str(move.seat)
        shapes += [*disc(area.x + 18, y, 7, side), Label(area.x + 32, y, move.text, 11, theme.ink)]
    return shapes


def _tiles(view: View, area: Box, theme: Theme) -> list[Shape]:
    """Return the Exploits in play: three at a time have room for everything, more are shown as a list of names."""
    columns = 1 if len(view.exploits) <= 3 else 3
    rows = -(-len(view.exploits) // columns)
    width, height = (area.width - 12) / columns, (area.height - 10) / rows
    shapes: list[Shape] = []
    for index, tile in enumerate(view.exploits):
        x, y = area.x + 6 + (index % columns) * width, area.y + 5 + (index // columns) * height
        shapes += _tile(tile, Box(x, y, width - 4, height - 4), theme, whole=columns == 1)
    return shapes


def _tile(tile: Tile, box: Box, theme: Theme, *, whole: bool) -> list[Shape]:
    fill = theme.land if tile.active else theme.closed
    name = tile.id.replace("_", " ").title()
    shapes: list[Shape] = [
        Rect(*box, fill=fill, stroke=theme.muted, line=1, radius=5),
        Label(box.x + 8, box.y + 12, shortened(name, 12, box.width - 70), 12, theme.ink, bold=True),
    ]
    for index, seat in enumerate(tile.shields):
        shapes += disc(box.x + box.width - 14 - 17 * index, box.y + 12, 7, seat)
    lines = _tile_lines(tile) if whole else []
    for row, text in enumerate(lines[: int((box.height - 18) / 12)]):
        shapes.append(Label(box.x + 8, box.y + 27 + 12 * row, shortened(text, 9.5, box.width - 16), 9.5, theme.muted))
    regions = " and ".join(region.replace("_", " ") for region in tile.regions)
    title = "; ".join([f"{name} ({regions})", "active" if tile.active else "not active", *_tile_lines(tile)])
    shapes.append(Area(*box, f"exploit:{tile.id}", title))
    return shapes


def _tile_lines(tile: Tile) -> list[str]:
    """Return what lies on a tile, in words."""
    lines = [
        " and ".join(region.replace("_", " ") for region in tile.regions) + ("" if tile.active else ", not active")
    ]
    if tile.spaces:
        lines.append(" · ".join(f"{name}: {owner or '-'}" for name, owner in tile.spaces.items()))
    for place, counts in tile.discs.items():
        lines.append(f"{place}: " + ", ".join(f"{side} x{count}" for side, count in counts.items()))
    if tile.left:
        lines.append("on the tile: " + ", ".join(f"{name} x{count}" for name, count in tile.left.items()))
    return [*lines, *tile.notes]


def _solitaire(view: View, table: SolitaireTable, area: Box, theme: Theme) -> list[Shape]:
    """Return the action scale, the building grid with its crown, and what the Opposition did last."""
    shapes: list[Shape] = [Label(area.x + 10, area.y + 13, "Action scale", 12, theme.ink, bold=True)]
    for position, colour in enumerate(table.scale, 1):
        x, y = area.x + 112 + 30 * (position - 1), area.y + 16
        if position == table.acting_position:
            shapes.append(Circle(x, y, 13, None, theme.highlight, 2.5))
        shapes += disc(x, y, 9, colour)
        if position == table.marker:
            fill = theme.highlight if table.bonus_due else theme.gold
            shapes.append(Polygon(((x - 6, y + 22), (x + 6, y + 22), (x, y + 13)), fill, theme.ink, 0.8))
    shapes += _grid(table, Box(area.x + 10, area.y + 48, area.width - 20, 100), theme)
    y = area.y + 160
    for step in view.opposition_steps[-4:]:
        done = step.move or ("the player chooses" if step.asked else "nothing")
        text = f"{step.colour}: {done} ({step.clause} {step.reason})"
        shapes.append(Label(area.x + 10, y, shortened(text, 10, area.width - 20), 10, theme.muted))
        y += 14
    return shapes


def _grid(table: SolitaireTable, box: Box, theme: Theme) -> list[Shape]:
    """Return the building grid, the highest level on top, the tile with the crown in gold."""
    width, height = (box.width - 40) / (c.GRID_COLUMNS + 1), box.height / len(table.grid)
    shapes: list[Shape] = []
    for row, tiles in enumerate(table.grid):
        y = box.y + box.height - (row + 1) * height
        shapes.append(Label(box.x, y + height / 2, f"level {row + 1}", 9.5, theme.muted))
        for column, building in enumerate((*tiles, table.pending[row])):
            cell = Box(box.x + 40 + column * width, y, width - 4, height - 3)
            crowned = table.crown == (row, column)
            stroke = theme.gold if crowned else theme.faint
            text = (building or "-").replace("_", " ") + (" (next)" if column == c.GRID_COLUMNS and building else "")
            shapes += [
                Rect(*cell, fill=theme.background, stroke=stroke, line=2.5 if crowned else 0.8, radius=3),
                Label(
                    cell.x + cell.width / 2,
                    cell.y + cell.height / 2,
                    shortened(text, 9.5, cell.width),
                    9.5,
                    theme.ink,
                    "middle",
                ),
                Area(*cell, f"grid:{row + 1}:{column}", f"level {row + 1}: {text}"),
            ]
    return shapes
