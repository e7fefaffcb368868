"""Tables of the default board and small assertions shared by the tests of the actions (section 8)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from endeavor_env import Game
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.errors import IllegalActionError
from tests.kits.position import Position
from tests.kits.see import STATUSES, See, assert_sound

TRACKS = {"far_east": 8, "india": 6, "north_america": 6, "caribbean": 6, "south_america": 7, "africa": 6}
"""Overseas regions with the length of their shipping track."""

CITIES = {
    "europe": (
        *("london", "amsterdam", "copenhagen", "paris", "lisbon"),
        *("rome", "venice", "constantinople", "alexandria", "tangier"),
    ),
    "north_america": ("new_york", "charleston", "new_orleans"),
    "caribbean": ("saint_domingue", "port_royal", "havana"),
    "south_america": ("salvador", "rio_de_janeiro", "cartagena"),
    "africa": ("saint_louis", "elmina", "luanda"),
    "india": ("bombay", "calcutta"),
    "far_east": ("macau", "canton", "formosa", "nagasaki", "malacca"),
}

GOVERNORS = {
    "far_east": {"industry": 2, "culture": 1},
    "india": {"culture": 1, "politics": 2},
    "north_america": {"industry": 1, "culture": 1, "politics": 1},
    "caribbean": {"finance": 2},
    "south_america": {"culture": 2, "finance": 1},
    "africa": {"finance": 2, "politics": 1},
}
"""Icons of every Governor."""

SLAVERY = {
    "slavery.0": {"industry": 2},
    "slavery.1": {"industry": 1, "finance": 2},
    "slavery.2": {"industry": 2, "finance": 2},
    "slavery.3": {"industry": 2, "finance": 2, "politics": 1},
    "slavery.4": {"industry": 3, "finance": 3},
    "slavery.5": {"industry": 3, "culture": 1, "finance": 3},
}
"""Icons of every Slavery card."""

BROWN = STATUSES
BLUE = ("attack", "occupy_draw", "sail_draw", "pay")


def legal(game: Game) -> set[str]:
    """The legal moves, asserting that none is listed twice."""
    moves = game.legal_moves()
    assert len(set(moves)) == len(moves), f"a move is listed twice: {moves}"
    return set(moves)


def moves(verb: str, *targets: str) -> set[str]:
    """The moves ``verb:target`` for these targets."""
    return {f"{verb}:{target}" for target in targets}


def sails() -> set[str]:
    """A Sail move to every region with a track."""
    return moves("sail", *TRACKS)


def gains(before: dict[str, int], game: Game, seat: int) -> dict[str, int]:
    """Change of the icon counts of a seat since ``before``, without the zeros."""
    after = See(game).statuses(seat)
    return {name: after[name] - before[name] for name in STATUSES if after[name] != before[name]}


def refuse(game: Game, *wrong: str) -> None:
    """Assert that each of these moves is absent from the legal ones, is refused, and changes nothing."""
    before = game.state.tobytes()
    for move in wrong:
        assert move not in legal(game)
        with pytest.raises(IllegalActionError):
            game.play(move)
        assert game.state.tobytes() == before


def assert_turn(game: Game, seat: int) -> None:
    """Assert that an action is over and that ``seat`` decides on its turn."""
    assert (game.phase, game.decision, game.seat) == ("action", "turn", seat)
    assert_sound(game)


def give_disc(game: Game, city: str, seat: int) -> Game:
    """Move a disc of a seat from its supply to a city, without any rule (to reach positions that no play reaches)."""
    state = game.state[0]
    region = game.board.array[0].city_region[game.board.cities.index(city)]
    state.city_owner[game.board.cities.index(city)] = seat
    state.presence[seat, region] += 1
    state.supply[seat] -= 1
    state.token[game.board.space_index[city]] = c.NONE
    return game


def drop_token(game: Game, space: str) -> Game:
    """Take the token of a space off the board, without any rule."""
    game.state[0].token[game.board.space_index[space]] = c.NONE
    return game


def edited(change: Callable[[dict], None]) -> Board:
    """The default board after ``change`` has edited its data."""
    data = Board.default().to_dict()
    change(data)
    return Board.from_dict(data, source="edited by a test")


def acting(players: int = 4, *, harbor: int = 5, own: tuple[str, ...] = ()) -> Position:
    """Seat 0 to move in the Action phase with these buildings and discs in harbor."""
    return Position(players).own(0, *own).discs(0, harbor=harbor)
