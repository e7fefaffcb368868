"""Where the parts of a player's memory lie, which is one array of bytes, so that compiled players can be handed it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from endeavor_env.machine.constants import constants

ROUND = 64
"""Every part begins at a multiple of so many bytes."""


def rounded(size: int) -> int:
    """Return the bytes that a part of this size takes."""
    return -(-size // ROUND) * ROUND


def placed(sizes: Mapping[str, int]) -> tuple[Any, Any, int]:
    """Return where each part begins and where it ends, by name as constants of kernels, and the size of all.

    Args:
        sizes: The bytes of each part, in their order.
    """
    begins, ends, at = {}, {}, 0
    for name, size in sizes.items():
        begins[name], ends[name] = at, at + size
        at += rounded(size)
    return constants("begins", begins), constants("ends", ends), at
