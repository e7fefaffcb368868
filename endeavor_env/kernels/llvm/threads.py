"""Words that threads share, and parts of work that they do (``kernels.intrinsics``, ``kernels.sharing``)."""

from __future__ import annotations

import os
import platform
from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.core import cgutils

from endeavor_env.kernels.llvm.parts import INTEGER, emits, entry

_BYTES = 8  # of a word
_X86, _ARM = ("llvm.x86.sse2.pause", ()), ("llvm.aarch64.hint", (1,))
_PAUSES = {"x86_64": _X86, "AMD64": _X86, "aarch64": _ARM, "arm64": _ARM}
"""Instructions that say that a loop waits for another thread, and their arguments, by kind of processor."""
YIELD = "sched_yield" if os.name == "posix" else "SwitchToThread"
"""The system's function that lets another thread run."""
_PART = ir.FunctionType(INTEGER, [INTEGER, INTEGER, INTEGER])
"""The machine code of a part: (address of the arguments, part, thread) -> whether it failed."""


@emits(types.int64)
def load_word(builder: Any, words: Any, at: Any) -> Any:
    """Read a word before what is read later."""
    return builder.load_atomic(entry(builder, words, at), "acquire", _BYTES)


@emits()
def store_word(builder: Any, words: Any, at: Any, value: Any) -> None:
    """Write a word after what was written earlier."""
    builder.store_atomic(value, entry(builder, words, at), "release", _BYTES)


@emits(types.int64)
def add_word(builder: Any, words: Any, at: Any, value: Any) -> Any:
    """Add to a word at once, for all threads."""
    return builder.atomic_rmw("add", entry(builder, words, at), value, "acq_rel")


@emits()
def pause(builder: Any) -> None:
    """Let what shares the core get on."""
    name, given = _PAUSES.get(platform.machine(), ("", ()))
    if name:
        values = [ir.IntType(32)(value) for value in given]
        kind = ir.FunctionType(ir.VoidType(), [value.type for value in values])
        builder.call(cgutils.get_or_insert_function(builder.module, kind, name), values)


@emits()
def yield_(builder: Any) -> None:
    """Let the operating system run another thread."""
    kind = ir.FunctionType(ir.IntType(32), [])
    builder.call(cgutils.get_or_insert_function(builder.module, kind, YIELD), [])


def run_part(code_at: int, arguments_at: int) -> Any:
    """Return what calls the machine code of a part, whose address and arguments are in these words."""

    @emits(types.int64)
    def run(builder: Any, words: Any, part: Any, thread: Any) -> Any:
        code = builder.inttoptr(builder.load(entry(builder, words, code_at)), _PART.as_pointer())
        return builder.call(code, [builder.load(entry(builder, words, arguments_at)), part, thread])

    return run


def share(work: Any, do_all_parts: Any, code_at: int, arguments_at: int) -> Any:
    """Return what lets threads do the parts of ``work``, see ``kernels.sharing.shared``."""

    def make(typing_context: Any, words: Any, parts: Any, arguments: Any) -> Any:
        """Return the signature, and what emits the instructions."""
        resolve = typing_context.resolve_function_type
        of_part = resolve(numba.typeof(work), (types.int64, types.int64, *arguments.types), {})
        of_all = resolve(numba.typeof(do_all_parts), (words, types.int64), {})

        def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            words, parts, given = values
            is_one = builder.icmp_signed("==", parts, ir.Constant(INTEGER, 1))
            with builder.if_else(is_one) as (single, together):
                with single:
                    first = ir.Constant(INTEGER, 0)
                    members = cgutils.unpack_tuple(builder, given)
                    context.get_function(numba.typeof(work), of_part)(builder, [first, first, *members])
                with together:
                    place = cgutils.alloca_once_value(builder, given)
                    code = _code_of_part(context, builder.module, work, of_part, place.type)
                    first_word = cgutils.create_struct_proxy(signature.args[0])(context, builder, words).data
                    builder.store(builder.ptrtoint(code, INTEGER), entry(builder, first_word, code_at))
                    builder.store(builder.ptrtoint(place, INTEGER), entry(builder, first_word, arguments_at))
                    context.get_function(numba.typeof(do_all_parts), of_all)(builder, [words, parts])
            return context.get_dummy_value()

        return types.void(words, types.int64, arguments), emit

    return make


def _code_of_part(context: Any, module: Any, work: Any, signature: Any, given: Any) -> Any:
    """Return machine code of the kind _PART: it calls ``work`` with the tuple at a place, of the type ``given``."""
    name = module.get_unique_name(f"part_of_{work.py_func.__name__}")
    code = ir.Function(module, _PART, name)
    code.linkage = "internal"
    builder = ir.IRBuilder(code.append_basic_block())
    place, part, thread = code.args
    members = cgutils.unpack_tuple(builder, builder.load(builder.inttoptr(place, given)))
    compiled = work.made.overloads[signature.args]
    context.add_linking_libs([compiled.library])
    status, _ = context.call_internal_no_propagate(builder, compiled.fndesc, signature, [part, thread, *members])
    builder.ret(builder.zext(status.is_error, INTEGER))
    return code
