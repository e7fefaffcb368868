"""The parameters of a run's networks as the kernels take them."""

from __future__ import annotations

from typing import NamedTuple

from endeavor_env.endeavor.players.value.player import NetworkArrays


class Networks(NamedTuple):
    """The parameters of a model."""

    value: NetworkArrays
    """A value for each seat, of features and estimates."""
    logits: NetworkArrays
    """The policy, of features."""
    own_value: NetworkArrays
    """A value for the seat to move alone, on the first layer of the policy: what PPO goes on with."""
