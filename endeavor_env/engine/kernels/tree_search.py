"""A search of any game: a tree of single moves, in which every seat maximises its own value (max^n).

A simulation begins at the position that is asked about, with everything drawn anew that the searching seat cannot know
(an information set search). It follows the moves that PUCT prefers among those that are legal in this draw, adds one
node, plays on at random for some decisions, and adds the rewards where it stops to all nodes on the way. What chance
decides is drawn in each simulation, and is a branch of the tree like any other. Nodes stand for histories of moves as
the searching seat would see them, not for positions: one node is met with different hidden parts.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.engine.kernels import rules as game
from endeavor_env.engine.kernels.endings import SCALE, reward_of
from endeavor_env.engine.kernels.masks import choose_move, count_allowed, forbid, is_allowed, new_words, nth_allowed
from endeavor_env.engine.kernels.players import LEAF_SIGNATURE
from endeavor_env.engine.kernels.rng import GENERATOR, next_below
from endeavor_env.engine.kernels.rules import (
    BOARDS,
    CHANCE,
    MAX_SEATS,
    MEMORY,
    NONE,
    NUMBERS,
    POSITIONS,
    REAL_ROWS,
    RULES,
    WORDS,
    copy_words,
    header_of,
)
from endeavor_env.kernels.calls import indirect_call
from endeavor_env.kernels.entries import entry
from endeavor_env.kernels.intrinsics import numbers_on_stack, words_on_stack
from endeavor_env.kernels.kernels import inlined, kernel
from endeavor_env.kernels.kinds import INTEGER, REAL, Fields

ACTION, FIRST_CHILD, NEXT_SIBLING, VISITS = range(4)
"""The columns of ``Tree.nodes``: the move that leads to a node, other nodes by number, and how often it was met."""
COLUMNS = 4
ROOT = 0
MOST_DEPTH = 256
"""Nodes on the way of a simulation; what is deeper in the tree is played at random."""


class Tree(NamedTuple):
    """The nodes of a search. One is added in each simulation."""

    nodes: npt.NDArray[np.int64]
    """(most nodes, COLUMNS): see there."""
    values: npt.NDArray[np.float64]
    """(most nodes, MAX_SEATS): the sums of the rewards of each seat."""
    path: npt.NDArray[np.int64]
    """(MOST_DEPTH,), scratch: the nodes of a simulation."""


TREE = Fields(Tree, (WORDS, REAL_ROWS, NUMBERS))
"""The kind of an argument for it."""
_new_totals, _new_rewards = words_on_stack(MAX_SEATS), numbers_on_stack(MAX_SEATS)
NO_LEAVES = -1
"""Stands for the address of an entry that values leaves: there is none, and scores are what counts."""
_call_leaves = indirect_call(len(LEAF_SIGNATURE))


@inlined
def _find_child(tree, node, action):
    """Return the child of a node that a move leads to; NONE if it was not added yet."""
    child = tree.nodes[node, FIRST_CHILD]
    while child != NONE and tree.nodes[child, ACTION] != action:
        child = tree.nodes[child, NEXT_SIBLING]
    return child


@inlined
def _add_child(tree, count, node, action):
    """Write node number ``count``, to which a move leads from ``node``, and return that number."""
    tree.nodes[count, ACTION] = action
    tree.nodes[count, FIRST_CHILD] = NONE
    tree.nodes[count, NEXT_SIBLING] = tree.nodes[node, FIRST_CHILD]
    tree.nodes[count, VISITS] = 0
    tree.values[count, :] = 0.0
    tree.nodes[node, FIRST_CHILD] = count
    return count


@kernel
def _select(tree, node, seat, words, exploration, rng):
    """Return the move that PUCT prefers in a node; ``words`` is the mask, from which children are taken away.

    All moves have the same prior. A move without a node is valued as the node itself, and one of them is drawn.
    """
    visits, untried = max(tree.nodes[node, VISITS], 1), count_allowed(words)
    bonus = exploration * math.sqrt(visits) / untried
    best, best_score = np.int64(NONE), 0.0
    child = tree.nodes[node, FIRST_CHILD]
    while child != NONE:
        action = tree.nodes[child, ACTION]
        if is_allowed(words, action):
            forbid(words, action)
            untried -= 1
            met = max(tree.nodes[child, VISITS], 1)
            score = tree.values[child, seat] / met + bonus / (1 + met)
            if best == NONE or score > best_score:
                best, best_score = action, score
        child = tree.nodes[child, NEXT_SIBLING]
    if untried > 0 and (best == NONE or tree.values[node, seat] / visits + bonus > best_score):
        return nth_allowed(words, next_below(rng, untried))
    return best


@inlined
def _descend(rules, board, position, tree, count, num_words, exploration, rng):
    """Follow a simulation from the root to a node that it adds; return the number of nodes, and the length of the path.

    ``position`` is that of the root before and of the last node after.
    """
    node, depth, added = np.int64(ROOT), np.int64(0), False
    tree.path[0] = ROOT
    while not added and depth + 1 < MOST_DEPTH and header_of(position).seat != NONE:
        seat = np.int64(header_of(position).seat)
        if seat == CHANCE:
            action = game.draw_chance(rules, board, position, rng)
        else:
            words = new_words(num_words)
            game.legal(rules, board, position, words)
            action = _select(tree, node, seat, words, exploration, rng)
        game.apply(rules, board, position, action)
        child = _find_child(tree, node, action)
        if child == NONE and count == tree.nodes.shape[0]:
            break  # a full tree: what it has goes on learning
        if child == NONE:
            child = _add_child(tree, count, node, action)
            count += 1
            added = seat != CHANCE  # a draw decides nothing that could be valued
        node = child
        depth += 1
        tree.path[depth] = node
    return count, depth + 1


@inlined
def _play_on(rules, board, position, num_words, limit, rng):
    """Make at most ``limit`` random moves of seats, and draw what chance decides between them."""
    made = np.int64(0)
    while made < limit and header_of(position).seat != NONE:
        if header_of(position).seat == CHANCE:
            action = game.draw_chance(rules, board, position, rng)
        else:
            words = new_words(num_words)
            game.legal(rules, board, position, words)
            action = choose_move(words, rng)
            made += 1
        game.apply(rules, board, position, action)


@inlined
def _write_rewards(rules, board, position, seats, reward, scale, rewards):
    """Write what the scores of a position are worth to each seat."""
    totals = _new_totals(MAX_SEATS)
    mats, _ = game.score(rules, board, position, totals)
    for seat in range(seats):
        rewards[seat] = reward_of(reward, scale, mats > seats, totals, mats, seat)


@entry(
    RULES, BOARDS, POSITIONS, INTEGER, INTEGER, INTEGER, INTEGER, INTEGER, REAL, INTEGER, SCALE, TREE, INTEGER, NUMBERS,
    GENERATOR, INTEGER, MEMORY,
)  # fmt: skip
def search_tree(
    rules, boards, positions, seat, resamples, num_words, simulations, limit, exploration, reward, scale, tree, count,
    scratch, rng, leaves, memory,
):  # fmt: skip
    """Make simulations from ``positions[0]``, and return the number of nodes.

    Args:
        rules: The addresses of the game's entries.
        boards: (1, words), read only.
        positions: (1, words), read only; the game is not over.
        seat: The seat that searches.
        resamples: 0 or 1: whether each simulation draws anew what the seat cannot know.
        num_words: Words of a mask.
        simulations: How many.
        limit: Most decisions of the random play behind a new node.
        exploration: Weight of what was tried little against what came out well, in units of the reward.
        reward: REWARD_* with a name: what the scores are worth where a simulation stops.
        scale: What rewards are measured by.
        tree: The nodes, of which ``count`` were written by calls before.
        count: 0 to begin a new tree.
        scratch: (words,) int64, for a position.
        rng: (1,) uint64, advanced.
        leaves: The address of the entry that values the positions where simulations stop, instead of their scores
            (``players.LEAF_SIGNATURE``), or NO_LEAVES.
        memory: What it is given, overwritten.
    """
    board, rewards = boards[0], _new_rewards(MAX_SEATS)
    if count == 0:
        tree.nodes[ROOT, ACTION] = tree.nodes[ROOT, FIRST_CHILD] = tree.nodes[ROOT, NEXT_SIBLING] = NONE
        tree.nodes[ROOT, VISITS] = 0
        tree.values[ROOT, :] = 0.0
        count = np.int64(1)
    for _ in range(simulations):
        copy_words(positions[0], scratch)
        if resamples:
            game.resample(rules, board, scratch, seat, rng)
        count, length = _descend(rules, board, scratch, tree, count, num_words, exploration, rng)
        _play_on(rules, board, scratch, num_words, limit, rng)
        seats = np.int64(header_of(scratch).num_seats)
        if leaves == NO_LEAVES:
            _write_rewards(rules, board, scratch, seats, reward, scale, rewards)
        else:
            _call_leaves(leaves, board, scratch, memory, memory.size, rewards)
        for number in range(length):
            node = tree.path[number]
            tree.nodes[node, VISITS] += 1
            for other in range(seats):
                tree.values[node, other] += rewards[other]
    return count
