"""The search player as a compiled player, and the memory it is given.

It searches a tree of whole turns (``tree``) by PUCT: a simulation follows the most promising branches to a leaf and
adds the leaf's values to all nodes on the way. Every seat maximises its own value (max^n).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.flow.late_rules import apply
from endeavor_env.endeavor.players.calls import player_entry
from endeavor_env.endeavor.players.search.expand import add_node
from endeavor_env.endeavor.players.search.halving import halve
from endeavor_env.endeavor.players.search.simulate import simulate
from endeavor_env.endeavor.players.search.tree import (
    PLAYOUT_NONE,
    PLAYOUT_ROUND,
    PLAYOUT_ROUND_VECTOR,
    PLAYOUT_TURN,
    PLAYOUT_VECTOR,
    SETTINGS_SIZE,
    search_of,
    tree_of,
    tree_size,
)
from endeavor_env.endeavor.players.search.turns import begin_plan, first_legal, next_planned
from endeavor_env.endeavor.players.search.walk import (
    drawn_by_visits,
    find_node,
    keep_subtree,
    most_visited,
)
from endeavor_env.endeavor.players.value.player import NetworkArrays, memory_with_policies
from endeavor_env.endeavor.players.value.workspace import EXPLORE_ALL, workspace_of
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.outside_entry import board_at, state_at
from endeavor_env.engine.kernels.memory import rounded
from endeavor_env.engine.kernels.rng import next_below
from endeavor_env.engine.kernels.uniform import count_legal
from endeavor_env.kernels.intrinsics import bytes_at, generator_at, memory_at
from endeavor_env.kernels.kernels import kernel

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
    """Turns with which the halving at the root begins (``halving``), 0 for PUCT at the root, too."""
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
    """Return the search player's action; see ``calls.ENTRY``."""
    allowed, own = bytes_at(mask, num_actions), memory_at(memory, size)
    workspace, tree = workspace_of(own), tree_of(own)
    return np.int64(search_action(board_at(board), state_at(state), allowed, workspace, tree, generator_at(rng, 1)))
