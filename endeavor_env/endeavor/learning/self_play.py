"""Whole games of compiled players, and the positions in them that a value network learns from.

A position is recorded when a seat's turn has ended: these are what the value player compares. Its *value* is that of
the best turn the seat could have played; ``write_targets`` turns values and outcomes into what the network should say.
Of a search player, the ends of the other turns that it looked at are recorded too, with what it found them worth.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.flow.dispatch import apply, legal, start
from endeavor_env.endeavor.flow.opening import random_setup, set_up
from endeavor_env.endeavor.flow.scoring import write_totals
from endeavor_env.endeavor.players.search.tree import tree_of
from endeavor_env.endeavor.players.value.inputs import NUM_ESTIMATES, outcome, write_inputs
from endeavor_env.endeavor.players.value.player import turn_goes_on, workspace_of
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import NUM_WORDS
from endeavor_env.endeavor.rules.state import BOARDS, SETUPS, STATES
from endeavor_env.engine.kernels.masks import new_words
from endeavor_env.engine.kernels.players import PLAYERS, choose
from endeavor_env.engine.kernels.rng import GENERATOR, next_seed, reseed
from endeavor_env.engine.kernels.rules import BYTES, FLOAT_ROWS, NUMBERS, REAL_ROWS, WORDS
from endeavor_env.kernels.entries import entry
from endeavor_env.kernels.intrinsics import numbers_on_stack, words_on_stack
from endeavor_env.kernels.kernels import kernel
from endeavor_env.kernels.kinds import INTEGER, REAL, array

FIXTURE = np.dtype(
    (
        np.record,
        [  # a game to be played
            ("seed", np.int64),  # of the set-up, as for Game.new, and of what the players draw
            ("players", np.int64),
            ("variant", np.int64),  # VARIANT_*
            ("board", np.int64),  # row of the boards
            ("options", np.int16, (c.NUM_OPTIONS,)),
            ("policies", np.int64, (c.MAX_SEATS,)),  # the code of the compiled player in each seat
        ],
    )
)

MOMENT = np.dtype(
    (
        np.record,
        [  # a recorded position, besides its STATE
            ("value", np.float64),  # of the best turn of the seat; NaN if the player does not value positions
            ("target", np.float64),  # what the network should say, see `write_targets`
            ("fixture", np.int32),  # index of the game
            ("seat", np.int8),  # whose turn has ended
            ("explored", np.int8),  # 0/1: a move of the turn was random
            ("searched", np.int8),  # 0/1: a turn that a search looked at; `value` is what it found the position worth
        ],
    )
)

# --- what is recorded of a player's turns (`records`) -----------------------------------------------------------------
RECORDS_NOTHING = 0
RECORDS_POSITIONS = 1
RECORDS_VALUES = 2  # a value player's, whose memory tells the values
RECORDS_SEARCHED = 3  # a search player's, with the turns that it looked at

_new_values = numbers_on_stack(c.MAX_SEATS)
_new_flags, _new_places = words_on_stack(c.MAX_SEATS), words_on_stack(c.MAX_SEATS)


@kernel
def begin_fixture(boards, fixture, setups, games, rng):
    """Start the game of ``fixture`` in ``games[0]``; ``rng`` is left for the players."""
    board = boards[fixture.board]
    reseed(rng, fixture.seed)
    random_setup(board, rng, fixture.players, fixture.variant, setups, 0)
    set_up(board, games, 0, fixture.players, fixture.variant, fixture.options, setups[0])
    start(board, games[0])
    reseed(rng, next_seed(rng))


@kernel
def write_end(board, state, scores, outcomes):
    """Write scores and outcomes of a finished game, (MAX_SEATS,) each."""
    mats = write_totals(board, state, scores)
    outcomes[:] = 0.0
    for seat in range(state.num_seats):
        outcomes[seat] = outcome(state, scores, mats, seat)


@kernel
def record_searched(board, tree, fixture, states, moments, count):
    """Record the ends of the turns that a search player has just looked at.

    Args:
        board: BOARD record, read only.
        tree: ``Tree`` of the player, after its choice.
        fixture: Index of the game.
        states: (m,) STATE, written from ``count`` on.
        moments: (m,) MOMENT, written as ``states``.
        count: Positions recorded so far.

    Returns:
        Positions recorded so far, these included; those beyond m, and turns that the search did not look at, are left
        out.
    """
    root = tree.nodes[0]
    for place in range(root.branches):
        turn = tree.branches[0, place]
        if count >= moments.size or turn.child == c.NONE or tree.nodes[turn.child].visits == 0:
            continue
        states[count] = tree.states[0]
        for step in range(turn.length):  # the child may be further on: it passes over moves without a choice
            apply(board, states[count], turn.path[step])
        if states[count].decision == c.DECIDE_NOTHING:  # the game is over: no network is asked then
            continue
        child, moment = turn.child, moments[count]
        moment.value = tree.nodes[child].sums[root.seat] / np.float64(tree.nodes[child].visits)
        moment.fixture, moment.seat, moment.explored, moment.searched = fixture, root.seat, 0, 1
        count += 1
    return count


@entry(
    BOARDS, array(FIXTURE), PLAYERS, BYTES, SETUPS, STATES, BYTES, GENERATOR, INTEGER, STATES, array(MOMENT), WORDS,
    REAL_ROWS, NUMBERS, INTEGER, INTEGER, counts_references=True,
)  # fmt: skip
def play_fixtures(
    boards, fixtures, players, records, setups, games, mask, rng, limit,
    states, moments, scores, outcomes, made, low, high,
):  # fmt: skip
    """Play ``fixtures[low:high]`` to their ends; return the number of recorded positions.

    Args:
        boards: (B,) BOARD, read only.
        fixtures: (n,) FIXTURE, read only.
        players: The ``Players`` of the thread.
        records: (codes,) int8: RECORDS_* by code.
        setups: (1,) SETUP, scratch.
        games: (1,) STATE, scratch.
        mask: (number of actions,) int8, scratch.
        rng: (1,) uint64, scratch.
        limit: Most decisions of a game, which is scored as it then stands.
        states: (m,) STATE, written from 0 on: recorded positions; those beyond m are left out.
        moments: (m,) MOMENT, written as ``states``, without targets.
        scores: (n, MAX_SEATS) int64, written.
        outcomes: (n, MAX_SEATS) float64, written: ``outcome`` of each seat.
        made: (n,) int64, written: decisions made.
        low: First fixture.
        high: One past the last.
    """
    count = np.int64(0)
    values, explored = _new_values(c.MAX_SEATS), _new_flags(c.MAX_SEATS)
    for index in range(low, high):
        fixture = fixtures[index]
        board = boards[fixture.board]
        begin_fixture(boards, fixture, setups, games, rng)
        values[:], explored[:], state = np.nan, 0, games[0]
        words, in_turn, decisions = new_words(NUM_WORDS[state.variant]), False, np.int64(0)
        while state.decision != c.DECIDE_NOTHING and decisions < limit:
            seat = np.int64(state.seat)
            code = fixture.policies[seat]
            legal(board, state, words)
            action = choose(code, players, board, state, words, mask, rng)
            if records[code] >= RECORDS_VALUES:
                memory = players.memory[players.offsets[code] : players.offsets[code + 1]]
                settings = workspace_of(memory).settings[0]
                if records[code] == RECORDS_SEARCHED and tree_of(memory).search[0].made > 0:
                    count = record_searched(board, tree_of(memory), index, states, moments, count)
                explored[seat] |= settings.explored
                if not in_turn:
                    values[seat] = settings.value
            apply(board, state, action)
            decisions += 1
            in_turn = turn_goes_on(state, seat)
            if in_turn or state.decision == c.DECIDE_NOTHING:
                continue
            if records[code] != RECORDS_NOTHING and count < moments.size:
                states[count] = state
                moment = moments[count]
                moment.value, moment.fixture = values[seat], index
                moment.seat, moment.explored, moment.searched = seat, explored[seat], 0
                count += 1
            explored[seat] = 0
        write_end(board, state, scores[index], outcomes[index])
        made[index] = decisions
    return count


@entry(array(MOMENT), REAL_ROWS, REAL)
def write_targets(moments, outcomes, share):
    """Write the targets of recorded positions: the lambda returns of each seat over its own successive positions.

    The target of a seat's last position is its outcome. That of an earlier one mixes the value of the best next turn
    with the target of the next position; where the next turn was random, it is the value alone, so that experiments do
    not spoil what is learned. The target of a position that a search looked at is what it found.

    Args:
        moments: (m,) MOMENT, in the order in which ``play_fixtures`` wrote them.
        outcomes: (n, MAX_SEATS) float64.
        share: Lambda, 0..1: 1 for outcomes alone (Monte Carlo), 0 for the next value alone.
    """
    later = _new_places(c.MAX_SEATS)
    later[:] = -1
    for place in range(moments.size - 1, -1, -1):
        moment = moments[place]
        if moment.searched:
            moment.target = moment.value
            continue
        seat = moment.seat
        following = later[seat]
        if following < 0 or moments[following].fixture != moment.fixture:
            moment.target = outcomes[moment.fixture, seat]
        else:
            value, target = moments[following].value, moments[following].target
            if np.isnan(value):
                moment.target = target
            elif moments[following].explored:
                moment.target = value
            else:
                moment.target = (1.0 - share) * value + share * target
        later[seat] = place


@entry(BOARDS, STATES, NUMBERS, FLOAT_ROWS, INTEGER, INTEGER)
def write_all_inputs(boards, states, seats, out, low, high):
    """Write what a value network sees of ``states[low:high]`` as ``seats`` (N,) int64: (N, inputs) float32."""
    for index in range(low, high):
        write_inputs(boards[0], states[index], seats[index], NUM_ESTIMATES, out[index])
