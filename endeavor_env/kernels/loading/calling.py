"""Calls of a library's entries from Python, and what a library gets to know of Python.

An entry is a built-in function of Python whose machine code takes arrays apart by itself, by the places of fields in
NumPy's and Python's objects: a call takes 25 ns, where one of a function that Numba compiled takes 300 and more.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy._core import _multiarray_umath  # type: ignore[attr-defined]  # where compiled extensions find NumPy's table

from endeavor_env.kernels.entries import Entry
from endeavor_env.kernels.table import FIND, FUNCTIONS, NAMES, NEW_ARRAY, TYPES

_FLAGS = 0x80  # METH_FASTCALL: arguments come as a C array
_NEW_ARRAY_AT = 93  # PyArray_New in NumPy's table of functions for compiled extensions, the same in every version
_FINDER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_KEPT: list[Any] = []  # what machine code points to must not be freed


class _MethodDef(ctypes.Structure):
    """The definition of a built-in function, as Python takes it."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("code", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


class KernelError(RuntimeError):
    """A kernel could not be carried out to its end."""

    reasons: ClassVar[list[BaseException]] = []
    """Errors of Python that machine code met and cannot pass on: raised in place of this one."""

    def __init__(self, message: str) -> None:
        """Take the message, or raise the reason."""
        if self.reasons:
            raise self.reasons.pop()
        super().__init__(message)


def fill_table(place: int, find: Callable[[int], None]) -> None:
    """Write the addresses of what a library needs of Python, NumPy and the package into its table.

    Args:
        place: The address of the table.
        find: Called with the address of an empty slot, which it fills.
    """
    table = (ctypes.c_void_p * len(NAMES)).from_address(place)
    for index, name in enumerate(NAMES):
        table[index] = _place_of(_finder(find)) if name == FIND else _address_of(name)


@functools.cache
def _finder(find: Callable[[int], None]) -> Any:
    return _FINDER(find)


def _address_of(name: str) -> int:
    if name in FUNCTIONS:
        return _place_of(getattr(ctypes.pythonapi, name))
    if name == NEW_ARRAY:
        return _new_array_address()
    if name in TYPES:
        return np.dtype(name).num
    return id({"ndarray": np.ndarray, "TypeError": TypeError, "RuntimeError": KernelError, "None": None}[name])


def _place_of(function: Any) -> int:
    return int(ctypes.cast(function, ctypes.c_void_p).value or 0)


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
