"""The kind of processor: how its machine code is called, and which level of instructions it has."""

from __future__ import annotations

import platform
import sys

from numpy._core import _multiarray_umath  # type: ignore[attr-defined]  # where NumPy keeps what the processor has

GENERIC = "generic"
"""The level where there is one only: the least that a kind of machine has."""
LEVELS = {"x86-64-v3": ("AVX2", "FMA3", "BMI", "BMI2", "LZCNT", "MOVBE", "F16C"), "x86-64-v2": ("SSE42", "POPCNT")}
"""The levels of x86 that libraries are made for, the best first, and features that a processor of a level has."""


def machine_name() -> str:
    """Return the kind of machine, such as "linux-x86_64"."""
    return f"{sys.platform}-{_kind()}"


def _kind() -> str:
    """Return the kind of processor that this Python was made for, by one name for each kind."""
    if sys.platform == "win32":  # where a processor of another kind may run it, which ``platform`` would name
        kind = "amd64" if "amd64" in sys.version.lower() else platform.machine()
    else:
        kind = platform.machine()
    return {"amd64": "x86_64", "arm64": "aarch64"}.get(kind.lower(), kind.lower())


def all_levels() -> tuple[str, ...]:
    """Return the levels of instructions that this kind of machine can have, the best first."""
    return tuple(LEVELS) if _kind() == "x86_64" else (GENERIC,)


def levels() -> tuple[str, ...]:
    """Return the levels of instructions that this processor has, the best first, at least one.

    It is "generic" where there is one only, and for a processor of x86 below all levels: no wheel has a library for it,
    so that its libraries are made on the machine.
    """
    if _kind() != "x86_64":
        return (GENERIC,)
    has = _multiarray_umath.__cpu_features__
    found = tuple(level for level, needed in LEVELS.items() if all(has.get(feature) for feature in needed))
    return found or (GENERIC,)
