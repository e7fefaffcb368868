"""Reads a ``View`` from a game or from a bare position."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from endeavor_env.basics.inputs import whole_number
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.drawing.view.description import (
    Building,
    City,
    Connection,
    Deck,
    Mat,
    Move,
    Region,
    Space,
    View,
)
from endeavor_env.endeavor.drawing.view.read_exploits import (
    cards_of_pile,
    follow_up_words,
    governor_lies_apart,
    read_items,
    read_tiles,
)
from endeavor_env.endeavor.drawing.view.read_solitaire import read_solitaire_table
from endeavor_env.endeavor.exploits.table import pieces_in_city
from endeavor_env.endeavor.flow.scoring import PARTS
from endeavor_env.endeavor.game_like import GameLike, no_game
from endeavor_env.endeavor.notation import to_text
from endeavor_env.endeavor.opposition import Step, explain_since
from endeavor_env.endeavor.options import options_of_state
from endeavor_env.endeavor.results import States, breakdowns, is_solo
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.engine.played import Played, played_of, seat_titles
from endeavor_env.errors import InvalidOptionError, shown

_ONE_NEUTRAL_SIDE = (c.VARIANT_SOLOPLAY_2, c.VARIANT_SOLOPLAY_3)
_LEVEL_TABLES = ("build_level", "growth", "payments", "card_limit")  # of BOARD, in the order of STATUS_NAMES


class _Fields(SimpleNamespace):
    """The fields of a record, by attribute and by name, which a record itself looks up slowly at each reading."""

    def __init__(self, record: Any) -> None:
        """Look all fields up once."""
        super().__init__(**dict(zip(record.dtype.names, record.item(), strict=True)))

    def __getitem__(self, name: str) -> Any:
        """Return a field."""
        return getattr(self, name)


def view_game(game: GameLike, since: int | None = None) -> View:
    """Return the view of a game with its last moves and, in ``solo``, what the Opposition then did.

    Args:
        game: Any game, also a finished one.
        since: How many moves the reader has seen already; None stands for all but the last. Without new moves the
            last one is shown again.

    Raises:
        InvalidOptionError: No game, or ``since`` is no whole number from 0 on.
    """
    try:
        made, _, _ = len(game.history), game.board.array, game.state["variant"][0]
    except Exception as error:  # whatever an object that is no game raises
        raise no_game(game) from error
    known = 0 if since is None else whole_number(since)
    if known is None or known < 0:
        raise InvalidOptionError(f"since={shown(since)} is not possible: give a number of moves, or None")
    all_but_last = max(0, made - 1)
    seen = all_but_last if since is None else min(known, all_but_last)
    steps: Sequence[Step] = ()
    if is_solo(game.state):
        from_the_start = (since is not None and known == 0) or not game.history
        steps = explain_since(game, -1 if from_the_start else seen)
    return view_position(game.board, game.state, game.history[seen:], steps, played_of(game))


def view_position(
    board: Board,
    states: States,
    moves: Sequence[tuple[int, int]] = (),
    steps: Sequence[Step] = (),
    played: Played | None = None,
) -> View:
    """Return the view of a bare position.

    Args:
        board: The board played on.
        states: (1,) STATE, read only.
        moves: The (seat, action id) pairs to show as the last moves, oldest first.
        steps: What the Opposition did, oldest first.
        played: Who plays; None if nobody knows.
    """
    state, rules, sides = _Fields(states[0]), _Fields(board.array[0]), _side_names(states)
    titles = seat_titles(played, int(state.num_seats), is_solo(states))
    return View(
        board=board,
        variant=c.VARIANT_NAMES[state.variant],
        options=options_of_state(states),
        round=int(state.round_number),
        num_rounds=int(rules.num_rounds),
        phase=c.PHASE_NAMES[state.phase],
        decision=c.DECISION_NAMES[state.decision],
        follow_up=follow_up_words(board, state, titles),
        open_actions=_open_actions(state),
        seat=int(state.seat),
        removals_left=int(state.removals_left),
        slavery_abolished=bool(state.abolished),
        sides=sides,
        mats=_read_mats(board, state, states, titles),
        neutral_out=int(state.supply[state.num_seats]) if state.variant in _ONE_NEUTRAL_SIDE else 0,
        regions=tuple(_read_region(board, rules, state, region, sides) for region in range(len(board.regions))),
        connections=_read_connections(board, rules, state, sides, is_solo(states)),
        building_supply=_counted(board.buildings, state.building_supply),
        solitaire=read_solitaire_table(board, states) if is_solo(states) else None,
        exploits=read_tiles(board, state, sides),
        moves=tuple(Move(seat, to_text(board, action)) for seat, action in moves),
        opposition_steps=tuple(steps),
    )


def _side_names(states: States) -> tuple[str, ...]:
    """Return the names of the sides that own discs on the map."""
    seats = tuple(str(seat) for seat in range(states["num_seats"][0]))
    variant = states["variant"][0]
    if variant == c.VARIANT_SOLO:
        return c.COLOUR_NAMES
    if variant in _ONE_NEUTRAL_SIDE:
        return (*seats, "neutral")
    return (*seats, *(f"neutral-{seat}" for seat in seats)) if variant == c.VARIANT_NEUTRAL_2 else seats


def _open_actions(state: Any) -> tuple[str, ...]:
    """Return the verbs of the parts of the action under way that are still open."""
    if state.decision != c.DECIDE_TARGET:
        return ()
    return tuple(c.ACTION_NAMES[part] for part in state.parts.tolist() if part != c.NONE)


def _counted(names: Sequence[str], counts: Any) -> dict[str, int]:
    """Return the counts other than 0 by name; ``counts`` may be longer than ``names``."""
    return {name: int(count) for name, count in zip(names, counts, strict=False) if count}


# --- mats -----------------------------------------------------------------------------------------------------------


def _read_mats(board: Board, state: Any, states: States, titles: Sequence[str]) -> tuple[Mat, ...]:
    """Return the mats of the seats, then the Opposition's."""
    names = ("player", "Opposition") if is_solo(states) else [str(seat) for seat in range(states["num_seats"][0])]
    glory = breakdowns(board, states)
    return tuple(
        _read_mat(board, state, is_solo(states), mat, name, title, glory[mat].tolist())
        for mat, (name, title) in enumerate(zip(names, titles, strict=True))
    )


