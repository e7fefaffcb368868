"""Parts of the machine code: entries that are made together, because what needs one of them mostly needs the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple

from endeavor_env.kernels.entries import entries
from endeavor_env.kernels.kernels import Kernel


class Part(NamedTuple):
    """Entries that are made together."""

    name: str
    """In names of files."""
    title: str
    """In messages: "the rules"."""
    modules: tuple[str, ...]
    """The modules with its entries."""

    def symbols(self) -> list[str]:
        """Return the symbols of its entries, after importing its modules."""
        for module in self.modules:
            import_module(module)
        return [symbol for symbol, entry in entries.items() if entry.py_func.__module__ in self.modules]


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


def shared_out(symbols: Sequence[str], processes: int) -> list[list[str]]:
    """Return entries in lists that take about as long to compile: always the same, so that libraries are, too.

    A process compiles what two of its entries call only once. Work is measured in bytes of Python's code, of an entry
    and of all kernels that it reaches: each entry, the longest first, goes where the list then is short and little is
    added. On 8 parts of Endeavor this leaves 10 % less to the slower process than lists by hand did.
    """
    code_of = {symbol: reached(entries[symbol].py_func, {}) for symbol in symbols}
    lists: list[list[str]] = [[] for _ in range(processes)]
    known: list[dict[Callable[..., Any], int]] = [{} for _ in range(processes)]

    def cost(place: int) -> int:
        before, after = sum(known[place].values()), sum({**known[place], **code}.values())
        return after + (after - before)

    for symbol in sorted(symbols, key=lambda symbol: (-sum(code_of[symbol].values()), symbol)):
        code = code_of[symbol]
        best = min(range(processes), key=cost)
        lists[best].append(symbol)
        known[best].update(code)
    return [found for found in lists if found]


def reached(function: Any, found: dict[Callable[..., Any], int]) -> dict[Callable[..., Any], int]:
    """Add a kernel and all that it calls to ``found``, with the bytes of their code; return it."""
    if function not in found:
        found[function] = len(function.__code__.co_code)
        for called in _called_by(function):
            reached(called, found)
    return found


def _called_by(function: Any) -> Iterator[Callable[..., Any]]:
    """Yield the kernels that a function names: as globals, as attributes of modules, or as variables of a closure."""
    names = function.__code__.co_names
    values = [function.__globals__.get(name) for name in names]
    values += [getattr(value, name, None) for value in values if isinstance(value, ModuleType) for name in names]
    values += [cell.cell_contents for cell in function.__closure__ or ()]
    yield from (value.py_func for value in values if isinstance(value, Kernel))
