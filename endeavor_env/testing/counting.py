"""Perft: counts of the sequences of decisions from a position, to compare two implementations of the rules."""

from __future__ import annotations

import numpy as np

from endeavor_env.core.actions import num_actions
from endeavor_env.core.checks import audited_play
from endeavor_env.core.state import STATE
from endeavor_env.game import Game


def perft(game: Game, depth: int) -> list[int]:
    """Return how many sequences of 1, 2, ... ``depth`` legal decisions start here, counted one by one."""
    if depth < 1:
        return []
    stack = np.zeros(depth, STATE)
    stack[0] = game.state[0]
    masks, counts = np.zeros((depth, num_actions(game.variant)), np.int8), np.zeros(depth, np.int64)
    audited_play.count_sequences(game.board.array, stack, masks, np.zeros(depth, np.int64), counts)
    return counts.tolist()


def divide(game: Game, depth: int) -> dict[str, int]:
    """Return how many sequences of ``depth`` decisions start with each legal move; they add up to ``perft``.

    To find a difference to another implementation: play the move whose counts differ, and divide again with
    ``depth`` - 1.
    """
    split = {}
    for move in game.legal_moves():
        after = game.clone()
        after.play(move)
        split[move] = perft(after, depth - 1)[-1] if depth > 1 else 1
    return split


def divide_text(game: Game, depth: int) -> str:
    """Return ``divide`` as a table for a failure message."""
    split = divide(game, depth)
    lines = [f"  {move:<28}{count:>12,}" for move, count in split.items()]
    return "\n".join([f"{game!r}, depth {depth}:", *lines, f"  {'in all':<28}{sum(split.values()):>12,}"])
