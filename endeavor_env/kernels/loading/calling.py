"""Calls of a library's entries from Python.

An entry is a built-in function of Python whose machine code takes arrays apart by itself, by the places of fields in
NumPy's and Python's objects. Whether these are where the code expects them is tried out when the first library is
mapped; if not, or with ``ENDEAVOR_ENV_PLAIN_CALLS=1``, entries are called through ctypes with words, which is slower.
"""

from __future__ import annotations

import ctypes
import functools
import os
import struct
import sys
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy._core import _multiarray_umath  # type: ignore[attr-defined]  # where compiled extensions find NumPy's table

from endeavor_env.kernels.entries import Entry, as_declared
from endeavor_env.kernels.kinds import INTEGER, REAL, Array, Fields, Listed, New
from endeavor_env.kernels.table import (
    FILL,
    FIND,
    FLAG,
    FUNCTIONS,
    GIVE_WAY,
    LOST,
    MATHS,
    MOVE,
    NAMES,
    NEW_ARRAY,
    NOTHING,
    NUMBER,
    REAL_NUMBER,
    SEVERAL,
    TYPES,
)

PLAIN_VARIABLE = "ENDEAVOR_ENV_PLAIN_CALLS"
_FLAGS = 0x80  # METH_FASTCALL: arguments come as a C array
_NEW_ARRAY_AT = 93  # PyArray_New in NumPy's table of functions for compiled extensions, the same in every version
_RESULTS = 2
_PLAIN_CODE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)
HEAD = 16
"""Bytes of an object before its own fields, in the Python that libraries are made for."""
_KEPT: list[Any] = []  # what machine code points to must not be freed


class _MethodDef(ctypes.Structure):
    """What Python wants to know of a built-in function."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("code", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


class KernelError(RuntimeError):
    """A kernel could not be carried out to its end."""

    reasons: ClassVar[list[BaseException]] = []
    """What Python raised while a kernel called it, which machine code cannot pass on: raised in place of this error."""

    def __init__(self, message: str) -> None:
        """Take the message, or raise the reason."""
        if self.reasons:
            raise self.reasons.pop()
        super().__init__(message)


_FINDER = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)


def fill_table(place: int, find: Callable[[int, int], None]) -> None:
    """Write the addresses of what a library needs of Python, NumPy and the package into its table.

    Args:
        place: The address of the table.
        find: Called with the address of the table of imports and the place of an address that is missing there.
    """
    table = (ctypes.c_void_p * len(NAMES)).from_address(place)
    for index, name in enumerate(NAMES):
        table[index] = _place_of(_finder(find)) if name == FIND else _address_of(name)


@functools.cache
def _finder(find: Callable[[int, int], None]) -> Any:
    return _FINDER(find)


def _address_of(name: str) -> int:
    if name in FUNCTIONS:
        return _place_of(getattr(ctypes.pythonapi, name))
    if name == NEW_ARRAY:
        return _new_array_address()
    if name in TYPES:
        return np.dtype(name).num
    if name in (MOVE, FILL):
        return _place_of(getattr(ctypes, name))
    if name in MATHS:
        return _place_of(getattr(ctypes.CDLL("ucrtbase"), name)) if sys.platform == "win32" else 0
    if name == GIVE_WAY:
        return _place_of(_give_way())
    return id({"ndarray": np.ndarray, "TypeError": TypeError, "RuntimeError": KernelError, "None": None}[name])


def _place_of(function: Any) -> int:
    return int(ctypes.cast(function, ctypes.c_void_p).value or 0)


def _give_way() -> Any:
    """Return the system's function that lets another thread run."""
    if sys.platform == "win32":
        return ctypes.WinDLL("kernel32").SwitchToThread
    return ctypes.CDLL(None).sched_yield


def _new_array_address() -> int:
    """Return the address of NumPy's function that makes an array."""
    get: Any = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    table = get(_multiarray_umath._ARRAY_API, None)
    return int(ctypes.cast(table, ctypes.POINTER(ctypes.c_void_p))[_NEW_ARRAY_AT])


def built_in(address: int, entry: Entry) -> Any:
    """Return the built-in function of Python whose machine code is at an address."""
    function = entry.py_func
    definition = _MethodDef(function.__name__.encode(), address, _FLAGS, (function.__doc__ or "").encode())
    make: Any = ctypes.pythonapi.PyCFunction_NewEx
    make.restype, make.argtypes = ctypes.py_object, (ctypes.POINTER(_MethodDef), ctypes.c_void_p, ctypes.py_object)
    _KEPT.append(definition)
    return make(ctypes.byref(definition), None, function.__module__)


