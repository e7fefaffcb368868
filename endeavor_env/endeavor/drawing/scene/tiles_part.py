"""The Exploits in play beside the supply, each with its shields and what lies on it."""

from __future__ import annotations

from collections import Counter

from endeavor_env.drawing.shapes import Area, Label, Rect, Shape
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.drawing.scene.pieces import SMALLEST, disc, shortened
from endeavor_env.endeavor.drawing.scene.places import Box
from endeavor_env.endeavor.drawing.scene.theme import Theme
from endeavor_env.endeavor.drawing.view import Tile, View
from endeavor_env.endeavor.drawing.words import exploit_in_words


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


def _tile(board: Board, tile: Tile, box: Box, theme: Theme, *, whole: bool) -> list[Shape]:
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


def _lines(board: Board, tile: Tile, spaces: list[str], left: dict[str, int]) -> list[str]:
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


def _taken(tile: Tile) -> list[str]:
    """Return whose the taken spaces are, and how many are free: all of them have no room."""
    taken = [f"{_titled(name)}: {owner}" for name, owner in tile.spaces.items() if owner is not None]
    free = len(tile.spaces) - len(taken)
    return [*taken, f"{free} {'space' if free == 1 else 'spaces'} free"] if free else taken


def _kinds(tile: Tile) -> dict[str, int]:
    """Return the pieces left by their kind: "Transit token" for those of industry, of culture and others."""
    kinds: Counter[str] = Counter()
    for name, count in tile.left.items():
        kinds[name.partition(" of ")[0]] += count
    return dict(kinds)
