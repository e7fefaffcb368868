"""The half of LLVM: from translated modules to machine code, by one optimisation and one emission."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from llvmlite import binding

from endeavor_env.kernels.switches import BOUNDSCHECK
from endeavor_env.kernels.table import FAILED, FIND, NAMES, PLAIN, PREFIX, SLOT, TABLE_SYMBOL

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
OF_THE_SYSTEM = ("llvm.", "memset", "memcpy", "memmove", "sched_yield", "SwitchToThread")
"""Beginnings of the names of functions that LLVM, or every process of the system, has."""


def link(bitcodes: Sequence[bytes], symbols: Sequence[str]) -> Any:
    """Return one module of several.

    Args:
        bitcodes: What the front end wrote: all pieces of a library, or one of them, which calls entries of the others.
        symbols: The entries of the library. Those of other libraries are called through slots.

    Raises:
        RuntimeError: Kernels call something that is nowhere.
    """
    whole = binding.parse_bitcode(bitcodes[0])
    for bitcode in bitcodes[1:]:
        whole.link_in(binding.parse_bitcode(bitcode))
    missing = [function for function in whole.functions if function.is_declaration and function.name not in symbols]
    outside = {one.name: str(one.global_value_type) for one in missing if one.name.startswith(PREFIX)}
    added = [HELPERS[one.name] for one in missing if one.name in HELPERS]
    added += [_stub(symbol, kind) for symbol, kind in outside.items()]
    lost = {one.name for one in missing if not one.name.startswith(OF_THE_SYSTEM)}.difference(HELPERS, outside)
    if lost:
        raise RuntimeError(f"kernels call what a library cannot have: {', '.join(sorted(lost))}")
    for code in added:
        helper = binding.parse_assembly(code)
        helper.triple, helper.data_layout = whole.triple, whole.data_layout
        whole.link_in(helper)
    shown = {TABLE_SYMBOL, *symbols, *(f"{one}{PLAIN}" for one in symbols), *(f"{one}{SLOT}" for one in outside)}
    for thing in (*whole.functions, *whole.global_variables):
        if not thing.is_declaration and thing.name not in shown:
            thing.linkage = "internal"
        elif not thing.is_declaration and sys.platform == "win32":  # elsewhere a library shows its names by itself
            thing.storage_class = "dllexport"
    whole.verify()
    return whole


def _stub(symbol: str, kind: str) -> str:
    """Return the function that calls an entry of another library, whose address it finds in a slot.

    An empty slot is filled by a function of the package; if the entry cannot be had, the result is FAILED.
    """
    kinds = kind.partition("(")[2].rstrip(")").split(", ")
    given = ", ".join(f"{one} %a{place}" for place, one in enumerate(kinds))
    return (
        f"@{symbol}{SLOT} = common global ptr null\n"
        f"@{TABLE_SYMBOL} = common global [{len(NAMES)} x ptr] zeroinitializer\n"
        f"define i64 @{symbol}({given}) {{\n"
        f"begin:\n  %known = load ptr, ptr @{symbol}{SLOT}\n  %is_known = icmp ne ptr %known, null\n"
        "  br i1 %is_known, label %call, label %find\n"
        f"find:\n  %finder = load ptr, ptr getelementptr (ptr, ptr @{TABLE_SYMBOL}, i64 {NAMES.index(FIND)})\n"
        f"  call void %finder(ptr @{symbol}{SLOT})\n  %found = load ptr, ptr @{symbol}{SLOT}\n"
        "  %is_found = icmp ne ptr %found, null\n  br i1 %is_found, label %call, label %fail\n"
        "call:\n  %code = phi ptr [ %known, %begin ], [ %found, %find ]\n"
        f"  %result = tail call i64 %code({given})\n  ret i64 %result\n"
        f"fail:\n  ret i64 {FAILED}\n}}"
    )


def machine_of(triple: str | None = None, processor: str = "", **options: Any) -> Any:
    """Return the machine that code is made for: this one, or one that LLVM knows by a triple."""
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    found = binding.Target.from_triple(triple) if triple else binding.Target.from_default_triple()
    return found.create_target_machine(cpu=processor, opt=0 if BOUNDSCHECK else 3, **options)


def emit(module: Any, machine: Any) -> bytes:
    """Return the object file of a module, optimised for a machine."""
    options = binding.create_pipeline_tuning_options(speed_level=0 if BOUNDSCHECK else 3)
    options.loop_vectorization = options.slp_vectorization = not BOUNDSCHECK
    builder = binding.create_pass_builder(machine, options)
    passes = builder.getModulePassManager()
    if BOUNDSCHECK:  # without these two, each variable of Numba would be read from memory again and again
        passes.add_sroa_pass()
        passes.add_simplify_cfg_pass()
    passes.run(module, builder)
    return machine.emit_object(module)
