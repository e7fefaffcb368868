"""Parts of the machine code: entries that are made together, because what needs one of them mostly needs the others."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import NamedTuple

from endeavor_env.kernels.entries import entries


class Part(NamedTuple):
    """Entries that are made together."""

    name: str
    """In names of files."""
    title: str
    """In messages: "the rules"."""
    modules: tuple[str, ...]
    """The modules with its entries."""
    heavy: Mapping[str, float] = {}
    """Seconds that making takes for entries that take long, by the names of their functions."""
    families: Mapping[str, str] = {}
    """The families of entries, by the names of their functions: those of a family share most of their code, and one
    process makes them. Any other entry is alone."""

    def symbols(self) -> list[str]:
        """Return the symbols of its entries, after importing its modules."""
        for module in self.modules:
            import_module(module)
        return [symbol for symbol, entry in entries.items() if entry.py_func.__module__ in self.modules]

    def family(self, symbol: str) -> str:
        """Return the family of an entry."""
        return self.families.get(entries[symbol].py_func.__name__, symbol)

    def weight(self, symbol: str) -> float:
        """Return about how many seconds making an entry takes, besides what its family has made before."""
        return self.heavy.get(entries[symbol].py_func.__name__, LIGHT)


LIGHT = 0.1
"""Seconds that making any other entry takes."""
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
