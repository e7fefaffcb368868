"""The network that a run begins with instead of a fresh one: one of the package, or that of a file."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from endeavor_env.endeavor.observation import Layout, layout_for
from endeavor_env.endeavor.players.network_file import PUBLISHED_VALUES, VALUE_NETWORKS, published_network
from endeavor_env.engine.kernels.network import NetworkArrays
from endeavor_env.engine.network_file import ValueNetwork
from endeavor_env.errors import InvalidOptionError, shown
from endeavor_env.training.td.settings import TDSettings

OF_PACKAGE = "value"
"""Stands for the network of the package that plays the game of the run; "value:standard" for that of another game."""


def read_beginning(settings: TDSettings) -> ValueNetwork:
    """Return the network that a run begins with.

    Raises:
        InvalidOptionError: It does not play the game of the run.
        CheckpointError: It is missing, unreadable, cut off or edited, or was made for other layouts.
    """
    name = settings.begin_with
    network = _named(name, settings.game)
    missing = [variant for variant in settings.variants if variant not in network.variants]
    if not missing:
        return network
    old, new = (layout_for(variant, "features") for variant in (network.variants[0], settings.variant))
    if not _begins_with(new, old):
        raise InvalidOptionError(
            f"network {name} cannot be the beginning of a run of {', '.join(settings.variants)}: "
            f"it plays {', '.join(network.variants)}"
        )
    return _with_more_features(network, old.size, new.size, settings.variants)


def _named(name: str, game: str) -> ValueNetwork:
    """Return the network of a path, or one of the package: as agents name it, or of a game."""
    package, _, other = name.partition(":")
    if package != OF_PACKAGE:
        return VALUE_NETWORKS.read(name)
    if other.startswith("@"):
        return VALUE_NETWORKS.read(other)
    if other and other not in PUBLISHED_VALUES:
        raise InvalidOptionError(
            f"network {shown(name)} is unknown: those of the package play {', '.join(PUBLISHED_VALUES)}"
        )
    return published_network(other or game)


def _begins_with(new: Layout, old: Layout) -> bool:
    """Return whether every feature of ``old`` stands at the same place in ``new``."""
    places = {(part.name, part.offset, part.shape) for part in new}
    return all((part.name, part.offset, part.shape) in places for part in old)


def _with_more_features(network: ValueNetwork, old: int, new: int, variants: tuple[str, ...]) -> ValueNetwork:
    """Return a network that values positions as ``network`` does and sees more, which counts nothing yet.

    Args:
        network: Begins with ``old`` features, followed by estimates.
        old: Number of features it sees.
        new: Number of features of ``variants``, of which the first ones are those it knows.
        variants: What the network returned plays.
    """
    first = network.arrays.first
    unseen = np.zeros((new - old, first.shape[1]), first.dtype)
    arrays = network.arrays._replace(first=np.concatenate([first[:old], unseen, first[old:]]))
    return ValueNetwork(arrays, variants, network.card)


def beginning_with(
    settings: TDSettings,
    network: str,
    read: Callable[[TDSettings], NetworkArrays] = lambda found: read_beginning(found).arrays,
) -> TDSettings:
    """Return the settings of a run that begins with a network and takes over its shape; raise as ``read_beginning``.

    Args:
        settings: Of the run.
        network: The path of a network, OF_PACKAGE, or that with the name of another game, as in "value:standard".
        read: Returns the network that a run begins with, as the adapter of the run reads it.
    """
    settings = settings.replace(begin_with=network)
    arrays = read(settings)
    return settings.replace(first_width=arrays.first.shape[1], second_width=arrays.second.shape[1])
