"""Value networks on disk: the arrays as ``.npz``, and a JSON card beside them that says what they are.

Reading one needs no training library and runs no code from the file: the hash in the card is compared first, and every
array must have the shape that the card names.
"""

from __future__ import annotations

import hashlib
import io
import os
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from endeavor_env.core import constants as c
from endeavor_env.core.actions import layout_hash
from endeavor_env.core.policies.value.estimates import NUM_ESTIMATES, estimates_hash
from endeavor_env.core.policies.value.network import MAX_FIRST, MAX_SECOND
from endeavor_env.core.policies.value.player import NetworkArrays
from endeavor_env.errors import CheckpointError, CheckpointMismatchError
from endeavor_env.files import read_json_object, write_json
from endeavor_env.inputs import whole_number
from endeavor_env.observation import layout_for

FORMAT = "endeavor-value/1"
MOST_BYTES = 1 << 25
"""Size of the largest file of a network that is read."""
PUBLISHED = {"standard": ("standard",), "solo": ("solo",), "variants": ("soloplay_2", "soloplay_3", "neutral_2")}
"""The networks that come with the package, and the variants that each plays."""
FIELDS = {"package_version": str, "variants": list, "layouts": dict, "network": dict, "weights": dict, "training": dict}
"""Fields of a card besides ``format`` and ``results``, and their types."""


@dataclass(frozen=True)
class ValueNetwork:
    """A network that values positions for the seat that sees them."""

    arrays: NetworkArrays
    variants: tuple[str, ...]
    """The variants that it plays."""
    card: dict[str, Any]
    """What is known about it: layouts, training, results."""


def layouts_of(variant: str) -> dict[str, str]:
    """Return the hashes of the layouts that a network of ``variant`` depends on."""
    features = layout_for(variant, "features").hash
    return {"actions": layout_hash(variant), "features": features, "estimates": estimates_hash()}


def num_inputs(variant: str) -> int:
    """Return the number of inputs of a network that plays ``variant``: features and estimates."""
    return layout_for(variant, "features").size + NUM_ESTIMATES


def array_path(network: str | Path) -> Path:
    """Return the path of the arrays of a network, given that of its arrays or card, or either without its suffix."""
    path = Path(network)
    if not path.name or path.name == "..":
        raise CheckpointError(f"network {str(network)!r} is not possible: give the path of its .npz, or of its card")
    return path.with_name((path.stem if path.suffix in (".npz", ".json") else path.name) + ".npz")


def write_value_network(
    path: Path,
    arrays: NetworkArrays,
    variants: Sequence[str],
    training: Mapping[str, Any],
    results: Sequence[Mapping[str, Any]] = (),
    *,
    version: str,
) -> Path:
    """Write a network and its card, each in one step; return the path of the arrays.

    Args:
        path: The file of the arrays, with the suffix ``.npz``.
        arrays: The parameters.
        variants: The variants that it plays, which share one layout.
        training: How it was trained, as JSON values.
        results: Its results in evaluation games, as JSON values.
        version: Of this package.
    """
    stored = io.BytesIO()
    np.savez_compressed(stored, **arrays._asdict())
    inputs, first = arrays.first.shape
    card = {
        "format": FORMAT,
        "package_version": version,
        "variants": list(variants),
        "layouts": layouts_of(variants[0]),
        "network": {"inputs": inputs, "first": first, "second": arrays.last.shape[0]},
        "weights": {"file": path.name, "sha256": hashlib.sha256(stored.getvalue()).hexdigest()},
        "training": dict(training),
        "results": [dict(result) for result in results],
    }
    partial = path.with_name(f"partial-{path.name}")
    partial.write_bytes(stored.getvalue())
    write_json(path.with_suffix(".json"), card)
    os.replace(partial, path)
    return path


def read_value_network(network: str | Path) -> ValueNetwork:
    """Return a network, given the path of its arrays or of its card.

    Raises:
        CheckpointError: Arrays or card are missing, unreadable, cut off or edited.
        CheckpointMismatchError: It was made for other layouts than this version has.
    """
    path = array_path(network)
    card = _read_card(path)
    try:
        size = path.stat().st_size
        content = path.read_bytes() if size <= MOST_BYTES else b""
    except OSError as error:
        raise CheckpointError(f"network {path} cannot be read: {error.strerror}") from error
    if hashlib.sha256(content).hexdigest() != card["weights"].get("sha256"):
        raise CheckpointError(f"network {path} is truncated or edited: it does not have the hash its card names")
    return ValueNetwork(_read_arrays(path, content, card["network"]), tuple(card["variants"]), card)


def _read_card(path: Path) -> dict[str, Any]:
    """Return the checked card of a network."""
    file = path.with_suffix(".json")
    card = read_json_object(file, "card", CheckpointError)
    if card.get("format") != FORMAT:
        raise CheckpointError(f"card {file} is not of a value network: its format must be {FORMAT}")
    for field, kind in FIELDS.items():
        if not isinstance(card.get(field), kind):
            raise CheckpointError(f"card {file} has no usable {field}")
    variants = card["variants"]
    if not variants or any(variant not in c.VARIANT_NAMES for variant in variants):
        raise CheckpointMismatchError(f"card {file} names other variants than {', '.join(c.VARIANT_NAMES)}")
    for variant in variants:
        for name, have in layouts_of(variant).items():
            if card["layouts"].get(name) != have:
                raise CheckpointMismatchError(
                    f"network {path} was made for another {name} layout: this version has {have} for {variant!r}; use "
                    f"it with endeavor-env {card['package_version'][:20]}, or train again"
                )
    return card


def _read_arrays(path: Path, content: bytes, shape: Mapping[str, Any]) -> NetworkArrays:
    """Return the arrays in ``content``; raise CheckpointError unless they are finite float32 of the card's shape."""
    inputs, first, second = (whole_number(shape.get(name)) or 0 for name in ("inputs", "first", "second"))
    if not (0 < inputs <= 1 << 16 and 0 < first <= MAX_FIRST and 0 < second <= MAX_SECOND):
        raise CheckpointError(
            f"the card of network {path} has no usable shape: first must be 1 to {MAX_FIRST}, second 1 to {MAX_SECOND}"
        )
    shapes = ((inputs, first), (first,), (first, second), (second,), (second, 1), (1,))
    try:
        _check_sizes(content, 4 * sum(int(np.prod(one)) for one in shapes))
        with np.load(io.BytesIO(content), allow_pickle=False) as stored:
            arrays = NetworkArrays(*(stored[name] for name in NetworkArrays._fields))
    except Exception as error:  # damaged bytes make zipfile and NumPy raise whatever they like
        raise CheckpointError(f"network {path} cannot be read: {str(error)[:200] or type(error).__name__}") from error
    for array, wanted in zip(arrays, shapes, strict=True):
        if array.shape != wanted or array.dtype != np.float32 or not np.isfinite(array).all():
            raise CheckpointError(f"network {path} does not hold the finite float32 arrays that its card describes")
    return arrays


def _check_sizes(content: bytes, expected: int) -> None:
    """Raise ValueError if the members of a zip are larger than ``expected`` bytes and their headers."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        if sum(info.file_size for info in archive.infolist()) > expected + 4096:
            raise ValueError("its arrays are larger than its card says")


def published_network(name: str) -> ValueNetwork:
    """Return a network that comes with the package, by a name of PUBLISHED."""
    return read_value_network(Path(str(resources.files("endeavor_env.data"))) / "networks" / f"value_{name}.npz")


def published_networks() -> list[ValueNetwork]:
    """Return the networks that come with the package."""
    return [published_network(name) for name in PUBLISHED]
