"""What instructions (``kernels.instructions``) become in LLVM: vectors with operators, and the methods of ``code``."""

from __future__ import annotations

import inspect
import os
import platform
from collections.abc import Callable, Sequence
from functools import partialmethod
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils

BIT, BYTE, INDEX, INTEGER = ir.IntType(1), ir.IntType(8), ir.IntType(32), ir.IntType(64)
FLOAT, DOUBLE = ir.FloatType(), ir.DoubleType()
_KINDS = {np.int32: INDEX, np.float32: FLOAT, np.float64: DOUBLE}
_WORD_BYTES = 8
_X86, _ARM = ("llvm.x86.sse2.pause", ()), ("llvm.aarch64.hint", (1,))
_PAUSES = {"x86_64": _X86, "AMD64": _X86, "aarch64": _ARM, "arm64": _ARM}
"""Instructions that say that a loop waits for another thread, and their arguments, by kind of processor."""
_YIELD = "sched_yield" if os.name == "posix" else "SwitchToThread"
"""The system's function that lets another thread run."""


def emitted(define: Callable[..., Any], returns: bool) -> Any:
    """Return what Numba asks for an intrinsic, given the definition of an instruction."""

    def make(typing_context: Any, *kinds: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            given = [
                array_address(context, builder, kind, value) if is_array(kind) else Lanes(builder, value)
                for kind, value in zip(signature.args, values, strict=True)
            ]
            result = define(LlvmCode(builder), *given)
            return result.value if returns else context.get_dummy_value()

        return (types.int64 if returns else types.void)(*map(_passed_as, kinds)), emit

    names = [one.name for one in inspect.signature(define).parameters.values() if one.kind is one.POSITIONAL_OR_KEYWORD]
    return taking(make, names[1:])


def taking(make: Any, names: Sequence[str]) -> Any:
    """Return what Numba asks for an intrinsic, with arguments of these names: Numba counts them in the signature."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    make.__signature__ = inspect.Signature([inspect.Parameter(name, kind) for name in ("typing_context", *names)])
    return make


def is_array(kind: Any) -> bool:
    """Return whether this is the type of an array."""
    return isinstance(kind, types.Array)


def _passed_as(kind: Any) -> Any:
    """Return the type as which an argument is passed."""
    return kind if is_array(kind) else types.float64 if isinstance(kind, types.Float) else types.int64


def array_address(context: Any, builder: Any, kind: Any, array: Any) -> Any:
    """Return the address of the first entry of an array."""
    return cgutils.create_struct_proxy(kind)(context, builder, array).data


def word(value: int) -> Any:
    """Return a constant of 64 bits."""
    return ir.Constant(INTEGER, value)


def entry(builder: Any, address: Any, index: Any) -> Any:
    """Return the address of the entry ``index``, a value or an int."""
    return builder.gep(address, [word(index) if isinstance(index, int) else index])


class Lanes:
    """A vector, or a single number, with the operators of NumPy's arrays; the other operand takes its type."""

    def __init__(self, builder: Any, value: Any) -> None:
        """Take what ``builder`` made."""
        self.builder, self.value = builder, value
        self.count: int = getattr(value.type, "count", 0)
        self.kind: Any = value.type.element if self.count else value.type

    def like(self, other: Any) -> Any:
        """Return a vector, a single number, or numbers known now as what can be combined with this."""
        if not isinstance(other, Lanes):
            return ir.Constant(self.value.type, [other] * self.count if self.count and np.isscalar(other) else other)
        if other.count == self.count:
            return other.value
        single = ir.Constant(ir.VectorType(self.kind, 1), ir.Undefined)
        single = self.builder.insert_element(single, other.astype(self.kind).value, INDEX(0))
        return Lanes(self.builder, single)[[0] * self.count].value

    def _with(self, operation: str, other: Any) -> Lanes:
        return Lanes(self.builder, getattr(self.builder, operation)(self.value, self.like(other)))

    def _compared(self, operator: str, other: Any) -> Lanes:
        compare = self.builder.icmp_signed if isinstance(self.kind, ir.IntType) else self.builder.fcmp_ordered
        return Lanes(self.builder, compare(operator, self.value, self.like(other)))

    __and__, __or__, __xor__ = partialmethod(_with, "and_"), partialmethod(_with, "or_"), partialmethod(_with, "xor")
    __lshift__, __rshift__ = partialmethod(_with, "shl"), partialmethod(_with, "lshr")
    __add__, __sub__ = partialmethod(_with, "add"), partialmethod(_with, "sub")
    __eq__, __ne__ = partialmethod(_compared, "=="), partialmethod(_compared, "!=")  # type: ignore[assignment]
    __lt__, __gt__ = partialmethod(_compared, "<"), partialmethod(_compared, ">")

    def __mul__(self, other: Any) -> Lanes:
        return self._with("mul" if isinstance(self.kind, ir.IntType) else "fmul", other)

    def __getitem__(self, lanes: Sequence[int]) -> Lanes:
        """Return a vector whose entry i is entry ``lanes[i]`` of this one."""
        order = ir.Constant(ir.VectorType(INDEX, len(lanes)), list(lanes))
        undefined = ir.Constant(self.value.type, ir.Undefined)
        return Lanes(self.builder, self.builder.shuffle_vector(self.value, undefined, order))

    def astype(self, kind: Any) -> Lanes:
        """Return the same numbers as those of another type; flags become 1 and 0."""
        kind, code = _KINDS.get(kind, kind), self.builder
        to = ir.VectorType(kind, self.count) if self.count else kind
        if self.kind == kind:
            return self
        if self.kind == BIT and isinstance(kind, ir.IntType):
            return Lanes(code, code.zext(self.value, to))
        if self.kind == BIT:
            ones, zeros = (ir.Constant(to, [flag] * self.count) for flag in (1.0, 0.0))
            return Lanes(code, code.select(self.value, ones, zeros))
        if isinstance(kind, ir.IntType):
            return Lanes(code, (code.trunc if kind.width < self.kind.width else code.sext)(self.value, to))
        if isinstance(self.kind, ir.IntType):
            return Lanes(code, code.sitofp(self.astype(INDEX).value, to))
        return Lanes(code, (code.fptrunc if kind == FLOAT else code.fpext)(self.value, to))


class LlvmCode:
    """What emits the methods of ``code`` (``instructions.NumpyCode``); an array is the address of its first entry."""

    def __init__(self, builder: Any) -> None:
        """Take what Numba emits instructions with."""
        self._builder = builder

    @staticmethod
    def is_array(value: Any) -> bool:
        """Return whether an argument is an array."""
        return isinstance(value, ir.Value)

    def _at(self, address: Any, first: Any) -> Any:
        return entry(self._builder, address, first.value if isinstance(first, Lanes) else first)

    def _lanes(self, operation: str, *values: Any) -> Lanes:
        return Lanes(self._builder, getattr(self._builder, operation)(*values))

    def load(self, source: Any, first: Any, group: Sequence[int]) -> Any:
        """Emit reading a group, in two halves if its entries are not one after the other."""
        code, start = self._builder, self._at(source, first)
        parts = []
        for lanes in _runs(group):
            kind = ir.VectorType(source.type.pointee, len(lanes)).as_pointer()
            parts.append(code.load(code.bitcast(entry(code, start, group[lanes[0]]), kind), align=1))
        if len(parts) == 1:
            return Lanes(code, parts[0])
        order = ir.Constant(ir.VectorType(INDEX, len(group)), list(range(len(group))))
        return Lanes(code, code.shuffle_vector(*parts, order))

    def store(self, out: Any, first: Any, group: Sequence[int], vector: Lanes) -> None:
        """Emit writing a group, in the same halves."""
        code, start, given = self._builder, self._at(out, first), vector.astype(out.type.pointee)
        for lanes in _runs(group):
            part = given.value if len(lanes) == len(group) else given[lanes].value
            code.store(part, code.bitcast(entry(code, start, group[lanes[0]]), part.type.as_pointer()), align=1)

    def copy(self, out: Any, at: Any, source: Any, first: Any, size: int) -> None:
        """Emit a copy of memory."""
        cgutils.raw_memcpy(
            self._builder, self._at(out, at), self._at(source, first), word(size), _width(out.type.pointee)
        )

    def clear(self, out: Any, at: Any, size: int) -> None:
        """Emit writing zeros to memory."""
        cgutils.memset(self._builder, self._at(out, at), word(size * _width(out.type.pointee)), 0)

    def indices(self, group: Sequence[int]) -> Lanes:
        """Return a constant vector."""
        return Lanes(self._builder, ir.Constant(ir.VectorType(INDEX, len(group)), list(group)))

    def where(self, flags: Lanes, one: Any, other: Lanes) -> Lanes:
        """Emit a choice between vectors, lane by lane."""
        return self._lanes("select", flags.value, other.like(one), other.value)

    def maximum(self, vector: Lanes, bound: Any) -> Lanes:
        """Emit the larger one of each number and a bound."""
        return self.where(vector > bound, vector, Lanes(self._builder, vector.like(bound)))

    def minimum(self, vector: Lanes, bound: Any) -> Lanes:
        """Emit the smaller one of each number and a bound."""
        return self.where(vector < bound, vector, Lanes(self._builder, vector.like(bound)))

    def bytes_of(self, given: Lanes) -> Lanes:
        """Emit taking a word as bytes."""
        return self._lanes("bitcast", given.value, ir.VectorType(BYTE, _WORD_BYTES))

    def flags_of(self, given: Lanes, count: int) -> Lanes:
        """Emit taking bits of a word as flags."""
        return self._lanes("bitcast", given.astype(ir.IntType(count)).value, ir.VectorType(BIT, count))

    def word_of(self, flags: Lanes) -> Lanes:
        """Emit taking flags as the bits of a word."""
        return self._lanes("zext", self._builder.bitcast(flags.value, ir.IntType(flags.count)), INTEGER)

    def count(self, given: Lanes) -> Lanes:
        """Emit counting bits."""
        return self._lanes("ctpop", given.value)

    def lowest(self, given: Lanes) -> Lanes:
        """Emit finding the lowest bit; the result for none is undefined."""
        return self._lanes("cttz", given.value, BIT(1))

    def read_shared(self, words: Any, at: Lanes) -> Lanes:
        """Emit a read that the compiler neither leaves out nor moves."""
        return self._lanes("load_atomic", self._at(words, at), "acquire", _WORD_BYTES)

    def write_shared(self, words: Any, at: Lanes, value: Lanes) -> None:
        """Emit such a write."""
        self._builder.store_atomic(value.value, self._at(words, at), "release", _WORD_BYTES)

    def add_shared(self, words: Any, at: Lanes, value: Lanes) -> Lanes:
        """Emit such an addition."""
        return self._lanes("atomic_rmw", "add", self._at(words, at), value.value, "acq_rel")

    def pause(self) -> None:
        """Emit the processor's instruction for loops that wait."""
        name, given = _PAUSES.get(platform.machine(), ("", ()))
        if name:
            self._call(name, ir.VoidType(), [INDEX(value) for value in given])

    def yield_(self) -> None:
        """Emit a call of the system."""
        self._call(_YIELD, INDEX, [])

    def _call(self, name: str, returns: Any, values: list[Any]) -> None:
        kind = ir.FunctionType(returns, [value.type for value in values])
        self._builder.call(cgutils.get_or_insert_function(self._builder.module, kind, name), values)


def _runs(group: Sequence[int]) -> list[Sequence[int]]:
    """Return the lanes of a group that stand for entries without a gap: all of them, or its two halves."""
    lanes, half = range(len(group)), len(group) // 2
    return [lanes] if group[-1] - group[0] == lanes[-1] else [lanes[:half], lanes[half:]]


def _width(kind: Any) -> int:
    """Return the bytes of an entry: 4 for float32, else 1."""
    return 4 if isinstance(kind, ir.FloatType) else 1
