"""Calls of kernels from Python without Numba's own entrance, which looks at the types of all arguments at every call.

That entrance costs several times what a decision costs the rules. A *direct* function is a built-in function of Python
instead, whose machine code takes the memory of each array out of the array object, calls the kernel and makes a Python
object of what it returns. It checks that an array is an array and an integer an integer. Callers pass contiguous arrays
of the right types; only MASK and GENERATOR, which users give, are looked at more closely.

The interpreter's lock is held during a call, so these calls must be short. With the JIT disabled a direct function is
the Python function that it stands for.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

import numba
import numpy as np
from llvmlite import binding, ir
from numba import types
from numpy._core import _multiarray_umath  # type: ignore[attr-defined]  # where every compiled extension finds its table

from endeavor_env.core._jit import JIT_DISABLED
from endeavor_env.core.actions import NUM_IDS
from endeavor_env.core.board_array import BOARD
from endeavor_env.core.state import STATE

BOARDS, STATES, INTEGER, BYTES, SHORTS, FLOATS = "boards", "states", "int", "int8", "int16", "float32"
"""The arguments of direct functions: (1,) BOARD, (1,) STATE, an integer, and arrays of a type."""
MASK, GENERATOR = "mask", "rng"
"""Arguments that are checked: a contiguous array of int8 or bool with one axis, and a (1,) uint64."""
NOTHING, IDS, NEW_BYTES, NEW_BOOLS, NEW_FLOATS = "none", "ids", "new int8", "new bool", "new float32"
"""What direct functions return besides an INTEGER: None, a list of action ids, or a new array with one axis."""

_POINTERS = {
    BOARDS: types.CPointer(cast(Any, numba.from_dtype(BOARD))),
    STATES: types.CPointer(cast(Any, numba.from_dtype(STATE))),
    BYTES: types.CPointer(types.int8),
    SHORTS: types.CPointer(types.int16),
    FLOATS: types.CPointer(types.float32),
    MASK: types.CPointer(types.int8),
    GENERATOR: types.CPointer(types.uint64),
}
_SIZED = (BYTES, SHORTS, FLOATS, MASK)  # arrays whose size the kernel is told
_NEW = {NEW_BYTES: (BYTES, np.int8), NEW_BOOLS: (BYTES, np.bool_), NEW_FLOATS: (FLOATS, np.float32)}
_CHECKED = {MASK: (np.int8, np.bool_), GENERATOR: (np.uint64,)}
_FLAGS = 0x80  # METH_FASTCALL: arguments come as a C array
_WORD, _SHORT, _INT = ir.IntType(64), ir.IntType(16), ir.IntType(32)
_OBJECT = ir.IntType(8).as_pointer()
_HEAD = object.__basicsize__  # bytes of an object before its own fields; those of an array begin with its memory
_AXES_AT, _SHAPE_AT, _TYPE_AT, _FLAGS_AT = (_HEAD + bytes for bytes in (8, 16, 40, 48))
_TYPE_NUMBER_AT = _HEAD + 12  # of the object for the type, after the class of its scalars and four letters
_IS_CONTIGUOUS = 1  # NPY_ARRAY_C_CONTIGUOUS
_NEW_ARRAY_AT = 93  # PyArray_New in NumPy's table of functions for compiled extensions, the same in every version


class _MethodDef(ctypes.Structure):
    """What Python wants to know of a built-in function."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


class DirectCall(NamedTuple):
    """A direct function to be made."""

    entry: Any
    """The kernel, which takes pointers, after each of a type in _SIZED the size, and returns int64.

    One that returns IDS writes them to a last argument, SHORTS without size, and returns their number. One that returns
    a new array gets it as last argument, with its size, which is the last argument of the call from Python.
    """
    python: Callable[..., Any]
    """What it stands for, with the arguments of a call."""
    arguments: Sequence[str]
    returns: str


def direct_functions(module_name: str, *calls: DirectCall) -> list[Any]:
    """Return the direct functions of ``calls``, all made at once.

    They are pickled as what the module ``module_name`` has under their names.
    """
    if JIT_DISABLED:
        return [_returning_int(call.python) if call.returns == INTEGER else call.python for call in calls]
    addresses = [np.zeros(1, np.int64) for _ in calls]
    module = ir.Module()
    for number, (call, address) in enumerate(zip(calls, addresses, strict=True)):
        _Builder(module, f"direct_{number}", call, address).build()
    engine = binding.create_mcjit_compiler(
        binding.parse_assembly(str(module)), binding.Target.from_default_triple().create_target_machine()
    )
    engine.finalize_object()
    _KEPT.append((engine, addresses))
    return [
        _python_function(engine.get_function_address(f"direct_{number}"), call.python, module_name)
        for number, call in enumerate(calls)
    ]


