"""Calls of code entries by their symbols or their addresses: records and arrays are passed as pointers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

from endeavor_env.kernels.llvm.parts import BYTE, INTEGER, taking, word
from endeavor_env.kernels.table import FAILED

POINTER = BYTE.as_pointer()


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
        value = cgutils.create_struct_proxy(kind)(context, builder, value).data
    return builder.bitcast(value, POINTER)
