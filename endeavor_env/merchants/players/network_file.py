"""The value networks of Merchants of Europe: what they depend on, and where the one of the package is."""

from __future__ import annotations

from pathlib import Path

from endeavor_env.engine.network_file import NetworkKind, text_digest, value_shapes
from endeavor_env.merchants.players.value.inputs import INPUTS_HASH
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules.actions import BLOCKS

PUBLISHED = Path(__file__).parent / "networks" / "value.npz"
"""The network of the package."""


def _layouts(_variant: str) -> dict[str, str]:
    """Return the hashes of what a network depends on: the same on both sides."""
    return {"actions": text_digest(repr(BLOCKS)), "inputs": INPUTS_HASH}


VALUE_NETWORKS = NetworkKind(
    "merchants-value/1", "value network of Merchants of Europe", _layouts, value_shapes, c.SIDE_NAMES
)
"""The kind of network that values positions."""
