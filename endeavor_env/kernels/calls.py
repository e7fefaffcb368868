"""Code entries as kernels call them: by their symbols or their addresses, and not as a part of the kernel that calls.

Numba compiles a kernel together with all that it calls, and so do all its callers again. A code entry is called from
outside instead, and is compiled once, for all that call it. By its symbol a kernel calls one that is known when it is
compiled; by its address, one that its caller hands it.

A call passes records and arrays where the entry takes pointers. Where nothing is compiled, entries are Python functions
that get the records and arrays themselves (``intrinsics.record_at`` and the functions after it take both), and an
address is an index of ``_python_entries``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, cast

from endeavor_env.kernels.entries import Entry
from endeavor_env.kernels.kernels import Lazy, intrinsic
from endeavor_env.kernels.switches import JIT_DISABLED, USES_LIBRARY

_symbols: dict[str, Any] = {}  # the code entries that kernels call by symbol
_python_entries: list[Callable[..., Any]] = []


def extern_call(entry: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function by which kernels call a code entry by its symbol."""
    if JIT_DISABLED:
        return entry
    declared = cast(Any, entry)
    _symbols[declared.symbol] = declared
    return cast(Callable[..., Any], Lazy(partial(_call_of, declared)))


def _call_of(declared: Any) -> Any:
    from numba.extending import intrinsic

    from endeavor_env.kernels.llvm.calls import call_entry

    return intrinsic(call_entry(declared.symbol, len(declared.kinds), partial(address_of, declared)))


def outside_entries() -> dict[str, Any]:
    """Return the code entries that kernels call by symbol."""
    return dict(_symbols)


def indirect_call(count: int) -> Callable[..., Any]:
    """Return a function (address, *arguments) by which kernels call a code entry of ``count`` arguments.

    The address must be one of ``address_of``.
    """
    return cast(Callable[..., Any], intrinsic("calls:call_address", _call_python, count))


def _call_python(address: Any, *arguments: Any) -> Any:
    return _python_entries[address](*arguments)


def address_of(entry: Callable[..., Any], kinds: tuple[Any, ...] = ()) -> int:
    """Return the address of a code entry, compiled if needed; it must not be released afterwards.

    Args:
        entry: A code entry, or a function of a user compiled by Numba.
        kinds: The kinds of the arguments of a function that is no code entry.
    """
    if JIT_DISABLED:
        if entry not in _python_entries:
            _python_entries.append(entry)
        return _python_entries.index(entry)
    if isinstance(entry, Entry):
        kinds = entry.kinds
        if USES_LIBRARY:
            from endeavor_env.kernels.loading.library import address_of_symbol

            address = address_of_symbol(entry)
            if address is not None:
                return address
    from endeavor_env.kernels.numba_kernels import address_of_function

    return address_of_function(entry, kinds)
