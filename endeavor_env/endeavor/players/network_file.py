"""The networks of Endeavor: what they depend on, where they are, and how the names of players name them.

The file of a published network never changes: a newer one gets a number. Networks that only the corpus or a figure of
the manual plays are in a checkout alone, because wheels have no room for all. Reading and playing one needs no PyTorch.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from endeavor_env.endeavor.observation import layout_for
from endeavor_env.endeavor.options import EXPLOITS
from endeavor_env.endeavor.players.value.inputs import NUM_ESTIMATES, estimates_hash
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import layout_hash
from endeavor_env.endeavor.rules.actions import num_actions as actions_of
from endeavor_env.endeavor.setups import SOLO
from endeavor_env.engine.kernels.network import NetworkArrays
from endeavor_env.engine.network_file import NetworkKind, ValueNetwork, network_files, shapes_of, value_shapes
from endeavor_env.errors import CheckpointError, InvalidOptionError, shown

# --- Files of the package ---------------------------------------------------------------------------------------------

NETWORKS = Path(__file__).parent / "networks"
"""The folder of the networks that come with the package."""
FORMER_NETWORKS = Path(__file__).parent / "former_networks"
"""The folder of those that only a checkout has."""
NEWEST = {
    "policy_standard": "policy_standard_5",
    "policy_solo": "policy_solo_4",
    "value_standard": "value_standard_6",
    "value_solo": "value_solo_3",
    "value_exploits": "value_exploits_2",
    "value_variants": "value_variants_2",
}
"""The files of networks that came after others of the same name."""
PACKAGE_SIGN = "@"
"""How names of files of the package begin where a path is possible."""


def layouts_of(variant: str) -> dict[str, str]:
    """Return the hashes of the actions and the features of ``variant``, on which every network depends."""
    return {"actions": layout_hash(variant), "features": layout_for(variant, "features").hash}


def package_path(name: str) -> Path:
    """Return the path of the arrays of the newest network that comes with the package, by its name without a number."""
    return NETWORKS / f"{NEWEST.get(name, name)}.npz"


def package_names() -> list[str]:
    """Return the names of all network files of the package, as a path may name them: "@policy_standard" and so on."""
    return sorted(f"{PACKAGE_SIGN}{name}" for name in _files())


def _files() -> dict[str, Path]:
    """Return the files of all networks that are here, by name."""
    return {file.stem: file for folder in (FORMER_NETWORKS, NETWORKS) for file in folder.glob("*.npz")}


def named_network_files(network: str | Path) -> tuple[Path, Path]:
    """Return the paths of the arrays and the card of a network, as ``network_files`` does, or of one of the package.

    Args:
        network: A path, or "@name" for the file of this name that comes with the package, as "@policy_standard".

    Raises:
        CheckpointError: The package has no such file, or a path without a name.
    """
    name = str(network)
    if not name.startswith(PACKAGE_SIGN):
        return network_files(network)
    if (file := _files().get(name.removeprefix(PACKAGE_SIGN))) is None:
        known = ", ".join(package_names())
        raise CheckpointError(f"network {shown(name)} does not come with the package: there are {known}")
    return network_files(file)


def _locate(network: str | Path) -> Path:
    """Return the path of the arrays of a network, given as for ``named_network_files``."""
    return named_network_files(network)[0]


# --- Value networks ---------------------------------------------------------------------------------------------------

PUBLISHED_VALUES = {
    "standard": ("standard",),
    "solo": ("solo",),
    "variants": ("soloplay_2", "soloplay_3", "neutral_2"),
    "exploits": ("exploits",),
}
"""The networks that come with the package, and the variants that each plays."""


def _value_layouts(variant: str) -> dict[str, str]:
    """Return the hashes of the layouts that a network of ``variant`` depends on."""
    return layouts_of(variant) | {"estimates": estimates_hash(exploits=variant == EXPLOITS)}


VALUE_NETWORKS = NetworkKind(
    "endeavor-value/1",
    "value network",
    _value_layouts,
    value_shapes,
    c.VARIANT_NAMES,
    most_values=c.MAX_SEATS,
    locate=_locate,
)


def num_inputs(variant: str) -> int:
    """Return the number of inputs of a network that plays ``variant``: features and estimates."""
    return layout_for(variant, "features").size + NUM_ESTIMATES


def num_values(variants: Sequence[str]) -> int:
    """Return the number of outputs of a network with a value for each seat: 1 for the solitaire game, else the most."""
    return 1 if tuple(variants) == (SOLO,) else c.MAX_SEATS


def published_network(name: str) -> ValueNetwork:
    """Return a network that comes with the package, by a name of PUBLISHED_VALUES."""
    return VALUE_NETWORKS.read(package_path(f"value_{name}"))


def published_value_file(variant: str) -> Path | None:
    """Return the file of the network of the package that plays a variant; None if there is none."""
    return next((package_path(f"value_{name}") for name, plays in PUBLISHED_VALUES.items() if variant in plays), None)


def published_networks() -> list[ValueNetwork]:
    """Return the networks that come with the package."""
    return [published_network(name) for name in PUBLISHED_VALUES]


# --- Policy networks --------------------------------------------------------------------------------------------------
# A file holds a policy and the value network beside it, which share their first layer: what MaskablePPO trains. So
# ``endeavor_env.training.ppo --from`` can go on with one.

PUBLISHED_POLICIES = ("standard", "solo")
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


def _policy_shapes(inputs: int, first: int, second: int, variant: str) -> dict[str, tuple[int, ...]]:
    """Return the shapes of the arrays."""
    of_value = shapes_of(inputs, first, second, 1)
    return shapes_of(inputs, first, second, actions_of(variant)) | {
        f"value_{name}": of_value[name] for name in _OF_VALUE
    }


POLICY_NETWORKS = NetworkKind(
    "endeavor-policy/1", "policy network", layouts_of, _policy_shapes, c.VARIANT_NAMES, locate=_locate
)


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
    return POLICY_NETWORKS.write(path, logits._asdict() | of_value, [variant], training, results, version=version)


def read_policy_network(network: str | Path) -> PolicyNetwork:
    """Return a network, given the path of its arrays or of its card, or "@name" of the package.

    Raises:
        CheckpointError: Arrays or card are missing, unreadable, cut off or edited.
        CheckpointMismatchError: It was made for other layouts than this version has.
    """
    arrays, card = POLICY_NETWORKS.read_arrays(network)
    logits = NetworkArrays(**{name: arrays[name] for name in NetworkArrays._fields})
    value = logits._replace(**{name: arrays[f"value_{name}"] for name in _OF_VALUE})
    return PolicyNetwork(logits, value, card["variants"][0], card)


def published_policy(variant: str) -> PolicyNetwork:
    """Return the network of the package that plays a variant of PUBLISHED_POLICIES."""
    return read_policy_network(package_path(f"policy_{variant}"))


def stored_policy(network: str, variant: str) -> PolicyNetwork:
    """Return the network of ``read_policy_network``, or for OF_PACKAGE that of the package that plays ``variant``.

    Raises:
        CheckpointError: As ``read_policy_network``.
    """
    return published_policy(variant) if network == OF_PACKAGE else read_policy_network(network)


def published_policy_file(variant: str) -> Path | None:
    """Return the file of the network of the package that plays a variant; None if there is none."""
    return package_path(f"policy_{variant}") if variant in PUBLISHED_POLICIES else None


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


# --- Networks that the settings of a player name: "network=<path>" stands last, the path of a file or of a folder -----

POLICY_FILE, VALUE_FILE = "policy.npz", "value.npz"
"""The networks in a folder that is named instead of a network."""


def split_network(text: str) -> tuple[str, bool, str]:
    """Return the settings before ``network=``, whether there is one, and its path, which may hold commas."""
    before, found, path = f",{text}".partition(",network=")
    return before[1:], bool(found), path


def in_games_of(num_actions: int, by_variant: Mapping[str, NetworkArrays]) -> dict[int, NetworkArrays]:
    """Return the networks that play games with so many action ids, by VARIANT_*: only they are in a player's memory."""
    return {
        c.VARIANT_NAMES.index(variant): arrays
        for variant, arrays in by_variant.items()
        if actions_of(variant) == num_actions
    }


