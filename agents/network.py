"""The policy network in plain PyTorch, built from its description and filled with weights; nothing is unpickled.

A trunk reads the observation and is shared with the value function during training; a head and a logit for each action
follow. The trunk is nearly all of the work, because observations are long. The parameters are those of a
Stable-Baselines3 ``MlpPolicy`` with ``endeavor_env.training.ppo.model.Trunk`` as its features extractor, so that the
weights of a run load as they are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from endeavor_env.agents.network_spec import NetworkSpec
from endeavor_env.errors import CheckpointError

ACTIVATIONS: dict[str, type[nn.Module]] = {"relu": nn.ReLU, "tanh": nn.Tanh}
"""The modules of ``network_spec.ACTIVATION_NAMES``."""
LARGEST_FEATURE = 1e3
"""Upper bound of the magnitude of any value in an observation."""
LARGEST_LOGIT = 1e30
"""Bound that every logit stays below, whatever the observation: float32 ends at 3e38, and a low temperature multiplies
logits."""
SB3_NAMES = {
    "trunk": "features_extractor.layers",
    "policy_net": "mlp_extractor.policy_net",
    "action_net": "action_net",
}
"""The name under which SB3's policy keeps the parameters of each layer here."""


def dense(inputs: int, widths: Sequence[int], activation: str) -> nn.Sequential:
    """Return fully connected layers, each followed by the activation named."""
    layers: list[nn.Module] = []
    for width in widths:
        layers += [nn.Linear(inputs, width), ACTIVATIONS[activation]()]
        inputs = width
    return nn.Sequential(*layers)


class PolicyModule(nn.Module):
    """The layers from an observation to a logit for each action."""

    def __init__(self, spec: NetworkSpec) -> None:
        """Build the layers with random weights."""
        super().__init__()
        self.spec = spec
        self.trunk = dense(spec.inputs, spec.trunk, spec.activation)
        self.policy_net = dense(spec.trunk[-1], spec.head, spec.activation)
        self.action_net = nn.Linear(spec.head[-1], spec.outputs)
        self._layers = (*self.trunk, *self.policy_net, self.action_net)

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        """Return logits, (batch, actions), for observations (batch, inputs) float32."""
        return self.action_net(self.policy_net(self.trunk(observation)))

    def load_sb3(self, weights: Mapping[str, Any]) -> None:
        """Load the state of an SB3 policy; raise CheckpointError as ``check_weights`` does."""
        self.load_state_dict(check_weights(self.spec, weights))
        self.eval()

    @torch.inference_mode()
    def act(
        self,
        observations: npt.NDArray[np.float32],
        masks: npt.NDArray[Any],
        *,
        temperature: float,
        generator: torch.Generator | None,
    ) -> npt.NDArray[np.int64]:
        """Return a legal action for each row, (batch,).

        Args:
            observations: (batch, inputs) float32.
            masks: (batch, actions), nonzero = legal; every row has a legal action.
            temperature: 0 takes the most likely action; above 0 samples from the softmax of logits / temperature.
            generator: Source of the samples; may be None at temperature 0.
        """
        logits = torch.from_numpy(observations)
        for layer in self._layers:  # most calls have few rows: calling the modules would take as long as their work
            logits = layer.forward(logits)
        if temperature > 0:
            uniform = torch.rand(logits.shape, generator=generator).clamp_(1e-12, 1 - 1e-7)
            logits = logits.div_(temperature).sub_(uniform.log_().neg_().log_())  # the Gumbel trick
        return logits.masked_fill_(torch.from_numpy(np.equal(masks, 0)), -math.inf).argmax(dim=1).numpy()


def check_weights(spec: NetworkSpec, weights: Mapping[str, Any]) -> dict[str, torch.Tensor]:
    """Return the parameters of ``PolicyModule`` among the state of an SB3 policy, by their names there.

    Raises:
        CheckpointError: A layer is missing, no float32 tensor, or of another shape than ``spec`` has, or a weight is
            not finite or so large that logits could overflow.
    """
    found = {}
    for name, shape in spec.shapes.items():
        layer, _, rest = name.partition(".")
        stored = weights.get(f"{SB3_NAMES[layer]}.{rest}")
        if stored is None:
            raise CheckpointError(f"the weights of layer {name} are missing: the card describes {shape}")
        if not isinstance(stored, torch.Tensor) or stored.dtype != torch.float32:
            have = stored.dtype if isinstance(stored, torch.Tensor) else type(stored).__name__
            raise CheckpointError(f"the weights of layer {name} are {have}: they must be a tensor of float32")
        if tuple(stored.shape) != shape:
            raise CheckpointError(
                f"the weights of layer {name} are of shape {tuple(stored.shape)}: the card describes {shape}"
            )
        found[name] = stored
    _check_sizes(spec, found)
    return found


def _check_sizes(spec: NetworkSpec, weights: Mapping[str, torch.Tensor]) -> None:
    """Raise CheckpointError if a weight is not finite, or if some observation could make a value overflow."""
    largest = LARGEST_FEATURE
    for name in spec.shapes:
        layer, _, kind = name.rpartition(".")
        if kind == "bias":
            continue
        rows = weights[name].detach().abs().sum(dim=1, dtype=torch.float64)
        largest = float((rows * largest + weights[f"{layer}.bias"].detach().abs()).max())
        if not largest < LARGEST_LOGIT:  # NaN is not below it either
            raise CheckpointError(f"the weights of layer {layer} are not finite, or so large that values overflow")
        if spec.activation == "tanh":
            largest = min(largest, 1.0)
