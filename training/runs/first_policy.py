"""The policy that a trainer begins with: read from wherever policies are stored, and taken over by its model.

A name says where: the zip of a checkpoint, the ``.npz`` of a network, their cards, "@name" or "policy" for a network of
the package; "policy:" or "checkpoint:" may stand before it, as in names of players.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from endeavor_env.agents.checkpoint import WEIGHTS, most_bytes, read_card, zip_path
from endeavor_env.agents.games import sizes_of
from endeavor_env.agents.network_spec import NetworkSpec
from endeavor_env.endeavor.players import is_player
from endeavor_env.endeavor.players.network_file import (
    OF_PACKAGE,
    PolicyNetwork,
    is_checkpoint,
    policy_files,
    stored_policy,
)
from endeavor_env.errors import CheckpointError, shown
from endeavor_env.training.runs.settings import impossible

if TYPE_CHECKING:
    import torch
    from torch import nn

KINDS = ("policy:", "checkpoint:")
"""Prefixes of the name of a stored policy."""
_SHARED = ("", "pi_", "vf_")
"""Before the names of the layers that policy and value share: SB3 stores them three times."""


@dataclass(frozen=True)
class FirstPolicy:
    """A stored policy, and the value that was trained with it."""

    name: str
    """Path or name of the policy, without "policy:" or "checkpoint:"."""
    variant: str
    """The variant that it plays."""
    spec: NetworkSpec
    """Its shape."""
    training: Mapping[str, Any]
    """The card's facts about its training."""
    weights: Mapping[str, torch.Tensor]
    """The state of an SB3 policy."""

    def check_fits(self, variant: str, spec: NetworkSpec) -> None:
        """Raise InvalidOptionError unless a network of this shape, which may be wider, can take it over."""
        own = self.spec
        if variant != self.variant:
            raise impossible("begin_with", self.name, f"it should play {variant}, not {self.variant}")
        if own.activation != spec.activation:
            raise impossible("begin_with", self.name, f"the setting activation should be its {own.activation}")
        if not all(map(_fit, (own.trunk, own.head), (spec.trunk, spec.head))):
            wider = " ".join(
                f"--set {name}=[{_listed(map(max, one, other) if len(one) == len(other) else one)}]"
                for name, one, other in (("trunk", own.trunk, spec.trunk), ("head", own.head, spec.head))
            )
            why = (
                f"its layers, of {_listed(own.trunk)} and {_listed(own.head)} units, do not fit into those of "
                f"{_listed(spec.trunk)} and {_listed(spec.head)}: give {wider}, or wider ones"
            )
            raise impossible("begin_with", self.name, why)


def _fit(widths: Sequence[int], most: Sequence[int]) -> bool:
    """Return whether layers can be put into others, which may be wider, one by one."""
    return len(widths) == len(most) and all(map(operator.le, widths, most))


def _listed(widths: Iterable[int]) -> str:
    """Return widths of layers as a setting has them between its brackets."""
    return ",".join(map(str, widths))


def is_stored(name: str) -> bool:
    """Return whether a name is that of a stored policy, and not of a player that has to be cloned.

    Raises:
        InvalidOptionError: A player, but with settings that it does not have.
        CheckpointError: A player, but the file of its network cannot be used.
    """
    return name == OF_PACKAGE or name.startswith(KINDS) or not is_player(name)


def read_first_policy(name: str, variant: str, *others: str) -> FirstPolicy:
    """Return the stored policy of a name.

    Args:
        name: Where it is stored, see above.
        variant: The variant that OF_PACKAGE is to play.
        others: What else may be given in its place, for the message about a name that is none.

    Raises:
        CheckpointError: Weights or card are missing, unreadable, cut off, edited, or of a shape that is not the card's.
        CheckpointMismatchError: It was made for other layouts than this version has.
    """
    path = name
    for kind in KINDS:
        path = path.removeprefix(kind)
    if path == OF_PACKAGE:
        return _of_network(path, stored_policy(path, variant))
    if not path.endswith((".zip", ".npz", ".json")) and not any(file.is_file() for file in policy_files(path)):
        possible = ("a checkpoint (.zip), a network (.npz), @name", f"{OF_PACKAGE} for that of the package", *others)
        raise CheckpointError(f"no policy is stored as {shown(path)}: give {', or '.join(possible)}")
    return _of_checkpoint(path) if is_checkpoint(path) else _of_network(path, stored_policy(path, variant))


