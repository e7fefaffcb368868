"""The memory of a search player: that of a value player, and behind it the settings of the search and its tree.

A node is a position in which a seat begins a turn or another decision of its own. Its branches are the best complete
turns of that seat, so a child is a position in which the next seat begins. Positions with one legal action are passed
over. Nodes stand in the order in which they were made, parents before children, and have room for equally many
branches. All of it is one array of bytes; ``tree_of`` returns the parts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.players.search.turns import PLAN, SLOTS, TURN
from endeavor_env.endeavor.players.value.workspace import DEPTH
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.state import STATE
from endeavor_env.engine.kernels.memory import rounded
from endeavor_env.kernels.kernels import reading_kernel

# --- how the values of a new leaf are found (`playout`) ---------------------------------------------------------------
PLAYOUT_NONE = 0  # by the network, once for each seat
PLAYOUT_TURN = 1  # every seat plays its next turn, the best by the network; its value is that of the position after it
PLAYOUT_ROUND = 2  # the same, after the best turns of all seats up to the end of the round
PLAYOUT_VECTOR = 3  # by a network with a value for each seat, at once, as the seat sees it that made the last turn
PLAYOUT_ROUND_VECTOR = 4  # the same, after the best turns of all seats up to the end of the round
LONGEST = 512
"""Most nodes on the way from the root to a leaf."""

SEARCH = np.dtype(
    (
        np.record,
        [
            ("begins", np.int64),  # the byte of the memory at which the nodes begin
            ("room", np.int64),  # most nodes
            ("width", np.int64),  # most branches of a node
            ("simulations", np.int64),  # the search ends when the root has so many visits
            ("at_once", np.int64),  # most simulations of a call
            ("playout", np.int64),  # PLAYOUT_*
            ("exploration", np.float64),  # weight of the priors in the choice of a branch to look at
            ("prior_temperature", np.float64),  # the priors are a softmax of the values divided by this
            ("trust", np.float64),  # the first estimate of a branch counts as so many visits
            ("keeps", np.int64),  # 0/1: what is known of the position at hand from the last search is kept
            ("spite", np.float64),  # how much the other seats mind what the seat at the root gets, 0 for max^n
            ("policy_of", np.int64, (c.NUM_VARIANTS,)),  # index of the policy network by variant, NONE if there is none
            ("policy_weight", np.float64),  # share of the policy network in the priors; the rest is of the values
            ("considered", np.int64),  # turns with which the halving at the root begins; 0 for PUCT at the root, too
            ("noise", np.float64),  # scale of the Gumbel noise at the root
            ("value_scale", np.float64),  # weight of the values beside the logarithms of priors at the root
            ("few", np.int64),  # simulations of a search that is not a full one
            ("full_share", np.int64),  # searches are full in this many of EXPLORE_ALL cases
            ("goes_on", np.int64),  # 0/1: the next call goes on with the halving of the last one
            # --- what the player writes
            ("nodes", np.int64),  # nodes in use
            ("turn_search", np.uint64),  # number of the last search over a turn
            ("made", np.int64),  # simulations of the last call
            ("full", np.int64),  # 0/1: the last search was a full one
            ("shared", np.int64),  # simulations that the halving has shared out
            ("count", np.int64),  # turns that it considers by now
            ("halvings", np.int64),  # rounds after which it compares no more than two
            ("round_left", np.int64),  # simulations left of the round
            ("next_turn", np.int64),  # where to look for the turn that gets the next simulation
        ],
    )
)
NODE = np.dtype(
    (
        np.record,
        [
            ("seat", np.int64),  # who is to move, NONE if the game is over
            ("branches", np.int64),  # turns, 0 if the game is over
            ("parent", np.int64),  # NONE for the root
            ("visits", np.int64),
            ("moves_to", np.int64),  # scratch of `keep_subtree`
            ("asked_policy", np.int64),  # 0/1: the policy network has had its share in the priors
            ("best", np.float64),  # value of the best turn for `seat`, by the network
            ("values", np.float64, (c.MAX_SEATS,)),  # for each seat, found at the first visit
            ("sums", np.float64, (c.MAX_SEATS,)),  # of the values of all visits
        ],
    )
)

_WORDS = STATE.itemsize // 8
_STATE, _NODE, _TURN, _SEARCH, _PLAN = STATE.itemsize, NODE.itemsize, TURN.itemsize, SEARCH.itemsize, PLAN.itemsize
SETTINGS_SIZE = rounded(_SEARCH)
"""Bytes at the end of the memory that hold the settings."""
_PARTS = DEPTH * 8
_FIXED_SIZE = 2 * SLOTS * 8 + LONGEST * 8 + _PLAN + _STATE


class Tree(NamedTuple):
    """The parts of a search player's memory behind the value player's, as views."""

    search: npt.NDArray[np.void]
    """(1,) SEARCH."""
    nodes: npt.NDArray[np.void]
    """(room,) NODE; the root is the first."""
    states: npt.NDArray[np.void]
    """(room + 1,) STATE of each node, and last the position in which the next planned action is due."""
    words: npt.NDArray[np.int64]
    """(room + 1, words of a state): the same as integers, to compare them."""
    branches: npt.NDArray[np.void]
    """(room, width) TURN of each node, the best first."""
    turns: npt.NDArray[np.void]
    """(width,) TURN: scratch."""
    seen: npt.NDArray[np.uint64]
    """(2, SLOTS): scratch, see ``turns.note_position``."""
    path: npt.NDArray[np.int64]
    """(LONGEST,): scratch: the nodes of a simulation."""
    plan: npt.NDArray[np.void]
    """(1,) PLAN."""
    log_parts: npt.NDArray[np.float64]
    """(width, DEPTH): scratch: logarithms of the policy's probabilities of the decisions of turns."""


def tree_size(room: int, width: int) -> int:
    """Return the bytes of a tree without its settings."""
    size = room * (_NODE + _STATE + width * _TURN) + width * (_TURN + _PARTS) + _FIXED_SIZE
    return rounded(size)


@reading_kernel
def search_of(memory):
    """Return the settings, (1,) SEARCH, in ``memory``, uint8."""
    begins = memory.size - SETTINGS_SIZE
    return memory[begins : begins + _SEARCH].view(SEARCH)


@reading_kernel
def tree_of(memory):
    """Return the parts of ``memory``, uint8, whose settings are written."""
    search = search_of(memory)
    room, width, nodes = search[0].room, search[0].width, search[0].begins
    states = nodes + room * _NODE
    branches = states + (room + 1) * _STATE
    turns = branches + room * width * _TURN
    seen = turns + width * _TURN
    path = seen + 2 * SLOTS * 8
    plan = path + LONGEST * 8
    parts = plan + _PLAN
    return Tree(
        search,
        memory[nodes:states].view(NODE),
        memory[states:branches].view(STATE),
        memory[states:branches].view(np.int64).reshape((room + 1, _WORDS)),
        memory[branches:turns].view(TURN).reshape((room, width)),
        memory[turns:seen].view(TURN),
        memory[seen:path].view(np.uint64).reshape((2, SLOTS)),
        memory[path:plan].view(np.int64),
        memory[plan:parts].view(PLAN),
        memory[parts : parts + width * _PARTS].view(np.float64).reshape((width, DEPTH)),
    )
