"""The compiled counts of sequences are those that the reference comes to, move by move, with each outcome of chance."""

from __future__ import annotations

import random

import pytest

from endeavor_env.merchants.game import MerchantsConfig, MerchantsGame
from endeavor_env.testing import perft
from tests.merchants.crosscheck.boards import board_named
from tests.merchants.crosscheck.kernels import parsed
from tests.merchants.reference.game import ReferenceGame


def counted(game: ReferenceGame, depth: int) -> list[int]:
    """Count the sequences of 1, 2, ... ``depth`` moves in copies of the reference."""
    counts = [0] * depth
    for move in game.legal():
        counts[0] += 1
        if depth > 1:
            after = game.copy()
            after.play(move)
            counts[1:] = [total + more for total, more in zip(counts[1:], counted(after, depth - 1), strict=True)]
    return counts


@pytest.mark.parametrize(
    ("board", "players", "start", "moves", "depth"),
    [
        ("short", 3, "fixed", 0, 4),
        ("short", 4, "free", 0, 3),
        ("short", 3, "fixed", 60, 3),
        ("short", 4, "fixed", 201, 3),
        ("expert", 3, "free", 0, 3),
        ("expert", 4, "free", 90, 2),
        ("short_3", 3, "fixed", 140, 3),
    ],
)
def test_counts_are_those_of_the_reference(board: str, players: int, start: str, moves: int, depth: int) -> None:
    plain, draw = ReferenceGame(board_named(board), players, start), random.Random(moves)
    game = MerchantsGame.begin(MerchantsConfig(players, parsed(plain.map), start), 0)
    for _ in range(moves):
        move = draw.choice(plain.legal())
        plain.play(move)
        game.play(move, draws=False)
    assert perft(game, depth) == counted(plain, depth)