def _of_network(name: str, network: PolicyNetwork) -> FirstPolicy:
    """Return the policy of a network that plays without PyTorch."""
    from endeavor_env.agents.players.policy import sb3_of  # needs PyTorch, which the help does not

    inputs, first = network.logits.first.shape
    second, outputs = network.logits.last.shape
    spec = NetworkSpec(inputs, (first,), (second,), outputs, "relu")
    return FirstPolicy(name, network.variant, spec, network.card["training"], sb3_of(network))


def _of_checkpoint(path: str) -> FirstPolicy:
    """Return the policy of a checkpoint."""
    card = read_card(path)
    spec = NetworkSpec.from_dict(card["network"])
    return FirstPolicy(path, card["variant"], spec, card["training"], read_weights(path, spec, card["variant"]))


def read_weights(checkpoint: str | Path, spec: NetworkSpec, variant: str) -> Mapping[str, torch.Tensor]:
    """Return the weights of policy and value in the zip of a checkpoint, whose card was read and says the rest.

    Raises:
        CheckpointError: It does not hold such weights, or a network of this shape does not play the variant.
    """
    from endeavor_env.agents.weights import read_member  # needs PyTorch, which the help does not

    weights = read_member(zip_path(checkpoint), WEIGHTS, most_bytes(spec))
    inputs, outputs = sizes_of(variant)
    try:
        check_tensors(sb3_shapes(replace(spec, inputs=inputs, outputs=outputs)), weights)
    except CheckpointError as error:
        raise CheckpointError(f"checkpoint {checkpoint} cannot be used: {error}") from error
    return weights


def sb3_shapes(spec: NetworkSpec) -> dict[str, tuple[int, ...]]:
    """Return the shapes of the state of an SB3 policy, policy and value network of this shape, by name."""
    found: dict[str, tuple[int, ...]] = {}
    for name, shape in spec.shapes.items():
        part, _, layer = name.partition(".")
        if part == "trunk":
            found |= {f"{before}features_extractor.layers.{layer}": shape for before in _SHARED}
        elif part == "policy_net":
            found |= {f"mlp_extractor.{head}.{layer}": shape for head in ("policy_net", "value_net")}
        else:
            found |= {f"action_net.{layer}": shape, f"value_net.{layer}": (1, *shape[1:])}
    return found


def check_tensors(shapes: Mapping[str, Sequence[int]], stored: object) -> None:
    """Raise CheckpointError unless ``stored`` has finite tensors of these names and shapes, and no others."""
    import torch

    if not isinstance(stored, dict) or set(stored) != set(shapes):
        raise CheckpointError("the names of its tensors are not those of the network")
    for name, shape in shapes.items():
        found = stored[name]
        if not isinstance(found, torch.Tensor):
            raise CheckpointError(f"{name} is no tensor")
        if tuple(found.shape) != tuple(shape):
            raise CheckpointError(f"{name} is of shape {tuple(found.shape)}: it should be {tuple(shape)}")
        if not found.isfinite().all():
            raise CheckpointError(f"{name} has values that are not finite")


def take_weights(policy: nn.Module, weights: Mapping[str, torch.Tensor]) -> None:
    """Give the policy of an SB3 model weights that fit, see ``FirstPolicy.check_fits``.

    Layers may be wider: what is new does not change what the network says.
    """
    for name, own in policy.state_dict().items():  # detached, but the values are those of the policy
        stored = weights[name]
        if own.dim() == 2:
            own[: stored.shape[0], stored.shape[1] :] = 0.0
        own[tuple(map(slice, stored.shape))] = stored
