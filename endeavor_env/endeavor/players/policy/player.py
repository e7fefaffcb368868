"""The policy player as a compiled player, and the memory it is given: that of a value player with another network."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.players.calls import player_entry
from endeavor_env.endeavor.players.policy.choice import policy_action
from endeavor_env.endeavor.players.value.player import Exploration, NetworkArrays, value_memory
from endeavor_env.endeavor.players.value.workspace import workspace_of
from endeavor_env.endeavor.rules.outside_entry import board_at, state_at
from endeavor_env.engine.kernels.network import NETWORK
from endeavor_env.kernels.intrinsics import bytes_at, generator_at, memory_at

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
    """Return the policy player's action; see ``calls.ENTRY``."""
    allowed, workspace = bytes_at(mask, num_actions), workspace_of(memory_at(memory, size))
    return np.int64(policy_action(board_at(board), state_at(state), allowed, workspace, generator_at(rng, 1)))
