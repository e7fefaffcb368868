"""One process of the back end: from translated modules to machine code, by one optimisation and one emission.

``python -m endeavor_env.kernels.build.module OUT LEVEL KEY PIECE SYMBOLS BITCODES...``
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from llvmlite import binding

from endeavor_env.kernels.switches import FEW_PASSES
from endeavor_env.kernels.table import (
    FAILED,
    FIND,
    IMPORTS_SYMBOL,
    KEY_SYMBOL,
    NAMES,
    PLAIN,
    TABLE_SYMBOL,
    of_piece,
)

HELPERS = {
    "NRT_MemInfo_call_dtor": "define void @NRT_MemInfo_call_dtor(ptr %info) { ret void }",  # no kernel owns memory
    "sqrt": "define double @sqrt(double %x) { %y = call double @llvm.sqrt.f64(double %x) ret double %y }\n"
    "declare double @llvm.sqrt.f64(double)",
    "numba_attempt_nocopy_reshape": """
define i32 @numba_attempt_nocopy_reshape(i64 %axes, ptr %shape, ptr %strides, i64 %new_axes, ptr %new_shape,
                                         ptr %new_strides, i64 %size, i32 %fortran) {
start:
  br label %head
head:
  %left = phi i64 [ %new_axes, %start ], [ %axis, %body ]
  %stride = phi i64 [ %size, %start ], [ %more, %body ]
  %done = icmp eq i64 %left, 0
  br i1 %done, label %end, label %body
body:
  %axis = sub i64 %left, 1
  %at = getelementptr i64, ptr %new_strides, i64 %axis
  store i64 %stride, ptr %at
  %length_at = getelementptr i64, ptr %new_shape, i64 %axis
  %length = load i64, ptr %length_at
  %more = mul i64 %stride, %length
  br label %head
end:
  ret i32 1
}""",  # every array of the kernels is contiguous
}
"""Numba's helpers in C that kernels call, as code of LLVM, so that nothing needs a compiler for C."""
OF_THE_SYSTEM = ("memset", "memcpy", "memmove", "sched_yield", "SwitchToThread")
"""Functions that every process of the system has."""


def link(bitcodes: Sequence[bytes], symbols: Sequence[str], key: str, piece: int | None = None) -> Any:
    """Return one module of several.

    Args:
        bitcodes: What the front end wrote.
        symbols: The entries of the library, which stay visible.
        key: What the library is made from, which it carries.
        piece: Number of the piece of the library that the module becomes, which calls entries of other pieces; None for
            the whole library.
    """
    whole = binding.parse_bitcode(bitcodes[0])
    for bitcode in bitcodes[1:]:
        whole.link_in(binding.parse_bitcode(bitcode))
    outside = [
        function.name
        for function in whole.functions
        if function.is_declaration and function.name.startswith("endeavor_") and function.name not in symbols
    ]
    whole = _with_tables(whole, outside, key)
    _add_helpers(whole, () if piece is None else symbols)
    kept = {name for symbol in symbols for name in (symbol, f"{symbol}{PLAIN}")}
    for symbol in (TABLE_SYMBOL, IMPORTS_SYMBOL, KEY_SYMBOL):
        kept.add(of_piece(symbol, piece))
        whole.get_global_variable(symbol).name = of_piece(symbol, piece)
    for thing in (*whole.functions, *whole.global_variables):
        if not thing.is_declaration and thing.name not in kept:
            thing.linkage = "internal"
        elif not thing.is_declaration and sys.platform == "win32":  # elsewhere a library shows its names by itself
            thing.storage_class = "dllexport"
    whole.verify()
    return whole


def _with_tables(module: Any, outside: Sequence[str], key: str) -> Any:
    """Define the tables that whoever loads the library fills, and calls of entries that are in other libraries."""
    text = str(module)
    text = text.replace(f"@{TABLE_SYMBOL} = external global [{len(NAMES)} x ptr]", _table(TABLE_SYMBOL, len(NAMES)))
    if _table(TABLE_SYMBOL, len(NAMES)) not in text:
        text += "\n" + _table(TABLE_SYMBOL, len(NAMES))
    lines = [line for line in text.split("\n") if not _declares(line, outside)]
    lines.append(_table(IMPORTS_SYMBOL, max(1, len(outside))))
    lines += [_import_code(place, symbol, text) for place, symbol in enumerate(outside)]
    content = "\n".join([key, *outside]).encode() + b"\0"
    escaped = "".join(f"\\{byte:02X}" for byte in content)
    lines.append(f'@{KEY_SYMBOL} = constant [{len(content)} x i8] c"{escaped}"')
    return binding.parse_assembly("\n".join(lines))


