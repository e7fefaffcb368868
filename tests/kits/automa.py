"""Positions for the automa's tests: seat 0 is the automa, and nothing lies about that it could do besides."""

from __future__ import annotations

import numpy as np

from endeavor_env import Game
from endeavor_env.endeavor.rules.actions import num_actions
from tests.kits.actions import CITIES
from tests.kits.compiled import compiled_action
from tests.kits.position import Position, assert_sound

EUROPE = CITIES["europe"]
SEAT_1 = ("amsterdam", "paris", "tangier", "venice", "alexandria")
"""Cities of Europe that make no connection with one another; nor do the other five."""


def chosen(game: Game) -> str:
    """What the automa plays here: a legal move, with the game left as it is."""
    mask, before = np.empty(num_actions(game.variant), np.int8), game.state.tobytes()
    action = compiled_action("automa", game, mask=mask)
    assert game.state.tobytes() == before
    assert mask.tobytes() == game.mask().tobytes()
    assert action in game.legal_actions()
    return game.describe(action)


def turn(game: Game) -> list[str]:
    """Play the automa's moves until another seat is to move or its next turn begins; return them."""
    seat, moves = game.seat, []
    while not moves or (game.seat == seat and game.decision not in ("turn", "build")):
        moves.append(chosen(game))
        game.play(moves[-1])
        assert_sound(game)
    return moves


def table(*own: str, harbor: int = 4) -> Position:
    """Three seats; seat 0 is to move, with these buildings beside the Colonial House and discs in harbor."""
    return Position(3).own(0, *own).discs(0, harbor=harbor)


def full_europe(position: Position, *free: str) -> Position:
    """Fill the cities of Europe, those named aside, with discs of the others that make no connection."""
    position.cities(1, *[city for city in SEAT_1 if city not in free])
    return position.cities(2, *[city for city in EUROPE if city not in (*SEAT_1, *free)])


def inland(*own: str, free: tuple[str, ...] = (), harbor: int = 4) -> Position:
    """The same with only ``free`` of Europe's cities free, and no card in its piles that brings seat 0 anything."""
    return full_europe(table(*own, harbor=harbor), *free)
