"""Kernels over ranges of positions on one board, so that threads can share an array: masks, moves, rollouts, counts.

They check neither legality nor ranges: ``endeavor_env.search`` does.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.engine.kernels import rules as game
from endeavor_env.engine.kernels.masks import BITS, count_allowed, forbid, new_words, nth_allowed, write_bytes
from endeavor_env.engine.kernels.players import PLAYERS, choose
from endeavor_env.engine.kernels.rng import GENERATOR, next_seed, reseed
from endeavor_env.engine.kernels.rules import (
    BOARDS,
    BYTES,
    CHANCE,
    FLOAT_ROWS,
    GENERATORS,
    MASKS,
    MAX_SEATS,
    NONE,
    NUMBERS,
    POSITIONS,
    RULES,
    WORDS,
    copy_words,
    header_of,
)
from endeavor_env.kernels.entries import entry
from endeavor_env.kernels.intrinsics import words_on_stack
from endeavor_env.kernels.kernels import kernel
from endeavor_env.kernels.kinds import INTEGER, array


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


# --- Playing positions on to their end in compiled loops -------------------------------------------------------------
# A rollout needs, besides the position it starts from, one scratch state, one generator, one mask and the ``Players``
# of a thread, however many rollouts there are.

_new_totals = words_on_stack(MAX_SEATS)


@entry(GENERATOR, NUMBERS)
def draw_seeds(rng, seeds):
    """Fill ``seeds`` (N,) int64 with a seed for each row, the first ones equal for every N; advance ``rng``."""
    for i in range(seeds.size):
        seeds[i] = next_seed(rng)


@kernel
def seed_rollout(rng, seed, repeat):
    """Set ``rng`` (1,) uint64 to the generator of a rollout, from the ``seed`` of its row and its repeat number.

    Mixing twice keeps the rollouts of near seeds apart: those of seed 1 are not those of seed 0 shifted by one.
    """
    reseed(rng, seed)
    reseed(rng, next_seed(rng) + repeat)


@entry(GENERATORS, NUMBERS, INTEGER, INTEGER)
def seed_rollouts(rngs, seeds, repeats, first):
    """Set ``rngs`` (n, 1) uint64 to the generators of the rollouts from number ``first`` on, as ``rollout`` does."""
    for i in range(rngs.shape[0]):
        job = first + i
        seed_rollout(rngs[i], seeds[job // repeats], job % repeats)


@entry(
    RULES, BOARDS, POSITIONS, NUMBERS, INTEGER, INTEGER, NUMBERS, GENERATOR, BYTES, array(np.int16, 2),
    array(np.int32), BYTES, INTEGER, INTEGER, NUMBERS, PLAYERS,
)  # fmt: skip
def rollout(
    rules, boards, positions, seeds, repeats, limit, scratch, rng, mask, scores, made, ended, low, high, policies,
    players,
):  # fmt: skip
    """Play rollouts [low, high); rollout j is repeat j % repeats of row j // repeats.

    Args:
        rules: The addresses of the game's entries, see ``rules``.
        boards: (1, words), read only.
        positions: (N, words), read only.
        seeds: (N,) int64, 0 or above.
        repeats: Rollouts for each row.
        limit: Most decisions of a rollout; where it stops one, the scores are those "as if the game ended now".
        scratch: (words,) int64, for a position.
        rng: (1,) uint64, scratch.
        mask: (number of actions,) int8, scratch.
        scores: (N * repeats, MAX_SEATS) int16, written.
        made: (N * repeats,) int32, written: decisions made.
        ended: (N * repeats,) int8, written: 1 if the game is over, 0 if the limit stopped it.
        low: First rollout.
        high: One past the last.
        policies: (MAX_SEATS,) int64: the code of the compiled player that decides for each seat.
        players: The ``Players`` of the thread.
    """
    board, totals = boards[0], _new_totals(MAX_SEATS)
    for job in range(low, high):
        row = job // repeats
        copy_words(positions[row], scratch)
        seed_rollout(rng, seeds[row], job % repeats)
        words, count = new_words(-(-mask.size // BITS)), np.int64(0)
        game.legal(rules, board, scratch, words)
        game.settle(rules, board, scratch, words, rng)
        while count < limit and header_of(scratch).seat != NONE:
            action = choose(policies[header_of(scratch).seat], players, board, scratch, words, mask, rng)
            game.make_move(rules, board, scratch, action, words, rng)
            count += 1
        game.score(rules, board, scratch, totals)
        for seat in range(MAX_SEATS):
            scores[job, seat] = totals[seat]
        made[job] = count
        ended[job] = header_of(scratch).seat == NONE


# --- Counting the sequences of decisions from a position of any game -------------------------------------------------


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
