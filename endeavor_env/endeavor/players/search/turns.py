"""Complete turns of the seat to move: the best few different ones, kept while a search finds them."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.players.value.workspace import DEPTH
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.kernels.kernels import kernel

TURN = np.dtype(
    (
        np.record,
        [  # a complete turn
            ("value", np.float64),  # of the position after it, for the seat whose turn it is
            ("prior", np.float64),  # share of the search that it gets before anything else is known, 0..1
            ("child", np.int64),  # the node of the position after it, NONE if there is none yet
            ("considered", np.int64),  # 0/1, at the root: the halving has not put it aside
            ("noise", np.float64),  # at the root: Gumbel noise of the halving
            ("improved", np.float64),  # at the root: the probability that the search makes of prior and values
            ("length", np.int64),  # number of its actions
            ("path", np.int64, (DEPTH,)),  # its actions
        ],
    )
)
PLAN = np.dtype(
    (
        np.record,
        [  # the turn that was chosen, of which the game has reached the action at index `at`
            ("at", np.int64),
            ("length", np.int64),
            ("path", np.int64, (DEPTH,)),
        ],
    )
)

SLOTS = 1 << 11
"""Size of the table of the positions seen in a search over a turn."""
PROBES = 8
"""Slots that may hold a position; when all are taken it counts as new, which costs time and a place among the best."""
_FIRST_KEY = np.uint64(0x9E3779B97F4A7C15)
_S13, _S7, _S17 = np.uint64(13), np.uint64(7), np.uint64(17)


@kernel
def first_legal(mask):
    """Return the first legal action of ``mask``, (n,) int8, which has one."""
    action = np.int64(0)
    while mask[action] == 0:
        action += 1
    return action


@kernel
def _stir(key, word):
    """Return ``key`` with a word mixed in: exclusive-or, then a step of xorshift."""
    key ^= np.uint64(word)
    key ^= key << _S13
    key ^= key >> _S7
    return key ^ (key << _S17)


@kernel
def difference_key(before, after):
    """Return a uint64 that tells where and how the words of ``after``, (n,) int64, differ from those of ``before``."""
    key = _FIRST_KEY
    for place in range(before.size):
        change = before[place] ^ after[place]
        if change != 0:
            key = _stir(_stir(key, change), place)
    return key


@kernel
def same_words(one, other):
    """Return whether two positions, (n,) int64 each, are equal."""
    for place in range(one.size):
        if one[place] != other[place]:
            return False
    return True


@kernel
def note_position(seen, key, search_number):
    """Note a position in a table; return whether this search had noted it before.

    Args:
        seen: (2, SLOTS) uint64: keys, and the number of the search that noted each.
        key: The key of the position.
        search_number: The number of this search, above 0; all that other searches noted counts for nothing.
    """
    for probe in range(PROBES):
        slot = np.int64((key + np.uint64(probe)) & np.uint64(SLOTS - 1))
        if seen[1, slot] != search_number:
            seen[0, slot], seen[1, slot] = key, search_number
            return False
        if seen[0, slot] == key:
            return True
    return False


@kernel
def keep_turn(turns, count, value, path, length):
    """Insert a turn behind all that are at least as good, if there is room; return how many are kept then.

    Args:
        turns: (n,) TURN, the first ``count`` in use, the best first.
        count: Turns in use.
        value: The value of the turn.
        path: (DEPTH,) int64, its actions.
        length: Their number.
    """
    place = count
    while place > 0 and turns[place - 1].value < value:
        place -= 1
    if place == turns.size:
        return count
    kept = min(count + 1, turns.size)
    for later in range(kept - 1, place, -1):
        turns[later] = turns[later - 1]
    turn = turns[place]
    turn.value, turn.prior, turn.child, turn.length = value, 0.0, c.NONE, length
    turn.considered, turn.noise, turn.improved = 0, 0.0, 0.0
    for index in range(length):
        turn.path[index] = path[index]
    return kept


@kernel
def begin_plan(plan, turn):
    """Make ``turn``, whose first action is chosen now, the plan."""
    plan.at, plan.length = 1, turn.length
    for index in range(turn.length):
        plan.path[index] = turn.path[index]


@kernel
def next_planned(plan, words, planned_words):
    """Return the next action of the plan, NONE if it has none for the position at hand; note that it was made.

    Args:
        plan: PLAN record.
        words: (n,) int64, the position at hand.
        planned_words: (n,) int64, the position in which the next planned action is due.
    """
    if plan.at >= plan.length or not same_words(words, planned_words):
        return np.int64(c.NONE)
    plan.at += 1
    return plan.path[plan.at - 1]
