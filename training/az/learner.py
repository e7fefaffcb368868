"""The gradient steps that fit the networks to what the searches found."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from endeavor_env.training.az.games import Networks
from endeavor_env.training.az.model import Model
from endeavor_env.training.az.replay_buffer import DecisionBatch, ReplayBuffer, Shapes, ValueBatch
from endeavor_env.training.runs.layers import check_finite

SMALLEST = 1e-12
OTHERS = 0.25
"""Weight of the value of another seat beside that of the seat whose turn has ended, by which turns are compared."""


class Losses(NamedTuple):
    """Means over the gradient steps of an iteration."""

    policy: float
    """Cross entropy of the improved probabilities, less their entropy: in nats, 0 for a policy that has learned all."""
    agreement: float
    """Share of the decisions in which the policy's most likely action is that of the search."""
    value: float
    """Mean squared error of the values of all seats."""


class SearchLearner:
    """The networks of a run with their optimizer, on one device."""

    def __init__(
        self,
        shapes: Shapes,
        value_widths: tuple[int, int],
        policy_widths: tuple[int, int],
        seed: int,
        device: str,
        average: float = 0.0,
    ) -> None:
        """Make a fresh model, whose weights depend on ``seed`` alone.

        ``average`` is how much of the mean of the weights stays in each gradient step, 0 for no mean.
        """
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            model = Model(shapes, value_widths, policy_widths)
        self.model = model.to(device)
        self.optimizer = torch.optim.Adam(self.model.parameters())
        self._device, self._values = device, shapes.values
        self._teacher: Model | None = None
        self._mean = AveragedModel(self.model, multi_avg_fn=get_ema_multi_avg_fn(average)) if average else None

    def networks(self) -> Networks:
        """Return a copy of the parameters as the kernels take them: their mean, as soon as there is one."""
        if self._mean is None or not int(self._mean.n_averaged):
            return self.model.networks()
        model = self._mean.module
        assert isinstance(model, Model)
        return model.networks()

    def take(self, networks: Networks) -> None:
        """Take over parameters; raise InvalidOptionError for other shapes."""
        self.model.take(networks)

    def keep_own_values(self) -> None:
        """Let the values of the seat that sees the position stay what they are now, until ``learn_all_values``."""
        self._teacher = copy.deepcopy(self.model)

    def learn_all_values(self) -> None:
        """Fit the values of all seats from now on."""
        self._teacher = None

    def learn(
        self, buffer: ReplayBuffer, decisions: float, ends: float, batch: int, rate: float, rng: np.random.Generator
    ) -> Losses:
        """Take gradient steps on about so many decisions and ends of turns, drawn with ``rng``.

        Raises:
            DivergedError: The networks are not finite after the steps.
        """
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        choosing, valuing = round(decisions / batch) if buffer.decisions.size else 0, round(ends / batch)
        steps, losses = max(choosing, valuing, 1), []
        for step in range(steps):
            choices = buffer.draw_decisions(batch, rng) if _due(step, steps, choosing) else None
            found = buffer.draw_ends(batch, rng) if _due(step, steps, valuing) else None
            losses.append(self._step(choices, found))
        means = Losses(*(torch.stack(column).mean().item() if column else 0.0 for column in _columns(losses)))
        check_finite(means._asdict(), self.model.parameters(), rate)
        return means

    def _step(self, choices: DecisionBatch | None, ends: ValueBatch | None) -> dict[str, torch.Tensor]:
        """Take one step; return what each part of the loss was."""
        found: dict[str, torch.Tensor] = {}
        total = torch.zeros((), device=self._device)
        if choices is not None:
            surprise, agreement, own = self._policy_loss(choices)
            found |= {"policy": surprise.detach(), "agreement": agreement}
            total = total + surprise + 0.5 * own
        if ends is not None:
            error = self._value_loss(ends)
            found["value"] = error.detach()
            total = total + error
        if found:
            self.optimizer.zero_grad()
            total.backward()
            self.optimizer.step()
            if self._mean is not None:
                self._mean.update_parameters(self.model)
        return found

    def _policy_loss(self, batch: DecisionBatch) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return divergence from the improved probabilities, share of agreement, and the error of the own value."""
        logits, own = self.model.choices(self._on_device(batch.features))
        logits = logits.masked_fill(self._on_device(batch.masks) == 0, -torch.inf)
        actions, shares = self._on_device(batch.actions), self._on_device(batch.shares)
        chances = torch.log_softmax(logits, dim=1).gather(1, actions)
        entropy = -(shares * shares.clamp_min(SMALLEST).log()).sum(dim=1)
        surprise = -torch.where(shares > 0, shares * chances, 0.0).sum(dim=1)
        best = actions.gather(1, shares.argmax(dim=1, keepdim=True)).squeeze(1)
        agreement = (logits.detach().argmax(dim=1) == best).float().mean()
        error = nn.functional.mse_loss(own, self._on_device(batch.outcomes))
        return (surprise - entropy).mean(), agreement, error

    def _value_loss(self, batch: ValueBatch) -> torch.Tensor:
        """Return the mean squared error of the values of all seats that there are; others count less than the own."""
        inputs, targets, seated = (self._on_device(part) for part in batch)
        if self._teacher is not None:
            with torch.no_grad():
                targets[:, 0] = self._teacher.values(inputs)[:, 0]
        weights = seated * OTHERS
        weights[:, 0] = 1.0
        return (weights * (self.model.values(inputs) - targets) ** 2).sum() / weights.sum()

    def _on_device(self, array: Any) -> torch.Tensor:
        """Return an array as a tensor on the device of the model."""
        return torch.from_numpy(array).to(self._device)

    def state(self) -> dict[str, Any]:
        """Return what ``restore`` takes."""
        mean = {} if self._mean is None else self._mean.state_dict()
        return {"model": self.model.state_dict(), "optimizer": self.optimizer.state_dict(), "mean": mean}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from what ``state`` returned."""
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        if self._mean is not None:
            self._mean.load_state_dict(state["mean"])


def _due(step: int, steps: int, times: int) -> bool:
    """Return whether something that is done ``times`` in ``steps`` is due in a step."""
    return (step + 1) * times // steps > step * times // steps


def _columns(losses: list[dict[str, torch.Tensor]]) -> list[list[torch.Tensor]]:
    """Return the values of each field of ``Losses`` in the steps that have one."""
    return [[one[name] for one in losses if name in one] for name in Losses._fields]
