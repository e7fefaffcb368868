"""The policy that learns: the network of the checkpoints, with a value head, as an RLlib module that masks actions."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn

from endeavor_env.agents.network import LARGEST_LOGIT, SB3_NAMES, PolicyModule, dense
from endeavor_env.agents.network_spec import NetworkSpec
from endeavor_env.training.rllib.env import MASK, OBSERVATIONS

_ILLEGAL_LOGIT = -LARGEST_LOGIT
"""Below all others. It is finite because RLlib also evaluates made-up observations, whose masks are all 0."""
_HIDDEN_GAIN, _POLICY_GAIN, _VALUE_GAIN = math.sqrt(2), 0.01, 1.0
"""Gains at the start: those of the last layers give nearly uniform moves, and values of the size of the rewards."""


class MaskedPolicy(TorchRLModule, InferenceOnlyAPI, ValueFunctionAPI):
    """``endeavor_env.agents.network.PolicyModule`` with a value head beside its policy head.

    ``model_config["network"]`` is the JSON form of its ``NetworkSpec``; RLlib adds entries beside it. Logits of illegal
    actions are so low that they are never sampled, and add nothing to entropy and gradients.
    """

    def setup(self) -> None:
        """Build the layers with orthogonal weights, the usual start for PPO."""
        spec = NetworkSpec.from_dict(self.model_config["network"])
        self.policy = PolicyModule(spec)
        self.value_head = dense(spec.trunk[-1], spec.head, spec.activation)
        self.value_net = nn.Linear(spec.head[-1], 1)
        for layers in (self.policy.trunk, self.policy.policy_net, self.value_head):
            for layer in layers:
                _orthogonal(layer, _HIDDEN_GAIN)
        _orthogonal(self.policy.action_net, _POLICY_GAIN)
        _orthogonal(self.value_net, _VALUE_GAIN)

    def get_non_inference_attributes(self) -> list[str]:
        """Return the layers that only learners need."""
        return ["value_head", "value_net"]

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        """Return the masked logits, (batch, actions)."""
        return {Columns.ACTION_DIST_INPUTS: self._logits(batch, self._features(batch))}

    def _forward_train(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        """Return the masked logits, and the features from which ``compute_values`` goes on."""
        features = self._features(batch)
        return {Columns.ACTION_DIST_INPUTS: self._logits(batch, features), Columns.EMBEDDINGS: features}

    def compute_values(self, batch: dict[str, Any], embeddings: torch.Tensor | None = None) -> torch.Tensor:
        """Return the value of each observation, (batch,), from ``embeddings`` if they were computed already."""
        features = self._features(batch) if embeddings is None else embeddings
        return self.value_net(self.value_head(features)).squeeze(-1)

    def _features(self, batch: Mapping[str, Any]) -> torch.Tensor:
        return self.policy.trunk(batch[Columns.OBS][OBSERVATIONS])

    def _logits(self, batch: Mapping[str, Any], features: torch.Tensor) -> torch.Tensor:
        logits = self.policy.action_net(self.policy.policy_net(features))
        return logits.masked_fill(batch[Columns.OBS][MASK] == 0, _ILLEGAL_LOGIT)


def _orthogonal(layer: nn.Module, gain: float) -> None:
    """Fill a linear layer with orthogonal weights and no bias; leave others as they are."""
    if isinstance(layer, nn.Linear):
        nn.init.orthogonal_(layer.weight, gain)
        nn.init.zeros_(layer.bias)


def sb3_weights(state: Mapping[str, npt.NDArray[np.float32]]) -> dict[str, torch.Tensor]:
    """Return the state of a ``MaskedPolicy`` under the names of an SB3 policy, which the checkpoints hold."""
    names = {f"policy.{layer}": stored for layer, stored in SB3_NAMES.items()}
    names |= {"value_head": "mlp_extractor.value_net", "value_net": "value_net"}
    weights = {}
    for name, values in state.items():
        layer = next(layer for layer in names if name.startswith(f"{layer}."))
        weights[names[layer] + name.removeprefix(layer)] = torch.from_numpy(np.array(values, np.float32, order="C"))
    return weights
