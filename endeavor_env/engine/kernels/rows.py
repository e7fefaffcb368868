"""Many games at once: each kernel walks ranges of games, so that threads can share a batch without sharing a game.

Everything a game needs lies in its own row, its generators included: results depend neither on the number of threads
nor on the other games. Only ``check_actions`` and ``turn`` (in the module of that name) check legality and ranges.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.engine.kernels import rules as c
from endeavor_env.engine.kernels import rules as game
from endeavor_env.engine.kernels.endings import lead_of
from endeavor_env.engine.kernels.masks import allow_all, choose_move, is_allowed, write_bytes
from endeavor_env.engine.kernels.players import SEAT_CALLABLE, SEAT_RANDOM, choose
from endeavor_env.engine.kernels.rules import BYTES, GENERATORS, MASKS, NUMBERS, WORDS, header_of
from endeavor_env.engine.kernels.tables import GAMES, begin
from endeavor_env.kernels.entries import entry
from endeavor_env.kernels.kernels import inlined, kernel
from endeavor_env.kernels.kinds import INTEGER
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
