"""One process of the front end: ``python -m endeavor_env.kernels.build.front_end OUT MODULES``.

It imports modules of the package, reads symbols of entries from its input, a line for each, translates them and says so
with the same line, and at the end writes one LLVM module as bitcode.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from numba.core.registry import cpu_target

from endeavor_env.kernels.build.quick_numba import make_quick
from endeavor_env.kernels.build.unlinked import keep_modules
from endeavor_env.kernels.entries import Entry, entries
from endeavor_env.kernels.llvm.entry_code import PlainCode, PythonCode, write_code_entry
from endeavor_env.kernels.llvm.numba_types import type_of_kind


def joined(codes: list[Any], symbols: set[str]) -> Any:
    """Return one module with translated entries and all that they call."""
    libraries: dict[Any, None] = {}
    for code in codes:
        _add_libraries(code, libraries)
    whole = _linked([library._final_module for library in libraries])
    whole.data_layout = whole.data_layout or str(codes[0].codegen._target_data)
    _hide(whole, symbols)
    return whole


def _linked(modules: list[Any]) -> Any:
    """Link modules two by two, and these again: linking into one would take time as the square of their number."""
    while len(modules) > 1:
        for one, other in zip(modules[::2], modules[1::2], strict=False):
            one.link_in(other)  # which empties it
        modules = modules[::2]
    return modules[0]


def _code_of(entry: Entry) -> Any:
    """Translate a kernel and return the library with the functions by which it is called."""
    signature = tuple(type_of_kind(kind) for kind in entry.kinds)
    entry.made.compile(signature)
    compiled = entry.made.overloads[signature]
    context: Any = cpu_target.target_context
    library = context.codegen().create_library(f"code of {entry.symbol}")
    module = library.create_ir_module(f"code of {entry.symbol}")
    if entry.code:
        write_code_entry(context, module, entry, compiled)
    else:
        PythonCode(module, entry, PlainCode(context, module, entry, compiled))
    library.add_ir_module(module)
    library.add_linking_library(compiled.library)
    return library


def _add_libraries(library: Any, found: dict[Any, None]) -> None:
    """Add a library and all that it calls to those that were found."""
    if library not in found:
        found[library] = None
        for other in library._linking_libraries:
            _add_libraries(other, found)


def _hide(module: Any, symbols: set[str]) -> None:
    """Leave as names for others those of the entries, and let equal kernels of two modules be one."""
    for at, thing in enumerate((*module.functions, *module.global_variables)):
        if thing.is_declaration or thing.name.removesuffix("_plain") in symbols:
            continue
        is_kernel = thing.name.startswith("_ZN12endeavor_env")
        if thing.name.startswith("_ZN08NumbaEnv"):  # the kernel's Python module, for errors: nobody reads it
            thing.linkage, thing.name = "internal", f"environment.{at}"
        elif is_kernel:
            thing.linkage = "linkonce_odr"
        else:
            thing.linkage = "internal"


def main(out: str, modules: str) -> None:
    """Translate what is asked for and write it; ``modules`` is a list with commas."""
    keep_modules()
    make_quick()
    for name in modules.split(","):
        import_module(name)
    codes = {}
    for line in sys.stdin:
        symbol = line.strip()
        codes[symbol] = _code_of(entries[symbol])
        print(symbol, flush=True)
    if codes:
        Path(out).write_bytes(joined(list(codes.values()), set(codes)).as_bitcode())


if __name__ == "__main__":
    main(*sys.argv[1:])
