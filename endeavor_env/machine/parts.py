"""Parts of the machine code: entries that are made together, because what needs one of them mostly needs the others."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import NamedTuple

from endeavor_env.machine.entries import entries


class Part(NamedTuple):
    """Entries that are made together."""

    name: str
    """In names of files."""
    title: str
    """In messages: "the rules"."""
    modules: tuple[str, ...]
    """The modules with its entries."""
    heavy: Mapping[str, float] = {}
    """Seconds that the front end takes for entries that take long, by the names of their functions: for progress."""

    def symbols(self) -> list[str]:
        """Return the symbols of its entries, after importing its modules."""
        for module in self.modules:
            import_module(module)
        return [symbol for symbol, entry in entries.items() if entry.py_func.__module__ in self.modules]

    def weight(self, symbol: str) -> float:
        """Return about how many seconds the front end takes for an entry."""
        return self.heavy.get(entries[symbol].py_func.__name__, LIGHT)


LIGHT = 0.1
"""Seconds that the front end takes for any other entry."""
WHOLE = "all"
"""The name of a library with all parts."""
parts: dict[str, Part] = {}
"""The parts of the package, by name."""


def declare_parts(*given: Part) -> None:
    """Make parts known."""
    parts.update({part.name: part for part in given})


def part_of(symbol: str) -> Part | None:
    """Return the part that an entry belongs to; None for an entry of none, which Numba compiles when it is called."""
    module = entries[symbol].py_func.__module__
    return next((part for part in parts.values() if module in part.modules), None)
