"""The processors and the memory of this machine."""

from __future__ import annotations

import os
import platform
from pathlib import Path

from endeavor_env.errors import InvalidOptionError

# --- The processor and the cores of the machine that the program runs on ---------------------------------------------


def processor() -> str:
    """Return the name of the processor, as the operating system gives it."""
    path = Path("/proc/cpuinfo")
    if path.exists():
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def usable_cores() -> int:
    """Return the number of cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# --- The memory of the machine: what cannot fit into it is refused before anything is allocated ----------------------

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
