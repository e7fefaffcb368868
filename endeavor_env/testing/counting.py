"""Perft: counts of the sequences of decisions from a position, to compare two implementations of a game's rules."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.game import Game
from endeavor_env.engine.game import RailsGame
from endeavor_env.engine.kernels.counting import count_sequences
from endeavor_env.engine.kernels.masks import words_of


def perft(game: Game | RailsGame, depth: int) -> list[int]:
    """Return how many sequences of 1, 2, ... ``depth`` legal decisions start here, counted one by one.

    A move of chance is a decision of its own, with each outcome that is possible.
    """
    if depth < 1:
        return []
    config, stack = game.config, np.zeros(depth, game.state.dtype)
    stack[0] = game.state[0]
    masks = np.zeros((depth, words_of(config.rules.num_actions(config.variant))), np.int64)
    counts = np.zeros(depth, np.int64)
    count_sequences(*config.rules.given(config.board_array, stack), masks, counts)
    return counts.tolist()


def divide(game: Game | RailsGame, depth: int) -> dict[str, int]:
    """Return how many sequences of ``depth`` decisions start with each legal move; they add up to ``perft``.

    To find a difference to another implementation: play the move whose counts differ, and divide again with
    ``depth`` - 1.
    """
    split = {}
    for move in game.legal_moves():
        after = game.clone()
        after.repeat(move)
        split[move] = perft(after, depth - 1)[-1] if depth > 1 else 1
    return split


def divide_text(game: Game | RailsGame, depth: int) -> str:
    """Return ``divide`` as a table for a failure message."""
    split = divide(game, depth)
    lines = [f"  {move:<28}{count:>12,}" for move, count in split.items()]
    return "\n".join([f"{game!r}, depth {depth}:", *lines, f"  {'in all':<28}{sum(split.values()):>12,}"])
