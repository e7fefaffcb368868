"""The root of a search with few simulations: sequential halving of the turns with the best noisy priors.

This is the root of Gumbel AlphaZero (Danihelka and others, 2022): the turns with the largest sums of Gumbel noise and
the logarithm of the prior are *considered*. They get equally many simulations, the worse half is put aside, and so on.
Turns are compared by noise, prior and what the search makes of their values. Without noise the search is
deterministic. The same sum without noise is the logarithm of an improved probability, which a policy can learn.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.players.search.policy_priors import ask_policy
from endeavor_env.endeavor.players.search.simulate import simulate
from endeavor_env.endeavor.players.search.walk import estimate, visits_of
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.engine.kernels.rng import gumbel
from endeavor_env.kernels.kernels import kernel

FIRST_VISITS = 50.0
"""Values count as much as if the most visited turn had so many visits more."""
_LEAST_PRIOR = 1e-12


@kernel
def _improved_logit(tree, place):
    """Return the logarithm of a turn's prior at the root, plus what its value counts beside it."""
    most = np.int64(0)
    for other in range(tree.nodes[0].branches):
        most = max(most, visits_of(tree, 0, other))
    weight = tree.search[0].value_scale * (FIRST_VISITS + np.float64(most))
    return np.log(max(tree.branches[0, place].prior, _LEAST_PRIOR)) + weight * estimate(tree, 0, place)


@kernel
def _draw_noise(tree, rng):
    """Give each turn at the root its noise."""
    scale = tree.search[0].noise
    for place in range(tree.nodes[0].branches):
        tree.branches[0, place].noise = 0.0
        if scale > 0.0:
            tree.branches[0, place].noise = scale * gumbel(rng)


@kernel
def _best_considered(tree, marked):
    """Return the best turn at the root whose mark ``considered`` is ``marked``, NONE if there is none."""
    chosen, best = np.int64(c.NONE), -np.inf
    for place in range(tree.nodes[0].branches):
        turn = tree.branches[0, place]
        if turn.considered == marked:
            score = turn.noise + _improved_logit(tree, place)
            if score > best:
                chosen, best = np.int64(place), score
    return chosen


@kernel
def _consider(tree, count):
    """Mark the ``count`` best of the considered turns at the root; the others are put aside."""
    for _ in range(count):
        tree.branches[0, _best_considered(tree, 1)].considered = 2
    for place in range(tree.nodes[0].branches):
        tree.branches[0, place].considered = np.int64(tree.branches[0, place].considered == 2)


@kernel
def _next_considered(tree, place):
    """Return the first considered turn at the root from ``place`` on, or from the first turn on if there is none."""
    for step in range(tree.nodes[0].branches):
        turn = (place + step) % tree.nodes[0].branches
        if tree.branches[0, turn].considered:
            return np.int64(turn)
    return np.int64(c.NONE)


@kernel
def _simulate_next(board, tree, workspace):
    """Make a simulation of the considered turn whose turn it is; return whether there was room for it.

    In a full tree others may still come to nodes that are there, so the first considered turn is tried before giving
    up.
    """
    search, first = tree.search[0], _next_considered(tree, np.int64(0))
    place = _next_considered(tree, search.next_turn)
    made = simulate(board, tree, workspace, place)
    if not made and place != first:
        place = first
        made = simulate(board, tree, workspace, place)
    search.next_turn = place + 1
    return made


@kernel
def write_improved(tree):
    """Write the improved probabilities of the turns at the root: a softmax of priors and values."""
    root, highest, total = tree.nodes[0], -np.inf, 0.0
    for place in range(root.branches):
        tree.branches[0, place].improved = _improved_logit(tree, place)
        highest = max(highest, tree.branches[0, place].improved)
    for place in range(root.branches):
        turn = tree.branches[0, place]
        turn.improved = np.exp(turn.improved - highest)
        total += turn.improved
    for place in range(root.branches):
        tree.branches[0, place].improved /= total


@kernel
def _begin_halving(board, tree, workspace, simulations, rng):
    """Consider the best turns at the root, no more than there are simulations for; see ``halve``."""
    search, root = tree.search[0], tree.nodes[0]
    if root.visits == 0 and simulate(board, tree, workspace, np.int64(c.NONE)):
        search.made += 1
    ask_policy(board, tree, workspace, np.int64(0))
    _draw_noise(tree, rng)
    for place in range(root.branches):
        tree.branches[0, place].considered = 1
    search.count = min(search.considered, root.branches, max(simulations - root.visits, 1))
    _consider(tree, search.count)
    search.halvings, search.shared, search.round_left = 1, 0, 0
    while (1 << search.halvings) < search.count:
        search.halvings += 1


@kernel
def _begin_round(tree, total):
    """Put the worse half of the turns aside, but for the first round; give the others ``total`` divided by rounds."""
    search = tree.search[0]
    if search.shared > 0 and search.count > 2:
        search.count = (search.count + 1) // 2
        _consider(tree, search.count)
    of_each = max(total // (search.halvings * search.count), 1)
    search.round_left, search.next_turn = min(total - search.shared, of_each * search.count), 0


@kernel
def halve(board, tree, workspace, simulations, rng):
    """Share ``simulations`` among the turns at the root, which has several, and return the best one.

    No call makes more than ``at_once``. With ``goes_on`` the halving of the last call, of the same position, goes on;
    ``simulations`` may be others by then, and the rounds that have not begun share them.

    Args:
        board: BOARD record.
        tree: ``Tree``, whose root is the position at hand.
        workspace: ``Workspace``, whose scratch is overwritten.
        simulations: Simulations, at least 1; those of the root that were kept from an earlier search are among them.
        rng: (1,) uint64, advanced only with noise.
    """
    search = tree.search[0]
    if not search.goes_on:
        _begin_halving(board, tree, workspace, simulations, rng)
    total = max(simulations - (tree.nodes[0].visits - search.shared), 1)
    while search.shared < total and search.made < search.at_once:
        if search.round_left <= 0:
            _begin_round(tree, total)
        if not _simulate_next(board, tree, workspace):
            break
        search.round_left -= 1
        search.shared += 1
        search.made += 1
    write_improved(tree)
    return _best_considered(tree, 1)
