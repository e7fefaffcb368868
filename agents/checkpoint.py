"""Checkpoints: SB3's zip with the weights, and a JSON card that describes them.

Reading one never runs code from the file, and takes no more memory than the network of the card needs: the card is
JSON, the hash of the zip is compared with the card first, and ``endeavor_env.agents.weights`` reads tensors and nothing
else.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import endeavor_env
from endeavor_env.agents.games import environment_of, layouts_of, sizes_of
from endeavor_env.agents.network_spec import NetworkSpec
from endeavor_env.basics.files import read_json_object, regular_digest, write_json
from endeavor_env.endeavor.setups import STANDARD
from endeavor_env.engine.games import known_variants
from endeavor_env.errors import CheckpointError, CheckpointMismatchError

if TYPE_CHECKING:
    from endeavor_env.agents.network import PolicyModule

FORMAT = "endeavor-checkpoint/1"
WEIGHTS = "policy.pth"
"""The member of SB3's zip with the weights of policy and value network."""
SLACK = 1 << 20
"""Bytes that the file of some tensors may have besides their values."""
REQUIRED = ("format", "environment", "package_version", "layouts", "network", "weights", "training", "results")
JSON_NAMES = {dict: "object", list: "array", str: "string"}
FIELD_TYPES = {
    "package_version": str,
    "layouts": dict,
    "network": dict,
    "weights": dict,
    "training": dict,
    "results": list,
}
"""The types of the fields of a card, besides those that are compared with what this version has."""


def zip_path(checkpoint: str | Path) -> Path:
    """Return the path of the zip of a checkpoint, given that of its zip or card, or either without its suffix."""
    return _with_suffix(checkpoint, ".zip")


def card_path(checkpoint: str | Path) -> Path:
    """Return the path of the card of a checkpoint, given as for ``zip_path``: the same with the suffix ``.json``."""
    return _with_suffix(checkpoint, ".json")


def _with_suffix(checkpoint: object, suffix: str) -> Path:
    """Return the path of one half of a checkpoint; raise CheckpointError for what is no path of a file."""
    path = Path(checkpoint) if isinstance(checkpoint, str | os.PathLike) else Path()
    if not path.name or path.name == "..":
        given = repr(str(checkpoint)) if isinstance(checkpoint, str | os.PathLike) else f"a {type(checkpoint).__name__}"
        raise CheckpointError(f"checkpoint {given} is not possible: give the path of a zip, or of its card")
    return path.with_name((path.stem if path.suffix in (".zip", ".json") else path.name) + suffix)


def write_card(
    weights: Path,
    spec: NetworkSpec,
    training: Mapping[str, Any],
    results: list[dict[str, Any]],
    variant: str = STANDARD,
    stored: Path | None = None,
) -> Path:
    """Write the card of a weights file, in one step; return the path of the card.

    Args:
        weights: The zip.
        spec: The network whose weights it holds.
        training: How it was trained, as JSON values.
        results: Its results in evaluation games, as JSON values.
        variant: The variant it plays.
        stored: Where the zip is now, if it is not in its place yet.

    Raises:
        CheckpointMismatchError: The network does not have the inputs and outputs of ``variant``.
    """
    _check_sizes(f"checkpoint {weights}", spec, variant)
    card = {
        "format": FORMAT,
        "environment": environment_of(variant),
        "variant": variant,
        "package_version": endeavor_env.__version__,
        "layouts": layouts_of(variant),
        "network": spec.to_dict(),
        "weights": {"file": weights.name, "sha256": regular_digest(stored or weights)},
        "training": dict(training),
        "results": results,
    }
    target = card_path(weights)
    write_json(target, card)
    return target


def _check_sizes(what: str, spec: NetworkSpec, variant: str) -> None:
    """Raise CheckpointMismatchError unless a network takes the observations and has the actions of ``variant``."""
    sizes = sizes_of(variant)
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
    path = zip_path(weights)
    card = read_json_object(card_path(path), "card", CheckpointError)
    missing = [key for key in REQUIRED if key not in card]
    if missing or card["format"] != FORMAT:
        wrong = f"lacks {', '.join(missing)}" if missing else f"has the format {_shown(card['format'])}"
        raise CheckpointError(f"card {card_path(path)} {wrong}: this version reads {FORMAT} with {', '.join(REQUIRED)}")
    for field, kind in FIELD_TYPES.items():
        if not isinstance(card[field], kind):
            have, must = type(card[field]).__name__, JSON_NAMES[kind]
            raise CheckpointError(f"card {card_path(path)} has {field} of type {have}, not {must}")
    if not path.exists():
        raise CheckpointError(f"checkpoint {path} is missing beside its card")
    try:
        hashed = regular_digest(path)
    except ValueError as error:
        raise CheckpointError(f"checkpoint {path} {error}") from error
    if hashed != card["weights"].get("sha256"):
        raise CheckpointError(f"checkpoint {path} is truncated or edited: it does not have the hash its card names")
    card.setdefault("variant", STANDARD)
    _check_layouts(path, card)
    return card


def _shown(value: object) -> str:
    """Return a value of a card for a message: at most some 60 characters."""
    try:
        text = repr(value)
    except RecursionError:
        text = f"a nested {type(value).__name__}"
    return text if len(text) <= 60 else f"{text[:57]}..."


def _check_layouts(path: Path, card: Mapping[str, Any]) -> None:
    """Raise CheckpointMismatchError unless this version has the variant, environment and layouts of the card."""
    variant, environment = card["variant"], card["environment"]
    made_for = f"checkpoint {path} was made for"
    if variant not in known_variants():
        raise CheckpointMismatchError(
            f"{made_for} variant {_shown(variant)}: this version plays {', '.join(known_variants())}"
        )
    if environment != environment_of(variant):
        raise CheckpointMismatchError(
            f"{made_for} {_shown(environment)}: variant {variant!r} is {environment_of(variant)} here"
        )
    for name, have in layouts_of(variant).items():
        made = card["layouts"].get(name)
        if made != have:
            raise CheckpointMismatchError(
                f"{made_for} {name} layout {_shown(made)}: this version has {have}; "
                f"use it with endeavor-env {card['package_version'][:20]}, or train again"
            )


def load_network(weights: str | Path) -> tuple[PolicyModule, dict[str, Any]]:
    """Return the policy network of a checkpoint and its card; PyTorch's random numbers stay as they were.

    Raises:
        CheckpointError: As ``read_card`` does; or the zip does not hold the finite float32 weights of the card's
            network.
        CheckpointMismatchError: As ``read_card`` does.
    """
    import torch  # cards are read where it is not installed

    from endeavor_env.agents.network import PolicyModule, check_weights
    from endeavor_env.agents.weights import read_member

    card = read_card(weights)
    spec = NetworkSpec.from_dict(card["network"])
    _check_sizes(f"checkpoint {weights}", spec, card["variant"])
    stored = read_member(zip_path(weights), WEIGHTS, most_bytes(spec))
    try:
        check_weights(spec, stored)  # before the network is made, which takes as much memory as the card says
    except CheckpointError as error:
        raise CheckpointError(f"checkpoint {weights} cannot be played: {error}") from error
    with torch.random.fork_rng(devices=[]):
        network = PolicyModule(spec)
    network.load_sb3(stored)
    return network, card


def most_bytes(spec: NetworkSpec) -> int:
    """Return the largest size of a file with tensors of SB3 for a policy network.

    Such a file holds the weights of policy and value network, twice as many parameters at most, or the state of the
    optimizer, which is two values for each of these.
    """
    return 4 * 4 * spec.parameters + SLACK
