"""The structures as lines of plain text, with everything that is in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def lines(value: Mapping[str, Any], indent: str = "") -> list[str]:
    """Return a structure as lines: ``name: value``, with what is inside of a structure indented below its name.

    ``null`` stands for nothing; small structures are ``{name=value, name=value}`` and lists ``[value, value]`` in one
    line. A list of larger structures has a line beginning with "-" for each.
    """
    found: list[str] = []
    for name, inner in value.items():
        if _is_small(inner):
            found.append(f"{indent}{name}: {_inline(inner)}")
        elif isinstance(inner, Mapping):
            found += [f"{indent}{name}:", *lines(inner, indent + "  ")]
        else:
            found += [f"{indent}{name}:", *(f"{indent}  - {_inline(one)}" for one in inner)]
    return found


def _is_small(value: Any) -> bool:
    """Return whether a value fits one line: anything but structures of structures, and lists of structures."""
    if isinstance(value, Mapping):
        return not any(isinstance(inner, (Mapping, list)) for inner in value.values())
    return not isinstance(value, list) or not any(isinstance(inner, Mapping) for inner in value)


def _inline(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name}={_inline(inner)}" for name, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_inline(inner) for inner in value) + "]"
    return {None: "null", True: "true", False: "false"}.get(value, str(value)) if _is_word(value) else str(value)


def _is_word(value: Any) -> bool:
    return value is None or isinstance(value, bool)
