"""Whole games of compiled players, and the choices of one of them, the teacher, that a policy network learns from."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.flow.dispatch import apply, legal
from endeavor_env.endeavor.learning.self_play import FIXTURE, begin_fixture, write_end
from endeavor_env.endeavor.players.value.player import workspace_of
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import NUM_WORDS
from endeavor_env.endeavor.rules.state import BOARDS, SETUPS, STATES
from endeavor_env.engine.kernels.masks import choose_move, count_allowed, new_words
from endeavor_env.engine.kernels.players import PLAYERS, choose
from endeavor_env.engine.kernels.rng import GENERATOR, next_below
from endeavor_env.engine.kernels.rules import BYTES, NUMBERS, REAL_ROWS, WORDS
from endeavor_env.kernels.entries import entry
from endeavor_env.kernels.kernels import kernel
from endeavor_env.kernels.kinds import INTEGER, array

JUDGED = 8  # most moves of a choice whose merits are recorded

CHOICE = np.dtype(
    (
        np.record,
        [  # a recorded decision, besides its STATE, which tells the seat and the legal actions
            ("outcome", np.float32),  # of the game for the seat, see `endeavor.players.value.outcome`
            ("fixture", np.int32),  # index of the game
            ("action", np.int32),  # the teacher's
            # --- of a teacher that judges its moves: the best of them, the best first
            ("best", np.int16, (JUDGED,)),  # actions, NONE behind the last legal one
            ("merits", np.float32, (JUDGED,)),  # what the teacher thinks of each
        ],
    )
)

PLAYS_ALL = 1 << 20
"""The value of ``explore`` with which every move is random."""


@kernel
def write_best(merits, mask, choice):
    """Write the legal actions of the highest merits into ``choice``, the best first, and of equal ones the lower."""
    count = np.int64(0)
    for action in range(mask.size):
        if mask[action] == 0:
            continue
        place = min(count, JUDGED)
        while place > 0 and merits[action] > merits[choice.best[place - 1]]:
            place -= 1
        if place == JUDGED:
            continue
        count = min(count + 1, JUDGED)
        for later in range(count - 1, place, -1):
            choice.best[later] = choice.best[later - 1]
        choice.best[place] = action
    for place in range(JUDGED):
        if place < count:
            choice.merits[place] = merits[choice.best[place]]
        else:
            choice.best[place], choice.merits[place] = c.NONE, 0.0


@entry(
    BOARDS, array(FIXTURE), PLAYERS, INTEGER, INTEGER, INTEGER, SETUPS, STATES, BYTES, GENERATOR, INTEGER,
    STATES, array(CHOICE), WORDS, REAL_ROWS, NUMBERS, INTEGER, INTEGER,
)  # fmt: skip
def play_demonstrations(
    boards, fixtures, players, teacher, judges, explore, setups, games, mask, rng, limit,
    states, choices, scores, outcomes, made, low, high,
):  # fmt: skip
    """Play ``fixtures[low:high]`` to their ends; return the number of recorded decisions.

    Every decision with more than one legal action is recorded with what the teacher would do, whoever makes it.

    Args:
        boards: (B,) BOARD, read only.
        fixtures: (n,) FIXTURE, read only.
        players: The ``Players`` of the thread.
        teacher: The code of the player whose choices are recorded.
        judges: Whether the teacher is one that writes the merit of every legal action into its ``Workspace``.
        explore: A random move is made in this many of PLAYS_ALL recorded decisions, for positions off the usual ways.
        setups: (1,) SETUP, scratch.
        games: (1,) STATE, scratch.
        mask: (number of actions,) int8, scratch.
        rng: (1,) uint64, scratch.
        limit: Most decisions of a game, which is scored as it then stands.
        states: (m,) STATE, written from 0 on: recorded positions; those beyond m are left out.
        choices: (m,) CHOICE, written as ``states``.
        scores: (n, MAX_SEATS) int64, written.
        outcomes: (n, MAX_SEATS) float64, written: ``outcome`` of each seat.
        made: (n,) int64, written: decisions made.
        low: First fixture.
        high: One past the last.
    """
    count = np.int64(0)
    for index in range(low, high):
        fixture = fixtures[index]
        board = boards[fixture.board]
        begin_fixture(boards, fixture, setups, games, rng)
        state, begun, decisions = games[0], count, np.int64(0)
        words = new_words(NUM_WORDS[state.variant])
        while state.decision != c.DECIDE_NOTHING and decisions < limit:
            legal(board, state, words)
            mover = fixture.policies[state.seat]
            recorded, action = count_allowed(words) > 1 and count < choices.size, np.int64(c.NONE)
            if recorded:
                action = choose(teacher, players, board, state, words, mask, rng)
                states[count] = state
                choices[count].fixture, choices[count].action = index, action
                if judges != 0:
                    memory = players.memory[players.offsets[teacher] : players.offsets[teacher + 1]]
                    write_best(workspace_of(memory).merits, mask, choices[count])
                count += 1
            if recorded and next_below(rng, PLAYS_ALL) < explore:
                action = choose_move(words, rng)
            elif not recorded or mover != teacher:
                action = choose(mover, players, board, state, words, mask, rng)
            apply(board, state, action)
            decisions += 1
        write_end(board, state, scores[index], outcomes[index])
        for place in range(begun, count):
            choices[place].outcome = outcomes[index, states[place].seat]
        made[index] = decisions
    return count
