"""Lists read from JSON."""

from __future__ import annotations

from typing import TypeGuard


def is_list_of_texts(value: object) -> TypeGuard[list[str]]:
    """Return whether a value read from JSON is a list of texts."""
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def is_list_of_whole_numbers(value: object) -> TypeGuard[list[int]]:
    """Return whether a value read from JSON is a list of whole numbers."""
    return isinstance(value, list) and all(type(one) is int for one in value)
