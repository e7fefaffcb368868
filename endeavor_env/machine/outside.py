"""Code entries as kernels call them: by their symbols, and not as a part of the kernel that calls.

Numba compiles a kernel together with all that it calls, and so do all its callers again. A code entry is called through
its symbol instead, and is compiled once, for all that call it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, cast

from endeavor_env.machine.kernels import Lazy
from endeavor_env.machine.switches import JIT_DISABLED

_symbols: dict[str, Any] = {}  # the code entries that kernels call, by symbol


def called_outside(entry: Callable[..., Any], directly: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function by which kernels call a code entry: (record, record, integer ..., array) -> int64.

    Args:
        entry: A code entry; a call gives it addresses of the records, the integers, and address and bytes of the array.
        directly: Does the same with the arguments of a call; returned where nothing is compiled.
    """
    if JIT_DISABLED:
        return directly
    declared = cast(Any, entry)
    _symbols[declared.symbol] = declared
    return cast(Callable[..., Any], Lazy(partial(_call_of, declared)))


def _call_of(declared: Any) -> Any:
    from numba.extending import intrinsic

    from endeavor_env.machine.llvm.calls import call_symbol

    return intrinsic(call_symbol(declared.symbol))


def outside_entries() -> dict[str, Any]:
    """Return the code entries that kernels call by symbol."""
    return dict(_symbols)
