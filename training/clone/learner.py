"""The gradient steps that fit the network of MaskablePPO to a teacher's choices and to the outcomes of the games."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import nn

from endeavor_env.errors import CheckpointError
from endeavor_env.training.clone.demonstrations import Demonstrations, ObservedBatch
from endeavor_env.training.runs.layers import check_finite


class Fit(NamedTuple):
    """Mean fit of the network, before each step."""

    surprise: float
    """Cross entropy of the teacher's choices, or of the softmax of what it thinks of its moves, in nats."""
    agreement: float
    """Share of the choices whose most likely action is the teacher's."""
    value_error: float
    """Mean squared error of the value."""


class CloneLearner:
    """A policy network and its optimizer."""

    def __init__(
        self,
        policy: MaskableActorCriticPolicy,
        value_weight: float,
        device: str = "cpu",
        temperature: float = 0.0,
        *,
        mixed: bool = False,
    ) -> None:
        """Take the network of a MaskablePPO model, which is changed in place.

        Args:
            policy: Policy and value network; ``finish`` moves it back from the device.
            value_weight: Weight of the squared error of the value in the loss.
            device: Of PyTorch.
            temperature: Above 0, what is learned is the softmax of the merits over it; 0 for the choices alone.
            mixed: Whether the hidden layers multiply in bfloat16 and add in float32; weights are float32 all the same.
        """
        self._policy, self._value_weight, self._device = policy.to(device), value_weight, device
        self._temperature, self._mixed = temperature, mixed
        self._optimizer = torch.optim.Adam(policy.parameters())

    def learn(self, demonstrations: Demonstrations, steps: int, rate: float, rng: np.random.Generator) -> Fit:
        """Take gradient steps on choices drawn with ``rng``; raise DivergedError if the network is not finite then."""
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        fits = [self._step(demonstrations.observe(rng)) for _ in range(steps)]
        fit = Fit(*torch.stack(fits).mean(dim=0).tolist())  # read at the end, so that no step waits for the device
        check_finite(fit._asdict(), self._policy.parameters(), rate)
        return fit

    def state(self) -> dict[str, Any]:
        """Return weights and optimizer, from which ``restore`` goes on."""
        return {"model": self._policy.state_dict(), "optimizer": self._optimizer.state_dict()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from what ``state`` returned; raise CheckpointError if it is of another network."""
        try:
            self._policy.load_state_dict(state["model"])
            self._optimizer.load_state_dict(state["optimizer"])
        except (RuntimeError, ValueError, KeyError, TypeError, AttributeError) as error:  # what PyTorch says of others
            raise CheckpointError(f"the state of a clone is of another network: {str(error)[:200]}") from error

    def finish(self) -> None:
        """Move the network back to where it was given."""
        self._policy.to("cpu")

    @contextmanager
    def on_cpu(self) -> Iterator[None]:
        """Move the network to the CPU inside this context, so that what is written of it can be read anywhere."""
        self._policy.to("cpu")
        try:
            yield
        finally:
            self._policy.to(self._device)

    def _step(self, batch: ObservedBatch) -> torch.Tensor:
        """Take one step; return its three figures, those of ``Fit``."""
        observations, masks, actions, outcomes, best, merits = (
            torch.from_numpy(part).to(self._device) for part in batch
        )
        with torch.autocast(observations.device.type, torch.bfloat16, enabled=self._mixed):
            hidden = self._policy.mlp_extractor(self._policy.extract_features(observations))
        for_policy, for_value = (layer.float() for layer in hidden)
        logits = self._policy.action_net(for_policy).masked_fill(masks == 0, -math.inf)
        if self._temperature > 0.0:
            surprise = judged_surprise(logits, best, merits, self._temperature)
        else:
            surprise = nn.functional.cross_entropy(logits, actions)
        values = self._policy.value_net(for_value).squeeze(1)
        error = nn.functional.mse_loss(values, outcomes)
        self._optimizer.zero_grad()
        (surprise + self._value_weight * error).backward()
        self._optimizer.step()
        agreement = (logits.argmax(dim=1) == actions).float().mean()
        return torch.stack((surprise, agreement, error)).detach()


def judged_surprise(logits: torch.Tensor, best: torch.Tensor, merits: torch.Tensor, temperature: float) -> torch.Tensor:
    """Return the mean cross entropy of what a teacher thinks of its moves.

    Confusing two moves that it thinks nearly the same of costs little then; the choice alone does not say which these
    are.

    Args:
        logits: (n, actions), minus infinity for what is not legal.
        best: (n, JUDGED) the best moves, NONE for no move.
        merits: (n, JUDGED) what it thinks of them.
        temperature: The softmax of the merits over this is to be learned.
    """
    moves = best >= 0
    wanted = torch.softmax((merits / temperature).masked_fill(~moves, -math.inf), dim=1)
    found = torch.log_softmax(logits, dim=1).gather(1, best.clamp(min=0)).masked_fill(~moves, 0.0)
    return -(wanted * found).sum(dim=1).mean()