def _returning_int(python: Callable[..., Any]) -> Callable[..., int]:
    """Return a function that does the same and returns an int, as a built-in one does, where kernels return int64."""

    @functools.wraps(python)
    def call(*arguments: Any) -> int:
        return int(python(*arguments))

    return call


_KEPT: list[Any] = []  # machine code, and all that it points to, must not be freed


def _python_function(address: int, python: Callable[..., Any], module_name: str) -> Any:
    """Return the built-in function of a module whose machine code is at ``address``."""
    doc = (python.__doc__ or "").encode()
    definition = _MethodDef(python.__name__.lstrip("_").encode(), address, _FLAGS, doc)
    make: Any = ctypes.pythonapi.PyCFunction_NewEx
    make.restype, make.argtypes = ctypes.py_object, (ctypes.POINTER(_MethodDef), ctypes.c_void_p, ctypes.py_object)
    _KEPT.append(definition)
    return make(ctypes.byref(definition), None, module_name)


class _Builder:
    """Writes the machine code of one direct function."""

    def __init__(self, module: ir.Module, name: str, call: DirectCall, address: Any) -> None:
        """Begin a function ``name``; ``address`` (1,) int64 gets that of the compiled kernel at the first call."""
        self._call, self._place = call, address
        kind = ir.FunctionType(_OBJECT, [_OBJECT, _OBJECT.as_pointer(), _WORD])
        self._function = ir.Function(module, kind, name)
        self._code = ir.IRBuilder(self._function.append_basic_block())
        self._compile = self._compiler()
        _KEPT.append(self._compile)

    def _compiler(self) -> Callable[[], None]:
        """Return a function that compiles the kernel, or loads its machine code, and stores its address."""

        def compile_kernel() -> None:
            call, signature = self._call, []
            given = call.arguments
            if call.returns in _NEW:
                given = (*given[:-1], _NEW[call.returns][0])
            for argument in given:
                signature += [types.int64] if argument == INTEGER else [_POINTERS[argument]]
                signature += [types.int64] if argument in _SIZED else []
            signature += [_POINTERS[SHORTS]] if call.returns == IDS else []
            call.entry.compile(tuple(signature))
            compiled = call.entry.overloads[tuple(signature)]
            self._place[0] = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cfunc_wrapper_name)

        return compile_kernel

    def build(self) -> None:
        """Write the function: take the arguments apart, call the kernel, return its result."""
        code, call = self._code, self._call
        _, given, count = self._function.args
        self._fail_if(code.icmp_signed("!=", count, _word(len(call.arguments))), f"takes {len(call.arguments)} values")
        values = []
        for place, argument in enumerate(call.arguments):
            values += self._value(code.load(code.gep(given, [_word(place)])), argument)
        ids = array = None
        if call.returns == IDS:
            ids = code.alloca(_SHORT, NUM_IDS)
            values.append(code.bitcast(ids, _OBJECT))
        elif call.returns in _NEW:
            array = self._new_array(values[-1], _NEW[call.returns][1])
            values.insert(-1, self._field(array, _HEAD, _OBJECT))
        kind = ir.FunctionType(_WORD, [value.type for value in values])
        result = code.call(code.inttoptr(self._kernel_address(), kind.as_pointer()), values)
        if ids is not None:
            self._return_list(ids, result)
        elif array is not None:
            code.ret(array)
        elif call.returns == INTEGER:
            code.ret(self._python("PyLong_FromLongLong", _OBJECT, result))
        else:
            none = _constant_object(None)
            self._python("Py_IncRef", ir.VoidType(), none)
            code.ret(none)

    def _value(self, given: Any, argument: str) -> list[Any]:
        """Return what the kernel gets for one Python object."""
        code = self._code
        if argument == INTEGER:
            value = self._python("PyLong_AsLongLong", _WORD, given)
            with code.if_then(code.icmp_signed("==", value, _word(-1)), likely=False):
                error = self._python("PyErr_Occurred", _OBJECT)
                with code.if_then(code.icmp_unsigned("!=", error, _NULL)):
                    code.ret(_NULL)
            return [value]
        kind = self._field(given, _HEAD - 8, _WORD)  # the type is the last field of the head
        self._fail_if(code.icmp_signed("!=", kind, _word(id(np.ndarray))), "takes arrays, and was given something else")
        if argument in _CHECKED:
            self._check_array(given, argument)
        memory = self._field(given, _HEAD, _OBJECT)
        if argument not in _SIZED:
            return [memory]
        return [memory, self._length(given)]

    def _length(self, array: Any) -> Any:
        """Return the length of the first axis of an array."""
        return self._code.load(self._field(array, _SHAPE_AT, _WORD.as_pointer()))

    def _check_array(self, given: Any, argument: str) -> None:
        """Raise TypeError unless the array ``given`` is what a MASK or GENERATOR must be."""
        code, message = self._code, f"was given an array that is no {argument}"
        self._fail_if(code.icmp_signed("!=", self._field(given, _AXES_AT, _INT), _INT(1)), message)
        contiguous = code.and_(self._field(given, _FLAGS_AT, _INT), _INT(_IS_CONTIGUOUS))
        self._fail_if(code.icmp_signed("==", contiguous, _INT(0)), message)
        number = self._field(self._field(given, _TYPE_AT, _OBJECT), _TYPE_NUMBER_AT, _INT)
        wrong = ir.Constant(ir.IntType(1), 1)
        for dtype in _CHECKED[argument]:
            wrong = code.and_(wrong, code.icmp_signed("!=", number, _INT(np.dtype(dtype).num)))
        self._fail_if(wrong, message)
        if argument == GENERATOR:
            self._fail_if(code.icmp_signed("!=", self._length(given), _word(1)), message)

    def _new_array(self, size: Any, dtype: Any) -> Any:
        """Return a new array of ``size`` entries, whose memory is not set."""
        code = self._code
        shape = code.alloca(_WORD)
        code.store(size, shape)
        number, zero = _INT(np.dtype(dtype).num), _INT(0)
        values = [_constant_object(np.ndarray), _INT(1), shape, number, _NULL, _NULL, zero, zero, _NULL]
        array = code.call(self._pointer(_new_array_address(), _OBJECT, values), values)
        with code.if_then(code.icmp_unsigned("==", array, _NULL), likely=False):
            code.ret(_NULL)
        return array

    def _field(self, thing: Any, at: int, kind: Any) -> Any:
        """Return the field of an object that begins ``at`` bytes after its beginning."""
        return self._code.load(self._code.bitcast(self._code.gep(thing, [_word(at)]), kind.as_pointer()))

    def _kernel_address(self) -> Any:
        """Return the address of the kernel, which is compiled first if this is the first call."""
        code, place = self._code, ir.Constant(_WORD, self._place.ctypes.data).inttoptr(_WORD.as_pointer())
        with code.if_then(code.icmp_signed("==", code.load(place), _word(0)), likely=False):
            nothing = self._python("PyObject_CallObject", _OBJECT, _constant_object(self._compile), _NULL)
            with code.if_then(code.icmp_unsigned("==", nothing, _NULL)):
                code.ret(_NULL)
        return code.load(place)

    def _return_list(self, ids: Any, count: Any) -> None:
        """Return a list of the first ``count`` of ``ids``."""
        code = self._code
        found = self._python("PyList_New", _OBJECT, count)
        loop, body, end = (self._function.append_basic_block() for _ in range(3))
        start = code.block
        code.branch(loop)
        code.position_at_end(loop)
        index = code.phi(_WORD)
        index.add_incoming(_word(0), start)
        code.cbranch(code.icmp_signed("<", index, count), body, end)
        code.position_at_end(body)
        one = code.sext(code.load(code.gep(ids, [index])), _WORD)
        self._python("PyList_SetItem", _INT, found, index, self._python("PyLong_FromLongLong", _OBJECT, one))
        index.add_incoming(code.add(index, _word(1)), code.block)
        code.branch(loop)
        code.position_at_end(end)
        code.ret(found)

    def _fail_if(self, wrong: Any, message: str) -> None:
        """Raise TypeError where ``wrong`` is true."""
        text = ctypes.create_string_buffer(f"{self._call.python.__name__.lstrip('_')}() {message}".encode())
        _KEPT.append(text)
        with self._code.if_then(wrong, likely=False):
            place = ir.Constant(_WORD, ctypes.addressof(text)).inttoptr(_OBJECT)
            self._python("PyErr_SetString", ir.VoidType(), _constant_object(TypeError), place)
            self._code.ret(_NULL)

    def _python(self, name: str, returns: Any, *values: Any) -> Any:
        """Call a function of Python's C interface."""
        address = ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value or 0
        return self._code.call(self._pointer(address, returns, values), values)

    def _pointer(self, address: int, returns: Any, values: Sequence[Any]) -> Any:
        """Return a pointer to the function at ``address`` that takes ``values``."""
        kind = ir.FunctionType(returns, [value.type for value in values])
        return self._code.inttoptr(_word(address), kind.as_pointer())


def _new_array_address() -> int:
    """Return the address of NumPy's function that makes an array."""
    get: Any = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    table = get(_multiarray_umath._ARRAY_API, None)
    return int(ctypes.cast(table, ctypes.POINTER(ctypes.c_void_p))[_NEW_ARRAY_AT])


_NULL = ir.Constant(_OBJECT, None)


def _word(value: int) -> Any:
    """Return a constant of 64 bits."""
    return ir.Constant(_WORD, value)


def _constant_object(thing: Any) -> Any:
    """Return a Python object, which must live as long as the process, as a constant."""
    return ir.Constant(_WORD, id(thing)).inttoptr(_OBJECT)
