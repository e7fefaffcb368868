"""The policy network in plain PyTorch, built from its description and filled with weights; nothing is unpickled.

A trunk reads the observation and is shared with the value function during training; a head and a logit for each action
follow. The trunk is nearly all of the work, because observations are long. The parameters are those of a
Stable-Baselines3 ``MlpPolicy`` with ``training.model.Trunk`` as its features extractor, so that the weights of a run
load as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from endeavor_env.errors import CheckpointError

ACTIVATIONS: dict[str, type[nn.Module]] = {"relu": nn.ReLU, "tanh": nn.Tanh}
ILLEGAL_LOGIT = -1e8
MAX_WIDTH = 65536
SB3_NAMES = {
    "trunk": "features_extractor.layers",
    "policy_net": "mlp_extractor.policy_net",
    "action_net": "action_net",
}
"""The name under which SB3's policy keeps the parameters of each layer here."""


@dataclass(frozen=True)
class NetworkSpec:
    """The shape of a network."""

    inputs: int
    """Length of the observation."""
    trunk: tuple[int, ...]
    """Width of each layer shared by policy and value."""
    head: tuple[int, ...]
    """Width of each layer after them."""
    outputs: int
    """Number of actions."""
    activation: str
    """A name in ``ACTIVATIONS``."""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "inputs": self.inputs,
            "trunk": list(self.trunk),
            "head": list(self.head),
            "outputs": self.outputs,
            "activation": self.activation,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> NetworkSpec:
        """Read the JSON form; raise CheckpointError unless it is the five fields in their types."""
        widths = [list(data[name]) if isinstance(data.get(name), list) else [] for name in ("trunk", "head")]
        sizes = [data.get("inputs"), data.get("outputs"), *widths[0], *widths[1]]
        usable = all(isinstance(size, int) and not isinstance(size, bool) and 0 < size <= MAX_WIDTH for size in sizes)
        if not (usable and all(widths)):
            raise CheckpointError(
                f"the card's network {dict(data)!r} is not usable: inputs, outputs and the lists trunk and head hold "
                f"whole numbers, 1 to {MAX_WIDTH}"
            )
        if data.get("activation") not in ACTIVATIONS:
            raise CheckpointError(
                f"the card's activation {data.get('activation')!r} is unknown: known are {', '.join(ACTIVATIONS)}"
            )
        return cls(data["inputs"], tuple(widths[0]), tuple(widths[1]), data["outputs"], data["activation"])


def dense(inputs: int, widths: Sequence[int], activation: str) -> nn.Sequential:
    """Return fully connected layers, each followed by the activation named."""
    layers: list[nn.Module] = []
    for width in widths:
        layers += [nn.Linear(inputs, width), ACTIVATIONS[activation]()]
        inputs = width
    return nn.Sequential(*layers)


class PolicyNetwork(nn.Module):
    """The layers from an observation to a logit for each action."""

    def __init__(self, spec: NetworkSpec) -> None:
        """Build the layers with random weights."""
        super().__init__()
        self.trunk = dense(spec.inputs, spec.trunk, spec.activation)
        self.policy_net = dense(spec.trunk[-1], spec.head, spec.activation)
        self.action_net = nn.Linear(spec.head[-1], spec.outputs)
        self._layers = (*self.trunk, *self.policy_net, self.action_net)

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        """Return logits, (batch, actions), for observations (batch, inputs) float32."""
        return self.action_net(self.policy_net(self.trunk(observation)))

    def load_sb3(self, weights: Mapping[str, torch.Tensor]) -> None:
        """Load the state of an SB3 policy; raise CheckpointError for a layer that is missing or has another shape."""
        own = self.state_dict()
        for name in own:
            layer, _, rest = name.partition(".")
            stored = weights.get(f"{SB3_NAMES[layer]}.{rest}")
            if stored is None or stored.shape != own[name].shape:
                have = "missing" if stored is None else f"of shape {tuple(stored.shape)}"
                raise CheckpointError(
                    f"the weights of layer {name} are {have}: the card describes {tuple(own[name].shape)}"
                )
            own[name] = stored.to(torch.float32)
        self.load_state_dict(own)
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
        return logits.masked_fill_(torch.from_numpy(np.equal(masks, 0)), ILLEGAL_LOGIT).argmax(dim=1).numpy()
