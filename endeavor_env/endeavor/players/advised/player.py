"""The advised player: its choice, its memory and its entry."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.players.policy.player import best_action, log_of_total, write_logits
from endeavor_env.endeavor.players.value.player import memory_with_policies, value_action, value_actions, workspace_of
from endeavor_env.endeavor.rules.arguments import board_at, state_at
from endeavor_env.engine.kernels.masks import count_legal
from endeavor_env.engine.kernels.network import NetworkArrays
from endeavor_env.engine.kernels.players import player_entry
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
    """Return the advised player's action; see ``engine.kernels.players.PLAYER_KINDS``."""
    allowed, workspace = bytes_at(mask, num_actions), workspace_of(memory_at(memory, size))
    return np.int64(advised_action(board_at(board), state_at(state), allowed, workspace, generator_at(rng, 1)))