# --- words ------------------------------------------------------------------------------------------------------------
def plain_call(address: int, entry: Entry) -> Callable[..., Any]:
    """Return a function that calls the machine code at an address with words, through ctypes."""
    plain = _PLAIN_CODE(address)

    def call(*arguments: Any) -> Any:
        words: list[int] = []
        _check_count(entry, arguments)
        for place, (kind, value) in enumerate(zip(entry.kinds, arguments, strict=True)):
            words += _words_of(kind, value, entry, place)
        memory = (ctypes.c_int64 * max(len(words), _RESULTS))(*words)
        what = plain(ctypes.byref(memory))
        if what == LOST:
            raise KernelError(f"{entry.py_func.__name__}() failed; with ENDEAVOR_ENV_JIT=1 its error is shown")
        return _result(what, memory)

    return as_declared(call, entry.kinds)


def _check_count(entry: Entry, arguments: tuple[Any, ...]) -> None:
    if len(arguments) != len(entry.kinds):
        wanted = sum(not isinstance(kind, Listed) for kind in entry.kinds)
        raise TypeError(f"{entry.py_func.__name__}() takes {wanted} values")


def _words_of(kind: Any, value: Any, entry: Entry, place: int) -> list[int]:
    """Return the words of an argument."""
    if kind == INTEGER:
        number = int(value.__index__())
        if not -(1 << 63) <= number < 1 << 63:
            raise OverflowError(f"{entry.py_func.__name__}() was given a number that is too big for 64 bits")
        return [number]
    if kind == REAL:
        return [struct.unpack("q", struct.pack("d", value))[0]]
    if isinstance(kind, Fields):
        return [
            word for part, one in zip(kind.kinds, value, strict=True) for word in _words_of(part, one, entry, place)
        ]
    wanted = kind if isinstance(kind, Array) else Array(kind.dtype if isinstance(kind, New) else np.dtype(np.int16))
    return [value.ctypes.data, *value.shape] if _is_array(value, wanted) else _refuse(entry, wanted, place)


def _is_array(value: Any, kind: Array) -> bool:
    """Return whether a value is an array of a kind."""
    if type(value) is not np.ndarray or value.ndim != kind.axes or not value.flags.c_contiguous:
        return False
    if kind.size is not None and value.shape[0] != kind.size:
        return False
    return value.dtype.num == kind.dtype.num or (kind.dtype == np.int8 and value.dtype == np.bool_)


def _refuse(entry: Entry, kind: Array, place: int) -> list[int]:
    name = entry.py_func.__name__
    raise TypeError(f"{name}() takes a contiguous array of {kind.dtype.name} as value {place + 1}")


def _result(what: int, memory: Any) -> Any:
    """Return the results that stand in the first words."""
    if what == NOTHING:
        return None
    if what == FLAG:
        return bool(memory[0])
    if what == REAL_NUMBER:
        return struct.unpack("d", struct.pack("q", memory[0]))[0]
    return memory[0] if what == NUMBER else tuple(memory[: what - SEVERAL])


def fields_are_known() -> bool:
    """Return whether fields of arrays are where the machine code expects them."""
    return os.environ.get(PLAIN_VARIABLE, "") in ("", "0") and _fields_fit()


@functools.cache
def _fields_fit() -> bool:
    """Look into an array as the machine code does."""
    array, head = np.zeros((2, 3), np.int16), object.__basicsize__
    if head != HEAD:  # a Python without the interpreter's lock, or for debugging
        return False

    def field(at: int, kind: Any) -> Any:
        return kind.from_address(id(array) + at).value

    shape = field(head + 16, ctypes.c_void_p)
    number = ctypes.c_int.from_address(field(head + 40, ctypes.c_void_p) + head + 12).value if shape else None
    return (
        field(head - 8, ctypes.c_void_p) == id(np.ndarray)
        and field(head, ctypes.c_void_p) == array.ctypes.data
        and field(head + 8, ctypes.c_int) == array.ndim
        and tuple((ctypes.c_int64 * 2).from_address(shape)) == array.shape
        and number == array.dtype.num
        and field(head + 48, ctypes.c_int) & 1 == 1
    )
