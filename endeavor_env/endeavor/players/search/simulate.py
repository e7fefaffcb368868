"""A simulation: the way from the root to a leaf, and the leaf's values for all nodes on the way."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.players.search.evaluate import evaluate
from endeavor_env.endeavor.players.search.expand import add_node
from endeavor_env.endeavor.players.search.policy_priors import ask_policy
from endeavor_env.endeavor.players.search.tree import LONGEST
from endeavor_env.endeavor.players.search.walk import add_visit, select
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.kernels.kernels import kernel


@kernel
def simulate(board, tree, workspace, first):
    """Follow the most promising branches to a leaf and add its values; return whether there was room for it.

    ``first`` is the branch of the root to begin with, NONE for the most promising one.
    """
    here, length = np.int64(0), np.int64(1)
    tree.path[0] = 0
    while tree.nodes[here].visits > 0 and tree.nodes[here].branches > 0 and length < LONGEST:
        ask_policy(board, tree, workspace, here)
        branch = first if length == 1 and first != c.NONE else select(tree, here)
        child = tree.branches[here, branch].child
        if child == c.NONE:
            child = add_node(board, tree, workspace, here, branch)
            if child == c.NONE:
                return False
        here = child
        tree.path[length] = here
        length += 1
    if tree.nodes[here].visits == 0:
        evaluate(board, tree, workspace, here, np.int64(tree.states[0].round_number))
    add_visit(tree, length)
    return True
