"""The board as plain text: nothing but ASCII, so that it reads the same everywhere."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.drawing.view import (
    ConnectionView,
    DeckView,
    MatView,
    RegionView,
    SolitaireView,
    SpaceView,
    TileView,
    View,
    view_game,
    view_position,
)
from endeavor_env.endeavor.game_like import GameLike
from endeavor_env.endeavor.opposition import Step
from endeavor_env.endeavor.options import without_defaults
from endeavor_env.endeavor.results import OPPOSITION_NAME, States
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.engine.players_info import is_named

# --- Lines of limited width, and words for counts and spaces ---------------------------------------------------------

WIDTH = 110
CLOSED = "closed"


def counted(name: str, count: int) -> str:
    """Return ``name``, followed by its count if there is more than one."""
    return name if count == 1 else f"{name} x{count}"


def plain(title: str) -> str:
    """Return what a seat is called in ASCII, with a question mark for every other letter."""
    return title.encode("ascii", "replace").decode("ascii")


def all_counted(counts: Mapping[str, int]) -> list[str]:
    """Return ``counted`` of each name."""
    return [counted(name, count) for name, count in counts.items()]


def space_text(space: SpaceView) -> str:
    """Return what is on a space: a disc, a token or nothing; or that it takes no disc."""
    if space.closed:
        return CLOSED
    return f"<{space.owner}>" if space.owner is not None else space.token or "-"


def wrapped(items: Iterable[str], label: str = "", indent: int = 2) -> list[str]:
    """Return ``label`` and the items, separated by commas, as lines of up to ``WIDTH`` characters."""
    return filled(", ".join(items) or "none", " " * indent + label)


def filled(text: str, first: str) -> list[str]:
    """Return ``text`` as lines of up to ``WIDTH`` characters: the first begins with ``first``, the others align."""
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=" " * len(first),
        break_long_words=False,
        break_on_hyphens=False,
    )


# --- The part of the text board about the map ------------------------------------------------------------------------
# Regions with their tracks, cities and cards, and the connections.


def region_lines(region: RegionView, name: str) -> list[str]:
    """Return a region under the heading ``name``."""
    lines = [f"{name} ({'open' if region.open else 'closed'})"]
    if region.track:
        lines += wrapped([space_text(space) for space in region.track], "track: ")
    if region.beside:
        beside = [f"{f'seat {side}' if side.isdigit() else side} x{count}" for side, count in region.beside.items()]
        lines += wrapped(beside, "beside the track: ")
    cities = [" ".join((city.id + "*" * city.glory, space_text(city.space), *city.pieces)) for city in region.cities]
    return [*lines, *wrapped(cities, "cities: "), *wrapped(map(_deck_text, region.decks), "cards: ")]


def _deck_text(deck: DeckView) -> str:
    """Return a deck with the values of the cards left in it, top first; a foreign card by its whole name (E13)."""
    values = [
        value if own == deck.id else f"{own}.{value}" for own, _, value in (c.rpartition(".") for c in deck.cards)
    ]
    return f"{deck.id} [{' '.join(values)}]{' and its Governor' if deck.governor_apart else ''}"


def connection_lines(connections: Sequence[ConnectionView]) -> list[str]:
    """Return each connection with its token, ``-`` once taken, and in brackets the side that controls it (R8.4.1)."""
    shown = []
    for connection in connections:
        owner = connection.space.owner
        who = "" if owner is None else f" <{owner}>"
        shown.append(f"{connection.id} {connection.space.token or '-'}{who}{' blocked' if connection.blocked else ''}")
    return shown


# --- The part of the text board about the seats: a table of numbers, then what each of them holds --------------------


def seat_lines(view: View) -> list[str]:
    """Return the table of all mats, the holdings of the seats, and the neutral discs that left the game."""
    solo = view.solitaire is not None
    first_column = "side" if solo else "seat"
    labels, named = [_label(mat) for mat in view.mats], any(is_named(mat.title) for mat in view.mats)
    width, side = max(len("seat"), *map(len, labels)), "<" if named else ">"
    head = "".join(f"{status:>10}" for status in c.STATUS_NAMES) + f"{'harbor':>8}{'supply':>8}{'glory':>7}"
    head += "".join(f"  {heading}" for heading in view.mats[0].neutral)
    lines = [f"     {first_column:{side}{width}}{head}"]
    for mat, label in zip(view.mats, labels, strict=True):
        marks = (">" if mat.decides else " ") + ("*" if mat.first_player else " ")
        lines.append(f"  {marks} {label:{side}{width}}{_numbers(mat)}{'  passed' if mat.passed else ''}")
    for mat in view.mats[:1] if solo else view.mats:
        lines += [plain(mat.title), *_holding(mat)]
    if view.neutral_out:
        lines.append(counted("Neutral discs out of the game", view.neutral_out))
    return lines


def _label(mat: MatView) -> str:
    """Return the number of a seat, which its discs carry, and its name if it has one."""
    return f"{mat.name} {plain(mat.title)}" if is_named(mat.title) else mat.name


def _numbers(mat: MatView) -> str:
    """Return the row of a mat in the table."""
    discs = ["-" if count is None else count for count in (mat.harbor, mat.supply)]
    cells = "".join(f"{icons:>10}" for icons in mat.statuses.values()) + "".join(f"{count:>8}" for count in discs)
    cells += f"{mat.glory:>7}"
    return cells + "".join(f"{count:>{len(heading) + 2}}" for heading, count in mat.neutral.items())


def _holding(mat: MatView) -> list[str]:
    buildings = [
        counted(building.id, building.copies) + (f" ({building.occupied} in use)" if building.occupied else "")
        for building in mat.buildings
    ]
    items = wrapped(all_counted(mat.items), "items: ") if mat.items else []
    return [*wrapped(buildings, "buildings: "), *card_lines(mat), *token_lines(mat), *items]


def card_lines(mat: MatView) -> list[str]:
    """Return the cards of a mat, those that lie face down as a number."""
    face_down = [counted("face down", mat.face_down)] if mat.face_down else []
    return wrapped([*mat.cards, *face_down], "cards: ")


def token_lines(mat: MatView) -> list[str]:
    """Return the trade tokens of a mat."""
    return wrapped(all_counted(mat.tokens), "tokens: ")


# --- The parts of the text board that only a solitaire game has ------------------------------------------------------
# What the Opposition did, its mat, scale and grid.

SOLO_LEGEND = (
    "> decides, <colour> a disc of that side, white being the player's; tracks run from the far end",
    "a city has one * a Glory; a connection shows its token, - once taken, then the side that controls it",
    "discs below the marker act; a tile n columns from the crown, shown as [ ], lets n more of them act",
)
TIE_WORDS = {
    "T1": "most blue tokens",
    "T2": "token of its least advanced status",
    "S5.2": "a blue token as well",
    "most present": "where the colour has most discs",
    "C1": "greatest advance",
    "C2": "most icons in its least advanced statuses",
    "C3": "none above 15",
    "swing": "most Glory changes hands",
    "best holding": "leaves it best off",
}
"""Criteria that narrow the options of the Opposition, by the names that ``Step.tie_breaks`` uses."""


def decision_lines(view: View, table: SolitaireView) -> list[str]:
    """Return what the player decides, who acts first, and the blue tokens still to be carried out (S5.5)."""
    who = plain(view.who(0))
    player = who[:1].upper() + who[1:]
    if view.decision == "opposition":
        lines = [f"{player} decides for the Opposition{f' ({table.acting})' if table.acting else ''}"]
    else:
        lines = [f"{player} decides: {view.decision.replace('_', ' ')}"]
    if view.phase == "action":
        lines.append(f"{'The Opposition' if table.opposition_first else player} acts first this round")
    if table.waiting_tokens:
        lines += wrapped(table.waiting_tokens, "Tokens to be carried out, in this order: ", indent=0)
    return lines


def step_lines(steps: Sequence[Step]) -> list[str]:
    """Return what the Opposition did and why, under a heading; nothing without a step."""
    lines = ["The Opposition"] if steps else []
    for step in steps:
        lines += _one_step(step)
    return lines


def _one_step(step: Step) -> list[str]:
    """Return who did what, then the clause, what narrowed the options, and who chose."""
    when = f"round {step.round}" if step.round else "set-up"
    who = "the Opposition" if step.colour == OPPOSITION_NAME else step.colour
    who += f" (disc {step.position})" if step.position else ""
    token = f", {step.token} token" if step.token else ""
    done = step.move or ("?" if step.asked else "nothing")
    why = [f"{step.clause} {step.reason}"]
    why += ["nothing useful is left (S4.3)"] if step.useless else []
    why += [f"{name}: {TIE_WORDS[name]}" for name in step.tie_breaks]
    why += [_choice(step)] if step.options else []
    return [f"  {when}, {who}{token}: {done}", *filled("; ".join(why), " " * 6)]


def _choice(step: Step) -> str:
    """Return which options were left, and who chose among them."""
    count, options = len(step.options), ", ".join(step.options)
    if count == 1:
        return "one option left"
    if step.asked:
        return f"the player is to choose 1 of {count}: {options}"
    return f"{'the player chose' if step.decided_by == 'player' else 'the first'} of {count}: {options}"


def result_lines(view: View, table: SolitaireView) -> list[str]:
    """Return the result of a finished game."""
    if table.result is None:
        return []
    own, other = (mat.glory for mat in view.mats)
    return [f"Result: {table.result.name}, {own} to {other}" + (", with panache" if table.result.panache else "")]


def opposition_lines(mat: MatView, table: SolitaireView) -> list[str]:
    """Return what lies on and beside the mat that the four colours share (S0)."""
    return [
        mat.name,
        *wrapped([f"{colour} {count}" for colour, count in table.supply.items()], "discs in supply: "),
        *card_lines(mat),
        *wrapped(table.retained, "retained Governors: "),
        *token_lines(mat),
    ]


def scale_lines(table: SolitaireView) -> list[str]:
    """Return the action scale with the marker, its face, and the disc that is acting (S0, S2)."""
    shown = []
    for position, colour in enumerate(table.scale, 1):
        notes = []
        if position == table.marker:
            notes.append(f"marker, {'Action side: a bonus draw is due' if table.bonus_due else 'Glory side'}")
        if position == table.acting_position:
            notes.append("acting")
        shown.append(f"{position} {colour}" + (f" ({', '.join(notes)})" if notes else ""))
    return ["Action scale", *wrapped(shown)]


def grid_lines(table: SolitaireView, buildings: Sequence[str]) -> list[str]:
    """Return the building grid, highest level on top, with the crown and the types that wait for a row (S1.2, S7)."""
    width = max(map(len, buildings)) + 3
    columns = "".join(f"{f'column {column}':<{width}}" for column in range(1, c.GRID_COLUMNS + 1))
    lines = ["Building grid", f"           {columns}waiting"]
    crown_row, crown_column = table.crown
    for row in reversed(range(len(table.grid))):
        cells = [building or "-" for building in (*table.grid[row], table.pending[row])]
        if row == crown_row:
            cells[crown_column] = f"[{cells[crown_column]}]"
        lines.append(f"  level {row + 1}  {''.join(f'{cell:<{width}}' for cell in cells)}".rstrip())
    return lines


# --- The part of the text board about the Exploits in play -----------------------------------------------------------

EXPLOIT_LEGEND = ("an Exploit is active once both its regions are open; who is present in both has a shield on it",)


def exploit_lines(tiles: Sequence[TileView]) -> list[str]:
    """Return the Exploits in play under a heading; nothing if there are none."""
    lines = ["", "Exploits"] if tiles else []
    for tile in tiles:
        lines += _tile_lines(tile)
    return lines


def _tile_lines(tile: TileView) -> list[str]:
    """Return one Exploit: its regions and shields, then what lies on it."""
    shields = f", shields of seats {' '.join(tile.shields)}" if tile.shields else ""
    state = f"active{shields or ', no shields'}" if tile.active else "not active"
    lines = [f"  {tile.id} ({', '.join(tile.regions)}): {state}"]
    if tile.spaces:
        spaces = [f"{name} {'-' if side is None else f'<{side}>'}" for name, side in tile.spaces.items()]
        lines += wrapped(spaces, "spaces: ", indent=4)
    for place, counts in tile.discs.items():
        discs = [counted(f"seat {side}", count) for side, count in counts.items()]
        lines += wrapped(discs, f"discs, {place}: ", indent=4)
    if tile.left:
        lines += wrapped(all_counted(tile.left), "on the tile: ", indent=4)
    return lines + [line for note in tile.notes for line in wrapped([note], indent=4)]


# --- The whole text board: headline, last moves, seats, map, supply and legend ---------------------------------------

_LEGEND = (
    "> decides, * holds the first-player marker, <n> a disc of seat n; tracks run from the far end",
    "a city has one * a Glory; a connection shows its token, - once taken, then the seat that controls it",
)


def render(game: GameLike, since: int | None = None) -> str:
    """Return the whole table of ``game`` as text, with its last moves and, in ``solo``, what the Opposition then did.

    Args:
        game: Any game, also a finished one.
        since: How many moves the reader has seen already; None stands for all but the last. Without new moves the
            last one is shown again.
    """
    return draw(view_game(game, since))


def render_position(board: Board, states: States, moves: Sequence[tuple[int, int]] = ()) -> str:
    """Return a bare position as text.

    Args:
        board: The board played on.
        states: (1,) STATE, read only.
        moves: The (seat, action id) pairs to show as the last moves, oldest first.
    """
    return draw(view_position(board, states, moves))


def draw(view: View) -> str:
    """Return ``view`` as text, without a final newline."""
    table = view.solitaire
    lines = [*_headline(view), *_last_moves(view)]
    lines += step_lines(view.opposition_steps)
    if table is not None:
        lines += result_lines(view, table)
    lines += ["", *seat_lines(view)]
    if table is not None:
        opposition = view.mats[c.OPPOSITION]
        lines += [*opposition_lines(opposition, table), "", *scale_lines(table)]
        lines += ["", *grid_lines(table, view.board.buildings)]
    for region in view.regions:
        lines += ["", *region_lines(region, view.board.names[region.id])]
    lines += exploit_lines(view.exploits)
    lines += ["", "Connections", *wrapped(connection_lines(view.connections))]
    lines += ["", "Buildings in the supply", *wrapped(all_counted(view.building_supply))]
    return "\n".join([*lines, "", *(_LEGEND if table is None else SOLO_LEGEND), *_extra_legend(view)])


def _headline(view: View) -> list[str]:
    title = view.board.name if view.variant == c.VARIANT_NAMES[0] else f"{view.board.name}, {view.variant}"
    if view.phase == "over":
        return [f"{title}: the game is over after {view.num_rounds} rounds", *_options(view)]
    when = "set-up" if view.phase == "setup" else f"round {view.round} of {view.num_rounds}, {view.phase} phase"
    lines = [f"{title}: {when}"]
    if view.solitaire is None:
        lines.append(
            f"{plain(view.mats[view.seat].title)} decides: {view.decision.replace('_', ' ')}{_decision_note(view)}"
        )
    else:
        lines += decision_lines(view, view.solitaire)
    if view.slavery_abolished:
        lines.append("Slavery is abolished")
    return lines + _options(view)


def _decision_note(view: View) -> str:
    """Return what to add to a decision: how many tokens are to go, whose disc is placed, what an ability brings."""
    if view.follow_up is not None:
        return f" ({view.follow_up})"
    if view.decision == "remove":
        return f" (tokens still to leave the tracks: {view.removals_left})"
    if view.decision == "neutral" and view.variant == "neutral_2":
        return f" (a disc of neutral-{view.seat})"
    return ""


def _options(view: View) -> list[str]:
    """Return the options that differ from their default, if any do."""
    chosen = without_defaults(view.options)
    shown = [name if value is True else f"{name} {value}" for name, value in chosen.items()]
    return wrapped(shown, "Options: ", indent=0) if shown else []


def _last_moves(view: View) -> list[str]:
    if not view.moves:
        return []
    alone = view.solitaire is not None and not is_named(view.mats[0].title)
    shown = [move.text if alone else f"{plain(view.who(move.seat))} {move.text}" for move in view.moves]
    return wrapped(shown, "Last move: " if len(shown) == 1 else "Last moves: ", indent=0)


def _extra_legend(view: View) -> list[str]:
    """Return the line that explains neutral discs or Exploits, in games that have them."""
    if view.exploits:
        return [*EXPLOIT_LEGEND]
    if "neutral" in view.sides:
        stays = view.options["variant_removed_spaces_stay"]
        takes = "still takes a disc" if stays else f"is {CLOSED}: it takes no disc"
        return [f"<neutral> a neutral disc; a shipping space whose token was removed {takes}"]
    if view.variant == "neutral_2":
        return ["<neutral-n> a disc of the neutral side that seat n places"]
    return []


# --- The board as plain text: nothing but ASCII, so that it reads the same in a terminal, a log and a test -----------

__all__ = ["WIDTH", "draw", "render", "render_position"]
