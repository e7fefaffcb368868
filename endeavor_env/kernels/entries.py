"""Entries: kernels that Python calls, with the kinds of their arguments declared where they are defined.

An entry is called in the library of machine code if there is one, without Numba. Where nothing is compiled, and where
kernels are compiled by Numba one by one (``switches``), an entry is the kernel itself.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np

from endeavor_env.kernels.kernels import Kernel
from endeavor_env.kernels.kinds import Listed, New
from endeavor_env.kernels.switches import JIT_DISABLED, USES_LIBRARY
from endeavor_env.kernels.table import PREFIX

F = TypeVar("F", bound=Callable[..., Any])
entries: dict[str, Entry] = {}
"""The entries of all modules that were imported, by symbol."""


class Entry(Kernel):
    """A kernel that Python calls.

    Attributes:
        symbol: Its name in the library.
        kinds: The kinds of its arguments.
        keeps_lock: Whether it keeps the interpreter's lock, as short calls do.
        code: Whether it is called by its address alone, with these arguments and an int64 as result, as in C.
    """

    def __init__(self, function: Callable[..., Any], kinds: tuple[Any, ...], **options: bool) -> None:
        """Declare the entry; nothing is compiled or loaded yet."""
        self.keeps_lock, self.code = options.pop("keeps_lock", False), options.pop("code", False)
        super().__init__(function, options)
        self.symbol, self.kinds = symbol_of(function), kinds
        self._call: Callable[..., Any] = self._first_call if USES_LIBRARY else as_declared(super().__call__, kinds)
        entries[self.symbol] = self

    def bind(self, call: Callable[..., Any]) -> None:
        """Call the library from now on."""
        self._call = call

    def _first_call(self, *arguments: Any) -> Any:
        from endeavor_env.kernels.loading.library import ensure_library

        if not ensure_library(self.symbol):
            self._call = as_declared(super().__call__, self.kinds)
        return self._call(*arguments)

    def __call__(self, *arguments: Any) -> Any:
        """Run the kernel; the arguments must be of the declared kinds."""
        return self._call(*arguments)


def symbol_of(function: Callable[..., Any]) -> str:
    """Return the name of an entry in the library: that of its module inside the package, and its own."""
    module = function.__module__.partition(".")[2]
    return f"{PREFIX}{module}_{function.__name__}".replace(".", "_")


def entry(*kinds: Any, keeps_lock: bool = False, counts_references: bool = False) -> Callable[[F], F]:
    """Return the decorator of an entry that Python and other kernels call.

    Args:
        kinds: The kinds of its arguments (``kernels.kinds``).
        keeps_lock: Keep the interpreter's lock during a call, which must be short then.
        counts_references: As for ``referencing_kernel``.
    """

    def declare(function: F) -> F:
        if JIT_DISABLED:
            return cast(F, as_declared(function, kinds))
        return cast(F, Entry(function, kinds, keeps_lock=keeps_lock, counts_references=counts_references))

    return declare


def quick_entry(*kinds: Any) -> Callable[[Callable[..., Any]], Any]:
    """Return the decorator of an entry that only Python calls, at every decision of a game.

    It keeps the interpreter's lock. The function becomes a built-in one of Python as soon as there is a library. What
    callers give and get is that of the declared kinds, and not what the function itself takes.
    """

    def declare(function: Callable[..., Any]) -> Any:
        if JIT_DISABLED:
            return _returning_plain_numbers(as_declared(function, kinds))
        declared = QuickEntry(function, kinds, keeps_lock=True)
        return declared.found()

    return declare


class QuickEntry(Entry):
    """An entry whose place in its module is taken by the built-in function of the library."""

    def found(self) -> Callable[..., Any]:
        """Return the built-in function if there is a library already, else this object."""
        if USES_LIBRARY:
            from endeavor_env.kernels.loading.library import find_library

            find_library(self.symbol)
        return self if self._call == self._first_call or not USES_LIBRARY else self._call

    def bind(self, call: Callable[..., Any]) -> None:
        """Call the library from now on, without this object where the module's own name is used."""
        super().bind(call)
        module = sys.modules.get(self.py_func.__module__)
        if module is not None and getattr(module, self.py_func.__name__, None) is self:
            setattr(module, self.py_func.__name__, call)


def code_entry(*kinds: Any, counts_references: bool = False) -> Callable[[F], F]:
    """Return the decorator of an entry that machine code calls by its address; it takes pointers and returns int64."""

    def declare(function: F) -> F:
        if JIT_DISABLED:
            return function
        return cast(F, Entry(function, kinds, code=True, counts_references=counts_references))

    return declare


def as_declared(run: Callable[..., Any], kinds: tuple[Any, ...]) -> Callable[..., Any]:
    """Return a function that makes the arrays of the kinds New and Listed, as the library does, and calls a kernel."""
    made = [place for place, kind in enumerate(kinds) if isinstance(kind, New | Listed)]
    if not made:
        return run
    place = made[0]
    kind = kinds[place]

    def call(*given: Any) -> Any:
        if isinstance(kind, Listed):
            ids = np.empty(kind.most, np.int16)
            return ids[: run(*given[:place], ids, *given[place:])].tolist()
        out = np.empty(given[place], kind.dtype)
        run(*given[:place], out, *given[place + 1 :])
        return out

    call.__name__, call.__doc__ = run.__name__, run.__doc__
    return call


def _returning_plain_numbers(run: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that returns Python's numbers, as the library does, where kernels return NumPy's."""

    @functools.wraps(run)
    def call(*given: Any) -> Any:
        found = run(*given)
        return found.item() if isinstance(found, np.generic) else found

    return call
