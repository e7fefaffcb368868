"""The advised player's settings, as they stand in its name: "advised:weight=0.006,network=<folder>"."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.players.advised.player import advised_memory
from endeavor_env.endeavor.players.named_networks import in_games_of, policies_of, split_network, value_path
from endeavor_env.endeavor.players.policy.networks import PolicyNetwork
from endeavor_env.endeavor.players.value.networks import ValueNetwork, published_networks, read_value_network
from endeavor_env.errors import InvalidOptionError, shown

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
    networks = [read_value_network(value_path(path))] if named else published_networks()
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
