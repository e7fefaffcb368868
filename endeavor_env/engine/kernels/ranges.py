"""Kernels over ranges of positions: each walks positions on one board, so that threads can share an array.

They check neither legality nor ranges: ``endeavor_env.search`` does.
"""

from __future__ import annotations

from endeavor_env.engine.kernels import rules as game
from endeavor_env.engine.kernels.masks import BITS, new_words, write_bytes
from endeavor_env.engine.kernels.rules import (
    BOARDS,
    CHANCE,
    FLOAT_ROWS,
    GENERATORS,
    MASKS,
    NONE,
    NUMBERS,
    POSITIONS,
    RULES,
    WORDS,
    header_of,
)
from endeavor_env.kernels.entries import entry
from endeavor_env.kernels.kinds import INTEGER


@entry(RULES, BOARDS, POSITIONS, MASKS, INTEGER, INTEGER)
def write_masks(rules, boards, positions, masks, low, high):
    """Write the masks of ``positions[low:high]``, (N, number of actions) int8; all 0 where a game is over."""
    for i in range(low, high):
        words = new_words(-(-masks.shape[1] // BITS))
        game.legal(rules, boards[0], positions[i], words)
        write_bytes(words, masks[i])


@entry(RULES, BOARDS, POSITIONS, NUMBERS, INTEGER, INTEGER)
def apply_actions(rules, boards, positions, actions, low, high):
    """Carry out the legal ``actions[low:high]``, (N,) int64, in place; NONE leaves a position as it is."""
    for i in range(low, high):
        if actions[i] != NONE:
            game.apply(rules, boards[0], positions[i], actions[i])


@entry(RULES, BOARDS, POSITIONS, WORDS, INTEGER, INTEGER)
def score_states(rules, boards, positions, out, low, high):
    """Write the scores "as if the game ended now" of ``positions[low:high]``, (N, MAX_SEATS) int64."""
    for i in range(low, high):
        game.score(rules, boards[0], positions[i], out[i])


@entry(RULES, BOARDS, POSITIONS, NUMBERS, FLOAT_ROWS, INTEGER, INTEGER)
def write_features(rules, boards, positions, seats, out, low, high):
    """Write the features observations as ``seats`` (N,) int64 see the positions, (N, size) float32."""
    for i in range(low, high):
        game.write_features(rules, boards[0], positions[i], seats[i], out[i])


@entry(RULES, BOARDS, POSITIONS, NUMBERS, MASKS, INTEGER, INTEGER)
def write_compact(rules, boards, positions, seats, out, low, high):
    """Write the compact observations as ``seats`` (N,) int64 see the positions, (N, size) int8."""
    for i in range(low, high):
        game.write_compact(rules, boards[0], positions[i], seats[i], out[i])


@entry(RULES, BOARDS, POSITIONS, GENERATORS, INTEGER, INTEGER)
def draw_chance(rules, boards, positions, rngs, low, high):
    """Draw what chance decides in ``positions[low:high]``, until seats are to move; ``rngs`` (N, 1) is advanced."""
    for i in range(low, high):
        while header_of(positions[i]).seat == CHANCE:
            action = game.draw_chance(rules, boards[0], positions[i], rngs[i])
            game.apply(rules, boards[0], positions[i], action)


@entry(RULES, BOARDS, POSITIONS, NUMBERS, GENERATORS, INTEGER, INTEGER)
def resample(rules, boards, positions, seats, rngs, low, high):
    """Draw anew what ``seats`` (N,) int64 cannot know of ``positions[low:high]``; NONE leaves a position as it is."""
    for i in range(low, high):
        if seats[i] != NONE:
            game.resample(rules, boards[0], positions[i], seats[i], rngs[i])
