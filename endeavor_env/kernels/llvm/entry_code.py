"""The machine code by which an entry is called: with words, and as a built-in function of Python.

The words of a call are int64: an integer is one, a number the bits of its float64, an array the address of its memory
and then the length of each axis, a named tuple the words of its members. Results are written over the first words. The
engine for the web calls entries so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils

from endeavor_env.kernels.kinds import INTEGER, REAL, Array, Fields, Listed, New
from endeavor_env.kernels.llvm.code import DOUBLE, INDEX, word
from endeavor_env.kernels.llvm.code import INTEGER as WORD
from endeavor_env.kernels.llvm.memory import make_array
from endeavor_env.kernels.switches import HEAD
from endeavor_env.kernels.table import DONE, FAILED, LOST, NAMES, PLAIN, TABLE_SYMBOL, TYPES

OBJECT = ir.IntType(8).as_pointer()
NULL = ir.Constant(OBJECT, None)
AXES_AT, SHAPE_AT, TYPE_AT, FLAGS_AT = (HEAD + step for step in (8, 16, 40, 48))
TYPE_NUMBER_AT = HEAD + 12  # of the object for the type, after the class of its scalars and four letters
IS_CONTIGUOUS = 1  # NPY_ARRAY_C_CONTIGUOUS
BOOL = np.dtype(np.bool_).num
MOST_RESULTS = 2


def words_of(kinds: Sequence[Any]) -> int:
    """Return the number of words of arguments of these kinds."""
    return sum(_size(kind) for kind in kinds)


def _size(kind: Any) -> int:
    if isinstance(kind, Fields):
        return words_of(kind.kinds)
    if isinstance(kind, Array):
        return 1 + kind.axes
    return 2 if isinstance(kind, New | Listed) else 1


# --- called with words -----------------------------------------------------------------------------------------------
class PlainCode:
    """Writes the function that takes words: it makes Numba's arguments of them and calls the kernel."""

    def __init__(self, context: Any, module: Any, entry: Any, compiled: Any) -> None:
        """Write the function into ``module``; ``compiled`` is what Numba made of the kernel."""
        self._context = context
        kind = ir.FunctionType(WORD, [WORD.as_pointer()])
        self.function = ir.Function(module, kind, f"{entry.symbol}{PLAIN}")
        self._code = code = ir.IRBuilder(self.function.append_basic_block())
        self._words, self._next = self.function.args[0], 0
        kernel = context.declare_function(module, compiled.fndesc)
        kinds = compiled.fndesc.argtypes
        given = [self._value(kind, type_of) for kind, type_of in zip(entry.kinds, kinds, strict=True)]
        self.returned = compiled.fndesc.restype
        status, result = context.call_conv.call_function(code, kernel, self.returned, kinds, given)
        with code.if_then(status.is_error, likely=False):
            code.ret(word(LOST))
        for place, value in enumerate(self._results(result)):
            code.store(value, code.gep(self._words, [word(place)]))
        code.ret(word(DONE))

    def _take(self) -> Any:
        """Return the next word."""
        value = self._code.load(self._code.gep(self._words, [word(self._next)]))
        self._next += 1
        return value

    def _value(self, kind: Any, type_of: Any) -> Any:
        """Return the argument of a kind, made of the next words."""
        code = self._code
        if kind == INTEGER:
            return self._take()
        if kind == REAL:
            return code.bitcast(self._take(), DOUBLE)
        if isinstance(kind, Fields):
            members = [self._value(member, part) for member, part in zip(kind.kinds, type_of.types, strict=True)]
            return cgutils.pack_array(code, members) if _is_uniform(type_of) else cgutils.pack_struct(code, members)
        memory = code.inttoptr(self._take(), OBJECT)
        return make_array(self._context, code, type_of, memory, [self._take() for _ in range(type_of.ndim)])

    def _results(self, result: Any) -> list[Any]:
        """Return what the kernel returned, as words: a flag as 0 or 1, a number as the bits of its float64."""
        code, kind = self._code, self.returned
        if kind == types.none:
            return []
        if isinstance(kind, types.UniTuple):
            return cgutils.unpack_tuple(code, result, kind.count)
        if kind == types.float64:
            return [code.bitcast(result, WORD)]
        if isinstance(kind, types.Boolean):
            return [code.zext(code.icmp_unsigned("!=", result, ir.Constant(result.type, 0)), WORD)]
        return [result if result.type == WORD else code.sext(result, WORD)]


def _is_uniform(type_of: Any) -> bool:
    return isinstance(type_of, types.BaseTuple) and isinstance(type_of, types.NamedUniTuple)


