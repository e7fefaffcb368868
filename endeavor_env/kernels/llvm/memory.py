"""Arrays at places in memory, and memory that is needed soon (``kernels.intrinsics``)."""

from __future__ import annotations

from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.core import cgutils

from endeavor_env.kernels.instructions import BITS
from endeavor_env.kernels.intrinsics import POISON
from endeavor_env.kernels.llvm.code import BYTE, INDEX, INTEGER, array_address, entry, word
from endeavor_env.kernels.switches import POISON_STACK

_LINE = 64  # bytes of a line of the cache
_WRITTEN, _KEPT, _DATA = 1, 3, 1  # it will be written, and used several times; it is no code
_WORDS = types.Array(types.int64, 1, "C")


def fetch(typing_context: Any, record: Any) -> Any:
    """Ask for all lines of a record or an array, for a kernel that goes on without waiting for them."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        kind = ir.FunctionType(ir.VoidType(), [BYTE.as_pointer(), INDEX, INDEX, INDEX])
        ask = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        how = [INDEX(_WRITTEN), INDEX(_KEPT), INDEX(_DATA)]
        if isinstance(signature.args[0], types.Array):
            array = context.make_array(signature.args[0])(context, builder, values[0])
            address, size = builder.bitcast(array.data, BYTE.as_pointer()), builder.mul(array.nitems, array.itemsize)
            with cgutils.for_range_slice(builder, word(0), size, word(_LINE), inc=True) as (first, _):
                builder.call(ask, [entry(builder, address, first), *how])
        else:
            address = builder.bitcast(values[0], BYTE.as_pointer())
            for first in range(0, signature.args[0].size, _LINE):
                builder.call(ask, [entry(builder, address, first), *how])
        return context.get_dummy_value()

    return types.void(record), generate


def assign(typing_context: Any, array: Any, record: Any) -> Any:
    """Copy a record to the first place of an array."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        target = array_address(context, builder, signature.args[0], values[0])
        target, source = builder.bitcast(target, BYTE.as_pointer()), builder.bitcast(values[1], BYTE.as_pointer())
        cgutils.raw_memcpy(builder, target, source, word(signature.args[1].size), 1)
        return context.get_dummy_value()

    return types.void(array, record), generate


def make_array(context: Any, builder: Any, kind: Any, memory: Any, sizes: list[Any]) -> Any:
    """Return a contiguous array with axes of these sizes at a place in memory, whose owner is somebody else."""
    array = context.make_array(kind)(context, builder)
    width = ir.Constant(INTEGER, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    steps = [width]
    for size in reversed(sizes[1:]):
        steps.insert(0, builder.mul(steps[0], size))
    shape, strides = cgutils.pack_array(builder, sizes), cgutils.pack_array(builder, steps)
    data = builder.bitcast(memory, array.data.type)
    context.populate_array(array, data=data, shape=shape, strides=strides, itemsize=width, meminfo=None)
    return array._getvalue()


def array_from(dtype: Any) -> Any:
    """Return what makes an array of a type out of a pointer, or of the memory of an array, and a size."""
    array = types.Array(numba.from_dtype(dtype), 1, "C")

    def make(typing_context: Any, place: Any, size: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            return make_array(context, builder, array, _address(context, builder, signature, values), [values[1]])

        return array(place, types.int64), generate

    return make


def _address(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    """Return the address that the first argument is, or at which it lies if it is an array."""
    kind, value = signature.args[0], values[0]
    if isinstance(kind, types.Array):
        return array_address(context, builder, kind, value)
    return value


def record_at(dtype: Any) -> Any:
    """Return what gives the record of a type at a pointer or at the beginning of an array."""
    record = numba.from_dtype(dtype)

    def make(typing_context: Any, place: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            address = _address(context, builder, signature, values)
            return builder.bitcast(address, context.get_value_type(record))

        return record(place), generate

    return make


def on_stack(kind: str, most: int) -> Any:
    """Return what makes an array of at most so many entries of 64 bits in the frame of the kernel."""
    array = types.Array(getattr(types, kind), 1, "C")

    def make(typing_context: Any, size: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            memory = cgutils.alloca_once(builder, ir.ArrayType(INTEGER, most))
            if POISON_STACK:
                cgutils.memset(builder, memory, word(most * BITS // 8), POISON)
            return make_array(context, builder, array, memory, [values[0]])

        return array(types.int64), generate

    return make


def no_words(typing_context: Any) -> Any:
    """Return an array of no words."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return make_array(context, builder, _WORDS, ir.Constant(BYTE.as_pointer(), None), [word(0)])

    return _WORDS(), generate


def borrowed(typing_context: Any, array: Any) -> Any:
    """Return the array without its owner."""

    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        view = cgutils.create_struct_proxy(signature.return_type)(context, builder, values[0])
        view.meminfo = cgutils.get_null_value(view.meminfo.type)
        view.parent = cgutils.get_null_value(view.parent.type)
        return view._getvalue()

    return array(array), emit
