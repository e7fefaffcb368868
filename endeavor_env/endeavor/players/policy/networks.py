"""Policy networks on disk, which play without PyTorch, and those that come with the package.

A file holds a policy and the value network beside it, which share their first layer: what MaskablePPO trains. So
``endeavor_env.training.ppo --from`` can go on with one.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from endeavor_env.endeavor.players.network_file import layouts_of, named_network_files, package_path
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import num_actions
from endeavor_env.engine.kernels.network import NetworkArrays
from endeavor_env.engine.network_file import Kind, read_network, shapes_of, write_network

PUBLISHED = ("standard", "solo")
"""The variants of the networks that come with the package."""
OF_PACKAGE = "policy"
"""Stands for the network of the package that plays a variant."""
_OF_VALUE = ("second", "second_bias", "last", "last_bias")
"""The arrays of the value network that are stored; its first layer is that of the policy."""


@dataclass(frozen=True)
class PolicyNetwork:
    """A policy network, and the value network that was trained with it."""

    logits: NetworkArrays
    """Its outputs are the logits of all actions."""
    value: NetworkArrays
    """Its first layer is that of ``logits``."""
    variant: str
    """The variant that it plays."""
    card: dict[str, Any]
    """What is known about it: layouts, training, results."""


def _shapes(inputs: int, first: int, second: int, variant: str) -> dict[str, tuple[int, ...]]:
    """Return the shapes of the arrays."""
    of_value = shapes_of(inputs, first, second, 1)
    return shapes_of(inputs, first, second, num_actions(variant)) | {
        f"value_{name}": of_value[name] for name in _OF_VALUE
    }


KIND = Kind("endeavor-policy/1", "policy network", layouts_of, _shapes, c.VARIANT_NAMES)


def write_policy_network(
    path: Path,
    logits: NetworkArrays,
    value: NetworkArrays,
    variant: str,
    training: Mapping[str, Any],
    results: Sequence[Mapping[str, Any]] = (),
    *,
    version: str,
) -> Path:
    """Write a network and its card, each in one step; return the path of the arrays.

    Args:
        path: The file of the arrays, with the suffix ``.npz``.
        logits: The policy.
        value: The value network, of the same shape but for its outputs; its first layer is not stored.
        variant: The variant that it plays.
        training: How it was trained, as JSON values.
        results: Its results in evaluation games, as JSON values.
        version: Of this package.
    """
    of_value = {f"value_{name}": getattr(value, name) for name in _OF_VALUE}
    return write_network(path, KIND, logits._asdict() | of_value, [variant], training, results, version)


def read_policy_network(network: str | Path) -> PolicyNetwork:
    """Return a network, given the path of its arrays or of its card, or "@name" of the package.

    Raises:
        CheckpointError: Arrays or card are missing, unreadable, cut off or edited.
        CheckpointMismatchError: It was made for other layouts than this version has.
    """
    arrays, card = read_network(named_network_files(network)[0], KIND)
    logits = NetworkArrays(**{name: arrays[name] for name in NetworkArrays._fields})
    value = logits._replace(**{name: arrays[f"value_{name}"] for name in _OF_VALUE})
    return PolicyNetwork(logits, value, card["variants"][0], card)


def published_policy(variant: str) -> PolicyNetwork:
    """Return the network of the package that plays a variant of PUBLISHED."""
    return read_policy_network(package_path(f"policy_{variant}"))


def stored_policy(network: str, variant: str) -> PolicyNetwork:
    """Return the network of ``read_policy_network``, or for OF_PACKAGE that of the package that plays ``variant``.

    Raises:
        CheckpointError: As ``read_policy_network``.
    """
    return published_policy(variant) if network == OF_PACKAGE else read_policy_network(network)


def published_policy_file(variant: str) -> Path | None:
    """Return the file of the network of the package that plays a variant; None if there is none."""
    return package_path(f"policy_{variant}") if variant in PUBLISHED else None


def is_checkpoint(path: str) -> bool:
    """Return whether a path is that of a checkpoint of PyTorch, or of its card, and not of a network of this module."""
    if path.endswith((".npz", ".zip")):
        return path.endswith(".zip")
    return os.path.isfile(checkpoint_files(path)[0])


def checkpoint_files(path: str) -> tuple[Path, Path]:
    """Return the paths of the zip and the card of a checkpoint, given either, also without its suffix."""
    checkpoint = path.removesuffix(".zip").removesuffix(".json")
    return Path(f"{checkpoint}.zip"), Path(f"{checkpoint}.json")


def policy_files(path: str) -> tuple[Path, Path]:
    """Return the paths of weights and card of a network, as ``named_network_files`` does, or of a checkpoint."""
    return checkpoint_files(path) if is_checkpoint(path) else named_network_files(path)
