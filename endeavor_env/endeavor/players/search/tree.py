"""The tree of a search: its memory, complete turns as branches, and ways through it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.players.value.player import DEPTH
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.state import STATE
from endeavor_env.engine.kernels.players import rounded
from endeavor_env.engine.kernels.rng import gumbel
from endeavor_env.kernels.kernels import kernel, reading_kernel

# --- Complete turns of the seat to move: the best few different ones, kept while a search finds them -----------------

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


# --- The memory of a search player -----------------------------------------------------------------------------------
# That of a value player, and behind it the settings of the search and its tree.
# A node is a position in which a seat begins a turn or another decision of its own. Its branches are the best complete
# turns of that seat, so a child is a position in which the next seat begins. Positions with one legal action are passed
# over. Nodes stand in the order in which they were made, parents before children, and have room for equally many
# branches. All of it is one array of bytes; ``tree_of`` returns the parts.

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


# --- Ways through the tree that do not need the rules ----------------------------------------------------------------
# Which branch to look at, which to play, which nodes to keep.


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
