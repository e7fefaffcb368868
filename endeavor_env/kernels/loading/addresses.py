"""Addresses of machine code: of code entries for kernels that are handed them, and of symbols for Numba's linker."""

from __future__ import annotations

import threading
from typing import Any

from endeavor_env.kernels.entries import Entry
from endeavor_env.kernels.outside import outside_entries
from endeavor_env.kernels.switches import USES_LIBRARY

_lock = threading.RLock()
_defined: set[str] = set()
_busy: list[bool] = []


def address_of_entry(entry: Entry) -> int:
    """Return the address of a code entry, in the library or compiled by Numba; it is never released."""
    if USES_LIBRARY:
        from endeavor_env.kernels.loading.library import address_of_symbol

        address = address_of_symbol(entry)
        if address is not None:
            return address
    from endeavor_env.kernels.numba_kernels import address_of_function

    return address_of_function(entry.made, entry.kinds)


def define_outside() -> None:
    """Tell Numba's linker where the entries are that kernels call by symbol, before it links code that refers to them.

    Where there is no library they are compiled for that, in the order in which they call each other, and meanwhile what
    is compiled for them comes back here.
    """
    from llvmlite import binding

    with _lock:
        if _busy:
            return
        _busy.append(True)
        try:
            for symbol, entry in outside_entries().items():
                if symbol not in _defined:
                    address: Any = address_of_entry(entry)
                    binding.add_symbol(symbol, address)
                    _defined.add(symbol)
        finally:
            _busy.clear()
