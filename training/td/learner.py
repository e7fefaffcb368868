"""The network in PyTorch, the positions that it learns from, and the gradient steps that fit it to their targets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel

from endeavor_env.engine.kernels.network import NetworkArrays
from endeavor_env.training.runs.layers import check_finite, network_of, take_network
from endeavor_env.training.runs.ring import Ring
from endeavor_env.training.td.adapter import AnyBoard, adapter_of
from endeavor_env.training.td.games import PlayedGames

# --- The positions, drawn at random and observed when they are drawn --------------------------------------------------


class Replay(Ring):
    """A ring of positions with the seat that sees them and their targets."""

    def __init__(self, capacity: int, board: AnyBoard) -> None:
        """Make an empty ring for ``capacity`` positions of ``board``; memory is used as it fills."""
        self._adapter = adapter_of(board)
        states = np.uint8, (self._adapter.row_bytes,)
        super().__init__(capacity, states=states, seats=(np.int64, ()), targets=(np.float32, ()))

    def add_games(self, played: Sequence[PlayedGames]) -> None:
        """Add the positions of games, which have targets, as the newest; the oldest ones make room."""
        self.begin()
        for games in played:
            states = games.states.view(np.uint8).reshape(games.moments.size, self._adapter.row_bytes)
            self.add(states=states, seats=games.moments["seat"], targets=games.moments["target"])

    def observe(self, rows: npt.NDArray[np.int64], out: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Write what networks see of positions, ``rows`` (n,), to ``out`` (n, inputs); return their targets, (n,)."""
        self._adapter.observe(self.take("states", rows), self.take("seats", rows), out)
        return self.take("targets", rows)


# --- The network and its gradient steps -------------------------------------------------------------------------------


class ValueModel(nn.Module):
    """Two hidden layers with ReLU, and one output: the network that the kernels compute."""

    def __init__(self, inputs: int, first: int, second: int) -> None:
        """Make a network with PyTorch's initial weights, drawn from its global generator."""
        super().__init__()
        self.first, self.second, self.last = nn.Linear(inputs, first), nn.Linear(first, second), nn.Linear(second, 1)

    @property
    def layers(self) -> tuple[nn.Linear, nn.Linear, nn.Linear]:
        """The layers in order."""
        return self.first, self.second, self.last

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Return the values, (n,), of observations (n, inputs)."""
        return self.last(torch.relu(self.second(torch.relu(self.first(observations))))).squeeze(1)


class ValueLearner:
    """The value network of a run with its optimizer, on one device."""

    def __init__(self, shape: tuple[int, int, int], seed: int, batch: int, device: str = "cpu") -> None:
        """Make a fresh model, whose weights depend on ``seed`` alone.

        Args:
            shape: Number of inputs, widths of the hidden layers.
            seed: Of the weights.
            batch: Positions of a gradient step.
            device: Of PyTorch.
        """
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.model = ValueModel(*shape).to(device)
        self._device = device
        self.optimizer = torch.optim.Adam(self.model.parameters())
        self._observations = np.zeros((batch, shape[0]), np.float32)
        self._mean = AveragedModel(self.model)

    def network(self) -> NetworkArrays:
        """Return a copy of the parameters as the kernels take them."""
        return network_of(self.model.layers)

    def average(self) -> None:
        """Take the parameters as they are now into the mean of ``averaged``."""
        self._mean.update_parameters(self.model)

    def averaged(self) -> NetworkArrays:
        """Return the mean of the parameters at all calls of ``average``; those of now if there was none."""
        mean = self._mean.module
        assert isinstance(mean, ValueModel)
        return network_of(mean.layers) if int(self._mean.n_averaged) else self.network()

    def take(self, network: NetworkArrays) -> None:
        """Take over the parameters of a network, which may be narrower; raise InvalidOptionError for a wider one."""
        take_network(self.model.layers, network)

    def learn(self, replay: Replay, positions: int, rate: float, rng: np.random.Generator) -> float:
        """Take gradient steps on about ``positions`` positions drawn with ``rng``; return their mean squared error.

        Raises:
            DivergedError: The network is not finite after the steps.
        """
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        batch = len(self._observations)
        errors: list[torch.Tensor] = []  # read at the end, so that no step waits for the device
        for _ in range(max(1, round(positions / batch))):
            targets = self._on_device(replay.observe(replay.draw(batch, rng), self._observations))
            loss = nn.functional.mse_loss(self.model(self._on_device(self._observations)), targets)
            errors.append(loss.detach())
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
        error = float(np.mean(torch.stack(errors).double().cpu().numpy()))
        check_finite({"value": error}, self.model.parameters(), rate)
        return error

    def _on_device(self, array: npt.NDArray[Any]) -> torch.Tensor:
        """Return an array as a tensor on the device of the model; on a CPU they share their memory."""
        return torch.from_numpy(array).to(self._device)

    def state(self) -> dict[str, Any]:
        """Return everything that a run needs to go on: weights, optimizer, and the mean of the weights."""
        return {
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "mean": self._mean.state_dict(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from what ``state`` returned."""
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self._mean.load_state_dict(state["mean"])


def tensors_of(network: NetworkArrays) -> list[torch.Tensor]:
    """Return the parameters as tensors, which a state can hold."""
    return [torch.from_numpy(part.copy()) for part in network]  # networks of files are read-only


def arrays_of(tensors: Sequence[torch.Tensor]) -> NetworkArrays:
    """Return the network of ``tensors_of``."""
    return NetworkArrays(*(part.numpy() for part in tensors))
