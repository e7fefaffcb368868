"""Counting of sequences with nothing but the facade of a game."""

from __future__ import annotations

from endeavor_env.engine.game import Game


def count_by_hand(game: Game, depth: int) -> int:
    """Return how many sequences of ``depth`` decisions start here, each outcome of chance a decision of its own."""
    if depth == 0:
        return 1
    total = 0
    for action in game.legal_actions():
        after = game.clone()
        after.apply(action, draws=False)
        total += count_by_hand(after, depth - 1)
    return total
