"""A position as a coloured screen of a terminal: everybody's mat, the regions, the last moves."""

from __future__ import annotations

from collections.abc import Iterable

from rich import box
from rich.console import Group
from rich.table import Table
from rich.text import Text

from endeavor_env.cli.tables import headline
from endeavor_env.endeavor.drawing.scene.theme import SIDES
from endeavor_env.endeavor.drawing.view import MatView, SpaceView, View
from endeavor_env.endeavor.drawing.words import move_in_words
from endeavor_env.endeavor.rules.constants import STATUS_NAMES
from endeavor_env.engine.played import is_named

FREE, TAKEN = "○", "·"
MOST_MOVES = 8
_MATS = {"player": "white", "Opposition": "black"}


def screen_of(view: View, below: str = "") -> Group:
    """Return a position to print, with a line below the first that says what else there is to say."""
    lines = [Text(headline(view), style="bold"), *([Text(below, style="dim")] if below else [])]
    return Group(*lines, mats_table(view), regions_table(view), *move_lines(view))


def disc(side: str) -> Text:
    """Return the disc of a side: its digit or letter on its colour, so that it is told by either."""
    piece = SIDES[_MATS.get(side, side)]
    return Text(piece.letter, style=f"bold {piece.ink} on {piece.fill}")


def mats_table(view: View) -> Table:
    """Return a row for each mat: Glory, statuses, and what lies on it."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    table.add_column("seat", no_wrap=True)
    table.add_column("agent", overflow="ellipsis", no_wrap=True)
    for heading in ("Glory", *STATUS_NAMES, "cards", "tokens"):
        table.add_column(heading, justify="right", no_wrap=True)
    for mat in view.mats:
        table.add_row(*_mat_cells(mat))
    return table


def _mat_cells(mat: MatView) -> tuple[Text | str, ...]:
    """Return the cells of a mat; an arrow shows who decides."""
    sign = disc(mat.name)
    seat = Text.assemble(sign, "" if sign.plain == mat.name else f" {mat.name}", " <" if mat.decides else "")
    counts = (len(mat.cards), sum(mat.tokens.values()))
    statuses = (str(value) for value in mat.statuses.values())
    return seat, mat.title if is_named(mat.title) else "", str(mat.glory), *statuses, *(str(value) for value in counts)


def regions_table(view: View) -> Table:
    """Return a row for each region: who has its shipping spaces and its cities."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    for heading in ("region", "shipping track", "cities"):
        table.add_column(heading, no_wrap=True)
    for region in view.regions:
        name = Text(view.board.names[region.id], style="" if region.open else "dim")
        table.add_row(name, _signs(region.track), _signs(city.space for city in region.cities))
    return table


def _signs(spaces: Iterable[SpaceView]) -> Text:
    """Return a sign for each space: a disc, a token that can still be taken, or nothing."""
    parts = Text()
    for space in spaces:
        sign = Text(FREE if space.token else TAKEN, style="dim") if space.owner is None else disc(space.owner)
        parts.append_text(sign)
        parts.append(" ")
    return parts


def move_lines(view: View) -> list[Text]:
    """Return the last moves in words, and what the Opposition did."""
    lines = []
    for move in view.moves[-MOST_MOVES:]:
        mat = view.mats[move.seat]
        lines.append(Text.assemble(disc(mat.name), f" {mat.title} {move_in_words(view.board, move.text)}"))
    return [*lines, *(Text(f"  {step}") for step in view.opposition_steps[-MOST_MOVES:])]
