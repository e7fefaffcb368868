"""The advised player as a compiled player, and the memory it is given: that of a value player with a policy in it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.players.advised.choice import advised_action
from endeavor_env.endeavor.players.calls import player_entry
from endeavor_env.endeavor.players.value.player import memory_with_policies
from endeavor_env.endeavor.players.value.workspace import workspace_of
from endeavor_env.endeavor.rules.outside_entry import board_at, state_at
from endeavor_env.engine.kernels.network import NetworkArrays
from endeavor_env.kernels.intrinsics import bytes_at, generator_at, memory_at


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
    """Return the advised player's action; see ``calls.ENTRY``."""
    allowed, workspace = bytes_at(mask, num_actions), workspace_of(memory_at(memory, size))
    return np.int64(advised_action(board_at(board), state_at(state), allowed, workspace, generator_at(rng, 1)))
