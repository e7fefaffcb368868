"""The values of a leaf for all seats: by the network at the leaf, or after the next best turns of every seat.

The network is trained on positions after a seat's own turn, seen by that seat. So the value of a leaf for a seat is
best read after that seat's next turn, and a position in the middle of a round is judged best at the end of the round.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.players.search.expand import add_node
from endeavor_env.endeavor.players.search.tree import (
    PLAYOUT_NONE,
    PLAYOUT_ROUND_VECTOR,
    PLAYOUT_TURN,
    PLAYOUT_VECTOR,
)
from endeavor_env.endeavor.players.value.turn_search import look_at_position
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.engine.kernels.network import write_outputs
from endeavor_env.kernels.kernels import kernel


@kernel
def _write_network_values(board, state, values, workspace):
    """Write what the network makes of a position for each seat."""
    network = workspace.networks[workspace.settings[0].network_of[state.variant]]
    for seat in range(state.num_seats):
        look_at_position(board, state, seat, network, workspace)
        scratch = workspace.places, workspace.amounts
        write_outputs(network, workspace.parameters, workspace.sums[0], workspace.second, workspace.out, *scratch)
        values[seat] = workspace.out[0]


@kernel
def _write_vector(board, tree, workspace, index, values):
    """Write what a network with a value for each seat makes of a node, as the seat sees it that made the last turn."""
    state, seat = tree.states[index], tree.nodes[index].seat
    if tree.nodes[index].parent != c.NONE:
        seat = tree.nodes[tree.nodes[index].parent].seat
    network = workspace.networks[workspace.settings[0].network_of[state.variant]]
    look_at_position(board, state, seat, network, workspace)
    scratch = workspace.places, workspace.amounts
    write_outputs(network, workspace.parameters, workspace.sums[0], workspace.second, workspace.out, *scratch)
    for place in range(state.num_seats):
        values[(seat + place) % state.num_seats] = workspace.out[place]


@kernel
def evaluate(board, tree, workspace, leaf, last_round):
    """Write the values of a node.

    The nodes that a playout comes through are added to the tree without a visit, so that later simulations find them.

    Args:
        board: BOARD record.
        tree: ``Tree``.
        workspace: ``Workspace``, whose scratch is overwritten.
        leaf: Index of the node.
        last_round: The round to whose end PLAYOUT_ROUND plays; leaves beyond it are played to each seat's next turn.
    """
    playout, values, seats = tree.search[0].playout, tree.nodes[leaf].values, np.int64(tree.states[leaf].num_seats)
    if tree.nodes[leaf].branches == 0:
        return
    values[:] = 0.0
    here, known = leaf, np.int64(0)
    if playout == PLAYOUT_VECTOR:
        _write_vector(board, tree, workspace, leaf, values)
        return
    if playout == PLAYOUT_NONE:
        _write_network_values(board, tree.states[leaf], values, workspace)
        known = (1 << seats) - 1
    while known != (1 << seats) - 1:
        node = tree.nodes[here]
        if node.branches == 0:
            for seat in range(seats):
                values[seat] = node.values[seat]
            return
        if playout == PLAYOUT_ROUND_VECTOR and tree.states[here].round_number > last_round:
            _write_vector(board, tree, workspace, here, values)
            return
        values[node.seat] = node.best
        if playout == PLAYOUT_TURN or tree.states[here].round_number > last_round:
            known |= np.int64(1) << node.seat
        child = tree.branches[here, 0].child
        if child == c.NONE:
            child = add_node(board, tree, workspace, here, np.int64(0))
        if child == c.NONE:  # no room: the values so far have to do
            return
        here = child
