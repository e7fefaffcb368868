"""The gradient steps that fit the network of MaskablePPO to a teacher's choices and to the outcomes of the games."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import nn

from endeavor_env.training.clone.demonstrations import Batch, Demonstrations


class Fit(NamedTuple):
    """How well the network fitted on average, before each step."""

    surprise: float
    """Cross entropy of the teacher's choices, in nats."""
    agreement: float
    """Share of the choices whose most likely action is the teacher's."""
    value_error: float
    """Mean squared error of the value."""


class CloneLearner:
    """A policy network and its optimizer."""

    def __init__(self, policy: MaskableActorCriticPolicy, value_weight: float) -> None:
        """Take the network of a MaskablePPO model, which is changed in place.

        Args:
            policy: Policy and value network.
            value_weight: Weight of the squared error of the value in the loss.
        """
        self._policy, self._value_weight = policy, value_weight
        self._optimizer = torch.optim.Adam(policy.parameters())

    def learn(self, demonstrations: Demonstrations, steps: int, rate: float, rng: np.random.Generator) -> Fit:
        """Take gradient steps on choices drawn with ``rng``."""
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        fits = [self._step(demonstrations.observe(rng)) for _ in range(steps)]
        return Fit(*np.mean(fits, axis=0).tolist())

    def _step(self, batch: Batch) -> Fit:
        """Take one step."""
        features = self._policy.extract_features(torch.from_numpy(batch.observations))
        for_policy, for_value = self._policy.mlp_extractor(features)
        illegal = torch.from_numpy(batch.masks) == 0
        logits = self._policy.action_net(for_policy).masked_fill(illegal, -math.inf)
        actions = torch.from_numpy(batch.actions)
        surprise = nn.functional.cross_entropy(logits, actions)
        values = self._policy.value_net(for_value).squeeze(1)
        error = nn.functional.mse_loss(values, torch.from_numpy(batch.outcomes))
        self._optimizer.zero_grad()
        (surprise + self._value_weight * error).backward()
        self._optimizer.step()
        agreement = (logits.detach().argmax(dim=1) == actions).float().mean()
        return Fit(float(surprise.detach()), float(agreement), float(error.detach()))
