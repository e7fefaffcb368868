"""The board as plain text: nothing but ASCII, so that it reads the same in a terminal, a log and a test."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from endeavor_env.board import Board
from endeavor_env.core import entry
from endeavor_env.core.constants import (
    CARD_FACE_DOWN,
    CARD_IN_PILE,
    CARDS_PER_DECK,
    CITY_SPACES,
    CONNECTION_SPACES,
    DECISION_NAMES,
    MAX_SEATS,
    MAX_TRACK,
    NONE,
    PHASE_NAMES,
    PHASE_OVER,
    STATUS_NAMES,
    TOKEN_NAMES,
    TRACK_SPACES,
)
from endeavor_env.notation import to_text

WIDTH = 110
LEGEND = (
    "> decides, * holds the first-player marker, <n> a disc of seat n; tracks run from the far end",
    "a city has one * a Glory; a connection shows its token, - once taken, then the seat that controls it",
)
States = npt.NDArray[np.void]
"""A (1,) STATE array."""


class Drawable(Protocol):
    """What ``render`` needs of a game; ``endeavor_env.Game`` has it."""

    @property
    def board(self) -> Board:
        """The board played on."""
        ...

    @property
    def state(self) -> States:
        """The position, a (1,) STATE array."""
        ...

    @property
    def history(self) -> Sequence[tuple[int, int]]:
        """The (seat, action id) pairs played so far."""
        ...


def render(game: Drawable) -> str:
    """Returns the whole table of ``game`` as text, with its last move."""
    return render_position(game.board, game.state, game.history[-1:])


def render_position(board: Board, states: States, moves: Sequence[tuple[int, int]] = ()) -> str:
    """Returns the position as text, without a final newline.

    Args:
        board: The board played on.
        states: (1,) STATE, read only.
        moves: The (seat, action id) pairs to show as the last moves, oldest first.
    """
    lines = _headline(board, states)
    if moves:
        said = [f"seat {seat} {to_text(board, action)}" for seat, action in moves]
        lines += _wrapped(said, "Last move: " if len(moves) == 1 else "Last moves: ", indent=0)
    lines += ["", *_seats(board, states)]
    for region in range(len(board.regions)):
        lines += ["", *_region(board, states, region)]
    lines += ["", "Connections", *_wrapped(_connections(board, states))]
    lines += ["", "Buildings in the supply", *_wrapped(_building_supply(board, states))]
    return "\n".join([*lines, "", *LEGEND])


def _headline(board: Board, states: States) -> list[str]:
    state = states[0]
    rounds = int(board.array["num_rounds"][0])
    if state.phase == PHASE_OVER:
        return [f"{board.name}: the game is over after {rounds} rounds"]
    lines = [
        f"{board.name}: round {state.round_number} of {rounds}, {PHASE_NAMES[state.phase]} phase",
        f"Seat {state.seat} decides: {DECISION_NAMES[state.decision].replace('_', ' ')}",
    ]
    if state.abolished:
        lines.append("Slavery is abolished")
    return lines


def _seats(board: Board, states: States) -> list[str]:
    """The status table, then what each seat holds. ``>`` marks who decides, ``*`` the first player."""
    state = states[0]
    totals = np.zeros(MAX_SEATS, np.int16)
    entry.total(board.array, states, totals)
    names = "".join(f"{name:>10}" for name in STATUS_NAMES)
    lines = [f"     seat{names}{'harbor':>8}{'supply':>8}{'glory':>7}"]
    for seat in range(state.num_seats):
        marks = (">" if state.seat == seat else " ") + ("*" if state.first_player == seat else " ")
        values = "".join(f"{int(value):>10}" for value in state.status[seat])
        line = f"  {marks} {seat:>4}{values}{state.harbor[seat]:>8}{state.supply[seat]:>8}{totals[seat]:>7}"
        lines.append(line + ("  passed" if state.passed[seat] else ""))
    for seat in range(state.num_seats):
        lines += _holding(board, states, seat)
    return lines


def _holding(board: Board, states: States, seat: int) -> list[str]:
    state = states[0]
    buildings = []
    for building, name in enumerate(board.buildings):
        copies, occupied = int(state.buildings[seat, building]), int(state.occupied[seat, building])
        if copies:
            used = f" ({occupied} in use)" if occupied else ""
            buildings.append(_counted(name, copies) + used)
    cards = [name for card, name in enumerate(board.cards) if state.card_place[card] == seat]
    face_down = int((state.card_place == CARD_FACE_DOWN + seat).sum())
    if face_down:
        cards.append(_counted("face down", face_down))
    tokens = [_counted(name, int(n)) for name, n in zip(TOKEN_NAMES, state.tokens[seat], strict=True) if n]
    return [
        f"Seat {seat}",
        *_wrapped(buildings, "buildings: "),
        *_wrapped(cards, "cards: "),
        *_wrapped(tokens, "tokens: "),
    ]


def _region(board: Board, states: States, region: int) -> list[str]:
    state, rules = states[0], board.array[0]
    status = "open" if state.open[region] else "closed"
    lines = [f"{board.names[board.regions[region]]} ({status})"]
    length = int(rules.track_length[region])
    if length:
        first = TRACK_SPACES + region * MAX_TRACK
        spaces = [_space(state.track_owner[region, index], state.token[first + index]) for index in range(length)]
        beside = [
            f"seat {seat} x{int(state.beside[seat, region])}"
            for seat in range(state.num_seats)
            if state.beside[seat, region]
        ]
        lines += _wrapped(spaces, "track: ")
        lines += _wrapped(beside, "beside the track: ") if beside else []
    cities = []
    for city, name in enumerate(board.cities):
        if rules.city_region[city] == region:
            glory = "*" * int(rules.city_glory[city])
            cities.append(f"{name}{glory} {_space(state.city_owner[city], state.token[CITY_SPACES + city])}")
    lines += _wrapped(cities, "cities: ")
    piles = [_pile(board, states, deck) for deck in range(len(board.decks)) if rules.deck_region[deck] == region]
    return lines + _wrapped(piles, "cards: ")


def _pile(board: Board, states: States, deck: int) -> str:
    """The cards left in a pile, top first."""
    places = states[0].card_place[deck * CARDS_PER_DECK : (deck + 1) * CARDS_PER_DECK]
    values = [board.cards[deck * CARDS_PER_DECK + position].rpartition(".")[2] for position in range(CARDS_PER_DECK)]
    left = [value for value, place in zip(values, places, strict=True) if place == CARD_IN_PILE]
    return f"{board.decks[deck]} [{' '.join(left)}]"


def _space(owner: int, token: int) -> str:
    if owner != NONE:
        return f"<{int(owner)}>"
    return TOKEN_NAMES[token] if token != NONE else "-"


def _connections(board: Board, states: States) -> list[str]:
    """Every connection with its token (``-`` once taken) and, in brackets, the seat that controls it (R8.4.1)."""
    state, rules = states[0], board.array[0]
    shown = []
    for connection, name in enumerate(board.connections):
        ends = [int(state.city_owner[city]) for city in rules.connection_city[connection]]
        held = f" <{ends[0]}>" if ends[0] == ends[1] != NONE else ""
        shown.append(f"{name} {_space(NONE, state.token[CONNECTION_SPACES + connection])}{held}")
    return shown


def _building_supply(board: Board, states: States) -> list[str]:
    left = states[0].building_supply
    return [_counted(name, int(left[building])) for building, name in enumerate(board.buildings) if left[building]]


def _counted(name: str, count: int) -> str:
    return name if count == 1 else f"{name} x{count}"


def _wrapped(items: Sequence[str], label: str = "", indent: int = 2) -> list[str]:
    """Returns ``label`` and the items, with commas between, as lines of up to ``WIDTH`` characters."""
    first = " " * indent + label
    return textwrap.wrap(
        ", ".join(items or ["none"]),
        WIDTH,
        initial_indent=first,
        subsequent_indent=" " * len(first),
        break_long_words=False,
        break_on_hyphens=False,
    )
