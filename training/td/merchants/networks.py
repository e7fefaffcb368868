"""Networks of Merchants of Europe, as runs read and write them."""

from __future__ import annotations

from endeavor_env.errors import InvalidOptionError
from endeavor_env.merchants.value_network import PUBLISHED, read_value_network, write_value_network
from endeavor_env.rails.kernels.network import NetworkArrays
from endeavor_env.training.td.settings import Settings

__all__ = ["read_beginning", "read_value_network", "write_value_network"]


def read_beginning(settings: Settings) -> NetworkArrays:
    """Return the network that a run begins with.

    Raises:
        InvalidOptionError: It does not play the side of the board.
        CheckpointError: It is missing, unreadable, cut off or edited, or was made for other layouts.
    """
    name = settings.begin_with
    network = read_value_network(PUBLISHED if name == "value" else name)
    missing = [variant for variant in settings.variants if variant not in network.variants]
    if missing:
        raise InvalidOptionError(
            f"network {name} cannot be the beginning of a run of {', '.join(settings.variants)}: "
            f"it plays {', '.join(network.variants)}"
        )
    return network.arrays
