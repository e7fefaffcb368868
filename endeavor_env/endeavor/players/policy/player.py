"""The policy player: the choice of a network, its memory and its entry."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.players.value.player import (
    Exploration,
    NetworkArrays,
    look_at_position,
    value_memory,
    workspace_of,
)
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.state import board_at, state_at
from endeavor_env.engine.kernels.masks import choose, count_legal
from endeavor_env.engine.kernels.network import NETWORK, write_outputs
from endeavor_env.engine.kernels.players import player_entry
from endeavor_env.engine.kernels.rng import next_below
from endeavor_env.kernels.intrinsics import bytes_at, generator_at, memory_at
from endeavor_env.kernels.kernels import kernel

# --- The choice of a policy network ----------------------------------------------------------------------------------
# The legal action of the highest logit, or one drawn from the probabilities.

_FRACTION = 1 << 30


@kernel
def write_logits(board, state, network, workspace):
    """Write the logits of all actions for the seat to move into ``workspace.out``."""
    look_at_position(board, state, np.int64(state.seat), network, workspace)
    scratch = workspace.places, workspace.amounts
    write_outputs(network, workspace.parameters, workspace.sums[0], workspace.second, workspace.out, *scratch)


@kernel
def best_action(logits, mask):
    """Return the legal action of the highest logit, or other number, the first of equals; any if one is no number."""
    chosen, best = np.int64(c.NONE), -np.inf
    for action in range(mask.size):
        if mask[action] and (logits[action] > best or chosen == c.NONE):  # the first, even if it compares with nothing
            chosen, best = np.int64(action), logits[action]
    return chosen


@kernel
def log_of_total(logits, mask):
    """Return the highest logit of the legal actions, at least one, and the logarithm of the sum of exp(logit - it)."""
    highest, total = np.float64(logits[best_action(logits, mask)]), 0.0
    for action in range(mask.size):
        if mask[action]:
            total += np.exp(np.float64(logits[action]) - highest)
    return highest, np.log(total)


@kernel
def draw_action(logits, mask, temperature, rng):
    """Draw a legal action from the softmax of logits / temperature.

    Args:
        logits: (n,) float32, n at least the number of actions.
        mask: (actions,) int8, the legal actions, at least one.
        temperature: Above 0.
        rng: (1,) uint64, advanced in place.

    Returns:
        The action, legal even if logits are no numbers, and the logarithm of its probability, float64.
    """
    chosen = best_action(logits, mask)
    highest, total = np.float64(logits[chosen]), 0.0
    for action in range(mask.size):
        if mask[action]:
            total += np.exp((np.float64(logits[action]) - highest) / temperature)
    left = total * (np.float64(next_below(rng, _FRACTION)) + 0.5) / np.float64(_FRACTION)
    for action in range(mask.size):
        if mask[action] and left > 0.0:
            chosen = np.int64(action)
            left -= np.exp((np.float64(logits[action]) - highest) / temperature)
    return chosen, (np.float64(logits[chosen]) - highest) / temperature - np.log(total)


@kernel
def policy_action(board, state, mask, workspace, rng):
    """Return the policy player's action.

    Args:
        board: BOARD record, read only.
        state: STATE record, read only; a decision is asked, in a variant that the player has a network for.
        mask: Int8, the legal actions; read only.
        workspace: ``Workspace``, overwritten.
        rng: (1,) uint64, advanced only with a temperature.
    """
    if count_legal(mask) == 1:
        return choose(mask, rng)
    settings = workspace.settings[0]
    write_logits(board, state, workspace.networks[settings.network_of[state.variant]], workspace)
    if settings.temperature > 0.0:
        return draw_action(workspace.out, mask, settings.temperature, rng)[0]
    return best_action(workspace.out, mask)


# --- The policy player as a compiled player --------------------------------------------------------------------------
# The memory it is given is that of a value player with another network.

LOGITS = 0
"""Index of the network with the logits among those of ``learner_memory``."""
VALUE = 1
"""Index of the network with the value."""


def policy_memory(networks: Mapping[int, NetworkArrays], temperature: float = 0.0) -> npt.NDArray[np.uint8]:
    """Return the memory of a policy player.

    Args:
        networks: The network for each VARIANT_* that it plays; its outputs are the logits of all actions.
        temperature: 0 for the most likely action; above 0 it draws from the softmax of logits / temperature.
    """
    return value_memory(networks, Exploration(temperature), estimates=0)


def learner_memory(variant: int, logits: NetworkArrays, value: NetworkArrays) -> npt.NDArray[np.uint8]:
    """Return the memory of a policy network that also values positions.

    Args:
        variant: The VARIANT_* that it plays.
        logits: The network of the policy.
        value: The network of the value; its first layer is the same and is not stored again.
    """
    inputs, first = logits.first.shape
    own = value.flat()[(inputs + 1) * first :]
    memory = np.concatenate([policy_memory({variant: logits}), own.view(np.uint8)])
    workspace = workspace_of(memory)
    at = logits.flat().size - (inputs + 1) * first  # where the first layer would begin, if it stood before its own
    workspace.networks[VALUE : VALUE + 1] = np.array([(inputs, 0, first, *value.last.shape, at)], NETWORK)
    return memory


@player_entry
def policy_entry(board, state, mask, num_actions, memory, size, rng):
    """Return the policy player's action; see ``engine.kernels.players.PLAYER_SIGNATURE``."""
    allowed, workspace = bytes_at(mask, num_actions), workspace_of(memory_at(memory, size))
    return np.int64(policy_action(board_at(board), state_at(state), allowed, workspace, generator_at(rng, 1)))
