"""The board as plain text: nothing but ASCII, so that it reads the same in a terminal, a log and a test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from endeavor_env.board import Board
from endeavor_env.core import constants as c
from endeavor_env.core import entry
from endeavor_env.notation import to_text
from endeavor_env.options import options_of_state, without_defaults
from endeavor_env.render import neutral, solo
from endeavor_env.render.pieces import (
    WIDTH,
    States,
    cards_held,
    counted,
    is_solo,
    mat_names,
    on_space,
    side_names,
    supply_of_buildings,
    tokens_held,
    variant_of,
    wrapped,
)

if TYPE_CHECKING:
    from endeavor_env.game import Game

__all__ = ["WIDTH", "render", "render_position"]

LEGEND = (
    "> decides, * holds the first-player marker, <n> a disc of seat n; tracks run from the far end",
    "a city has one * a Glory; a connection shows its token, - once taken, then the seat that controls it",
)


def render(game: Game, since: int | None = None) -> str:
    """Returns the whole table of ``game`` as text, with its last moves and, in ``solo``, what the Opposition then did.

    Args:
        game: Any game, also a finished one.
        since: How many moves the reader has seen already; None stands for all but the last. Without new moves the
            last one is shown again.
    """
    last = max(0, len(game.history) - 1)
    seen = last if since is None else min(since, last)
    notes = []
    if is_solo(game.state):
        notes = solo.news(game, seen, from_the_start=since == 0 or not game.history)
    return render_position(game.board, game.state, game.history[seen:], notes)


def render_position(
    board: Board, states: States, moves: Sequence[tuple[int, int]] = (), notes: Sequence[str] = ()
) -> str:
    """Returns the position as text, without a final newline.

    Args:
        board: The board played on.
        states: (1,) STATE, read only.
        moves: The (seat, action id) pairs to show as the last moves, oldest first.
        notes: Lines to show after them.
    """
    alone = is_solo(states)
    lines = _headline(board, states)
    if moves:
        said = [("" if alone else f"seat {seat} ") + to_text(board, action) for seat, action in moves]
        lines += wrapped(said, "Last move: " if len(moves) == 1 else "Last moves: ", indent=0)
    lines += [*notes, "", *_seats(board, states)]
    if alone:
        lines += [*solo.mat(board, states), "", *solo.scale(states), "", *solo.grid(board, states)]
    for region in range(len(board.regions)):
        lines += ["", *_region(board, states, region)]
    lines += ["", "Connections", *wrapped(_connections(board, states))]
    lines += ["", "Buildings in the supply", *wrapped(supply_of_buildings(board, states))]
    return "\n".join([*lines, "", *(solo.LEGEND if alone else LEGEND), *neutral.legend(states)])


def _headline(board: Board, states: States) -> list[str]:
    state = states[0]
    rounds = int(board.array["num_rounds"][0])
    title = board.name if state.variant == c.VARIANT_STANDARD else f"{board.name}, {variant_of(states)}"
    if state.phase == c.PHASE_OVER:
        return [f"{title}: the game is over after {rounds} rounds", *_options(states)]
    set_up = state.phase == c.PHASE_SETUP
    lines = [f"{title}: " + ("set-up" if set_up else f"round {state.round_number} of {rounds}, {_phase(states)} phase")]
    if is_solo(states):
        lines += solo.decides(states)
    else:
        lines.append(f"Seat {state.seat} decides: {_decision(states)}{neutral.decision_note(states)}")
    if state.abolished:
        lines.append("Slavery is abolished")
    return lines + _options(states)


def _options(states: States) -> list[str]:
    """Returns the options of the variant that are not as they are unless asked for, if there are any."""
    chosen = without_defaults(options_of_state(states))
    options = [name if value is True else f"{name} {value}" for name, value in chosen.items()]
    return wrapped(options, "Options: ", indent=0) if options else []


def _phase(states: States) -> str:
    return c.PHASE_NAMES[states["phase"][0]]


def _decision(states: States) -> str:
    return c.DECISION_NAMES[states["decision"][0]].replace("_", " ")


def _seats(board: Board, states: States) -> list[str]:
    """The status table, then what each seat holds. ``>`` marks who decides, ``*`` the first player."""
    state, mats, extra = states[0], mat_names(states), neutral.columns(states)
    totals = np.zeros(c.MAX_SEATS, np.int16)
    entry.total(board.array, states, totals)
    width = max(len("seat"), *map(len, mats))
    head = "".join(f"{name:>10}" for name in c.STATUS_NAMES) + f"{'harbor':>8}{'supply':>8}{'glory':>7}"
    head += "".join(f"  {name}" for name, _ in extra)
    lines = [f"     {'side' if is_solo(states) else 'seat':>{width}}{head}"]
    for mat, name in enumerate(mats):
        cells = _row(states, mat, int(totals[mat])) + "".join(f"{n[mat]:>{len(name) + 2}}" for name, n in extra)
        passed = "  passed" if mat < state.num_seats and state.passed[mat] else ""
        lines.append(f"  {_marks(states, mat)} {name:>{width}}{cells}{passed}")
    for seat in range(state.num_seats):
        lines += _holding(board, states, seat)
    return lines + neutral.out_of_the_game(states)


def _marks(states: States, mat: int) -> str:
    """Returns ``>`` for the one to decide and ``*`` for the first player, which nobody is alone."""
    state = states[0]
    first = state.first_player == mat and not is_solo(states)
    return (">" if state.seat == mat else " ") + ("*" if first else " ")


def _row(states: States, mat: int, total: int) -> str:
    """Returns the numbers of a mat; the Opposition has no harbor, and a supply for each of its colours."""
    state = states[0]
    discs = (state.harbor[mat], state.supply[mat]) if mat < state.num_seats else ("-", "-")
    return "".join(f"{int(n):>10}" for n in state.status[mat]) + "".join(f"{n:>8}" for n in discs) + f"{total:>7}"


def _holding(board: Board, states: States, seat: int) -> list[str]:
    state = states[0]
    buildings = []
    for building, name in enumerate(board.buildings):
        copies, occupied = int(state.buildings[seat, building]), int(state.occupied[seat, building])
        if copies:
            used = f" ({occupied} in use)" if occupied else ""
            buildings.append(counted(name, copies) + used)
    return [
        "Player" if is_solo(states) else f"Seat {seat}",
        *wrapped(buildings, "buildings: "),
        *wrapped(cards_held(board, states, seat), "cards: "),
        *wrapped(tokens_held(states, seat), "tokens: "),
    ]


def _region(board: Board, states: States, region: int) -> list[str]:
    state, rules, sides = states[0], board.array[0], side_names(states)
    status = "open" if state.open[region] else "closed"
    lines = [f"{board.names[board.regions[region]]} ({status})"]
    length = int(rules.track_length[region])
    if length:
        first = c.TRACK_SPACES + region * c.MAX_TRACK
        spaces = [on_space(state.track_owner[region, n], state.token[first + n], sides) for n in range(length)]
        beside = [
            f"{f'seat {name}' if name.isdigit() else name} x{int(state.beside[side, region])}"
            for side, name in enumerate(sides)
            if state.beside[side, region]
        ]
        lines += wrapped(spaces, "track: ")
        lines += wrapped(beside, "beside the track: ") if beside else []
    cities = []
    for city, name in enumerate(board.cities):
        if rules.city_region[city] == region:
            glory = "*" * int(rules.city_glory[city])
            cities.append(f"{name}{glory} {on_space(state.city_owner[city], state.token[c.CITY_SPACES + city], sides)}")
    lines += wrapped(cities, "cities: ")
    piles = [_pile(board, states, deck) for deck in range(len(board.decks)) if rules.deck_region[deck] == region]
    return lines + wrapped(piles, "cards: ")


def _pile(board: Board, states: States, deck: int) -> str:
    """The cards left in a pile, top first."""
    places = states[0].card_place[deck * c.CARDS_PER_DECK : (deck + 1) * c.CARDS_PER_DECK]
    values = [
        board.cards[deck * c.CARDS_PER_DECK + position].rpartition(".")[2] for position in range(c.CARDS_PER_DECK)
    ]
    left = [value for value, place in zip(values, places, strict=True) if place == c.CARD_IN_PILE]
    return f"{board.decks[deck]} [{' '.join(left)}]"


def _connections(board: Board, states: States) -> list[str]:
    """Every connection with its token (``-`` once taken) and, in brackets, the side that controls it (R8.4.1).

    Neutral discs control none (V2S.10, V2F.7).
    """
    state, rules, sides = states[0], board.array[0], side_names(states)
    controlling = range(len(sides) if is_solo(states) else state.num_seats)
    shown = []
    for connection, name in enumerate(board.connections):
        ends = [int(state.city_owner[city]) for city in rules.connection_city[connection]]
        held = f" <{sides[ends[0]]}>" if ends[0] == ends[1] and ends[0] in controlling else ""
        shown.append(f"{name} {on_space(c.NONE, state.token[c.CONNECTION_SPACES + connection], sides)}{held}")
    return shown
