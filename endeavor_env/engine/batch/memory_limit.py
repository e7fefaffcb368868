"""The memory of the machine: what cannot fit into it is refused before anything is allocated."""

from __future__ import annotations

import os

from endeavor_env.errors import InvalidOptionError

UNKNOWN = 1 << 40
"""Bytes assumed where the system does not say how much memory it has."""


def machine_memory() -> int:
    """Return the bytes of memory of this machine."""
    try:
        pages, page = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):  # a system without these names
        return UNKNOWN
    return pages * page if pages > 0 and page > 0 else UNKNOWN


def check_memory(name: str, count: int, each: int) -> None:
    """Raise InvalidOptionError if the option ``name`` asks for ``count`` things of ``each`` bytes that cannot fit."""
    has = machine_memory()
    if count * each > has:
        raise InvalidOptionError(
            f"{name}={count} is not possible: at {each:,} bytes each that takes {count * each / 1e9:,.1f} GB, and this "
            f"machine has {has / 1e9:,.1f} GB; give at most {has // each:,}"
        )
