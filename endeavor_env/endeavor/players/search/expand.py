"""New nodes of the tree: the position, the turns of the seat to move, and what the network makes of them."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.flow.late_rules import apply, legal_bytes
from endeavor_env.endeavor.flow.scoring import write_totals
from endeavor_env.endeavor.players.search.turns import difference_key, first_legal, keep_turn, note_position
from endeavor_env.endeavor.players.value.outcome import outcome
from endeavor_env.endeavor.players.value.turn_search import look_at_position, next_complete_turn, value_there
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.engine.kernels.uniform import count_legal
from endeavor_env.kernels.kernels import kernel


@kernel
def _list_turns(board, seat, network, workspace, tree):
    """Find the best different turns of ``seat`` from ``workspace.states[0]``, whose mask is ``workspace.masks[0]``.

    Write them to ``tree.turns``; return how many there are. Turns that lead to the same position count once.
    """
    search, path = tree.search[0], workspace.settings[0].path
    search.turn_search += np.uint64(1)
    states, masks, cursors, count = workspace.states, workspace.masks, workspace.cursors, np.int64(0)
    cursors[0] = 0
    length = next_complete_turn(board, seat, 0, True, path, states, masks, cursors)
    while length > 0:
        key = difference_key(workspace.words[0], workspace.words[length])
        if not note_position(tree.seen, key, search.turn_search):
            value = value_there(board, states[length], seat, network, workspace)
            count = keep_turn(tree.turns, count, value, path, length)
        length = next_complete_turn(board, seat, length, True, path, states, masks, cursors)
    return count


@kernel
def _set_priors(turns, temperature):
    """Set the priors of turns, (n,) TURN, the best first: a softmax of their values."""
    total = 0.0
    for index in range(turns.size):
        turns[index].prior = np.exp((turns[index].value - turns[0].value) / temperature)
        total += turns[index].prior
    for index in range(turns.size):
        turns[index].prior /= total


@kernel
def _write_outcomes(board, state, node, scores):
    """Write the values of a node at which the game is over; ``scores`` is scratch."""
    mats = write_totals(board, state, scores)
    for seat in range(state.num_seats):
        node.values[seat] = outcome(state, scores, mats, seat)


@kernel
def add_node(board, tree, workspace, parent, branch):
    """Make the node of the position after a branch; return its index, NONE if there is no room.

    Args:
        board: BOARD record.
        tree: ``Tree``.
        workspace: ``Workspace`` of the value player, whose scratch is overwritten.
        parent: The node that gets the child, or NONE for a root, whose position is ``workspace.states[0]``.
        branch: Which of its turns.
    """
    search, state, mask = tree.search[0], workspace.states[0], workspace.masks[0]
    index = search.nodes
    if index == search.room:
        return np.int64(c.NONE)
    search.nodes += 1
    if parent != c.NONE:
        workspace.states[0] = tree.states[parent]
        turn = tree.branches[parent, branch]
        turn.child = index
        for action in turn.path[: turn.length]:
            apply(board, state, action)
    legal_bytes(board, state, mask)
    while count_legal(mask) == 1:
        apply(board, state, first_legal(mask))
        legal_bytes(board, state, mask)
    tree.states[index] = workspace.states[0]
    node = tree.nodes[index]
    node.seat, node.parent, node.visits, node.branches, node.asked_policy = state.seat, parent, 0, 0, 0
    node.sums[:] = 0.0
    if state.decision == c.DECIDE_NOTHING:
        _write_outcomes(board, state, node, workspace.scores)
        return index
    network = workspace.networks[workspace.settings[0].network_of[state.variant]]
    look_at_position(board, state, node.seat, network, workspace)
    node.branches = _list_turns(board, node.seat, network, workspace, tree)
    _set_priors(tree.turns[: node.branches], search.prior_temperature)
    for place in range(node.branches):
        tree.branches[index, place] = tree.turns[place]
    node.best = tree.turns[0].value
    return index