def _read_mat(board: Board, state: Any, alone: bool, mat: int, name: str, title: str, glory: list[int]) -> Mat:
    has_seat = bool(mat < state.num_seats)
    return Mat(
        name=name,
        title=title,
        decides=bool(state.seat == mat),
        first_player=bool(state.first_player == mat) and not alone,  # alone, nobody is the first
        passed=has_seat and bool(state.passed[mat]),
        statuses=dict(zip(c.STATUS_NAMES, state.status[mat].tolist(), strict=True)),
        levels=_read_levels(board, state.status[mat].tolist()),
        harbor=int(state.harbor[mat]) if has_seat else None,
        supply=int(state.supply[mat]) if has_seat else None,
        neutral=_read_neutral_discs(state, mat) if has_seat else {},
        glory=sum(glory),
        glory_by_source=_counted([part.key for part in PARTS], glory),
        buildings=tuple(
            Building(name, int(copies), int(occupied))
            for name, copies, occupied in zip(board.buildings, state.buildings[mat], state.occupied[mat], strict=False)
            if copies
        ),
        cards=tuple(card for card, place in zip(board.cards, state.card_place, strict=True) if place == mat),
        face_down=int((state.card_place == c.CARD_FACE_DOWN + mat).sum()),
        tokens=_counted(c.TOKEN_NAMES, state.tokens[mat]),
        items=read_items(board, state, mat),
    )


def _read_levels(board: Board, icons: Sequence[int]) -> dict[str, int]:
    """Return what each status gives; its marker stays on the track (R10.1)."""
    rules = board.array[0]
    levels = {}
    for name, table, count in zip(c.STATUS_NAMES, _LEVEL_TABLES, icons, strict=True):
        levels[name] = int(rules[table][max(0, min(rules.status_max, count))])
    return levels


def _read_neutral_discs(state: Any, seat: int) -> dict[str, int]:
    """Return the neutral discs that belong to a seat, by where they lie (V2S.2, V2S.6, V2F.1)."""
    if state.variant in _ONE_NEUTRAL_SIDE:
        return {"neutral harbor": int(state.neutral_harbor[seat]), "reserve": int(state.neutral_reserve[seat])}
    if state.variant == c.VARIANT_NEUTRAL_2:
        return {"neutral supply": int(state.supply[state.num_seats + seat])}
    return {}


# --- map ------------------------------------------------------------------------------------------------------------


def _read_space(token: int, owner: int, sides: Sequence[str]) -> Space:
    return Space(
        token=c.TOKEN_NAMES[token] if token != c.NONE else None,
        owner=sides[owner] if owner >= 0 else None,
        closed=bool(owner == c.SPACE_CLOSED),
    )


def _read_region(board: Board, rules: Any, state: Any, region: int, sides: Sequence[str]) -> Region:
    first_space = c.TRACK_SPACES + region * c.MAX_TRACK
    cities = np.flatnonzero(rules.city_region[: len(board.cities)] == region).tolist()
    return Region(
        id=board.regions[region],
        open=bool(state.open[region]),
        track=tuple(
            _read_space(state.token[first_space + index], state.track_owner[region, index], sides)
            for index in range(rules.track_length[region])
        ),
        beside=_counted(sides, state.beside[:, region]),
        cities=tuple(
            City(
                id=board.cities[city],
                glory=int(rules.city_glory[city]),
                space=_read_space(state.token[c.CITY_SPACES + city], state.city_owner[city], sides),
                pieces=pieces_in_city(state, city),
            )
            for city in cities
        ),
        decks=tuple(
            _read_deck(board, state, deck) for deck in range(len(board.decks)) if rules.deck_region[deck] == region
        ),
    )


def _read_deck(board: Board, state: Any, deck: int) -> Deck:
    if state.variant == c.VARIANT_EXPLOITS:
        apart = governor_lies_apart(board, state, deck)
        return Deck(board.decks[deck], tuple(board.cards[card] for card in cards_of_pile(state, deck)), apart)
    cards = range(deck * c.CARDS_PER_DECK, (deck + 1) * c.CARDS_PER_DECK)
    return Deck(
        board.decks[deck], tuple(board.cards[card] for card in cards if state.card_place[card] == c.CARD_IN_PILE)
    )


def _read_connections(
    board: Board, rules: Any, state: Any, sides: Sequence[str], alone: bool
) -> tuple[Connection, ...]:
    """Return every connection with its token and the side that controls it (R8.4.1).

    Neutral discs control none (V2S.10, V2F.7), and nobody a blocked one (E3).
    """
    controlling = range(len(sides) if alone else state.num_seats)
    connections = []
    for number, name in enumerate(board.connections):
        first, second = (int(state.city_owner[city]) for city in rules.connection_city[number])
        blocked = bool(state.blocked >> number & 1)
        owner = first if first == second and first in controlling and not blocked else c.NONE
        space = _read_space(state.token[c.CONNECTION_SPACES + number], owner, sides)
        connections.append(Connection(name, space, blocked))
    return tuple(connections)
