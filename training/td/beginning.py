"""The network that a run begins with instead of a fresh one: one of the package, or that of a file."""

from __future__ import annotations

from dataclasses import replace

from endeavor_env.errors import InvalidOptionError
from endeavor_env.value_network import ValueNetwork, published_network, read_value_network
from training.td.settings import Settings

OF_PACKAGE = "value"
"""Stands for the network of the package that plays the game of the run."""


def read_beginning(settings: Settings) -> ValueNetwork:
    """Return the network that a run begins with.

    Raises:
        InvalidOptionError: It does not play the game of the run.
        CheckpointError: It is missing, unreadable, cut off or edited, or was made for other layouts.
    """
    name = settings.begin_with
    network = published_network(settings.game) if name == OF_PACKAGE else read_value_network(name)
    missing = [variant for variant in settings.variants if variant not in network.variants]
    if missing:
        raise InvalidOptionError(
            f"network {name} cannot be the beginning of a run of {', '.join(settings.variants)}: "
            f"it plays {', '.join(network.variants)}"
        )
    return network


def beginning_with(settings: Settings, network: str) -> Settings:
    """Return the settings of a run that begins with a network and takes over its shape; raise as ``read_beginning``.

    Args:
        settings: Of the run.
        network: The path of a network, or OF_PACKAGE.
    """
    settings = replace(settings, begin_with=network)
    arrays = read_beginning(settings).arrays
    return replace(settings, first=arrays.first.shape[1], second=arrays.second.shape[1])
