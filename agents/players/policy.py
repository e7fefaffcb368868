"""The policy networks of checkpoints as compiled players: they play inside the kernels, without PyTorch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from endeavor_env.agents.checkpoint import load_network
from endeavor_env.agents.network_spec import NetworkSpec
from endeavor_env.endeavor.players.network_file import PolicyNetwork
from endeavor_env.engine.kernels.network import MAX_FIRST, MAX_SECOND, NetworkArrays
from endeavor_env.errors import InvalidOptionError


def check_compiled(spec: NetworkSpec) -> None:
    """Raise InvalidOptionError unless kernels can compute a network of this shape."""
    usable = len(spec.trunk) == len(spec.head) == 1 and spec.activation == "relu"
    if not (usable and spec.trunk[0] <= MAX_FIRST and spec.head[0] <= MAX_SECOND):
        raise InvalidOptionError(
            f"a network of trunk {list(spec.trunk)} and head {list(spec.head)} with {spec.activation} is not compiled: "
            f"it must have one layer in each, at most {MAX_FIRST} and {MAX_SECOND} wide, and relu"
        )


def logits_of_sb3(weights: Mapping[str, torch.Tensor]) -> NetworkArrays:
    """Return the policy network in the state of an SB3 policy, whose shape ``check_compiled`` allows."""
    return _arrays(weights, "features_extractor.layers.0", "mlp_extractor.policy_net.0", "action_net")


def value_of_sb3(weights: Mapping[str, torch.Tensor]) -> NetworkArrays:
    """Return the value network in the state of an SB3 policy; its first layer is that of the policy network."""
    return _arrays(weights, "features_extractor.layers.0", "mlp_extractor.value_net.0", "value_net")


def sb3_of(network: PolicyNetwork) -> dict[str, torch.Tensor]:
    """Return the state of an SB3 policy with the networks of a file."""
    logits, value = network.logits, network.value
    layers = {f"{part}features_extractor.layers.0": (logits.first, logits.first_bias) for part in ("", "pi_", "vf_")}
    for name, head, last in (("policy_net", logits, "action_net"), ("value_net", value, "value_net")):
        layers[f"mlp_extractor.{name}.0"] = head.second, head.second_bias
        layers[last] = head.last, head.last_bias
    weights = {f"{layer}.weight": torch.from_numpy(matrix.T.copy()) for layer, (matrix, _) in layers.items()}
    return weights | {f"{layer}.bias": torch.from_numpy(bias.copy()) for layer, (_, bias) in layers.items()}


def _arrays(weights: Mapping[str, torch.Tensor], *layers: str) -> NetworkArrays:
    """Return copies of three layers, whose tensors are ``<layer>.weight`` and ``<layer>.bias``."""
    parts: list[Any] = []
    for layer in layers:
        matrix, bias = (weights[f"{layer}.{kind}"].detach().cpu().numpy() for kind in ("weight", "bias"))
        parts += [np.array(matrix.T, np.float32, order="C"), np.array(bias, np.float32)]
    return NetworkArrays(*parts)


def read_policy(path: str) -> tuple[NetworkArrays, str]:
    """Return the policy network of a checkpoint, and the variant that it plays.

    Raises:
        CheckpointError: The checkpoint is missing, damaged, or made for other layouts.
        InvalidOptionError: Its network is of a shape that kernels do not compute.
    """
    network, card = load_network(path)
    check_compiled(network.spec)
    return _arrays(network.state_dict(), "trunk.0", "policy_net.0", "action_net"), card["variant"]
