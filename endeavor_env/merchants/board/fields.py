"""The kinds of values in a board file, and how a table of them is read: a value of another kind is a fault."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from endeavor_env.basics.files import is_unicode
from endeavor_env.errors import shown
from endeavor_env.merchants.board import vocabulary as v
from endeavor_env.merchants.board.faults import FaultList
from endeavor_env.merchants.board.geometry import BOTTOM, TOP, Cell, Corner, Edge, as_edge


@dataclass(frozen=True)
class Kind:
    """One kind of value."""

    words: str
    """What a value must be, for faults."""
    read: Callable[[object], Any]
    """Returns the value, None for one of another kind."""


def _whole(value: object) -> int | None:
    return value if type(value) is int else None


def _flag(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _text(value: object) -> str | None:
    return str.__str__(value) if isinstance(value, str) and is_unicode(value) else None


def _name(value: object) -> str | None:
    text = _text(value)
    fits = text is not None and 0 < len(text.strip()) <= len(text) <= v.MAX_TEXT and text.isprintable()
    return text if fits else None


def _table(value: object) -> dict[str, Any] | None:
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        return None
    return dict(value)


def _list(value: object) -> list[Any] | None:
    return value if isinstance(value, list) else None


def _wholes(value: object) -> tuple[int, ...] | None:
    return tuple(value) if isinstance(value, list) and all(type(one) is int for one in value) else None


def _texts(value: object) -> tuple[str, ...] | None:
    return tuple(value) if isinstance(value, list) and all(_text(one) is not None for one in value) else None


def _cell(value: object) -> Cell | None:
    numbers = _wholes(value)
    if numbers is None or len(numbers) != 2 or any(abs(number) > v.FARTHEST for number in numbers):
        return None
    return numbers[0], numbers[1]


def _corner(value: object) -> Corner | None:
    if not isinstance(value, list) or len(value) != 3:
        return None
    cell, end = _cell(value[:2]), value[2]
    if cell is None or not isinstance(end, str) or end not in (TOP, BOTTOM):
        return None
    return *cell, str(end)


def _edge(value: object) -> Edge | None:
    if not isinstance(value, list) or len(value) != 2:
        return None
    first, second = _corner(value[0]), _corner(value[1])
    return None if first is None or second is None else as_edge(first, second)


_CORNER_WORDS = f'[q, r, "N"] or [q, r, "S"] with q and r from -{v.FARTHEST} to {v.FARTHEST}'
WHOLE = Kind("a whole number", _whole)
FLAG = Kind("true or false", _flag)
TEXT = Kind("a text", _text)
NAME = Kind(f"a text of 1 to {v.MAX_TEXT} printable characters", _name)
TABLE = Kind("a table", _table)
LIST = Kind("a list", _list)
WHOLES = Kind("a list of whole numbers", _wholes)
TEXTS = Kind("a list of texts", _texts)
CELL = Kind(f"[q, r], two whole numbers from -{v.FARTHEST} to {v.FARTHEST}", _cell)
CORNER = Kind(_CORNER_WORDS, _corner)
EDGE = Kind(f"a list of two corners, each {_CORNER_WORDS}", _edge)


class Reader:
    """Reads values of tables; what is missing or of another kind becomes a fault ``format`` and is None."""

    def __init__(self, faults: FaultList) -> None:
        """Add to ``faults`` what is wrong."""
        self.faults = faults

    def table(self, value: object, keys: Sequence[str], whose: str) -> dict[str, Any] | None:
        """Return ``value`` if it is a table; keys that are not among ``keys`` are faults."""
        found = _table(value)
        if found is None:
            self.faults.add("format", f"{whose} is {shown(value)}: it must be a table with the keys {', '.join(keys)}")
            return None
        for key in found:
            if key not in keys:
                self.faults.add("format", f"{whose} has the unknown key {shown(key)}: its keys are {', '.join(keys)}")
        return found

    def required(self, table: Mapping[str, Any], key: str, kind: Kind, whose: str) -> Any:
        """Return the value of a key that must be there."""
        if key not in table:
            self.faults.add("format", f"{whose} has no {key}: give {kind.words}")
            return None
        return self.optional(table, key, kind, whose)

    def optional(self, table: Mapping[str, Any], key: str, kind: Kind, whose: str) -> Any:
        """Return the value of a key that may be missing, None then."""
        return self.value(table[key], kind, f"{key} of {whose}") if key in table else None

    def value(self, value: object, kind: Kind, label: str) -> Any:
        """Return one value, which ``label`` names."""
        read = kind.read(value)
        if read is None:
            self.faults.add("format", f"{label} is {shown(value)}: it must be {kind.words}")
        return read
