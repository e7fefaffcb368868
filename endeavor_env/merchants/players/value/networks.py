"""Value networks of Merchants of Europe on disk."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from endeavor_env.engine.kernels.network import NetworkArrays
from endeavor_env.engine.network_file import (
    Kind,
    ValueNetwork,
    content_digest,
    network_files,
    read_values,
    text_digest,
    value_shapes,
    write_network,
)
from endeavor_env.merchants.players.value.inputs import INPUTS_HASH
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules.actions import BLOCKS

PUBLISHED = Path(__file__).parents[1] / "networks" / "value.npz"
"""The network of the package."""
_MOST_RECENT = 16


def _layouts(_variant: str) -> dict[str, str]:
    """Return the hashes of what a network depends on: the same on both sides."""
    return {"actions": text_digest(repr(BLOCKS)), "inputs": INPUTS_HASH}


KIND = Kind("merchants-value/1", "value network of Merchants of Europe", _layouts, value_shapes, c.SIDE_NAMES)


def write_value_network(
    path: Path,
    arrays: NetworkArrays,
    variants: Sequence[str],
    training: Mapping[str, Any],
    results: Sequence[Mapping[str, Any]] = (),
    *,
    version: str,
) -> Path:
    """Write a network and its card, each in one step; return the path of the arrays. See ``engine.network_file``."""
    return write_network(path, KIND, arrays._asdict(), variants, training, results, version)


def read_value_network(network: str | Path) -> ValueNetwork:
    """Return a network, given the path of its arrays or of its card.

    Raises:
        CheckpointError: Arrays or card are missing, unreadable, cut off or edited.
        CheckpointMismatchError: It was made for other layouts than this version has.
    """
    return _read_again(str(network), content_digest(network_files(network)))


@functools.lru_cache(_MOST_RECENT)
def _read_again(path: str, _content: str) -> ValueNetwork:
    """Return a network, read again only when its files have changed."""
    return read_values(path, KIND)
