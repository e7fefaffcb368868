"""Priors of turns from a policy network: the product of the probabilities of the decisions that a turn consists of."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.flow.late_rules import apply, legal_bytes
from endeavor_env.endeavor.players.policy.choice import log_of_total, write_logits
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.kernels.kernels import kernel


@kernel
def _log_probability(board, state, action, network, workspace):
    """Return the logarithm of the policy's probability of ``action`` in the position ``state``."""
    mask = workspace.masks[0]
    legal_bytes(board, state, mask)
    write_logits(board, state, network, workspace)
    highest, total = log_of_total(workspace.out, mask)
    return np.float64(workspace.out[action]) - highest - total


@kernel
def _known_before(tree, index, place, step):
    """Return an earlier branch of a node that begins with the same ``step`` + 1 actions, NONE if there is none."""
    path = tree.branches[index, place].path
    for other in range(place):
        same, turn = tree.branches[index, other].length > step, tree.branches[index, other]
        for at in range(step + 1):
            same = same and turn.path[at] == path[at]
        if same:
            return np.int64(other)
    return np.int64(c.NONE)


@kernel
def _write_log_probabilities(board, tree, workspace, index, network):
    """Write the logarithm of the policy's probability of each turn of a node into its ``noise``, which is free."""
    state, parts = workspace.states[1], tree.log_parts
    for place in range(tree.nodes[index].branches):
        turn = tree.branches[index, place]
        workspace.states[1] = tree.states[index]
        turn.noise = 0.0
        for step in range(turn.length):
            before = _known_before(tree, index, place, step)
            if before == c.NONE:
                parts[place, step] = _log_probability(board, state, turn.path[step], network, workspace)
            else:
                parts[place, step] = parts[before, step]
            turn.noise += parts[place, step]
            if step + 1 < turn.length:
                apply(board, state, turn.path[step])


@kernel
def ask_policy(board, tree, workspace, index):
    """Give the policy network its share in the priors of a node, once; without a network or a share do nothing."""
    search, node = tree.search[0], tree.nodes[index]
    which = search.policy_of[tree.states[index].variant]
    if node.asked_policy or which == c.NONE or search.policy_weight == 0.0:
        return
    node.asked_policy = 1
    _write_log_probabilities(board, tree, workspace, index, workspace.networks[which])
    highest, total = -np.inf, 0.0
    for place in range(node.branches):
        highest = max(highest, tree.branches[index, place].noise)
    for place in range(node.branches):
        total += np.exp(tree.branches[index, place].noise - highest)
    for place in range(node.branches):
        turn = tree.branches[index, place]
        share = np.exp(turn.noise - highest) / total
        turn.prior = (1.0 - search.policy_weight) * turn.prior + search.policy_weight * share
