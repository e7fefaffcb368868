"""The network in PyTorch, and the gradient steps that fit it to the targets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import nn

from endeavor_env.core.policies.value.player import NetworkArrays
from training.td.replay import Replay


class ValueModel(nn.Module):
    """Two hidden layers with ReLU, and one output: the network that the kernels compute."""

    def __init__(self, inputs: int, first: int, second: int) -> None:
        """Make a network with PyTorch's initial weights, drawn from its global generator."""
        super().__init__()
        self.first, self.second, self.last = nn.Linear(inputs, first), nn.Linear(first, second), nn.Linear(second, 1)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Return the values, (n,), of observations (n, inputs)."""
        hidden = torch.relu(self.second(torch.relu(self.first(observations))))
        return self.last(hidden).squeeze(1)

    def arrays(self) -> NetworkArrays:
        """Return a copy of the parameters as the kernels take them."""
        parts = []
        for layer in (self.first, self.second, self.last):
            parts += [layer.weight.detach().cpu().numpy().T.copy(), layer.bias.detach().cpu().numpy().copy()]
        return NetworkArrays(*parts)


class Learner:
    """The model, its optimizer, and the generator of the batches."""

    def __init__(self, inputs: int, first: int, second: int, seed: int, batch: int) -> None:
        """Make a fresh model; its weights and all batches depend on ``seed`` alone."""
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.model = ValueModel(inputs, first, second)
        self.optimizer = torch.optim.Adam(self.model.parameters())
        self._rng = np.random.default_rng(seed)
        self._observations = np.zeros((batch, inputs), np.float32)

    def learn(self, replay: Replay, positions: int, rate: float) -> float:
        """Take gradient steps on ``positions`` drawn positions in all; return the mean squared error before each."""
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        batch, errors = len(self._observations), []
        for _ in range(max(1, round(positions / batch))):
            targets = torch.from_numpy(replay.observe(replay.draw(batch, self._rng), self._observations))
            loss = nn.functional.mse_loss(self.model(torch.from_numpy(self._observations)), targets)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            errors.append(float(loss.detach()))
        return float(np.mean(errors))

    def state(self) -> dict[str, Any]:
        """Return everything that a run needs to go on: weights, optimizer and generator."""
        return {
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "generator": self._rng.bit_generator.state,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from what ``state`` returned."""
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self._rng.bit_generator.state = state["generator"]
