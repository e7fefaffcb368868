"""The advised player: its choice, its memory, its entry and its settings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.players.network_file import (
    VALUE_NETWORKS,
    PolicyNetwork,
    in_games_of,
    policies_of,
    published_networks,
    split_network,
    value_path,
)
from endeavor_env.endeavor.players.policy.player import best_action, log_of_total, write_logits
from endeavor_env.endeavor.players.value.player import memory_with_policies, value_action, value_actions, workspace_of
from endeavor_env.endeavor.rules.state import board_at, state_at
from endeavor_env.engine.kernels.masks import count_legal
from endeavor_env.engine.kernels.network import NetworkArrays
from endeavor_env.engine.kernels.players import player_entry
from endeavor_env.engine.network_file import ValueNetwork
from endeavor_env.errors import InvalidOptionError, shown
from endeavor_env.kernels.intrinsics import bytes_at, generator_at, memory_at
from endeavor_env.kernels.kernels import kernel

# --- The advised player's choice -------------------------------------------------------------------------------------
# The action whose best turn has the highest value, plus what a policy thinks of it.
# The best of many turns by one network's values is often one that this network overrates. A policy network errs
# elsewhere: the logarithm of its probability, times a small weight, is added to the value of each action.


@kernel
def _write_advice(board, state, mask, network, weight, workspace):
    """Write ``weight`` times the logarithm of the policy's probability of each legal action into ``workspace.merits``.

    Other entries stay as they are.
    """
    write_logits(board, state, network, workspace)
    highest, total = log_of_total(workspace.out, mask)
    for action in range(mask.size):
        if mask[action]:
            workspace.merits[action] = weight * (np.float64(workspace.out[action]) - highest - total)


@kernel
def advised_action(board, state, mask, workspace, rng):
    """Return the legal action of the highest merit: the value of the best turn it begins, and the advice.

    The rest of a turn is not planned: each of its decisions is advised.

    Args:
        board: BOARD record, read only.
        state: STATE record, read only; a decision is asked, in a variant that the player has both networks for.
        mask: Int8, the legal actions; read only.
        workspace: ``Workspace``, overwritten.
        rng: (1,) uint64, for ``value_action`` where one action is legal; not advanced without exploration.
    """
    settings = workspace.settings[0]
    if count_legal(mask) == 1:
        return value_action(board, state, mask, workspace, rng)
    workspace.states[0] = state
    policy = workspace.networks[settings.policy_of[state.variant]]
    _write_advice(board, state, mask, policy, settings.policy_weight, workspace)
    value_actions(board, state, mask, workspace)
    settings.plan_at = settings.plan_length  # only to be read: it is not followed
    for action in range(mask.size):
        if mask[action]:
            workspace.merits[action] += workspace.values[action]
    return best_action(workspace.merits, mask)


# --- The advised player as a compiled player -------------------------------------------------------------------------
# The memory it is given is that of a value player with a policy in it.


def advised_memory(
    values: Mapping[int, NetworkArrays], policies: Mapping[int, NetworkArrays], weight: float
) -> npt.NDArray[np.uint8]:
    """Return the memory of an advised player.

    Args:
        values: The value network for each VARIANT_* that it plays.
        policies: The policy network for each of them, of features alone.
        weight: What the logarithm of a probability counts beside a value, 0 or more.
    """
    memory, places = memory_with_policies(values, policies)
    settings = workspace_of(memory).settings
    settings["policy_of"], settings["policy_weight"] = places, weight
    return memory


@player_entry
def advised_entry(board, state, mask, num_actions, memory, size, rng):
    """Return the advised player's action; see ``engine.kernels.players.PLAYER_SIGNATURE``."""
    allowed, workspace = bytes_at(mask, num_actions), workspace_of(memory_at(memory, size))
    return np.int64(advised_action(board_at(board), state_at(state), allowed, workspace, generator_at(rng, 1)))


# --- The settings of an advised player, as they stand in its name: "advised:weight=0.006,network=<folder>" -----------

WEIGHT = 0.006
"""What the logarithm of the policy's probability counts beside a value, unless the name says: measured, see
``docs/log/2026-11-26-advised.md``."""
MOST_WEIGHT = 1.0
FORM = "weight=<number> and last network=<folder>"
"""What settings look like, for messages."""


class AdvisedName(NamedTuple):
    """What the settings of an advised player say."""

    weight: float
    networks: Sequence[ValueNetwork]
    policies: Sequence[PolicyNetwork]

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants that both networks play."""
        valued = {variant for network in self.networks for variant in network.variants}
        return tuple(policy.variant for policy in self.policies if policy.variant in valued)

    def memory(self, num_actions: int) -> npt.NDArray[np.uint8]:
        """Return fresh memory of the player for games with so many action ids."""
        played = self.variants
        values = {variant: one.arrays for one in self.networks for variant in one.variants if variant in played}
        policies = {one.variant: one.logits for one in self.policies if one.variant in played}
        return advised_memory(in_games_of(num_actions, values), in_games_of(num_actions, policies), self.weight)


def read_advised_name(text: str) -> AdvisedName:
    """Return what the settings of an advised player say.

    Args:
        text: What stands after the colon of its name; empty for the default weight and the published networks.

    Raises:
        InvalidOptionError: An unknown setting, a value it cannot take, or a path that is no folder with both networks.
        CheckpointError: A network cannot be used.
    """
    player = shown(f"advised:{text}")
    settings, named, path = split_network(text)
    weight = _read_weight(player, settings) if settings else WEIGHT
    networks = [VALUE_NETWORKS.read(value_path(path))] if named else published_networks()
    return AdvisedName(weight, networks, policies_of(player, path if named else None))


def _read_weight(player: str, settings: str) -> float:
    """Return the number of "weight=<number>"; raise InvalidOptionError for anything else."""
    name, _, value = settings.partition("=")
    if name != "weight":
        raise InvalidOptionError(f"player {player} has no setting {shown(name)}: give {FORM}")
    try:
        weight = float(value)
    except ValueError:
        weight = math.nan
    if not 0.0 <= weight <= MOST_WEIGHT:
        raise InvalidOptionError(
            f"player {player} sets weight to {shown(value)}: give a number from 0 to {MOST_WEIGHT:g}"
        )
    return weight
