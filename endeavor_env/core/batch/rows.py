"""Many games at once: each kernel walks a range of games, so that threads can share a batch without sharing a game.

Everything a game needs lies in its own row, its generators included: results depend neither on the number of threads
nor on the other games. Only ``first_wrong`` checks legality and ranges, and ``turn``, which leaves a game with an
illegal action unchanged and marks it ILLEGAL.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.core import constants as c
from endeavor_env.core._jit import inlined, kernel
from endeavor_env.core.batch.bells import ring
from endeavor_env.core.batch.endings import REWARD_GIVEN, close_game, lead_of, open_entry
from endeavor_env.core.batch.tables import begin
from endeavor_env.core.engine.late_rules import advance, legal
from endeavor_env.core.engine.scoring import write_totals
from endeavor_env.core.masks import allow_all, is_allowed, write_bytes
from endeavor_env.core.observe.write import write_compact, write_features
from endeavor_env.core.policies.choose import SEAT_CALLABLE, SEAT_RANDOM, choose
from endeavor_env.core.policies.uniform import choose_move

# --- what may stand in the place of an action ------------------------------------------------------------------------
BEGIN = -2  # start the row's next game; NONE leaves a row unchanged

# --- the state of a game (`status`) ----------------------------------------------------------------------------------
RUNNING = 0  # the learner is to move
WAITING = 1  # a seat that a function of the caller plays is to move
OVER = 2  # over by the rules; this and all later codes mean that no more is played
ILLEGAL = 3  # the action was illegal; the position is unchanged
TRUNCATED = 4  # the limit of decisions cut the game short

# --- what a turn does with games that are OVER, ILLEGAL or TRUNCATED --------------------------------------------------
CLOSES_NOTHING = 0
CLOSES = 1  # writes their entries of `ended`
RESTARTS = 2  # writes their entries and their last observations, and starts the next games

BLOCK = 64
"""Rows of a turn that are played, then closed, then observed."""


@kernel
def _end_game(words, num_actions, status, i, code):
    """Set ``status[i]`` to ``code``; no action is asked for any more, so the mask allows all, which are ignored."""
    allow_all(words, num_actions)
    status[i] = code


@inlined
def _next_player(table, state, words, num_actions, status, i, left):
    """Write ``status[i]``; return the code of who makes the next decision, NONE if the game has ended.

    ``words`` is the mask of that decision; ``left`` is how many more decisions the limit allows.
    """
    if state.decision == c.DECIDE_NOTHING or left <= 0:
        _end_game(words, num_actions, status, i, OVER if state.decision == c.DECIDE_NOTHING else TRUNCATED)
        return np.int64(c.NONE)
    policy = np.int64(table.policies[state.seat])
    status[i] = WAITING if policy >= SEAT_CALLABLE else RUNNING
    return policy


@inlined
def play_compiled_seats(board, table, state, words, mask, status, i, limit, players):
    """Let compiled players decide until somebody else is to move or the game has ended; return their decisions.

    ``words`` is the mask of the next decision, before and after, and ``status[i]`` is written. ``mask``, (number of
    actions,) int8, is scratch.
    """
    policy = _next_player(table, state, words, mask.size, status, i, limit - table.decisions)
    if SEAT_RANDOM <= policy < SEAT_CALLABLE:  # a call costs more than this question
        return _let_players_decide(policy, board, table, state, words, mask, status, i, limit, players)
    return np.int64(0)


@kernel
def _let_players_decide(policy, board, table, state, words, mask, status, i, limit, players):
    """Do what ``play_compiled_seats`` does, where the compiled player ``policy`` makes the next decision."""
    made, left = np.int64(0), limit - table.decisions
    while SEAT_RANDOM <= policy < SEAT_CALLABLE:
        advance(board, state, choose(policy, players, board, state, words, mask, table.rng), words)
        made += 1
        policy = _next_player(table, state, words, mask.size, status, i, left - made)
    table.decisions += made
    return made


@kernel
def begin_row(boards, kinds, mix, tables, states, words, i, setups, given):
    """Start the next game of row ``i``, as ``tables.begin`` does, and write the mask of its first decision."""
    begin(boards, kinds, mix, tables, states, i, setups, given)
    legal(boards[tables[i].board], states[i], words)


@inlined
def _take_action(boards, table, state, words, num_actions, action, status, i):
    """Carry out ``action``, an id or NONE, in row ``i``; return whether the game is to be played on."""
    if action == c.NONE:
        return False
    table.mover = state.seat
    if not (0 <= action < num_actions and is_allowed(words, action)):
        _end_game(words, num_actions, status, i, ILLEGAL)
        return False
    advance(boards[table.board], state, action, words)
    table.decisions += 1
    return True


@kernel
def _close_row(boards, table, state, status, i, pay, illegal_reward, ended):
    """Write the end of a game that is OVER, ILLEGAL or TRUNCATED, which pays nothing."""
    open_entry(table, state, i, status[i], ended)
    if status[i] == ILLEGAL:
        ended.paid[ended.paid_seat] = illegal_reward
    else:
        close_game(boards[table.board], table, state, pay if status[i] == OVER else REWARD_GIVEN, ended)


@kernel
def _observer(table, state, status):
    """Return the seat from whose view a row is observed.

    That is the seat to move where a function of the caller decides, else the learner's seat; where the learner decides
    for every seat, the seat to move (0 at the end of the game).
    """
    if table.learner != c.NONE and status != WAITING:
        return np.int64(table.learner)
    return np.int64(max(0, state.seat))


@kernel
def _observe(boards, table, state, status, as_features, as_compact, index):
    """Write the observation into row ``index`` of whichever array has rows, in the layout of its size."""
    if as_features.shape[0] > 0:
        write_features(boards[table.board], state, _observer(table, state, status), as_features[index])
    elif as_compact.shape[0] > 0:
        write_compact(boards[table.board], state, _observer(table, state, status), as_compact[index])


@kernel
def turn(
    boards, kinds, mix, tables, states, words, status, rows, actions, setups, masks, observed, observed_raw,
    closes, pay, limit, illegal_reward, ended, last, last_raw, mask, low, high, players, bells,
):  # fmt: skip
    """Carry out ``actions[low:high]`` in ``rows[low:high]`` and let the compiled players answer each.

    It is one kernel, because at every call the threads wait for each other at the interpreter's lock. Rows are done in
    blocks: few enough for their states, and many enough for the code of each part, to stay in the cache.

    Args:
        boards: (B,) BOARD, read only.
        kinds: (K,) KIND, read only: what may be played.
        mix: (M,) MIX, read only: who may sit down in new games; empty for ``TABLE.opponents``.
        tables: (N,) TABLE.
        states: (N,) STATE.
        words: (N, words of a mask) int64, see ``core.masks``: the masks the actions were chosen from, replaced by the
            new ones.
        status: (N,) int8, written: RUNNING, WAITING, OVER, ILLEGAL or TRUNCATED.
        rows: (n,) int64, games.
        actions: (n,) int64: action ids of the seats to move, BEGIN or NONE.
        setups: (1 + g,) SETUP: scratch, then the set-ups of rows with ``given_setup``, at 1 + the row's index.
        masks: (n, number of actions) int8 for the new masks as bytes, or without rows.
        observed: (n, size) float32 for features observations, or without rows.
        observed_raw: (n, size) int8 for compact observations, or without rows.
        closes: CLOSES_NOTHING, CLOSES or RESTARTS.
        pay: REWARD_*; with REWARD_GIVEN the games that are over by the rules are paid 0.
        limit: Decisions of all seats after which a game is TRUNCATED, below 2**31.
        illegal_reward: What an illegal action pays the seat that chose it.
        ended: (n,) ENDED, written from ``low`` on: the games closed.
        last: Like ``observed``, written like ``ended``: their last observations.
        last_raw: Like ``observed_raw``, written like ``ended``.
        mask: (number of actions,) int8, scratch of the thread.
        low: First index into ``rows``.
        high: One past the last.
        players: The ``Players`` of the thread.
        bells: See ``core.batch.bells``; rung first.

    Returns:
        Decisions made by all seats, and the number of games closed.
    """
    ring(bells)
    made = closed = np.int64(0)
    observes = observed.shape[0] + observed_raw.shape[0] + masks.shape[0] > 0
    for start in range(low, high, BLOCK):
        end, over = min(start + BLOCK, high), False
        for index in range(start, end):
            i, action = rows[index], actions[index]
            table, state, allowed = tables[i], states[i], words[i]
            if action == BEGIN:
                begin_row(boards, kinds, mix, tables, states, allowed, i, setups, index + 1)
            elif not _take_action(boards, table, state, allowed, mask.size, action, status, i):
                continue
            made += action >= 0
            made += play_compiled_seats(boards[table.board], table, state, allowed, mask, status, i, limit, players)
        for index in range(start, end):
            over |= status[rows[index]] >= OVER
        for index in range(start, end if closes and over else start):
            i = rows[index]
            if status[i] < OVER:
                continue
            table, state = tables[i], states[i]
            place = low + closed
            _close_row(boards, table, state, status, i, pay, illegal_reward, ended[place])
            closed += 1
            if closes == RESTARTS:
                _observe(boards, table, state, status[i], last, last_raw, place)
                begin_row(boards, kinds, mix, tables, states, words[i], i, setups, 0)
                board = boards[table.board]
                made += play_compiled_seats(board, table, state, words[i], mask, status, i, limit, players)
        for index in range(start, end if observes else start):
            i = rows[index]
            _observe(boards, tables[i], states[i], status[i], observed, observed_raw, index)
            if masks.shape[0] > 0:
                write_bytes(words[i], masks[index])
    return made, closed


@kernel
def first_wrong(actions, words, num_actions, status, legality, autoreset, chosen):
    """Check the actions of all games, (N,) integers, and write ``chosen`` (N,) int64, what ``turn`` takes.

    Games that are over get BEGIN with ``autoreset``, else NONE, whatever their action. The others' actions must be
    ids, and with ``legality`` legal ones.

    Returns:
        The first game with a wrong action, NONE if there is none.
    """
    for i in range(actions.size):
        action = np.int64(actions[i])
        if status[i] >= OVER:
            action = np.int64(BEGIN if autoreset else c.NONE)
        elif not 0 <= action < num_actions or (legality and not is_allowed(words[i], action)):
            return i
        chosen[i] = action
    return np.int64(c.NONE)


@kernel
def leads(boards, tables, states, rows, low, high, scores, out):
    """Write by how much the learner leads in ``rows[low:high]`` to ``out`` (n,) int64; ``scores`` (5,) is scratch."""
    for index in range(low, high):
        i = rows[index]
        mats = write_totals(boards[tables[i].board], states[i], scores)
        out[index] = lead_of(scores, mats, np.int64(tables[i].learner))


@kernel
def sample_actions(words, rngs, actions, low, high, bells):
    """Draw an action that its mask allows, each equally likely, for each game; NONE where there is none.

    ``words`` (N, words of a mask) int64; ``rngs`` (N, 1) uint64, advanced; ``actions`` (N,) int64 is written; ``bells``
    are rung first.
    """
    ring(bells)
    for i in range(low, high):
        actions[i] = choose_move(words[i], rngs[i])


@kernel
def write_masks(words, masks, low, high):
    """Write the masks of ``words[low:high]`` as bytes, (N, number of actions) int8."""
    for i in range(low, high):
        write_bytes(words[i], masks[i])
