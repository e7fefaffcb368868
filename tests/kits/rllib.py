"""Runs on RLlib without training."""

from __future__ import annotations

import importlib.util

import torch

from endeavor_env.agents.network import SB3_NAMES, PolicyModule
from endeavor_env.training.rllib.folder import RLlibSettings

NO_RAY = importlib.util.find_spec("ray") is None
WHY_NOT = "Ray is not installed: it has an environment of its own, see docs/clients/rllib.md"


def untrained_weights(settings: RLlibSettings) -> dict[str, torch.Tensor]:
    """Return random weights for the network of a run, under the names of SB3."""
    torch.manual_seed(1)
    weights = {}
    for key, value in PolicyModule(settings.network).state_dict().items():
        layer, _, rest = key.partition(".")
        weights[f"{SB3_NAMES[layer]}.{rest}"] = value
    return weights
