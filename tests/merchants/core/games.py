"""Games for tests: new ones, random play, and positions in which pieces are put by hand."""

from __future__ import annotations

import functools
import random
from collections.abc import Iterator
from typing import Any

from endeavor_env.engine.game import Game, GameConfig
from endeavor_env.engine.game_rules import GameRules
from endeavor_env.merchants.board import load_board
from endeavor_env.merchants.game_rules import rules_for
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules import sets
from endeavor_env.merchants.rules.board_record import board_record

CASES = [
    (side, players, start, trade)
    for side in c.SIDE_NAMES
    for players in (3, 4)
    for start in ((c.FIXED, c.FREE) if side == "short" else (c.FREE,))
    for trade in (c.OFFERS, c.BANK_ONLY, c.NO_TRADE)
]
"""Side, players, and the options start and trade."""


def new_game(
    side: str = "short", players: int = 3, start: int = c.FIXED, trade: int = c.OFFERS, rolls: int = 0, seed: int = 1
) -> Game:
    """Return a game on a declared board, at its first decision."""
    rules, board = declared(side)
    return GameConfig(rules, players, side, board.copy(), [start, trade, rolls]).new_game(seed)


@functools.cache
def declared(side: str) -> tuple[GameRules, Any]:
    """Return the rules and the record of a declared board."""
    board = load_board(side)
    return rules_for(board), board_record(board)


def random_play(game: Game, seed: int) -> Iterator[Game]:
    """Play a game at random to its end; yield it at each decision."""
    chooser = random.Random(seed)
    while not game.over:
        yield game
        game.apply(chooser.choice(game.legal_actions()))


def quiet_game(side: str = "short", players: int = 3, mover: int = 0) -> Game:
    """Return a game in the action phase of ``mover``, with an empty map, no cards and no gold in hands."""
    game = new_game(side, players)
    state = game.state[0]
    for name in ("posts", "goods", "routes", "near", "hand", "gold", "unseen", "cards", "discards"):
        state[name] = 0
    state["merchants"] = state["caravans"] = c.NONE
    state["reserve"], state["gold_left"], state["routes_left"] = c.CARDS_OF_KIND, c.ALL_GOLD, c.ALL_ROUTES
    state["mover"] = state["seat"] = mover
    state["decision"], state["rolled"], state["rolls"] = c.DECIDE_ACTION, 1, 1
    return game


def give_cards(game: Game, seat: int, **numbers: int) -> None:
    """Give cards of the reserve, or gold, to a seat, openly."""
    state = game.state[0]
    for name, number in numbers.items():
        if name == "gold":
            state["gold"][seat] += number
            state["gold_left"] -= number
        else:
            kind = c.RESOURCE_NAMES.index(name)
            state["hand"][seat, kind] += number
            state["reserve"][kind] -= number


def put_route(game: Game, seat: int, path: int) -> None:
    """Put a route on a path."""
    game.state[0]["routes"][seat][path // sets.PATH_BITS] |= 1 << path % sets.PATH_BITS
    for end in game.board[0]["path_ends"][path].tolist():
        _reach(game, seat, end)


def put_post(game: Game, owner: int, city: int) -> None:
    """Put a post of a seat, or a neutral one, in a city."""
    game.state[0]["posts"][owner] |= 1 << city
    if owner != c.NEUTRAL:
        _reach(game, owner, int(game.board[0]["city_crossroads"][city]))


def _reach(game: Game, seat: int, crossroads: int) -> None:
    for path in game.board[0]["crossroads_paths"][crossroads].tolist():
        if path != c.NONE:
            game.state[0]["near"][seat][path // sets.PATH_BITS] |= 1 << path % sets.PATH_BITS


def paths_of(words: Any) -> set[int]:
    """Return the paths of a set."""
    return {
        at * sets.PATH_BITS + bit
        for at, word in enumerate(words.tolist())
        for bit in range(sets.PATH_BITS)
        if word >> bit & 1
    }
