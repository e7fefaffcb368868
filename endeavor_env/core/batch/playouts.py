"""Playing positions on to their end in compiled loops.

A rollout needs, besides the position it starts from, one scratch state, one generator, one mask and the ``Players``
of a thread, however many rollouts there are.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.core import constants as c
from endeavor_env.core.arguments import BOARDS, BYTES, GENERATOR, GENERATORS, NUMBERS, SHORT_ROWS, STATES
from endeavor_env.core.engine.late_rules import advance, legal
from endeavor_env.core.engine.scoring import write_totals
from endeavor_env.core.masks import NUM_WORDS, new_words
from endeavor_env.core.policies.choose import PLAYERS, choose
from endeavor_env.core.policies.uniform import choose_move
from endeavor_env.core.rng import next_seed, reseed
from endeavor_env.machine.entries import entry
from endeavor_env.machine.kernels import kernel
from endeavor_env.machine.kinds import INTEGER, array


@kernel
def play_random(boards, states, rng, stop_seat, limit):
    """Play random legal moves until the game is over, ``stop_seat`` is to move, or ``limit`` decisions were made.

    The full mask is built at every decision. Return the number of decisions made.
    """
    words = new_words(NUM_WORDS[states[0].variant])
    legal(boards[0], states[0], words)
    return play_random_from(boards[0], states[0], words, rng, stop_seat, limit)


@kernel
def play_random_from(board, state, words, rng, stop_seat, limit):
    """Do what ``play_random`` does; ``words`` is the mask of the next decision, before and after."""
    made = 0
    while made < limit and state.decision != c.DECIDE_NOTHING and state.seat != stop_seat:
        advance(board, state, choose_move(words, rng), words)
        made += 1
    return made


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
    BOARDS, STATES, NUMBERS, INTEGER, INTEGER, STATES, GENERATOR, BYTES, SHORT_ROWS, array(np.int32), BYTES, INTEGER,
    INTEGER, NUMBERS, PLAYERS,
)  # fmt: skip
def rollout(
    boards,
    states,
    seeds,
    repeats,
    limit,
    game,
    rng,
    mask,
    scores,
    made,
    ended,
    low,
    high,
    policies,
    players,
):
    """Play rollouts [low, high); rollout j is repeat j % repeats of row j // repeats.

    Args:
        boards: (1,) BOARD, read only.
        states: (N,) STATE, read only.
        seeds: (N,) int64, 0 or above.
        repeats: Rollouts for each row.
        limit: Most decisions of a rollout; where it stops one, the scores are those "as if the game ended now".
        game: (1,) STATE, scratch.
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
    board = boards[0]
    for job in range(low, high):
        row = job // repeats
        game[0] = states[row]
        seed_rollout(rng, seeds[row], job % repeats)
        words, count = new_words(NUM_WORDS[game[0].variant]), np.int64(0)
        legal(board, game[0], words)
        while count < limit and game[0].decision != c.DECIDE_NOTHING:
            action = choose(policies[game[0].seat], players, board, game[0], words, mask, rng)
            advance(board, game[0], action, words)
            count += 1
        write_totals(board, game[0], scores[job])
        made[job] = count
        ended[job] = game[0].decision == c.DECIDE_NOTHING
