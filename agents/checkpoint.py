"""Checkpoints: SB3's zip with the weights, and a JSON card that describes them.

Reading one never runs code from the file: the card is JSON, the hash of the zip is compared with the card first, and
the weights are read with ``weights_only=True``. Only ``training.ppo --resume`` hands the zip to SB3's own loader, which
unpickles.
"""

from __future__ import annotations

import hashlib
import io
import pickle
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

import endeavor_env
from agents.network import NetworkSpec, PolicyNetwork
from endeavor_env.core import constants as c
from endeavor_env.core.actions import layout_hash, num_actions
from endeavor_env.errors import CheckpointError, CheckpointMismatchError
from endeavor_env.files import read_json_object, write_json
from endeavor_env.observation import layout_for
from endeavor_env.setups import SOLO, STANDARD

FORMAT = "endeavor-checkpoint/1"
REQUIRED = ("format", "environment", "package_version", "layouts", "network", "weights", "training", "results")


def environment_of(variant: str) -> str:
    """Return the Gymnasium id of the environment for ``variant``."""
    return "EndeavorSolo-v0" if variant == SOLO else "Endeavor-v0"


def current_layouts(variant: str = STANDARD) -> dict[str, str]:
    """Return the hashes of the action and observation layouts of ``variant`` in this version."""
    return {"actions": layout_hash(variant), "features": layout_for(variant, "features").hash}


def card_path(weights: str | Path) -> Path:
    """Return the path of the card of a weights file: the same with the suffix ``.json``."""
    return Path(weights).with_suffix(".json")


def file_hash(path: Path) -> str:
    """Return the SHA-256 of a file in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_card(
    weights: Path,
    spec: NetworkSpec,
    training: Mapping[str, Any],
    results: list[dict[str, Any]],
    variant: str = STANDARD,
) -> Path:
    """Write the card of a weights file that is already in place, in one step; return the path of the card.

    Args:
        weights: The zip.
        spec: The network whose weights it holds.
        training: How it was trained, as JSON values.
        results: Its results in evaluation games, as JSON values.
        variant: The variant it plays.

    Raises:
        CheckpointMismatchError: The network does not have the inputs and outputs of ``variant``.
    """
    _check_sizes(f"checkpoint {weights}", spec, variant)
    card = {
        "format": FORMAT,
        "environment": environment_of(variant),
        "variant": variant,
        "package_version": endeavor_env.__version__,
        "layouts": current_layouts(variant),
        "network": spec.to_dict(),
        "weights": {"file": weights.name, "sha256": file_hash(weights)},
        "training": dict(training),
        "results": results,
    }
    target = card_path(weights)
    write_json(target, card)
    return target


def _check_sizes(what: str, spec: NetworkSpec, variant: str) -> None:
    """Raise CheckpointMismatchError unless a network takes the observations and has the actions of ``variant``."""
    sizes = layout_for(variant, "features").size, num_actions(variant)
    if (spec.inputs, spec.outputs) != sizes:
        raise CheckpointMismatchError(
            f"{what} has a network of {spec.inputs} inputs and {spec.outputs} outputs: variant {variant!r} is played "
            f"with {sizes[0]} and {sizes[1]}"
        )


def read_card(weights: str | Path) -> dict[str, Any]:
    """Return the verified card of a checkpoint, given the path of its zip or of its card.

    Cards written before there were variants name none; their ``variant`` is "standard".

    Raises:
        CheckpointError: Zip or card is missing, unreadable, cut off or edited.
        CheckpointMismatchError: The checkpoint was made for another environment or other layouts.
    """
    path = Path(weights).with_suffix(".zip")
    card = read_json_object(card_path(path), "card", CheckpointError)
    missing = [key for key in REQUIRED if key not in card]
    if missing or card["format"] != FORMAT:
        wrong = f"lacks {', '.join(missing)}" if missing else f"has the format {card['format']!r}"
        raise CheckpointError(f"card {card_path(path)} {wrong}: this version reads {FORMAT} with {', '.join(REQUIRED)}")
    for field in ("layouts", "network", "weights", "training"):
        if not isinstance(card[field], dict):
            raise CheckpointError(
                f"card {card_path(path)} has {field} of type {type(card[field]).__name__}, not object"
            )
    if not path.is_file():
        raise CheckpointError(f"checkpoint {path} is missing beside its card")
    if file_hash(path) != card["weights"].get("sha256"):
        raise CheckpointError(f"checkpoint {path} is truncated or edited: it does not have the hash its card names")
    card.setdefault("variant", STANDARD)
    _check_layouts(path, card)
    return card


def _check_layouts(path: Path, card: Mapping[str, Any]) -> None:
    """Raise CheckpointMismatchError unless this version has the variant, environment and layouts of the card."""
    variant, environment = card["variant"], card["environment"]
    if variant not in c.VARIANT_NAMES:
        raise CheckpointMismatchError(
            f"checkpoint {path} was made for variant {variant!r}: this version plays {', '.join(c.VARIANT_NAMES)}"
        )
    if environment != environment_of(variant):
        raise CheckpointMismatchError(
            f"checkpoint {path} was made for {environment!r}: variant {variant!r} is {environment_of(variant)} here"
        )
    for name, have in current_layouts(variant).items():
        made = card["layouts"].get(name)
        if made != have:
            raise CheckpointMismatchError(
                f"checkpoint {path} was made for {name} layout {made}: this version has {have}; "
                f"use it with endeavor-env {card['package_version']}, or train again"
            )


def load_network(weights: str | Path) -> tuple[PolicyNetwork, dict[str, Any]]:
    """Return the policy network of a checkpoint and its card; raise as ``read_card`` does."""
    card = read_card(weights)
    spec = NetworkSpec.from_dict(card["network"])
    _check_sizes(f"checkpoint {weights}", spec, card["variant"])
    network = PolicyNetwork(spec)
    network.load_sb3(_read_weights(Path(weights).with_suffix(".zip")))
    return network, card


def _read_weights(path: Path) -> dict[str, torch.Tensor]:
    """Read ``policy.pth`` from SB3's zip, as tensors and nothing else."""
    try:
        with zipfile.ZipFile(path) as archive:
            stored = archive.read("policy.pth")
        return torch.load(io.BytesIO(stored), map_location="cpu", weights_only=True)
    except (OSError, KeyError, zipfile.BadZipFile, RuntimeError, pickle.UnpicklingError) as error:
        raise CheckpointError(f"checkpoint {path} holds no readable policy weights: {error}") from error
