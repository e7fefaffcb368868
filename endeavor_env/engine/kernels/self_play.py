"""Whole games of compiled players of any game, and the positions in them that a value network learns from.

What is recorded of a position is what a network sees of it as each of the seats whose players are recorded; the game
says in which positions, such as the ends of turns.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.engine.kernels import rules as game
from endeavor_env.engine.kernels.endings import outcome_of
from endeavor_env.engine.kernels.masks import BITS, new_words
from endeavor_env.engine.kernels.players import PLAYERS, SEAT_RANDOM, choose
from endeavor_env.engine.kernels.rng import GENERATOR, branch_off, next_below, next_seed, reseed
from endeavor_env.engine.kernels.rules import (
    BOARDS,
    BYTES,
    CHANCE,
    MASKS,
    MAX_OPTIONS,
    MAX_SEATS,
    NONE,
    NUMBERS,
    REAL_ROWS,
    RULES,
    header_of,
)
from endeavor_env.kernels.entries import entry
from endeavor_env.kernels.intrinsics import words_on_stack
from endeavor_env.kernels.kernels import kernel
from endeavor_env.kernels.kinds import INTEGER, REAL, array

EXPLORE_ALL = 1 << 20
"""The share of random moves with which every move is random."""
RECORDS_NOTHING, RECORDS_POSITIONS, RECORDS_VALUES = range(3)
"""What is recorded for a player: nothing, positions, or positions by whose network all that is recorded is valued,
which whoever asked for the games does at once."""
FIXTURE = np.dtype(
    (
        np.record,
        [  # a game to be played
            ("seed", np.int64),  # of the set-up and of what is drawn in the game
            ("players", np.int64),
            ("variant", np.int64),
            ("board", np.int64),  # row of the boards
            ("options", np.int16, (MAX_OPTIONS,)),
            ("policies", np.int64, (MAX_SEATS,)),  # the code of the compiled player in each seat
        ],
    )
)
NOTE = np.dtype(
    (
        np.record,
        [  # what is noted about a recorded position
            ("fixture", np.int32),  # index of the game
            ("seat", np.int8),  # who sees it
            ("explored", np.int8),  # 0/1: one of its moves that led here was random
        ],
    )
)
_new_totals, _new_flags = words_on_stack(MAX_SEATS), words_on_stack(MAX_SEATS)


@kernel
def _begin(rules, board, fixture, setups, position, rng, chance):
    """Start the game of ``fixture``; ``rng`` is left for the players, ``chance`` for what is drawn in the game."""
    reseed(rng, fixture.seed)
    game.draw_setup(rules, board, setups[0], rng, fixture.players, fixture.variant, NONE)
    reseed(chance, fixture.seed)
    branch_off(chance)
    game.begin(rules, board, position, setups[0], fixture.options, fixture.players, fixture.variant)
    reseed(rng, next_seed(rng))


@kernel
def _write_outcomes(rules, board, position, scores, outcomes, margin_weight, most_margin):
    """Write scores and outcomes of a game, (MAX_SEATS,) each."""
    totals = _new_totals(MAX_SEATS)
    mats, _ = game.score(rules, board, position, totals)
    outcomes[:] = 0.0
    for seat in range(MAX_SEATS):
        scores[seat] = totals[seat]
    for seat in range(header_of(position).num_seats):
        outcomes[seat] = outcome_of(totals, mats, np.int64(seat), margin_weight, most_margin)


@entry(
    RULES, INTEGER, BOARDS, array(FIXTURE), PLAYERS, BYTES, NUMBERS, BOARDS, NUMBERS, BYTES, GENERATOR, GENERATOR,
    INTEGER, MASKS, array(NOTE), REAL_ROWS, REAL_ROWS, NUMBERS, REAL, REAL, counts_references=True,
)  # fmt: skip
def play_recorded(
    rules, inputs, boards, fixtures, players, records, explores, setups, position, mask, rng, chance, limit, seen,
    notes, scores, outcomes, made, margin_weight, most_margin,
):  # fmt: skip
    """Play games to their ends; return the number of recorded positions.

    Args:
        rules: The addresses of the game's entries.
        inputs: The address of the entry that writes what a network sees, see ``rules.INPUTS_SIGNATURE``.
        boards: (B, words), read only.
        fixtures: (n,) FIXTURE, read only.
        players: The ``Players`` of the thread.
        records: (codes,) int8: RECORDS_* by code.
        explores: (codes,) int64: how many of EXPLORE_ALL moves are random, by code.
        setups: (1, words), scratch.
        position: (words,) int64, scratch.
        mask: (number of actions,) int8, scratch.
        rng: (1,) uint64, scratch.
        chance: (1,) uint64, scratch.
        limit: Most decisions of a game, which is scored as it then stands.
        seen: (m, inputs) int8, written from 0 on: recorded positions; those beyond m are left out.
        notes: (m,) NOTE, written as ``seen``.
        scores: (n, MAX_SEATS) float64, written.
        outcomes: (n, MAX_SEATS) float64, written: ``outcome_of`` each seat.
        made: (n,) int64, written: decisions made.
        margin_weight: What a point of lead counts in outcomes.
        most_margin: A lead above this counts as this.
    """
    count, random = np.int64(0), _new_flags(MAX_SEATS)
    for index in range(fixtures.size):
        fixture = fixtures[index]
        random[:] = 0
        board, words, decisions = boards[fixture.board], new_words(-(-mask.size // BITS)), np.int64(0)
        _begin(rules, board, fixture, setups, position, rng, chance)
        while header_of(position).seat != NONE and decisions < limit:
            seat = np.int64(header_of(position).seat)
            if seat == CHANCE:
                game.apply(rules, board, position, game.draw_chance(rules, board, position, chance))
                continue
            code = fixture.policies[seat]
            game.legal(rules, board, position, words)
            explored = explores[code] > 0 and next_below(rng, EXPLORE_ALL) < explores[code]
            action = choose(SEAT_RANDOM if explored else code, players, board, position, words, mask, rng)
            game.apply(rules, board, position, action)
            decisions += 1
            random[seat] |= np.int64(explored)
            if header_of(position).seat == NONE:
                break
            for observer in range(fixture.players):
                if records[fixture.policies[observer]] == RECORDS_NOTHING or count >= notes.size:
                    continue
                if game.write_inputs(inputs, board, position, observer, seen[count]) == 0:
                    break
                note = notes[count]
                note.fixture, note.seat, note.explored = index, observer, 0
                if observer == seat:
                    note.explored, random[observer] = random[observer], 0
                count += 1
        _write_outcomes(rules, board, position, scores[index], outcomes[index], margin_weight, most_margin)
        made[index] = decisions
    return count
