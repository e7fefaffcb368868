"""Layers in PyTorch: from and to the arrays of the kernels, their device, and the check that they are finite."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from endeavor_env.engine.kernels.network import NetworkArrays
from endeavor_env.errors import EndeavorError, InvalidOptionError
from endeavor_env.training.runs.settings import Device

# --- Device and weights ----------------------------------------------------------------------------------------------


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


# --- The check for divergence: a network that is not finite loses all its games, or none -----------------------------


class DivergedError(EndeavorError):
    """Learning has come to weights or losses that are not finite; nothing was written of them."""


def check_finite(losses: Mapping[str, float], parameters: Iterable[torch.Tensor], rate: float) -> None:
    """Raise DivergedError unless losses and parameters are finite.

    Args:
        losses: By name, of the steps since this was asked last.
        parameters: Of the network after these steps, on one device.
        rate: The learning rate of the steps.
    """
    what = next((f"its {name} is {loss}" for name, loss in losses.items() if not math.isfinite(loss)), None)
    if what is None and not torch.stack([one.detach().isfinite().all() for one in parameters]).all():
        what = "its weights are not finite"
    if what is not None:
        raise DivergedError(
            f"the network diverged at a learning rate of {rate:.2g}: {what}, and it is not written; begin a new run "
            "with a lower learning_rate"
        )
