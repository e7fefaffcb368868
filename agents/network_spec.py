"""The shape of a policy network, which cards and settings name; PyTorch is not needed to read one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from endeavor_env.errors import CheckpointError

ACTIVATION_NAMES = ("relu", "tanh")
MAX_WIDTH = 65536
MAX_LAYERS = 64
"""Most layers of a trunk or a head."""
MAX_PARAMETERS = 1 << 26
"""Most parameters of a policy network, 256 MiB; those of the presets have a few hundred thousand."""


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
    """A name in ``ACTIVATION_NAMES``."""

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
        known = set(data) <= {field.name for field in fields(cls)}
        if not (known and usable and all(0 < len(layers) <= MAX_LAYERS for layers in widths)):
            raise CheckpointError(
                "the card's network is not usable: inputs, outputs and the lists trunk and head, of 1 to "
                f"{MAX_LAYERS} layers, hold whole numbers, 1 to {MAX_WIDTH}; besides there is activation"
            )
        activation = data.get("activation")
        if not isinstance(activation, str) or activation not in ACTIVATION_NAMES:
            given = repr(activation[:40]) if isinstance(activation, str) else f"a {type(activation).__name__}"
            raise CheckpointError(f"the card's activation {given} is unknown: known are {', '.join(ACTIVATION_NAMES)}")
        spec = cls(data["inputs"], tuple(widths[0]), tuple(widths[1]), data["outputs"], activation)
        if spec.parameters > MAX_PARAMETERS:
            raise CheckpointError(
                f"the card's network is not usable: it has {spec.parameters:,} parameters, at most {MAX_PARAMETERS:,} "
                "are possible"
            )
        return spec

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shapes of the parameters of ``PolicyNetwork``, by name."""
        found: dict[str, tuple[int, ...]] = {}
        width = self.inputs
        for part, layers in (("trunk", self.trunk), ("policy_net", self.head)):
            for number, outputs in enumerate(layers):
                name = f"{part}.{2 * number}"  # an activation follows each layer
                found |= {f"{name}.weight": (outputs, width), f"{name}.bias": (outputs,)}
                width = outputs
        return found | {"action_net.weight": (self.outputs, width), "action_net.bias": (self.outputs,)}

    @property
    def parameters(self) -> int:
        """Number of parameters."""
        return sum(math.prod(shape) for shape in self.shapes.values())
