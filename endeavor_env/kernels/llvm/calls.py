"""Calls of code entries by their symbols or their addresses, and code of parts of work that threads call so.

Records and arrays are passed as pointers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.core import cgutils

from endeavor_env.kernels.llvm.code import BYTE, INTEGER, array_address, entry, taking, word
from endeavor_env.kernels.table import FAILED

POINTER = BYTE.as_pointer()
_PART = ir.FunctionType(INTEGER, [INTEGER, INTEGER, INTEGER])
"""The machine code of a part of work: (address of the arguments, part, thread) -> whether it failed."""
by_symbol: list[bool] = [False]
"""Choice of the process: calls name the symbol of an entry, for the linker, or else its address in this process."""


def call_entry(symbol: str, count: int, address: Callable[[], int]) -> Any:
    """Return what calls the code entry of this symbol, which takes ``count`` arguments and is at an address here."""

    def target(builder: Any, kind: Any, values: list[Any]) -> tuple[Any, list[Any]]:
        if by_symbol[0]:
            return cgutils.get_or_insert_function(builder.module, kind(values), symbol), values
        return builder.inttoptr(word(address()), kind(values).as_pointer()), values

    return _calling(target, count)


def call_address(count: int) -> Any:
    """Return what calls the code entry at an address, the first argument; the entry takes ``count`` arguments."""

    def target(builder: Any, kind: Any, values: list[Any]) -> tuple[Any, list[Any]]:
        address, *given = values
        return builder.inttoptr(address, kind(given).as_pointer()), given

    return _calling(target, count + 1)


def _calling(target: Callable[..., Any], count: int) -> Any:
    """Return what calls a function that returns int64, given its ``target`` for ``count`` values in LLVM.

    Where the function returns FAILED, the kernel that calls it raises an error.
    """

    def make(typing_context: Any, *kinds: Any) -> Any:
        signature = types.int64(*map(_passed_as, kinds))

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            given = [_value(context, builder, *one) for one in zip(signature.args, values, strict=True)]
            function, rest = target(builder, _function_type, given)
            result = builder.call(function, rest)
            with builder.if_then(builder.icmp_signed("==", result, INTEGER(FAILED)), likely=False):
                context.call_conv.return_user_exc(builder, RuntimeError, ("a code entry failed",))
            return result

        return signature, generate

    return taking(make, [f"value_{place}" for place in range(count)])


def _function_type(values: list[Any]) -> Any:
    return ir.FunctionType(INTEGER, [value.type for value in values])


def _passed_as(kind: Any) -> Any:
    """Return the type as which an argument is passed: any number as int64."""
    return types.int64 if isinstance(kind, types.Integer | types.IntegerLiteral | types.Boolean) else kind


def _value(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Return an argument in LLVM: an integer, or the address of a record or of the first entry of an array."""
    if kind == types.int64:
        return value
    if isinstance(kind, types.Array):
        value = array_address(context, builder, kind, value)
    return builder.bitcast(value, POINTER)


# --- parts of work ---------------------------------------------------------------------------------------------------
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
                    first_word = array_address(context, builder, signature.args[0], words)
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
