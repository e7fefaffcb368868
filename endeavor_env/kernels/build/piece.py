"""The process that makes a piece of a library: ``python -m endeavor_env.kernels.build.piece FILE LEVELS MODULES ...``.

Numba's front end translates entries to one LLVM module, which is written as bitcode; then LLVM makes an object file of
it for each level of instructions. There is a line for each entry, and for each object file.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from llvmlite import binding
from numba.core.registry import cpu_target

from endeavor_env.kernels.build.back_end import emit, link, machine_of
from endeavor_env.kernels.build.numba_parts import translate_alone
from endeavor_env.kernels.entries import Entry, entries
from endeavor_env.kernels.llvm.entry_code import PlainCode, PythonCode, write_code_entry
from endeavor_env.kernels.loading.processor import GENERIC
from endeavor_env.kernels.numba_kernels import type_of_kind
from endeavor_env.kernels.table import PLAIN, TABLE_SYMBOL


def joined(codes: list[Any], symbols: set[str]) -> Any:
    """Return one module with translated entries and all that they call."""
    modules: dict[Any, Any] = {}
    for code in codes:
        code.modules(modules)
    whole = _linked(list(modules.values()))
    whole.data_layout = whole.data_layout or str(codes[0].codegen.target_data)
    for at, thing in enumerate((*whole.functions, *whole.global_variables)):  # others see entries and the table alone
        if thing.is_declaration or thing.name.removesuffix(PLAIN) in {TABLE_SYMBOL, *symbols}:
            continue
        thing.linkage = "internal"
        if thing.name.startswith("_ZN08NumbaEnv"):  # the kernel's Python module, for errors: nobody reads it
            thing.name = f"environment.{at}"
    passes = binding.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()  # Numba wraps its own functions for Python
    machine = binding.Target.from_default_triple().create_target_machine()
    passes.run(whole, binding.create_pass_builder(machine, binding.create_pipeline_tuning_options()))
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
    signature = tuple(map(type_of_kind, entry.kinds))
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


def main(file: str, levels: str, modules: str, symbols: str, *share: str) -> None:
    """Write ``file``, and beside it an object file for each level.

    Args:
        file: For the bitcode.
        levels: Levels of instructions, with commas, as the next two.
        modules: Modules of the entries.
        symbols: All entries of the library.
        share: The entries of this piece.
    """
    translate_alone()
    for name in modules.split(","):
        import_module(name)
    codes = []
    for symbol in share:
        codes.append(_code_of(entries[symbol]))
        print(symbol, flush=True)
    bitcode = joined(codes, set(share)).as_bitcode()
    Path(file).write_bytes(bitcode)
    codes.clear()
    for level in filter(None, levels.split(",")):
        machine = machine_of(processor="" if level == GENERIC else level, reloc="pic", codemodel="default")
        Path(file).with_suffix(f".{level}.o").write_bytes(emit(link([bitcode], symbols.split(",")), machine))
        print(level, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
