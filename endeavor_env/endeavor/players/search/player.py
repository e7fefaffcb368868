"""The search player: simulations, the root with few of them, its memory and its entry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.flow.dispatch import apply, legal_bytes
from endeavor_env.endeavor.flow.scoring import write_totals
from endeavor_env.endeavor.players.policy.player import log_of_total, write_logits
from endeavor_env.endeavor.players.search.tree import (
    LONGEST,
    PLAYOUT_NONE,
    PLAYOUT_ROUND,
    PLAYOUT_ROUND_VECTOR,
    PLAYOUT_TURN,
    PLAYOUT_VECTOR,
    SETTINGS_SIZE,
    add_visit,
    begin_plan,
    difference_key,
    drawn_by_visits,
    estimate,
    find_node,
    first_legal,
    keep_subtree,
    keep_turn,
    most_visited,
    next_planned,
    note_position,
    search_of,
    select,
    tree_of,
    tree_size,
    visits_of,
)
from endeavor_env.endeavor.players.value.inputs import outcome
from endeavor_env.endeavor.players.value.player import (
    EXPLORE_ALL,
    NetworkArrays,
    look_at_position,
    memory_with_policies,
    next_complete_turn,
    value_there,
    workspace_of,
)
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.state import board_at, state_at
from endeavor_env.engine.kernels.masks import count_legal
from endeavor_env.engine.kernels.network import write_outputs
from endeavor_env.engine.kernels.players import player_entry, rounded
from endeavor_env.engine.kernels.rng import gumbel, next_below
from endeavor_env.kernels.intrinsics import bytes_at, generator_at, memory_at
from endeavor_env.kernels.kernels import kernel

# --- Priors of turns from a policy network ---------------------------------------------------------------------------
# The product of the probabilities of the decisions that a turn consists of.


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


# --- New nodes of the tree: the position, the turns of the seat to move, and what the network makes of them ----------


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


# --- The values of a leaf for all seats ------------------------------------------------------------------------------
# By the network at the leaf, or after the next best turns of every seat.
# The network is trained on positions after a seat's own turn, seen by that seat. So the value of a leaf for a seat is
# best read after that seat's next turn, and a position in the middle of a round is judged best at the end of the round.


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


# --- A simulation: the way from the root to a leaf, and the leaf's values for all nodes on the way -------------------


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


# --- The root of a search with few simulations: sequential halving of the turns with the best noisy priors -----------
# This is the root of Gumbel AlphaZero (Danihelka and others, 2022): the turns with the largest sums of Gumbel noise and
# the logarithm of the prior are *considered*. They get equally many simulations, the worse half is put aside, and so
# on. Turns are compared by noise, prior and what the search makes of their values. Without noise the search is
# deterministic. The same sum without noise is the logarithm of an improved probability, which a policy can learn.

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


# --- The search player as a compiled player, and the memory it is given ----------------------------------------------
# It searches a tree of whole turns (``tree``) by PUCT: a simulation follows the most promising branches to a leaf and
# adds the leaf's values to all nodes on the way. Every seat maximises its own value (max^n).

NO_LIMIT = np.iinfo(np.int64).max
_NODES_OF_PLAYOUT = {PLAYOUT_NONE: 1, PLAYOUT_VECTOR: 1, PLAYOUT_TURN: 6, PLAYOUT_ROUND: 20, PLAYOUT_ROUND_VECTOR: 20}
"""About so many for each simulation."""
_SPARE_NODES = 300  # kept from the search before, and the ends of playouts


class SearchSettings(NamedTuple):
    """How a search player searches; ``docs/search.md`` says what came of other settings."""

    simulations: int = 100
    """Visits of the root after which it decides, at least 1."""
    at_once: int = NO_LIMIT
    """Most simulations of a call; it can be asked again about the same position, and goes on if ``keeps`` is set."""
    playout: int = PLAYOUT_ROUND
    """PLAYOUT_*."""
    width: int = 12
    """Most turns of a position that are looked at, at least 1."""
    exploration: float = 0.5
    """Weight of the priors, at least 0."""
    prior_temperature: float = 0.2
    """Values are divided by it before a softmax makes priors of them; above 0."""
    trust: float = 1.0
    """Visits that the first estimate of a turn counts as; above 0."""
    keeps: bool = False
    """Whether what is known of the position at hand from the search before is kept. Only for a player whose memory
    serves one game at a time: otherwise its choice would depend on which games share the memory."""
    temperature: float = 0.0
    """Above 0: turns are drawn with a probability in proportion to visits ** (1 / temperature)."""
    spite: float = 0.0
    """How much the other seats mind, beside their own values, what the seat at the root gets: 0 for max^n, where every
    seat maximises its own value; large for paranoid play; at least 0."""
    policy_weight: float = 0.0
    """Share of the policy network in the priors, 0..1; the rest is a softmax of the values."""
    considered: int = 0
    """Turns with which the halving at the root begins, 0 for PUCT at the root, too."""
    noise: float = 0.0
    """Scale of the Gumbel noise at the root of a halving: 1 to explore, 0 for the best turn."""
    value_scale: float = 0.5
    """Weight of the values in a halving beside the logarithms of the priors; above 0."""
    full_share: float = 1.0
    """Share of the halvings that are full ones, 0..1; the others make ``few`` simulations."""
    few: int = 4
    """Simulations of a halving that is not a full one, at least 1."""
    room: int = 0
    """Most nodes of the tree; 0 for as many as so many simulations usually need. A full tree ends the search."""

    def nodes(self) -> int:
        """Return the most nodes of the tree."""
        return self.room or _SPARE_NODES + self.simulations * _NODES_OF_PLAYOUT[self.playout]


USUAL = SearchSettings()
NO_POLICIES: Mapping[int, NetworkArrays] = {}
_COPIED = (
    *("simulations", "at_once", "playout", "exploration", "prior_temperature", "trust", "keeps"),
    *("spite", "policy_weight", "considered", "noise", "value_scale", "few"),
)


def search_memory(
    networks: Mapping[int, NetworkArrays],
    settings: SearchSettings = USUAL,
    policies: Mapping[int, NetworkArrays] = NO_POLICIES,
) -> npt.NDArray[np.uint8]:
    """Return the memory of a search player.

    Args:
        networks: The network for each VARIANT_* that it can play; a network may stand for several.
        settings: How it searches.
        policies: The policy network for each VARIANT_* in which one has a share in the priors.
    """
    value, policy_of = memory_with_policies(networks, policies)
    workspace_of(value).settings["temperature"] = settings.temperature
    begins = rounded(value.size)
    memory = np.zeros(begins + tree_size(settings.nodes(), settings.width) + SETTINGS_SIZE, np.uint8)
    memory[: value.size] = value
    search = search_of(memory)
    search["begins"], search["room"], search["width"] = begins, settings.nodes(), settings.width
    for field in _COPIED:
        search[field] = getattr(settings, field)
    search["policy_of"], search["full_share"] = policy_of, round(settings.full_share * EXPLORE_ALL)
    return memory


def forget(memory: npt.NDArray[np.uint8]) -> None:
    """Forget the tree and the plan of a search player, as before a new game."""
    tree = tree_of(memory)
    tree.search["nodes"], tree.plan["length"] = 0, 0


def simulations_made(memory: npt.NDArray[np.uint8]) -> int:
    """Return the simulations of the last call."""
    return int(search_of(memory)["made"][0])


@kernel
def begin_search(board, tree, workspace):
    """Make the position ``workspace.states[0]`` the root, with the tree below it if that is kept."""
    root = find_node(tree, workspace.words[0]) if tree.search[0].keeps else np.int64(c.NONE)
    if root == c.NONE:
        tree.search[0].nodes = 0
        add_node(board, tree, workspace, np.int64(c.NONE), np.int64(0))
    elif root > 0:
        keep_subtree(tree, root)


@kernel
def _simulations_now(search, rng):
    """Return the simulations of the next search, a full one or one with few; note which."""
    search.full = 1
    if search.full_share < EXPLORE_ALL:
        search.full = np.int64(next_below(rng, EXPLORE_ALL) < search.full_share)
    return search.simulations if search.full else search.few


@kernel
def search_action(board, state, mask, workspace, tree, rng):
    """Return the first action of the turn that the search likes best for ``state.seat``.

    Args:
        board: BOARD record, read only.
        state: STATE record, read only; a decision is asked, in a variant that the player has a network for.
        mask: Int8, the legal actions; read only.
        workspace: ``Workspace``, overwritten.
        tree: ``Tree``, overwritten.
        rng: (1,) uint64, advanced only with a temperature, with noise, or where searches are drawn to be full.
    """
    search, settings, planned = tree.search[0], workspace.settings[0], tree.search[0].room
    settings.explored, search.made, search.full, settings.value = 0, 0, 0, np.nan
    workspace.states[0] = state
    action = next_planned(tree.plan[0], workspace.words[0], tree.words[planned])
    if action != c.NONE:
        apply(board, tree.states[planned], action)
        return action
    if count_legal(mask) == 1:
        return first_legal(mask)
    begin_search(board, tree, workspace)
    root = tree.nodes[0]
    halved = np.int64(c.NONE)
    if root.branches > 1 and search.considered > 0:
        halved = halve(board, tree, workspace, _simulations_now(search, rng), rng)
    elif root.branches > 1:
        while root.visits < search.simulations and search.made < search.at_once:
            if not simulate(board, tree, workspace, np.int64(c.NONE)):
                break
            search.made += 1
    settings.value = root.best
    if root.visits > 0:
        settings.value = root.sums[root.seat] / np.float64(root.visits)
    branch = most_visited(tree) if halved == c.NONE else halved
    if halved == c.NONE and settings.temperature > 0.0 and root.visits > 1:
        branch = drawn_by_visits(tree, settings.temperature, rng)
    begin_plan(tree.plan[0], tree.branches[0, branch])
    tree.states[planned] = tree.states[0]
    action = tree.plan[0].path[0]
    apply(board, tree.states[planned], action)
    return action


@player_entry
def search_entry(board, state, mask, num_actions, memory, size, rng):
    """Return the search player's action; see ``engine.kernels.players.PLAYER_SIGNATURE``."""
    allowed, own = bytes_at(mask, num_actions), memory_at(memory, size)
    workspace, tree = workspace_of(own), tree_of(own)
    return np.int64(search_action(board_at(board), state_at(state), allowed, workspace, tree, generator_at(rng, 1)))