def value_path(path: str) -> str:
    """Return the path of the value network that ``path`` names: its file, or a folder with it."""
    return str(Path(path) / VALUE_FILE) if path and Path(path).is_dir() else path


def policies_of(player: str, path: str | None) -> Sequence[PolicyNetwork]:
    """Return the policies in the folder ``path``, or those of the package.

    Args:
        player: The name of the player in quotes, for messages.
        path: What stands after ``network=``; None if nothing does.

    Raises:
        InvalidOptionError: The path is no folder.
        CheckpointError: The network cannot be used.
    """
    if path is None:
        return [published_policy(variant) for variant in PUBLISHED_POLICIES]
    if not Path(path).is_dir():
        raise InvalidOptionError(
            f"player {player} plays with a policy beside the values, but its network is no folder with "
            f"{VALUE_FILE} and {POLICY_FILE}: give network=<folder>"
        )
    return [read_policy_network(Path(path) / POLICY_FILE)]


def named_files(settings: str) -> Sequence[Path]:
    """Return the files of the networks that the settings of a player name, none if they name none."""
    _, named, path = split_network(settings)
    if named and Path(path).is_dir():
        return *named_network_files(Path(path) / VALUE_FILE), *named_network_files(Path(path) / POLICY_FILE)
    return named_network_files(path) if named else ()


def played_networks(settings: str | None, variant: str, policy: bool) -> Sequence[Path]:
    """Return the file of the value network with which a player plays a variant and, if ``policy``, of its policy.

    Args:
        settings: What stands after the colon of its name; None without a colon.
        variant: The variant; its networks of the package are played with if the settings name none.
        policy: Whether the player uses a policy beside the values.
    """
    _, named, path = split_network(settings or "")
    files = [named_network_files(value_path(path))[0] if named else published_value_file(variant)]
    if policy:
        files.append(named_network_files(Path(path) / POLICY_FILE)[0] if named else published_policy_file(variant))
    return [file for file in files if file is not None]
