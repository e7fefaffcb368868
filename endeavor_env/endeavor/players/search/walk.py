"""Ways through the tree that do not need the rules: which branch to look at, which to play, which nodes to keep."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.players.search.turns import same_words
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.engine.kernels.rng import gumbel
from endeavor_env.kernels.kernels import kernel


@kernel
def _summed(tree, node, seat):
    """Return the sum of a node's values for ``seat``, less what it minds of those of the seat at the root."""
    root = tree.nodes[0].seat
    return node.sums[seat] - (tree.search[0].spite * node.sums[root] if seat != root else 0.0)


@kernel
def estimate(tree, index, place):
    """Return what a branch of a node is worth to the seat to move there: the mean of its visits and a first estimate.

    The first estimate counts as ``trust`` visits. It is the mean of the node, plus what the network makes of this turn
    beside the best one: searched values fall as others answer, and branches not yet searched should not gain by it.
    """
    node, turn, trust = tree.nodes[index], tree.branches[index, place], tree.search[0].trust
    seat = node.seat
    usual = _summed(tree, node, seat) / np.float64(node.visits) if node.visits > 0 else node.best
    visits, total = 0.0, 0.0
    if turn.child != c.NONE:
        visits, total = np.float64(tree.nodes[turn.child].visits), _summed(tree, tree.nodes[turn.child], seat)
    return (total + trust * (usual + turn.value - node.best)) / (visits + trust)


@kernel
def visits_of(tree, index, place):
    """Return the visits of a branch of a node."""
    child = tree.branches[index, place].child
    return np.int64(0) if child == c.NONE else tree.nodes[child].visits


@kernel
def select(tree, index):
    """Return the branch of a node that a simulation follows: the best by estimate and by prior and visits (PUCT)."""
    node = tree.nodes[index]
    scale = tree.search[0].exploration * np.sqrt(np.float64(node.visits + 1))
    chosen, best = np.int64(0), -np.inf
    for place in range(node.branches):
        bonus = scale * tree.branches[index, place].prior / np.float64(1 + visits_of(tree, index, place))
        score = estimate(tree, index, place) + bonus
        if score > best:
            chosen, best = np.int64(place), score
    return chosen


@kernel
def add_visit(tree, length):
    """Add the values of the last of the ``length`` nodes of ``tree.path`` to all of them."""
    values = tree.nodes[tree.path[length - 1]].values
    for step in range(length):
        node = tree.nodes[tree.path[step]]
        node.visits += 1
        for seat in range(c.MAX_SEATS):
            node.sums[seat] += values[seat]


@kernel
def most_visited(tree):
    """Return the branch of the root with the most visits; of several, the one with the best estimate."""
    chosen, most, best = np.int64(0), np.int64(-1), -np.inf
    for place in range(tree.nodes[0].branches):
        visits, worth = visits_of(tree, 0, place), estimate(tree, 0, place)
        if visits > most or (visits == most and worth > best):
            chosen, most, best = np.int64(place), visits, worth
    return chosen


@kernel
def drawn_by_visits(tree, temperature, rng):
    """Return a branch of the root, drawn with a probability in proportion to visits ** (1 / temperature)."""
    chosen, best = np.int64(0), -np.inf
    for place in range(tree.nodes[0].branches):
        visits = visits_of(tree, 0, place)
        if visits > 0:
            noisy = np.log(np.float64(visits)) + temperature * gumbel(rng)
            if noisy > best:
                chosen, best = np.int64(place), noisy
    return chosen


@kernel
def find_node(tree, words):
    """Return the node of a position, (n,) int64; NONE if there is none."""
    for index in range(tree.search[0].nodes):
        if same_words(tree.words[index], words):
            return np.int64(index)
    return np.int64(c.NONE)


@kernel
def keep_subtree(tree, root):
    """Make ``root`` the root of the tree: move the nodes below it to the front, and forget all others."""
    kept, nodes = np.int64(0), tree.search[0].nodes
    for index in range(root, nodes):
        node = tree.nodes[index]
        node.moves_to = c.NONE
        if index == root or (node.parent >= root and tree.nodes[node.parent].moves_to != c.NONE):
            node.moves_to = kept
            kept += 1
    for index in range(root, nodes):
        place = tree.nodes[index].moves_to
        if place == c.NONE:
            continue
        parent = tree.nodes[index].parent
        tree.nodes[index].parent = c.NONE if index == root else tree.nodes[parent].moves_to
        for branch in range(tree.nodes[index].branches):
            child = tree.branches[index, branch].child
            if child != c.NONE:
                tree.branches[index, branch].child = tree.nodes[child].moves_to
    _move_nodes(tree, root, nodes)
    tree.search[0].nodes = kept


@kernel
def _move_nodes(tree, low, high):
    """Move the nodes [low, high) that are kept to their new places, which are never behind the old ones."""
    for index in range(low, high):
        place = tree.nodes[index].moves_to
        if place == c.NONE or place == index:
            continue
        tree.nodes[place] = tree.nodes[index]
        tree.states[place] = tree.states[index]
        for branch in range(tree.nodes[place].branches):
            tree.branches[place, branch] = tree.branches[index, branch]
