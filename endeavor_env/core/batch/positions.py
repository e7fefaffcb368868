"""Positions for search: each kernel walks a range of STATE rows of one board, so that threads can share an array.

Nothing here checks legality or ranges: ``endeavor_env.search`` does. What a rollout needs beside the position it starts
from is one scratch state, one generator and one mask a thread, however many rollouts there are.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.core import constants as c
from endeavor_env.core._jit import kernel
from endeavor_env.core.batch.rows import SEAT_GREEDY, SEAT_RANDOM
from endeavor_env.core.engine.apply import apply
from endeavor_env.core.engine.legal import legal
from endeavor_env.core.observe import write as observe
from endeavor_env.core.policies.automa.choice import automa_action
from endeavor_env.core.policies.greedy.turn_search import greedy_action
from endeavor_env.core.policies.uniform import choose_move
from endeavor_env.core.rng import next_seed, reseed
from endeavor_env.core.rules.scoring import map_and_cards, total_from
from endeavor_env.core.sides import num_mats


@kernel
def write_masks(boards, states, masks, low, high):
    """Writes the masks of ``states[low:high]``, (N, actions of the variant) int8; all 0 where a game is over."""
    for i in range(low, high):
        legal(boards[0], states[i], masks[i])


@kernel
def apply_actions(boards, states, actions, low, high):
    """Carries out the legal ``actions[low:high]``, (N,) int64, in place; NONE leaves a position as it is."""
    for i in range(low, high):
        if actions[i] != c.NONE:
            apply(boards[0], states[i], actions[i])


@kernel
def _score(board, state, out):
    """Writes the Glory as if the game ended now, (MAX_SEATS,) int16; in solo entry 1 is the Opposition's."""
    out[:] = 0
    glory = map_and_cards(board, state)
    for seat in range(num_mats(state)):
        out[seat] = total_from(board, state, seat, glory)


@kernel
def score_states(boards, states, out, low, high):
    """Writes the Glory "as if the game ended now" of ``states[low:high]``, (N, MAX_SEATS) int16."""
    for i in range(low, high):
        _score(boards[0], states[i], out[i])


@kernel
def write_features(boards, states, seats, out, low, high):
    """Writes the features observations of ``states[low:high]`` as ``seats`` (N,) int64 see them, (N, size) float32."""
    for i in range(low, high):
        observe.write_features(boards[0], states[i], seats[i], out[i])


@kernel
def write_compact(boards, states, seats, out, low, high):
    """Writes the compact observations of ``states[low:high]`` as ``seats`` (N,) int64 see them, (N, size) int8."""
    for i in range(low, high):
        observe.write_compact(boards[0], states[i], seats[i], out[i])


@kernel
def draw_seeds(rng, seeds):
    """Fills ``seeds`` (N,) int64 with one seed a row, the first ones the same for every N; ``rng`` is advanced."""
    for i in range(seeds.size):
        seeds[i] = next_seed(rng)


@kernel
def seed_rollout(rng, seed, repeat):
    """Sets ``rng`` (1,) uint64 to the generator of a row's rollout: of its ``seed`` and the number of the repeat.

    Mixing twice keeps the rollouts of near seeds apart: those of seed 1 are not those of seed 0, one further.
    """
    reseed(rng, seed)
    reseed(rng, next_seed(rng) + repeat)


@kernel
def seed_rollouts(rngs, seeds, repeats, first):
    """Sets ``rngs`` (n, 1) uint64 to the generators of the rollouts from number ``first`` on, as ``_begin`` does."""
    for i in range(rngs.shape[0]):
        job = first + i
        seed_rollout(rngs[i], seeds[job // repeats], job % repeats)


@kernel
def _begin(states, seeds, repeats, job, game, rng):
    """Copies the position of a rollout into ``game[0]`` and seeds its generator."""
    row = job // repeats
    game[0] = states[row]
    seed_rollout(rng, seeds[row], job % repeats)


@kernel
def rollout_random(boards, states, seeds, repeats, limit, game, rng, mask, scores, made, ended, low, high):
    """Plays rollouts [low, high) with every seat at random; rollout j is repeat j % repeats of row j // repeats.

    Args:
        boards: (1,) BOARD, read only.
        states: (N,) STATE, read only.
        seeds: (N,) int64, from 0 up.
        repeats: Rollouts a row.
        limit: Decisions at most; then the scores are those "as if the game ended now".
        game: (1,) STATE, scratch.
        rng: (1,) uint64, scratch.
        mask: (actions of the variant,) int8, scratch.
        scores: (N * repeats, MAX_SEATS) int16, written.
        made: (N * repeats,) int32, written: decisions made.
        ended: (N * repeats,) int8, written: 1 if the game is over, 0 if the limit stopped it.
        low: First rollout.
        high: One past the last.
    """
    board = boards[0]
    for job in range(low, high):
        _begin(states, seeds, repeats, job, game, rng)
        count = np.int64(0)
        while count < limit and game[0].decision != c.DECIDE_NOTHING:
            legal(board, game[0], mask)
            apply(board, game[0], choose_move(game[0], mask, rng))
            count += 1
        _score(board, game[0], scores[job])
        made[job] = count
        ended[job] = game[0].decision == c.DECIDE_NOTHING


@kernel
def rollout_all(
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
    weights,
    scratch,
    masks,
):
    """Is ``rollout_random`` with each seat's own compiled policy.

    The arguments behind those of ``rollout_random`` are ``policies`` (MAX_SEATS,) int8, the SEAT_* code of each seat,
    and one thread's ``weights``, ``scratch`` and ``masks`` of ``greedy_action``.
    """
    board = boards[0]
    for job in range(low, high):
        _begin(states, seeds, repeats, job, game, rng)
        count = np.int64(0)
        while count < limit and game[0].decision != c.DECIDE_NOTHING:
            policy = policies[game[0].seat]
            if policy == SEAT_GREEDY:
                action = greedy_action(board, game[0], weights, scratch, masks, rng)
            else:
                legal(board, game[0], mask)
                if policy == SEAT_RANDOM:
                    action = choose_move(game[0], mask, rng)
                else:
                    action = automa_action(board, game[0], mask)
            apply(board, game[0], action)
            count += 1
        _score(board, game[0], scores[job])
        made[job] = count
        ended[job] = game[0].decision == c.DECIDE_NOTHING