def _table(name: str, size: int) -> str:
    return f"@{name} = global [{size} x ptr] zeroinitializer"


def _declares(line: str, symbols: Sequence[str]) -> bool:
    return line.startswith("declare") and any(f"@{symbol}(" in line for symbol in symbols)


def _import_code(place: int, symbol: str, text: str) -> str:
    """Return the function that calls an entry of another library through the table of imports, found if it is missing.

    If it cannot be had, the function returns FAILED.
    """
    declaration = next(line for line in text.split("\n") if _declares(line, [symbol]))
    kinds = [kind.split()[0] for kind in declaration.partition("(")[2].rpartition(")")[0].split(",")]
    given = ", ".join(f"{kind} %a{at}" for at, kind in enumerate(kinds))
    at = f"getelementptr (ptr, ptr @{IMPORTS_SYMBOL}, i64 {place})"
    return (
        f"define internal i64 @{symbol}({given}) {{\n"
        f"begin:\n  %known = load ptr, ptr {at}\n  %is_known = icmp ne ptr %known, null\n"
        "  br i1 %is_known, label %call, label %find\n"
        f"find:\n  %finder = load ptr, ptr getelementptr (ptr, ptr @{TABLE_SYMBOL}, i64 {NAMES.index(FIND)})\n"
        f"  call void %finder(ptr @{IMPORTS_SYMBOL}, i64 {place})\n  %found = load ptr, ptr {at}\n"
        "  %is_found = icmp ne ptr %found, null\n  br i1 %is_found, label %call, label %fail\n"
        "call:\n  %code = phi ptr [ %known, %begin ], [ %found, %find ]\n"
        f"  %result = tail call i64 %code({given})\n  ret i64 %result\n"
        f"fail:\n  ret i64 {FAILED}\n}}"
    )


def _add_helpers(module: Any, elsewhere: Sequence[str]) -> None:
    """Define what is called of Numba's helpers; raise RuntimeError for what is neither here nor elsewhere."""
    for name in {function.name for function in module.functions if function.is_declaration} & HELPERS.keys():
        helper = binding.parse_assembly(HELPERS[name])
        helper.triple, helper.data_layout = module.triple, module.data_layout
        module.link_in(helper)
    known = ("llvm.", *OF_THE_SYSTEM)
    declared = [function.name for function in module.functions if function.is_declaration]
    lost = [name for name in declared if not name.startswith(known) and name not in elsewhere]
    if lost:
        raise RuntimeError(f"kernels call what a library cannot have: {', '.join(sorted(lost))}")


def emit(module: Any, machine: Any) -> bytes:
    """Return the object file of a module, optimised for a machine."""
    speed = 0 if FEW_PASSES else 3
    options = binding.create_pipeline_tuning_options(speed_level=speed)
    options.loop_vectorization = options.slp_vectorization = not FEW_PASSES
    builder = binding.create_pass_builder(machine, options)
    passes = builder.getModulePassManager()
    if FEW_PASSES:  # without these two, each variable of Numba would be read from memory again and again
        passes.add_sroa_pass()
        passes.add_simplify_cfg_pass()
    passes.run(module, builder)
    return machine.emit_object(module)


def machine_of(triple: str | None = None, processor: str = "", **options: Any) -> Any:
    """Return the machine that code is made for: this one, or one that LLVM knows by a triple."""
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    found = binding.Target.from_triple(triple) if triple else binding.Target.from_default_triple()
    return found.create_target_machine(cpu=processor, opt=0 if FEW_PASSES else 3, **options)


def main(out: str, level: str, key: str, piece: str, symbols: str, *bitcodes: str) -> None:
    """Link what the front end translated, optimise it, and write an object file for a level of instructions."""
    names = symbols.split(",")
    whole = link([Path(bitcode).read_bytes() for bitcode in bitcodes], names, key, int(piece) if piece else None)
    processor = "" if level == "generic" else level
    Path(out).write_bytes(emit(whole, machine_of(processor=processor, reloc="pic", codemodel="default")))


if __name__ == "__main__":
    main(*sys.argv[1:])
