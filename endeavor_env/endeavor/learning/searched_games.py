"""Whole games of players of which some search, and what a policy and a value for each seat can learn from the searches.

Of a full search by halving the *improved* probabilities of its turns are recorded, decision by decision: at the first
decision those of all actions that begin a turn, at each later one those of the actions that go on with the turn that
was chosen. Of every turn the position after it is recorded, with what the next search found it worth to each seat; and
the ends of the other turns that a search looked at, with what it found those worth.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.flow.dispatch import apply, legal, legal_bytes
from endeavor_env.endeavor.learning.self_play import FIXTURE, begin_fixture, write_end, write_turn_end
from endeavor_env.endeavor.players.search.tree import tree_of
from endeavor_env.endeavor.players.value.player import turn_goes_on
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import NUM_WORDS
from endeavor_env.endeavor.rules.state import BOARDS, SETUPS, STATES
from endeavor_env.engine.kernels.masks import count_legal, new_words
from endeavor_env.engine.kernels.players import PLAYERS, choose
from endeavor_env.engine.kernels.rng import GENERATOR
from endeavor_env.engine.kernels.rules import BYTES, NUMBERS, REAL_ROWS, WORDS
from endeavor_env.kernels.entries import entry
from endeavor_env.kernels.kernels import kernel
from endeavor_env.kernels.kinds import INTEGER, array

MOST_OPTIONS = 16
"""Most actions whose probabilities are recorded at one decision, and most turns of a search that is recorded."""

DECISION = np.dtype(
    (
        np.record,
        [  # a decision of a searching player, besides its STATE
            ("fixture", np.int32),  # index of the game
            ("seat", np.int8),
            ("options", np.int8),  # how many actions have a probability
            ("actions", np.int16, (MOST_OPTIONS,)),
            ("shares", np.float32, (MOST_OPTIONS,)),  # their probabilities, which add up to 1; zeros behind them
        ],
    )
)
TURN_END = np.dtype(
    (
        np.record,
        [  # a position after a turn, besides its STATE
            ("fixture", np.int32),  # index of the game
            ("seat", np.int8),  # whose turn has ended
            ("searched", np.int8),  # 0/1: a turn that a search looked at, which need not be the one that was played
            ("found", np.float64, (c.MAX_SEATS,)),  # what a search found it worth to each seat, NaN if none did
        ],
    )
)
# --- what is recorded of a player's turns (`records`) -----------------------------------------------------------------
RECORDS_NONE = 0
RECORDS_ENDS = 1  # the ends of any player's turns
RECORDS_SEARCHES = 2  # those of a search player, and its searches
RECORDS_ALL_SEARCHED = 3  # the same, with the other turns that it looked at
RECORDS_TEACHER = 4  # the ends of any player's turns, and at each of its decisions what the teacher finds


@kernel
def _goes_along(tree, place, path, length):
    """Return whether a turn at the root begins with the first ``length`` actions of ``path`` and goes on."""
    turn = tree.branches[0, place]
    if turn.length <= length:
        return False
    for step in range(length):
        if turn.path[step] != path[step]:
            return False
    return True


@kernel
def _write_shares(tree, path, length, decision):
    """Write the improved probabilities of the actions after the first ``length`` ones of ``path``, those of turns."""
    decision.options, total = 0, 0.0
    decision.actions[:], decision.shares[:] = 0, 0.0
    for place in range(tree.nodes[0].branches):
        if not _goes_along(tree, place, path, length):
            continue
        turn, option = tree.branches[0, place], 0
        while option < decision.options and decision.actions[option] != turn.path[length]:
            option += 1
        if option == MOST_OPTIONS:
            continue
        if option == decision.options:
            decision.options += 1
            decision.actions[option], decision.shares[option] = turn.path[length], 0.0
        decision.shares[option] += turn.improved
        total += turn.improved
    for option in range(decision.options):
        decision.shares[option] = decision.shares[option] / max(total, 1e-30)


@kernel
def record_decisions(board, tree, fixture, mask, states, decisions, count):
    """Record the decisions of the turn that a full search has just chosen; return how many are recorded by now.

    Args:
        board: BOARD record, read only.
        tree: ``Tree`` of the player, after its choice.
        fixture: Index of the game.
        mask: Int8, scratch.
        states: (m,) STATE, written from ``count`` on; the last one is scratch.
        decisions: (m,) DECISION, written as ``states``.
        count: Decisions recorded so far.
    """
    plan, here = tree.plan[0], states[states.size - 1]
    states[states.size - 1] = tree.states[0]
    for step in range(plan.length):
        legal_bytes(board, here, mask)
        if count_legal(mask) > 1 and count < states.size - 1:
            states[count], decision = here, decisions[count]
            decision.fixture, decision.seat = fixture, here.seat
            _write_shares(tree, plan.path, step, decision)
            count += 1
        if step + 1 < plan.length:
            apply(board, here, plan.path[step])
    return count


@kernel
def record_looked_at(board, tree, fixture, states, ends, count):
    """Record the ends of the turns that a search has just looked at; return how many ends are recorded by now.

    The arguments are as for ``record_decisions``; ``ends`` is (m,) TURN_END.
    """
    root = tree.nodes[0]
    for place in range(root.branches):
        if count >= ends.size or not write_turn_end(board, tree, place, states, count):
            continue
        child, end = tree.branches[0, place].child, ends[count]
        for seat in range(c.MAX_SEATS):
            end.found[seat] = tree.nodes[child].sums[seat] / np.float64(tree.nodes[child].visits)
        end.fixture, end.seat, end.searched = fixture, root.seat, 1
        count += 1
    return count


@kernel
def write_found(tree, found):
    """Write what a search has found its position worth to each seat: the mean of its turns by their probabilities.

    Turns that were not visited are left out. A mean over visits would hold bad turns against the seat to move, which a
    halving looks at as often as at good ones. Without a halving there are no probabilities, and visits count.
    """
    root, total = tree.nodes[0], 0.0
    found[:] = 0.0
    for place in range(root.branches):
        child = tree.branches[0, place].child
        if child == c.NONE or tree.nodes[child].visits == 0:
            continue
        visits = np.float64(tree.nodes[child].visits)
        weight = max(tree.branches[0, place].improved, 1e-12) if tree.search[0].considered > 0 else visits
        total += weight
        for seat in range(c.MAX_SEATS):
            found[seat] += weight * tree.nodes[child].sums[seat] / visits
    for seat in range(c.MAX_SEATS):
        found[seat] = found[seat] / total if total > 0.0 else root.sums[seat] / np.float64(max(root.visits, 1))


@kernel
def _note_found(tree, ends, first, count):
    """Write what a search has found its position worth to the played turns that led to it, [first, count)."""
    for place in range(first, count):
        if ends[place].searched == 0:
            write_found(tree, ends[place].found)


@entry(
    BOARDS, array(FIXTURE), PLAYERS, BYTES, INTEGER, SETUPS, STATES, BYTES, GENERATOR, INTEGER,
    STATES, array(DECISION), STATES, array(TURN_END), WORDS, REAL_ROWS, NUMBERS, NUMBERS, INTEGER, INTEGER,
    counts_references=True,
)  # fmt: skip
def play_searched(
    boards, fixtures, players, records, teacher, setups, games, mask, rng, limit,
    states, decisions, end_states, ends, scores, outcomes, made, counts, low, high,
):  # fmt: skip
    """Play ``fixtures[low:high]`` to their ends; return the number of searches.

    Args:
        boards: (B,) BOARD, read only.
        fixtures: (n,) FIXTURE, read only.
        players: The ``Players`` of the thread.
        records: (codes,) int8: RECORDS_* by code.
        teacher: The code of the search player that is asked where RECORDS_TEACHER says so.
        setups: (1,) SETUP, scratch.
        games: (1,) STATE, scratch.
        mask: (number of actions,) int8, scratch.
        rng: (1,) uint64, scratch.
        limit: Most decisions of a game, which is scored as it then stands.
        states: (m,) STATE, written from 0 on: positions of recorded decisions; the last is scratch.
        decisions: (m,) DECISION, written as ``states``.
        end_states: (k,) STATE, written from 0 on: recorded ends of turns.
        ends: (k,) TURN_END, written as ``end_states``.
        scores: (n, MAX_SEATS) int64, written.
        outcomes: (n, MAX_SEATS) float64, written: ``outcome`` of each seat.
        made: (n,) int64, written: decisions made.
        counts: (2,) int64, written: recorded decisions, recorded ends.
        low: First fixture.
        high: One past the last.
    """
    searches, chosen, ended = np.int64(0), np.int64(0), np.int64(0)
    for index in range(low, high):
        fixture = fixtures[index]
        board = boards[fixture.board]
        begin_fixture(boards, fixture, setups, games, rng)
        state, moves, waiting = games[0], np.int64(0), ended
        words = new_words(NUM_WORDS[state.variant])
        while state.decision != c.DECIDE_NOTHING and moves < limit:
            seat = np.int64(state.seat)
            code = fixture.policies[seat]
            legal(board, state, words)
            asked = teacher if records[code] == RECORDS_TEACHER else code
            action = choose(asked, players, board, state, words, mask, rng)
            if records[code] >= RECORDS_SEARCHES:
                tree = tree_of(players.memory[players.offsets[asked] : players.offsets[asked + 1]])
                if tree.search[0].made > 0:
                    searches += 1
                    _note_found(tree, ends, waiting, ended)
                    if tree.search[0].full and tree.search[0].considered > 0:
                        chosen = record_decisions(board, tree, index, mask, states, decisions, chosen)
                    if records[asked] == RECORDS_ALL_SEARCHED:
                        ended = record_looked_at(board, tree, index, end_states, ends, ended)
                    waiting = ended
            if asked != code:
                action = choose(code, players, board, state, words, mask, rng)
            apply(board, state, action)
            moves += 1
            if turn_goes_on(state, seat) or state.decision == c.DECIDE_NOTHING:
                continue
            if records[code] != RECORDS_NONE and ended < ends.size:
                end_states[ended], end = state, ends[ended]
                end.fixture, end.seat, end.searched = index, seat, 0
                end.found[:] = np.nan
                ended += 1
        write_end(board, state, scores[index], outcomes[index])
        made[index] = moves
    counts[0], counts[1] = chosen, ended
    return searches
