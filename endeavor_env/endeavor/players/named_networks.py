"""Networks that the settings of a player name: "network=<path>" stands last, the path of a file or of a folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from endeavor_env.endeavor.players.network_file import named_network_files
from endeavor_env.endeavor.players.policy.networks import (
    PUBLISHED,
    PolicyNetwork,
    published_policy,
    published_policy_file,
    read_policy_network,
)
from endeavor_env.endeavor.players.value.networks import published_value_file
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import num_actions as actions_of
from endeavor_env.engine.kernels.network import NetworkArrays
from endeavor_env.errors import InvalidOptionError

POLICY_FILE, VALUE_FILE = "policy.npz", "value.npz"
"""The networks in a folder that is named instead of a network, as ``endeavor_env.training.az`` leaves them."""


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
        return [published_policy(variant) for variant in PUBLISHED]
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
