"""The networks in PyTorch: a value for each seat, and a policy with a value of its own."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from endeavor_env.core.policies.value.player import NetworkArrays
from endeavor_env.errors import InvalidOptionError
from endeavor_env.training.az.findings import Shapes
from endeavor_env.training.az.networks import Networks


class Model(nn.Module):
    """Two towers of two hidden layers: the search asks the one for values far more often than the other for priors."""

    def __init__(self, shapes: Shapes, value_widths: tuple[int, int], policy_widths: tuple[int, int]) -> None:
        """Make networks with PyTorch's initial weights, drawn from its global generator."""
        super().__init__()
        first, second = value_widths
        self.value_first, self.value_second = nn.Linear(shapes.inputs, first), nn.Linear(first, second)
        self.value_last = nn.Linear(second, shapes.values)
        first, second = policy_widths
        self.policy_first, self.policy_second = nn.Linear(shapes.features, first), nn.Linear(first, second)
        self.policy_last = nn.Linear(second, shapes.actions)
        self.own_second, self.own_last = nn.Linear(first, second), nn.Linear(second, 1)

    def values(self, inputs: torch.Tensor) -> torch.Tensor:
        """Return the values of all seats, (n, values), of inputs (n, inputs)."""
        return self.value_last(torch.relu(self.value_second(torch.relu(self.value_first(inputs)))))

    def choices(self, features: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the logits of all actions, (n, actions), and the values of the seats to move, (n,)."""
        hidden = torch.relu(self.policy_first(features))
        logits = self.policy_last(torch.relu(self.policy_second(hidden)))
        return logits, self.own_last(torch.relu(self.own_second(hidden))).squeeze(1)

    def networks(self) -> Networks:
        """Return a copy of the parameters as the kernels take them."""
        return Networks(*(_arrays(layers) for layers in self._layers()))

    def _layers(self) -> tuple[tuple[nn.Linear, nn.Linear, nn.Linear], ...]:
        """Return the layers of each network of ``Networks``."""
        return (
            (self.value_first, self.value_second, self.value_last),
            (self.policy_first, self.policy_second, self.policy_last),
            (self.policy_first, self.own_second, self.own_last),
        )

    def take(self, networks: Networks) -> None:
        """Take over parameters. Layers may be wider: what is new does not change what the outputs that were say.

        Raises:
            InvalidOptionError: A layer is narrower.
        """
        for layers, network in zip(self._layers(), networks, strict=True):
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


def _arrays(layers: tuple[nn.Linear, nn.Linear, nn.Linear]) -> NetworkArrays:
    """Return a copy of the parameters of three layers."""
    parts = []
    for layer in layers:
        parts += [layer.weight.detach().cpu().numpy().T.copy(), layer.bias.detach().cpu().numpy().copy()]
    return NetworkArrays(*parts)
