"""Value networks on disk, and those that come with the package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from endeavor_env.endeavor.observation import layout_for
from endeavor_env.endeavor.options import EXPLOITS
from endeavor_env.endeavor.players.network_file import layouts_of, named_network_files, package_path
from endeavor_env.endeavor.players.value.inputs import NUM_ESTIMATES, estimates_hash
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.setups import SOLO
from endeavor_env.engine.kernels.network import NetworkArrays
from endeavor_env.engine.network_file import Kind, ValueNetwork, read_values, value_shapes, write_network

PUBLISHED = {
    "standard": ("standard",),
    "solo": ("solo",),
    "variants": ("soloplay_2", "soloplay_3", "neutral_2"),
    "exploits": ("exploits",),
}
"""The networks that come with the package, and the variants that each plays."""


def _layouts(variant: str) -> dict[str, str]:
    """Return the hashes of the layouts that a network of ``variant`` depends on."""
    return layouts_of(variant) | {"estimates": estimates_hash(exploits=variant == EXPLOITS)}


KIND = Kind("endeavor-value/1", "value network", _layouts, value_shapes, c.VARIANT_NAMES, most_values=c.MAX_SEATS)


def num_inputs(variant: str) -> int:
    """Return the number of inputs of a network that plays ``variant``: features and estimates."""
    return layout_for(variant, "features").size + NUM_ESTIMATES


def num_values(variants: Sequence[str]) -> int:
    """Return the number of outputs of a network with a value for each seat: 1 for the solitaire game, else the most."""
    return 1 if tuple(variants) == (SOLO,) else c.MAX_SEATS


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
    return write_network(path, KIND, arrays._asdict(), variants, training, results, version)


def read_value_network(network: str | Path) -> ValueNetwork:
    """Return a network, given the path of its arrays or of its card, or "@name" of the package.

    Raises:
        CheckpointError: Arrays or card are missing, unreadable, cut off or edited.
        CheckpointMismatchError: It was made for other layouts than this version has.
    """
    return read_values(named_network_files(network)[0], KIND)


def published_network(name: str) -> ValueNetwork:
    """Return a network that comes with the package, by a name of PUBLISHED."""
    return read_value_network(package_path(f"value_{name}"))


def published_value_file(variant: str) -> Path | None:
    """Return the file of the network of the package that plays a variant; None if there is none."""
    return next((package_path(f"value_{name}") for name, plays in PUBLISHED.items() if variant in plays), None)


def published_networks() -> list[ValueNetwork]:
    """Return the networks that come with the package."""
    return [published_network(name) for name in PUBLISHED]
