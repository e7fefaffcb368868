"""How faults of a board are worded: counts, labels, and values that may be anything."""

from __future__ import annotations

from collections.abc import Mapping

MAX_TEXT = 60
"""Longest id and longest name of a board."""


def shown(value: object) -> str:
    """Return a short text for a value of any type, for use in a fault."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if value.bit_length() <= 64 else f"a number of {value.bit_length()} bits"
    if isinstance(value, float):
        return f"the fraction {value}"
    if isinstance(value, str):
        return ascii(value if len(value) <= MAX_TEXT else value[:MAX_TEXT] + "...")
    for kind, text in ((list, "a list"), (Mapping, "a table"), (type(None), "nothing")):
        if isinstance(value, kind):
            return text
    return f"a {type(value).__name__}"


def spelled(count: int, noun: str) -> str:
    """Return "1 region", "2 regions", "3 cities"."""
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{count} {noun if count == 1 else plural}"


def inside(label: str, key: str) -> str:
    """Return the label of ``key`` within what ``label`` names ("" for the file): ``city london: glory``."""
    if not label:
        return key
    return f"{label}.{key}" if ": " in label else f"{label}: {key}"
