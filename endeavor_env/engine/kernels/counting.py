"""Counting the sequences of decisions from a position of any game."""

from __future__ import annotations

from endeavor_env.engine.kernels import rules as game
from endeavor_env.engine.kernels.arguments import BOARDS, NUMBERS, POSITIONS, RULES, WORDS
from endeavor_env.engine.kernels.masks import count_allowed, forbid, nth_allowed
from endeavor_env.engine.kernels.position import copy_words
from endeavor_env.kernels.entries import entry


@entry(RULES, BOARDS, POSITIONS, WORDS, NUMBERS)
def count_sequences(rules, boards, stack, masks, counts):
    """Count the sequences of legal decisions from ``stack[0]`` by length, visiting each (no table of positions).

    Where chance is to move, each of its possible outcomes is a decision of its own.

    Args:
        rules: The addresses of the game's entries, see ``rules``.
        boards: (1, words), read only.
        stack: (depth, words) positions; ``stack[0]`` is the position, the rest is scratch.
        masks: (depth, words of a mask), scratch: the actions that are still to be tried at each depth.
        counts: (depth,) int64; ``counts[n]`` receives the number of sequences of n + 1 decisions.
    """
    board, level = boards[0], 0
    counts[:] = 0
    game.legal(rules, board, stack[0], masks[0])
    counts[0] = count_allowed(masks[0])
    while level >= 0:
        if level == counts.size - 1 or count_allowed(masks[level]) == 0:
            level -= 1
            continue
        action = nth_allowed(masks[level], 0)
        forbid(masks[level], action)
        copy_words(stack[level], stack[level + 1])
        level += 1
        game.advance(rules, board, stack[level], action, masks[level])
        counts[level] += count_allowed(masks[level])
