"""Calls of machine code by its symbol or its address."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

from endeavor_env.machine.llvm.parts import BYTE, INTEGER

POINTER = BYTE.as_pointer()


def call_symbol(symbol: str) -> Any:
    """Return what calls a code entry, see ``machine.outside.called_outside``."""

    def make(typing_context: Any, board: Any, state: Any, what: Any, first: Any, second: Any, out: Any) -> Any:
        signature = types.int64(board, state, types.int64, types.int64, types.int64, out)

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            array = cgutils.create_struct_proxy(signature.args[5])(context, builder, values[5])
            size = builder.mul(array.nitems, array.itemsize)
            records = [builder.bitcast(value, POINTER) for value in values[:2]]
            given = [*records, *values[2:5], builder.bitcast(array.data, POINTER), size]
            kind = ir.FunctionType(INTEGER, [value.type for value in given])
            return builder.call(cgutils.get_or_insert_function(builder.module, kind, symbol), given)

        return signature, generate

    return make


def call_address(typing_context: Any, address: Any, board: Any, state: Any, mask: Any, memory: Any, rng: Any) -> Any:
    """Call the player's code at ``address`` with pointers to the given records and arrays."""
    signature = types.int64(types.int64, board, state, mask, memory, rng)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        def array(place: int) -> Any:
            return cgutils.create_struct_proxy(signature.args[place])(context, builder, values[place])

        def pointer(value: Any) -> Any:
            return builder.bitcast(value, POINTER)

        kind = ir.FunctionType(INTEGER, [POINTER] * 3 + [INTEGER, POINTER, INTEGER, POINTER])
        entry = builder.inttoptr(values[0], kind.as_pointer())
        mask, memory, rng = array(3), array(4), array(5)
        given = [pointer(values[1]), pointer(values[2]), pointer(mask.data), mask.nitems]
        return builder.call(entry, [*given, pointer(memory.data), memory.nitems, pointer(rng.data)])

    return signature, generate
