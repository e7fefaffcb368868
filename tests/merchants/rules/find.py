"""Positions where a case of a clause occurs, found by random play with seeds."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from tests.merchants.crosscheck.boards import board_named
from tests.merchants.crosscheck.choosers import CHOOSERS
from tests.merchants.reference.agenda import CHANCE
from tests.merchants.reference.game import ReferenceGame
from tests.merchants.rules.script import Script

MOST_SEEDS = 200
Wanted = Callable[[ReferenceGame], bool]


def play_on(game: ReferenceGame, rng: random.Random, chooser: str) -> str:
    """Make one move that the chooser or chance draws, and return it."""
    legal = game.legal()
    move = rng.choices(legal, game.weights())[0] if game.seat == CHANCE else CHOOSERS[chooser](rng, game)
    game.play(move)
    return move


def find(
    wanted: Wanted, chooser: str = "wild", board: str = "short", players: int = 3, seed: int = 0, **options: Any
) -> Script:
    """Return the first position before the end that is wanted, in games from ``seed`` on, led there by its moves."""
    return _found(wanted, chooser, (board, players, options), seed)[0]


def find_case(
    case: str, chooser: str = "wild", board: str = "short", players: int = 3, seed: int = 0, **options: Any
) -> Script:
    """Return the position before the first move that carries out a case, with that move as ``script.next``."""
    script, move = _found(lambda game: game.met[case] > 0, chooser, (board, players, options), seed, before=True)
    script.next = move
    return script


def _found(
    wanted: Wanted, chooser: str, played: tuple[str, int, dict[str, Any]], first: int, before: bool = False
) -> tuple[Script, str]:
    """Return the first position that is wanted or the one before, and the last move before what is wanted."""
    board, players, options = played
    for seed in range(first, first + MOST_SEEDS):
        rng, game = random.Random(seed), ReferenceGame(board_named(board), players, **options)
        while not game.over:
            play_on(game, rng, chooser)
            if (before or not game.over) and wanted(game):
                moves = [move for _, move in game.moves]
                script = Script(board, players, **options).act(*(moves[:-1] if before else moves))
                return script, moves[-1]
    raise AssertionError(f"no such position in the {MOST_SEEDS} games from seed {first} on")
