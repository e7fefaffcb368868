"""What trainers with a learner of their own share: where it computes, and layers that take weights and give them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from endeavor_env.engine.kernels.network import NetworkArrays
from endeavor_env.errors import InvalidOptionError
from endeavor_env.training.runs.settings import Device


def device_of(name: Device) -> str:
    """Return the device of PyTorch that a setting names; raise InvalidOptionError if it is not there."""
    if name == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    if name == "cuda" and not torch.cuda.is_available():
        raise InvalidOptionError("the setting device='cuda' is not possible: PyTorch finds no such device here")
    return name


def take_network(layers: Sequence[nn.Linear], network: NetworkArrays) -> None:
    """Take over the parameters of a network. Layers may be wider: what is new does not change what the network says.

    Raises:
        InvalidOptionError: A layer is narrower.
    """
    for index, layer in enumerate(layers):
        _take_layer(layer, network[2 * index].T, network[2 * index + 1])


def _take_layer(layer: nn.Linear, weight: npt.NDArray[np.float32], bias: npt.NDArray[np.float32]) -> None:
    """Take over weights (outputs, inputs) and biases; what a wider layer has more stays as it is but for new inputs."""
    outputs, inputs = weight.shape
    if inputs > layer.in_features or outputs > layer.out_features:
        raise InvalidOptionError(
            f"a network with layers of shape {weight.shape} cannot be taken over: the settings say "
            f"{tuple(layer.weight.shape)}"
        )
    with torch.no_grad():
        layer.weight[:outputs, :inputs] = torch.from_numpy(weight.copy())
        layer.weight[:outputs, inputs:] = 0.0
        layer.bias[:outputs] = torch.from_numpy(bias.copy())


def network_of(layers: Sequence[nn.Linear]) -> NetworkArrays:
    """Return a copy of the parameters of three layers as the kernels take them."""
    parts = []
    for layer in layers:
        parts += [layer.weight.detach().cpu().numpy().T.copy(), layer.bias.detach().cpu().numpy().copy()]
    return NetworkArrays(*parts)