# --- called by Python ------------------------------------------------------------------------------------------------
class PythonCode:
    """Writes the built-in function of an entry: (self, arguments, count) -> object."""

    def __init__(self, module: Any, entry: Any, plain: PlainCode) -> None:
        """Write the function into ``module``."""
        self._module, self._entry, self._plain = module, entry, plain
        kind = ir.FunctionType(OBJECT, [OBJECT, OBJECT.as_pointer(), WORD])
        self._function = ir.Function(module, kind, entry.symbol)
        self._code = ir.IRBuilder(self._function.append_basic_block())
        self._name = entry.py_func.__name__
        self._write()

    def _write(self) -> None:
        code, kinds = self._code, self._entry.kinds
        _, given, count = self._function.args
        wanted = sum(not isinstance(kind, Listed) for kind in kinds)
        self._fail_if(code.icmp_signed("!=", count, word(wanted)), "TypeError", f"takes {wanted} values")
        size = max(words_of(kinds), MOST_RESULTS)
        self._words, self._at = code.alloca(WORD, size), 0
        self._array = self._ids = None
        place = 0
        for kind in kinds:
            if isinstance(kind, Listed):
                self._ids = code.alloca(ir.IntType(16), kind.most)
                self._put(code.ptrtoint(self._ids, WORD), word(kind.most))
                continue
            self._read(code.load(code.gep(given, [word(place)])), kind, place)
            place += 1
        self._call()
        self._return()

    def _call(self) -> None:
        """Call the kernel, without the interpreter's lock unless the entry keeps it."""
        code = self._code
        thread = None if self._entry.keeps_lock else self._python("PyEval_SaveThread", OBJECT)
        status = code.call(self._plain.function, [self._words])
        if thread is not None:
            self._python("PyEval_RestoreThread", ir.VoidType(), thread)
        failed = code.icmp_signed("==", status, word(LOST))
        self._fail_if(failed, "RuntimeError", "failed; with ENDEAVOR_ENV_JIT=1 its error is shown")

    def _put(self, *values: Any) -> None:
        """Write the next words."""
        for value in values:
            self._code.store(value, self._code.gep(self._words, [word(self._at)]))
            self._at += 1

    def _read(self, given: Any, kind: Any, place: int) -> None:
        """Write the words of one Python object."""
        code = self._code
        if kind == INTEGER:
            self._put(self._number("PyLong_AsLongLong", WORD, given, word(-1)))
        elif kind == REAL:
            value = self._number("PyFloat_AsDouble", DOUBLE, given, ir.Constant(DOUBLE, -1.0))
            self._put(code.bitcast(value, WORD))
        elif isinstance(kind, New):
            size = self._number("PyLong_AsLongLong", WORD, given, word(-1))
            self._array = self._new_array(size, kind.dtype)
            self._put(self._field(self._array, HEAD, WORD), size)
        elif isinstance(kind, Fields):
            for index, member in enumerate(kind.kinds):
                one = self._python("PyTuple_GetItem", OBJECT, given, word(index))
                with code.if_then(code.icmp_unsigned("==", one, NULL), likely=False):
                    code.ret(NULL)
                self._read(one, member, place)
        else:
            self._check_array(given, kind, place)
            shape = self._field(given, SHAPE_AT, WORD.as_pointer())
            lengths = [code.load(code.gep(shape, [word(axis)])) for axis in range(kind.axes)]
            self._put(self._field(given, HEAD, WORD), *lengths)

    def _number(self, convert: str, kind: Any, given: Any, doubtful: Any) -> Any:
        """Return the number of a Python object; ``doubtful`` is what Python also returns for an error."""
        code = self._code
        value = self._python(convert, kind, given)
        same = code.fcmp_ordered("==", value, doubtful) if kind == DOUBLE else code.icmp_signed("==", value, doubtful)
        with code.if_then(same, likely=False):
            error = self._python("PyErr_Occurred", OBJECT)
            with code.if_then(code.icmp_unsigned("!=", error, NULL)):
                code.ret(NULL)
        return value

    def _check_array(self, given: Any, kind: Array, place: int) -> None:
        """Raise TypeError unless an object is an array of the kind."""
        code, message = self._code, f"takes a contiguous array of {kind.dtype.name} as value {place + 1}"
        class_of = self._field(given, HEAD - 8, OBJECT)  # the class is the last field of the head
        wrong = code.icmp_unsigned("!=", class_of, self._entry_of_table("ndarray"))
        self._fail_if(wrong, "TypeError", message)
        wrong = code.icmp_signed("!=", self._field(given, AXES_AT, INDEX), INDEX(kind.axes))
        contiguous = code.and_(self._field(given, FLAGS_AT, INDEX), INDEX(IS_CONTIGUOUS))
        wrong = code.or_(wrong, code.icmp_signed("==", contiguous, INDEX(0)))
        number = self._field(self._field(given, TYPE_AT, OBJECT), TYPE_NUMBER_AT, INDEX)
        other = code.icmp_signed("!=", number, self._type_number(kind.dtype))
        if kind.dtype == np.int8:
            other = code.and_(other, code.icmp_signed("!=", number, INDEX(BOOL)))
        self._fail_if(code.or_(wrong, other), "TypeError", message)
        if kind.size is not None:
            length = code.load(self._field(given, SHAPE_AT, WORD.as_pointer()))
            self._fail_if(code.icmp_signed("!=", length, word(kind.size)), "TypeError", message)

    def _new_array(self, size: Any, dtype: Any) -> Any:
        """Return a new array of ``size`` entries, whose memory is not set."""
        code = self._code
        shape = code.alloca(WORD)
        code.store(size, shape)
        number, zero = self._type_number(dtype), INDEX(0)
        values = [self._entry_of_table("ndarray"), INDEX(1), shape, number, NULL, NULL, zero, zero, NULL]
        array = self._python("PyArray_New", OBJECT, *values)
        with code.if_then(code.icmp_unsigned("==", array, NULL), likely=False):
            code.ret(NULL)
        return array

    def _type_number(self, dtype: Any) -> Any:
        """Return NumPy's number of a type, which is not the same on every system."""
        if dtype.name not in TYPES:
            return INDEX(dtype.num)
        return self._code.trunc(self._code.ptrtoint(self._entry_of_table(dtype.name), WORD), INDEX)

    def _return(self) -> None:
        """Return the results as Python objects."""
        code, kind = self._code, self._plain.returned
        if self._array is not None:
            code.ret(self._array)
        elif self._ids is not None:
            self._return_list(self._result(0))
        elif kind == types.none:
            none = self._entry_of_table("None")
            self._python("Py_IncRef", ir.VoidType(), none)
            code.ret(none)
        elif isinstance(kind, types.UniTuple):
            found = self._python("PyTuple_New", OBJECT, word(kind.count))
            for place in range(kind.count):
                one = self._python("PyLong_FromLongLong", OBJECT, self._result(place))
                self._python("PyTuple_SetItem", INDEX, found, word(place), one)
            code.ret(found)
        elif kind == types.float64:
            code.ret(self._python("PyFloat_FromDouble", OBJECT, code.bitcast(self._result(0), DOUBLE)))
        elif isinstance(kind, types.Boolean):
            code.ret(self._python("PyBool_FromLong", OBJECT, self._result(0)))
        else:
            code.ret(self._python("PyLong_FromLongLong", OBJECT, self._result(0)))

    def _result(self, place: int) -> Any:
        return self._code.load(self._code.gep(self._words, [word(place)]))

    def _return_list(self, count: Any) -> None:
        """Return a list of the first ``count`` of the ids."""
        code = self._code
        found = self._python("PyList_New", OBJECT, count)
        with cgutils.for_range(code, count) as loop:
            one = code.sext(code.load(code.gep(self._ids, [loop.index])), WORD)
            self._python("PyList_SetItem", INDEX, found, loop.index, self._python("PyLong_FromLongLong", OBJECT, one))
        code.ret(found)

    def _field(self, thing: Any, at: int, kind: Any) -> Any:
        """Return the field of an object that begins ``at`` bytes after its beginning."""
        return self._code.load(self._code.bitcast(self._code.gep(thing, [word(at)]), kind.as_pointer()))

    def _fail_if(self, wrong: Any, error: str, message: str) -> None:
        """Raise an error where ``wrong`` is true."""
        code = self._code
        text = cgutils.global_constant(
            self._module,
            f"{self._entry.symbol}.message",
            cgutils.make_bytearray(f"{self._name}() {message}\0".encode()),
        )
        with code.if_then(wrong, likely=False):
            self._python("PyErr_SetString", ir.VoidType(), self._entry_of_table(error), code.bitcast(text, OBJECT))
            code.ret(NULL)

    def _python(self, name: str, returns: Any, *values: Any) -> Any:
        """Call a function of the table."""
        kind = ir.FunctionType(returns, [value.type for value in values])
        return self._code.call(self._code.bitcast(self._entry_of_table(name), kind.as_pointer()), values)

    def _entry_of_table(self, name: str) -> Any:
        """Return an address of the table."""
        table: Any = self._module.globals.get(TABLE_SYMBOL)
        if table is None:
            table = ir.GlobalVariable(self._module, ir.ArrayType(OBJECT, len(NAMES)), TABLE_SYMBOL)
            table.linkage, table.initializer = "common", ir.Constant(table.value_type, None)
        return self._code.load(self._code.gep(table, [INDEX(0), INDEX(NAMES.index(name))]))


# --- called by other machine code ------------------------------------------------------------------------------------
def write_code_entry(context: Any, module: Any, entry: Any, compiled: Any) -> None:
    """Write the function of a code entry: plain pointers and integers, and int64 as result, FAILED after an error."""
    fndesc = compiled.fndesc
    kinds = [context.get_value_type(kind) for kind in fndesc.argtypes]
    function = ir.Function(module, ir.FunctionType(WORD, kinds), entry.symbol)
    code = ir.IRBuilder(function.append_basic_block())
    kernel = context.declare_function(module, fndesc)
    status, result = context.call_conv.call_function(code, kernel, fndesc.restype, fndesc.argtypes, function.args)
    with code.if_then(status.is_error, likely=False):
        code.ret(word(FAILED))
    code.ret(result)
