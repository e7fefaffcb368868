"""The networks in PyTorch: a value for each seat, and a policy with a value of its own."""

from __future__ import annotations

import torch
from torch import nn

from endeavor_env.training.az.games import Networks
from endeavor_env.training.az.replay_buffer import Shapes
from endeavor_env.training.runs.layers import network_of, take_network


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
        return Networks(*(network_of(layers) for layers in self._layers()))

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
            take_network(layers, network)
