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


def play_on(game: ReferenceGame, rng: random.Random, chooser: str) -> str:
    """Make one move that the chooser or chance draws, and return it."""
    legal = game.legal()
    move = rng.choices(legal, game.weights())[0] if game.seat == CHANCE else CHOOSERS[chooser](rng, game)
    game.play(move)
    return move


def find(
    wanted: Callable[[ReferenceGame], bool],
    chooser: str = "wild",
    board: str = "short",
    players: int = 3,
    **options: Any,
) -> Script:
    """Return the first position that is wanted, in games of both kinds that were led there by the same moves."""
    for seed in range(MOST_SEEDS):
        rng, game = random.Random(seed), ReferenceGame(board_named(board), players, **options)
        while not game.over:
            if wanted(game):
                return Script(board, players, **options).act(*(move for _, move in game.moves))
            play_on(game, rng, chooser)
    raise AssertionError(f"no such position in {MOST_SEEDS} games")


def find_case(case: str, chooser: str = "wild", board: str = "short", players: int = 3, **options: Any) -> Script:
    """Return the position before the first move that carries out a case, with that move as ``script.next``."""
    for seed in range(MOST_SEEDS):
        rng, game = random.Random(seed), ReferenceGame(board_named(board), players, **options)
        while not game.over:
            play_on(game, rng, chooser)
            if game.met[case]:
                moves = [move for _, move in game.moves]
                script = Script(board, players, **options).act(*moves[:-1])
                script.next = moves[-1]
                return script
    raise AssertionError(f"no {case!r} in {MOST_SEEDS} games")
