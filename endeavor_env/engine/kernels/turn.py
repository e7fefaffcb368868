"""A turn of many games: every row's action and the answers of the compiled players, ends and new games, observations.

Each kernel walks ranges of games, so that threads can share a batch without sharing a game. Everything a game needs
lies in its own row, its generators included: results depend neither on the number of threads nor on the other games.
Only ``check_actions`` and ``turn`` check legality and ranges. An illegal action leaves its game unchanged and marks it
ILLEGAL.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from endeavor_env.engine.kernels import rules as c
from endeavor_env.engine.kernels import rules as game
from endeavor_env.engine.kernels.endings import ENDED, REWARD_GIVEN, SCALE, close_game, lead_of, open_entry
from endeavor_env.engine.kernels.masks import allow_all, choose_move, is_allowed, write_bytes
from endeavor_env.engine.kernels.players import PLAYERS_OF_THREADS, SEAT_CALLABLE, SEAT_RANDOM, choose, players_of
from endeavor_env.engine.kernels.rules import (
    BYTES,
    FLAG_ROWS,
    FLAGS,
    FLOAT_ROWS,
    GENERATORS,
    MASKS,
    NUMBERS,
    REAL_ROWS,
    REALS,
    SETUPS,
    WORDS,
    header_of,
    write_compact,
    write_features,
)
from endeavor_env.engine.kernels.tables import GAMES, TABLE, begin
from endeavor_env.kernels.entries import entry
from endeavor_env.kernels.intrinsics import fetch
from endeavor_env.kernels.kernels import inlined, kernel
from endeavor_env.kernels.kinds import INTEGER, REAL, array
from endeavor_env.kernels.sharing import shared

# --- what may stand in the place of an action ------------------------------------------------------------------------
BEGIN = -2  # start the row's next game; NONE leaves a row unchanged

# --- the state of a game (`status`) ----------------------------------------------------------------------------------
RUNNING = 0  # the learner is to move
WAITING = 1  # a seat that a function of the caller plays is to move
OVER = 2  # over by the rules; this and all later codes mean that no more is played
ILLEGAL = 3  # the action was illegal; the position is unchanged
TRUNCATED = 4  # the limit of decisions cut the game short


@kernel
def end_game(words, num_actions, status, i, code):
    """Set ``status[i]`` to ``code``; no action is asked for any more, so the mask allows all, which are ignored."""
    allow_all(words, num_actions)
    status[i] = code


@inlined
def advance(games, i, action):
    """Do ``make_move`` in row ``i``, and count the decision."""
    table, position, words = games.tables[i], games.positions[i], games.words[i]
    board = games.boards[table.board]
    game.make_move(games.rules, board, position, action, words, table.chance)
    table.decisions += 1


@inlined
def _next_player(table, position, words, num_actions, status, i, left):
    """Write ``status[i]``; return the code of who makes the next decision, NONE if the game has ended.

    ``words`` is the mask of that decision; ``left`` is how many more decisions the limit allows.
    """
    seat = np.int64(header_of(position).seat)
    if seat == c.NONE or left <= 0:
        end_game(words, num_actions, status, i, OVER if seat == c.NONE else TRUNCATED)
        return np.int64(c.NONE)
    policy = np.int64(table.policies[seat])
    status[i] = WAITING if policy >= SEAT_CALLABLE else RUNNING
    return policy


@inlined
def play_compiled_seats(games, i, mask, limit, players):
    """Let compiled players decide until somebody else is to move or the game has ended; return their decisions.

    The mask of the next decision is right before and after, and ``games.status[i]`` is written. ``mask``, (number of
    actions,) int8, is scratch.
    """
    table, position, words, status = games.tables[i], games.positions[i], games.words[i], games.status
    policy = _next_player(table, position, words, mask.size, status, i, limit - table.decisions)
    if SEAT_RANDOM <= policy < SEAT_CALLABLE:  # a call costs more than this question
        board = games.boards[table.board]
        return _let_players_decide(policy, games.rules, board, table, position, words, mask, status, i, limit, players)
    return np.int64(0)


@kernel
def _let_players_decide(policy, rules, board, table, position, words, mask, status, i, limit, players):
    """Do what ``play_compiled_seats`` does, where the compiled player ``policy`` makes the next decision."""
    made, left = np.int64(0), limit - table.decisions
    while SEAT_RANDOM <= policy < SEAT_CALLABLE:
        action = choose(policy, players, board, position, words, mask, table.rng)
        game.make_move(rules, board, position, action, words, table.chance)
        made += 1
        policy = _next_player(table, position, words, mask.size, status, i, left - made)
    table.decisions += made
    return made


@kernel
def begin_row(games, i, setups, scratch, given):
    """Start the next game of row ``i``, as ``tables.begin`` does, and write the mask of its first decision."""
    begin(games, i, setups, scratch, given)
    table, position, words = games.tables[i], games.positions[i], games.words[i]
    board = games.boards[table.board]
    game.legal(games.rules, board, position, words)
    game.settle(games.rules, board, position, words, table.chance)


@entry(NUMBERS, WORDS, INTEGER, BYTES, INTEGER, INTEGER, NUMBERS, NUMBERS)
def check_actions(actions, words, num_actions, status, legality, autoreset, chosen, over):
    """Check the actions of all games, (N,) integers, and write ``chosen`` (N,) int64, what ``turn`` takes.

    Games that are over get BEGIN with ``autoreset``, else NONE, whatever their action; ``over`` (N,) int64 is written:
    their rows come first. The others' actions must be ids, and with ``legality`` legal ones.

    Returns:
        The first game with a wrong action, NONE if there is none, and the number of games that are over.
    """
    wrong, count = np.int64(c.NONE), np.int64(0)
    for i in range(actions.size):
        action = np.int64(actions[i])
        if status[i] >= OVER:
            action = np.int64(BEGIN if autoreset else c.NONE)
            over[count] = i
            count += 1
        elif not 0 <= action < num_actions or (legality and not is_allowed(words[i], action)):
            wrong = i if wrong == c.NONE else wrong
        chosen[i] = action
    return wrong, count


@entry(GAMES, NUMBERS, INTEGER, INTEGER, NUMBERS, NUMBERS)
def leads(games, rows, low, high, scores, out):
    """Write by how much the learner leads in ``rows[low:high]`` to ``out`` (n,) int64.

    ``scores`` (MAX_SEATS,) int64 is scratch.
    """
    for index in range(low, high):
        i = rows[index]
        table = games.tables[i]
        mats, _ = game.score(games.rules, games.boards[table.board], games.positions[i], scores)
        out[index] = lead_of(scores, mats, np.int64(table.learner))


@kernel
def _sample_part(part, _thread, words, rngs, actions, size):
    """Draw actions for the games [part * size, (part + 1) * size)."""
    for i in range(part * size, min((part + 1) * size, actions.size)):
        actions[i] = choose_move(words[i], rngs[i])


_share_sample = shared(_sample_part)


@entry(WORDS, GENERATORS, NUMBERS, NUMBERS, INTEGER, INTEGER)
def sample_actions(words, rngs, actions, shared_words, parts, size):
    """Draw an action that its mask allows, each equally likely, for each game; NONE where there is none.

    ``words`` (N, words of a mask) int64; ``rngs`` (N, 1) uint64, advanced; ``actions`` (N,) int64 is written;
    ``shared_words``, ``parts`` and ``size`` as in ``turn``.
    """
    _share_sample(shared_words, parts, (words, rngs, actions, size))


@entry(WORDS, MASKS, INTEGER, INTEGER)
def write_masks(words, masks, low, high):
    """Write the masks of ``words[low:high]`` as bytes, (N, number of actions) int8."""
    for i in range(low, high):
        write_bytes(words[i], masks[i])


# --- Turns ------------------------------------------------------------------------------------------------------------

# --- what a turn does with games that are OVER, ILLEGAL or TRUNCATED --------------------------------------------------
CLOSES_NOTHING = 0
CLOSES = 1  # writes their entries of `ended`
RESTARTS = 2  # writes their entries and their last observations, and starts the next games

BLOCK = 64
"""Rows of a turn that are played, then closed, then observed: few enough for their states, and many enough for the
code of each part, to stay in the cache."""


AHEAD = 4
"""How many rows ahead of the one that is played a game is fetched from memory."""


class _Moves(NamedTuple):
    """The rows of a turn and what happens in them, see ``turn``; ``begin_with`` is the first set-up that is given."""

    rows: Any
    actions: Any
    setups: Any
    begin_with: Any
    limit: Any


class _Ends(NamedTuple):
    """What happens to games that have ended, see ``turn``."""

    closes: Any
    pay: Any
    scale: Any
    illegal_reward: Any
    ended: Any
    last: Any
    last_compact: Any


class _Views(NamedTuple):
    """What is written for each row after the turn, see ``turn``."""

    masks: Any
    observed: Any
    observed_compact: Any


class _Own(NamedTuple):
    """What a thread has for itself: its number, a mask as bytes (scratch), and its ``Players``."""

    thread: Any
    mask: Any
    players: Any


@inlined
def _take_action(games, i, action, num_actions):
    """Carry out ``action``, an id or NONE, in row ``i``; return whether the game is to be played on."""
    if action == c.NONE:
        return False
    games.tables[i].mover = header_of(games.positions[i]).seat
    if not (0 <= action < num_actions and is_allowed(games.words[i], action)):
        end_game(games.words[i], num_actions, games.status, i, ILLEGAL)
        return False
    advance(games, i, action)
    return True


@kernel
def _close_row(rules, boards, table, position, i, status, pay, scale, illegal_reward, ended):
    """Write the end of a game that is OVER, ILLEGAL or TRUNCATED, which pays nothing."""
    open_entry(table, position, i, status, ended)
    if status == ILLEGAL:
        ended.paid[ended.paid_seat] = illegal_reward
    else:
        close_game(rules, boards[table.board], table, position, pay if status == OVER else REWARD_GIVEN, scale, ended)


@kernel
def _observer(table, position, status):
    """Return the seat from whose view a row is observed.

    That is the seat to move where a function of the caller decides, else the learner's seat; where the learner decides
    for every seat, the seat to move (0 at the end of the game).
    """
    if table.learner != c.NONE and status != WAITING:
        return np.int64(table.learner)
    return np.int64(max(0, header_of(position).seat))


@inlined
def _observe(games, i, features, compact, index):
    """Write the observation of row ``i`` into row ``index`` of whichever array has rows, in the layout of its size."""
    table, position = games.tables[i], games.positions[i]
    board, seat = games.boards[table.board], _observer(table, position, games.status[i])
    if features.shape[0] > 0:
        write_features(games.rules, board, position, seat, features[index])
    elif compact.shape[0] > 0:
        write_compact(games.rules, board, position, seat, compact[index])


@inlined
def _fetch_row(games, i):
    """Let the processor bring the game of row ``i`` to the cache; a large batch lies far from it."""
    fetch(games.positions[i])
    fetch(games.tables[i])


@inlined
def _play_row(games, moves, own, index):
    """Carry out the action of index ``index`` and let the compiled players answer; return the decisions made."""
    i, action = moves.rows[index], moves.actions[index]
    if action == BEGIN:
        begin_row(games, i, moves.setups, own.thread, moves.begin_with + index)
    elif not _take_action(games, i, action, own.mask.size):
        return np.int64(0)
    return np.int64(action >= 0) + play_compiled_seats(games, i, own.mask, moves.limit, own.players)


@inlined
def _close_and_restart(games, moves, ends, own, i, place):
    """Write the end of the game of row ``i``, and with RESTARTS start the next; return the decisions made in that."""
    table, position, status = games.tables[i], games.positions[i], games.status[i]
    pay, scale, ended = ends.pay, ends.scale, ends.ended[place]
    _close_row(games.rules, games.boards, table, position, i, status, pay, scale, ends.illegal_reward, ended)
    if ends.closes != RESTARTS:
        return np.int64(0)
    _observe(games, i, ends.last, ends.last_compact, place)
    begin_row(games, i, moves.setups, own.thread, own.thread)
    return play_compiled_seats(games, i, own.mask, moves.limit, own.players)


@inlined
def _view_row(games, views, i, index):
    """Write the observation and the mask of row ``i``."""
    _observe(games, i, views.observed, views.observed_compact, index)
    if views.masks.shape[0] > 0:
        write_bytes(games.words[i], views.masks[index])


@inlined
def _any_over(games, rows, start, end):
    """Return whether any of the games ``rows[start:end]`` has ended."""
    over = False
    for index in range(start, end):
        over |= games.status[rows[index]] >= OVER
    return over


@kernel
def _turn_part(part, thread, games, movers, moves, ends, views, scratch, players, size, found):
    """Take a turn in the rows [part * size, (part + 1) * size), and write ``found[part]``."""
    own = _Own(thread, scratch[thread], players_of(players, thread))
    low, high = part * size, min((part + 1) * size, moves.rows.size)
    made = closed = np.int64(0)
    is_viewed = views.observed.shape[0] + views.observed_compact.shape[0] + views.masks.shape[0] > 0
    for start in range(low, high, BLOCK):
        end = min(start + BLOCK, high)
        for index in range(start, end):
            if index + AHEAD < high:
                _fetch_row(games, moves.rows[index + AHEAD])
            made += _play_row(games, moves, own, index)
        if ends.closes and _any_over(games, moves.rows, start, end):
            for index in range(start, end):
                i = moves.rows[index]
                if games.status[i] >= OVER:
                    made += _close_and_restart(games, moves, ends, own, i, low + closed)
                    closed += 1
        for index in range(start, end):
            i = moves.rows[index]
            movers[i] = header_of(games.positions[i]).seat
        if is_viewed:
            for index in range(start, end):
                _view_row(games, views, moves.rows[index], index)
    found[part, 0], found[part, 1] = made, closed


_share_turn = shared(_turn_part)


@kernel
def _move_entry(ends, source, target):
    """Move what is written about a game that ended to another index."""
    ends.ended[target] = ends.ended[source]
    for place in range(ends.last.shape[1] if ends.last.shape[0] > 0 else 0):
        ends.last[target, place] = ends.last[source, place]
    for place in range(ends.last_compact.shape[1] if ends.last_compact.shape[0] > 0 else 0):
        ends.last_compact[target, place] = ends.last_compact[source, place]


@entry(
    GAMES, BYTES, NUMBERS, NUMBERS, SETUPS, MASKS, FLOAT_ROWS, MASKS, INTEGER, INTEGER, SCALE, INTEGER, REAL,
    array(ENDED), FLOAT_ROWS, MASKS, MASKS, PLAYERS_OF_THREADS, NUMBERS, INTEGER, INTEGER, WORDS,
)  # fmt: skip
def turn(
    games, movers, rows, actions, setups, masks, observed, observed_compact, closes, pay, scale, limit, illegal_reward,
    ended, last, last_compact, scratch, players, shared_words, parts, size, found,
):  # fmt: skip
    """Carry out ``actions`` in ``rows`` and let the compiled players answer each.

    Args:
        games: ``Games``; their ``words`` are the masks the actions were chosen from, replaced by the new ones.
        movers: (N,) int8, written: the seats to move, NONE where a game is over by the rules.
        rows: (n,) int64, games.
        actions: (n,) int64: action ids of the seats to move, BEGIN or NONE.
        setups: (threads + g, words): scratch for each thread, then the set-ups of rows with ``given_setup``, by index.
        masks: (n, number of actions) int8 for the new masks as bytes, or without rows.
        observed: (n, size) float32 for features observations, or without rows.
        observed_compact: (n, size) int8 for compact observations, or without rows.
        closes: CLOSES_NOTHING, CLOSES or RESTARTS.
        pay: REWARD_*; with REWARD_GIVEN the games that are over by the rules are paid 0.
        scale: ``Scale``, what rewards are measured by.
        limit: Decisions of all seats after which a game is TRUNCATED, below 2**31.
        illegal_reward: What an illegal action pays the seat that chose it.
        ended: (n,) ENDED, written from the first entry on: the games closed, in the order of ``rows``.
        last: Like ``observed``, written like ``ended``: their last observations.
        last_compact: Like ``observed_compact``, written like ``ended``.
        scratch: (threads, number of actions) int8.
        players: ``Players`` with memory for each thread.
        shared_words: See ``kernels.sharing``.
        parts: Number of parts that threads share.
        size: Rows of each part but the last, which may have fewer.
        found: (parts, 2) int64, scratch.

    Returns:
        Decisions made by all seats, and the number of games closed.
    """
    moves = _Moves(rows, actions, setups, scratch.shape[0], limit)
    ends = _Ends(closes, pay, scale, illegal_reward, ended, last, last_compact)
    views = _Views(masks, observed, observed_compact)
    _share_turn(shared_words, parts, (games, movers, moves, ends, views, scratch, players, size, found))
    made = closed = np.int64(0)
    for part in range(parts):
        made += found[part, 0]
        for place in range(part * size, part * size + found[part, 1]):
            if place != closed:
                _move_entry(ends, place, closed)
            closed += 1
    return made, closed


# --- How games began and ended, as arrays over all games, of which the infos of environments are made -----------------


@kernel
def _write_winners(game, winners):
    """Write who won: all with the highest score; against an opponent without a seat from equal scores on."""
    best = game.scores[0]
    for side in range(1, game.sides):
        best = max(best, game.scores[side])
    for seat in range(game.players):
        winners[seat] = game.scores[seat] == best


@entry(array(ENDED), REALS, FLAGS, FLAGS, NUMBERS, REAL_ROWS, WORDS, FLAG_ROWS, FLAG_ROWS, FLAG_ROWS)
def write_ends(games, rewards, terminated, truncated, seats, seat_rewards, scores, winners, ended, scored):
    """Write how games ended to arrays over all N games, in the rows of these games; the other rows stay as they are.

    Args:
        games: (n,) ENDED, read only.
        rewards: (N,) float64; what the seat that the caller plays is paid is added.
        terminated: (N,) bool: whether the game is over by the rules or by an illegal action.
        truncated: (N,) bool: whether it was cut short.
        seats: (N,) int64, see ENDED.
        seat_rewards: (N, most seats) float64, see ENDED.
        scores: (N, most scores) int64, of the games that have scores.
        winners: (N, most seats) bool, of the games that have scores.
        ended: (copies, N) bool, several times the same: True for all ``games``.
        scored: (copies, N) bool: True for all but those that ended by an illegal action.

    Returns:
        The number of games that ended by an illegal action, and that of games with scores against an
        opponent without a seat.
    """
    illegal = alone = np.int64(0)
    for index in range(games.size):
        game = games[index]
        row = game.row
        rewards[row] += game.paid[game.paid_seat]
        truncated[row] = game.status == TRUNCATED
        terminated[row] = not truncated[row]
        seats[row] = game.seat
        ended[:, row] = True
        for seat in range(seat_rewards.shape[1]):
            seat_rewards[row, seat] = game.paid[seat]
        if game.status == ILLEGAL:
            illegal += 1
            continue
        alone += game.alone
        scored[:, row] = True
        for side in range(scores.shape[1]):
            scores[row, side] = game.scores[side]
        _write_winners(game, winners[row])
    return illegal, alone


@entry(array(TABLE), NUMBERS, FLAGS, NUMBERS, FLAGS, NUMBERS, FLAGS, NUMBERS, FLAGS)
def write_starts(tables, rows, drawn, seeds, of_seeds, kinds, of_kinds, learners, of_learners):
    """Write how games began to arrays over all N games, in the rows of these games; the other rows stay as they are.

    Args:
        tables: (N,) TABLE, read only.
        rows: (n,) int64, the games.
        drawn: (n,) bool: whether the game's set-up was drawn from its seed; else the game has no seed.
        seeds: (N,) int64.
        of_seeds: (N,) bool: True for the games that have a seed.
        kinds: (N,) int64: the rows of the kinds; without entries they are not written.
        of_kinds: (N,) bool: True for all ``rows``.
        learners: (N,) int64: the learner's seats; without entries they are not written.
        of_learners: (N,) bool: True for all ``rows``.
    """
    for index in range(rows.size):
        row = rows[index]
        table = tables[row]
        if drawn[index]:
            seeds[row], of_seeds[row] = table.game_seed, True
        if kinds.size > 0:
            kinds[row], of_kinds[row] = table.kind, True
        if learners.size > 0:
            learners[row], of_learners[row] = table.learner, True
