"""The value player as a compiled player, and the memory it is given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.players.calls import player_entry
from endeavor_env.endeavor.players.value.estimates import NUM_ESTIMATES
from endeavor_env.endeavor.players.value.turn_search import value_action
from endeavor_env.endeavor.players.value.workspace import EXPLORE_ALL, PARAMETERS_AT, workspace_of
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.outside_entry import board_at, state_at
from endeavor_env.engine.kernels.network import NETWORK, NetworkArrays
from endeavor_env.kernels.intrinsics import bytes_at, generator_at, memory_at


class Exploration(NamedTuple):
    """How far a value player departs from the best turn, to see what else there is."""

    temperature: float = 0.0
    """Scale of the Gumbel noise in the values, which makes the choice a draw from their softmax."""
    share: float = 0.0
    """Share of random moves, 0..1."""


BEST_TURN = Exploration()


def value_memory(
    networks: Mapping[int, NetworkArrays],
    exploration: Exploration = BEST_TURN,
    *,
    values_all: bool = False,
    estimates: int = NUM_ESTIMATES,
) -> npt.NDArray[np.uint8]:
    """Return the memory of a value player.

    Args:
        networks: The network for each VARIANT_* that it can play; a network may stand for several.
        exploration: How it explores; if left out, it plays the best turn.
        values_all: Whether it also values decisions with a single legal action, which takes time.
        estimates: How many inputs of the networks follow the features: NUM_ESTIMATES, or 0 for networks of features.
    """
    distinct = list({id(network): network for network in networks.values()}.values())
    sizes = [4 * network.flat().size for network in distinct]
    memory = np.zeros(PARAMETERS_AT + sum(sizes), np.uint8)
    workspace, at = workspace_of(memory), 0
    workspace.settings["network_of"] = workspace.settings["policy_of"] = c.NONE
    workspace.settings["temperature"], workspace.settings["values_all"] = exploration.temperature, values_all
    workspace.settings["explore"] = round(exploration.share * EXPLORE_ALL)
    for index, network in enumerate(distinct):
        inputs, first = network.first.shape
        second, outputs = network.last.shape
        workspace.networks[index : index + 1] = np.array([(inputs, estimates, first, second, outputs, at)], NETWORK)
        flat = network.flat()
        workspace.parameters[at : at + flat.size] = flat
        at += flat.size
        for variant, used in networks.items():
            if used is network:
                workspace.settings["network_of"][0, variant] = index
    return memory


def memory_with_policies(
    values: Mapping[int, NetworkArrays], policies: Mapping[int, NetworkArrays]
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """Return the memory of a value player in which policy networks stand behind its own, and their places.

    Args:
        values: The network for each VARIANT_* that it can play.
        policies: The policy network for each VARIANT_* that has one, of features alone.

    Returns:
        The memory, and by variant the index of the policy among the networks, NONE if there is none.
    """
    memory, places = value_memory(values), np.full(c.NUM_VARIANTS, c.NONE)
    count, at = len({id(network) for network in values.values()}), (memory.size - PARAMETERS_AT) // 4
    distinct = {id(network): network for network in policies.values()}
    more = [network.flat() for network in distinct.values()]
    memory = np.concatenate([memory, *(flat.view(np.uint8) for flat in more)])
    workspace = workspace_of(memory)
    for index, network in enumerate(distinct.values()):
        inputs, first = network.first.shape
        row = np.array([(inputs, 0, first, *network.last.shape, at)], NETWORK)
        workspace.networks[count + index : count + index + 1] = row
        at += more[index].size
        for variant, used in policies.items():
            if used is network:
                places[variant] = count + index
    return memory, places


@player_entry
def value_entry(board, state, mask, num_actions, memory, size, rng):
    """Return the value player's action; see ``calls.ENTRY``."""
    allowed, workspace = bytes_at(mask, num_actions), workspace_of(memory_at(memory, size))
    return np.int64(value_action(board_at(board), state_at(state), allowed, workspace, generator_at(rng, 1)))
