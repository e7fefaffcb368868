"""The parts of emitted instructions, and the decorator that makes functions of kernels of them.

``builder`` is what Numba emits instructions with. Addresses are those of entries of a kind, such as bytes or floats.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

BYTE, INDEX, INTEGER = ir.IntType(8), ir.IntType(32), ir.IntType(64)
FLOAT, DOUBLE = ir.FloatType(), ir.DoubleType()
BITS = 64
"""Bits of a word."""
GROUP = 8  # entries that are compared or scaled at once


def emits(result: Any = types.void) -> Callable[[Callable[..., Any]], Any]:
    """Return the decorator of a function that emits the instructions of an intrinsic (``kernels.intrinsic``).

    The function gets the builder, then the address of the first entry for an array, and the value of any other argument
    as int64 or float64.

    Args:
        result: The type that the instructions leave.
    """

    def declare(generate: Callable[..., Any]) -> Any:
        def define(typing_context: Any, *kinds: Any) -> Any:
            """Return the signature for arguments of these types, and what emits the instructions."""

            def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
                given = [
                    cgutils.create_struct_proxy(kind)(context, builder, value).data if _is_array(kind) else value
                    for kind, value in zip(signature.args, values, strict=True)
                ]
                returned = generate(builder, *given)
                return context.get_dummy_value() if result is types.void else returned

            return result(*map(_passed_as, kinds)), emit

        return taking(define, list(inspect.signature(generate).parameters)[1:])

    return declare


def taking(define: Any, names: Sequence[str]) -> Any:
    """Return what Numba asks for an intrinsic, with arguments of these names: Numba counts them in the signature."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    define.__signature__ = inspect.Signature([inspect.Parameter(name, kind) for name in ("typing_context", *names)])
    return define


def _is_array(kind: Any) -> bool:
    """Return whether this is the type of an array."""
    return isinstance(kind, types.Array)


def _passed_as(kind: Any) -> Any:
    """Return the type as which an argument is passed."""
    if _is_array(kind):
        return kind
    return types.float64 if isinstance(kind, types.Float) else types.int64


def word(value: int) -> Any:
    """Return a constant of 64 bits."""
    return ir.Constant(INTEGER, value)


# --- reading and writing entries -------------------------------------------------------------------------------------
def entry(builder: Any, address: Any, index: Any) -> Any:
    """Return the address of the entry ``index``, a value or an int."""
    return builder.gep(address, [ir.Constant(INTEGER, index) if isinstance(index, int) else index])


def row_of(builder: Any, source: Any, row: Any, size: int) -> Any:
    """Return the address of the first entry of a row."""
    return entry(builder, source, builder.mul(row, ir.Constant(INTEGER, size)))


def load(builder: Any, address: Any, first: int, size: int) -> Any:
    """Return ``size`` entries from the ``first`` on as one vector."""
    kind = ir.VectorType(address.type.pointee, size)
    return builder.load(builder.bitcast(entry(builder, address, first), kind.as_pointer()), align=1)


def store(builder: Any, vector: Any, address: Any, first: int) -> None:
    """Write a vector to the entries from the ``first`` on."""
    builder.store(vector, builder.bitcast(entry(builder, address, first), vector.type.as_pointer()), align=1)


def groups(size: int) -> Iterator[list[int]]:
    """Yield the indices of the entries that are worked on at once: eight, or two halves that overlap, or fewer."""
    if size % GROUP == 0:
        yield from (list(range(first, first + GROUP)) for first in range(0, size, GROUP))
        return
    half = 1 << size.bit_length() - 1  # the longest that is loaded in one piece
    yield list(range(half)) + (list(range(size - half, size)) if half < size else [])


def _parts(group: list[int]) -> list[list[int]]:
    """Return the lanes of a group that stand for entries without a gap: all of them, or its two halves."""
    lanes, half = list(range(len(group))), len(group) // 2
    return [lanes] if group[-1] - group[0] == lanes[-1] else [lanes[:half], lanes[half:]]


def load_group(builder: Any, address: Any, group: list[int]) -> Any:
    """Return the entries of a group as one vector."""
    parts = [load(builder, address, group[lanes[0]], len(lanes)) for lanes in _parts(group)]
    return parts[0] if len(parts) == 1 else builder.shuffle_vector(*parts, constant(INDEX, list(range(len(group)))))


def store_group(builder: Any, vector: Any, address: Any, group: list[int]) -> None:
    """Write a vector to the entries of a group."""
    for lanes in _parts(group):
        part = vector if len(lanes) == len(group) else arrange(builder, vector, lanes)
        store(builder, part, address, group[lanes[0]])


# --- vectors ---------------------------------------------------------------------------------------------------------
def constant(kind: Any, values: list[int] | list[float]) -> Any:
    """Return a constant vector."""
    return ir.Constant(ir.VectorType(kind, len(values)), values)


def arrange(builder: Any, vector: Any, lanes: list[int]) -> Any:
    """Return a vector whose entry i is entry ``lanes[i]`` of another."""
    return builder.shuffle_vector(vector, ir.Constant(vector.type, ir.Undefined), constant(INDEX, lanes))


def repeat(builder: Any, value: Any, size: int) -> Any:
    """Return a vector of ``size`` times the same value."""
    undefined = ir.Constant(ir.VectorType(value.type, 1), ir.Undefined)
    return arrange(builder, builder.insert_element(undefined, value, ir.Constant(INDEX, 0)), [0] * size)


def limited(builder: Any, numbers: Any, operator: str, limit: int) -> Any:
    """Return the numbers that compare so to a limit, and the limit in the place of the others."""
    bound = constant(numbers.type.element, [limit] * numbers.type.count)
    return builder.select(builder.icmp_signed(operator, numbers, bound), numbers, bound)


def bytes_of(builder: Any, bits: Any) -> Any:
    """Return the eight bytes of an int64 as a vector, the lowest first."""
    return builder.bitcast(bits, ir.VectorType(BYTE, 8))


def flags(builder: Any, found: Any) -> Any:
    """Return 1.0 where a vector of bits has a 1, and 0.0 elsewhere."""
    ones, zeros = ([flag] * found.type.count for flag in (1.0, 0.0))
    return builder.select(found, constant(FLOAT, ones), constant(FLOAT, zeros))


def shares(builder: Any, count: Any, factor: Any, most: Any) -> Any:
    """Return vectors of counts, at least 0, times factors and at most ``most`` as float32."""
    size = count.type.count
    wide = builder.sext(limited(builder, count, ">", 0), ir.VectorType(INDEX, size))
    share = builder.fmul(builder.sitofp(wide, factor.type), factor)
    limit = repeat(builder, most, size)
    share = builder.select(builder.fcmp_ordered("<", share, limit), share, limit)
    return builder.fptrunc(share, ir.VectorType(FLOAT, size))
