"""Kernels that are compiled by themselves, when they are first called.

Numba compiles a kernel together with all that it calls, and so do all its callers again. What few games need would thus
make the first use of every game slow. A *late* kernel is called through an address instead: callers know only a symbol,
which stands for a jump to whatever address is in ``LateKernel.address``. At first that is Python code, which compiles
the kernel, or loads its machine code, and puts its address there.

With the JIT disabled a late kernel is called as any Python function.
"""

from __future__ import annotations

import _thread
import ctypes
import importlib
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from typing import Any, cast

import numba
import numpy as np
from llvmlite import binding, ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from endeavor_env.core._jit import JIT_DISABLED
from endeavor_env.core.board_array import BOARD
from endeavor_env.core.state import STATE

ENTRY = (
    types.CPointer(cast(Any, numba.from_dtype(BOARD))),  # the board
    types.CPointer(cast(Any, numba.from_dtype(STATE))),  # the position
    types.int64,  # what to do, a number that the kernel gives a meaning
    types.int64,  # two numbers that it is about
    types.int64,
    types.voidptr,  # an array to write to
    types.int64,  # its size in bytes
)
"""The types of the arguments of a late kernel, which returns int64."""
_PROTOTYPE: Any = ctypes.CFUNCTYPE(
    *(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, *(ctypes.c_int64,) * 3, ctypes.c_void_p, ctypes.c_int64)
)
_INTEGER, _POINTER = ir.IntType(64), ir.IntType(8).as_pointer()
_KIND = ir.FunctionType(_INTEGER, [_POINTER, _POINTER, _INTEGER, _INTEGER, _INTEGER, _POINTER, _INTEGER])


class LateKernel:
    """A kernel with the arguments of ENTRY, and the address by which other kernels call it.

    Attributes:
        symbol: Its name in machine code.
        address: (1,) int64: where a call jumps to.
    """

    def __init__(self, entry: Callable[..., Any]) -> None:
        """Make the symbol known to LLVM; nothing is compiled yet."""
        self.symbol = _symbol_of(entry.__name__)
        self._entry: Any = entry
        self._first_call = _PROTOTYPE(self._compile_and_call)
        self._python = int(ctypes.cast(self._first_call, ctypes.c_void_p).value or 0)
        self.address = np.array([self._python])
        self._engine = _jump(self.symbol, self.address.ctypes.data)
        binding.add_symbol(self.symbol, self._engine.get_function_address(self.symbol))

    def __reduce__(self) -> tuple[Any, ...]:
        """Stand for the late kernel of the same name wherever this is unpickled, as with the kernels that call it."""
        return _late_kernel, (self._entry.py_func.__module__, self.symbol)

    def compile(self) -> None:
        """Compile the kernel, or load its machine code, unless that was done before."""
        if JIT_DISABLED or self.address[0] != self._python:
            return
        self._entry.compile(ENTRY)
        compiled = self._entry.overloads[ENTRY]
        self.address[0] = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cfunc_wrapper_name)

    def _compile_and_call(self, *arguments: Any) -> int:
        """Do what the first call has to, in the middle of a kernel: nothing can be raised, so Ctrl-C has to wait."""
        pressed: list[bool] = []
        in_main = threading.current_thread() is threading.main_thread()
        before = signal.signal(signal.SIGINT, lambda *_: pressed.append(True)) if in_main else None
        try:
            self.compile()
        except BaseException:  # a wrong position would be worse than an end
            traceback.print_exc()
            print(f"endeavor_env: {self.symbol} cannot be compiled", file=sys.stderr, flush=True)
            os.abort()
        result = int(_PROTOTYPE(int(self.address[0]))(*arguments))
        if in_main and before is not None:
            signal.signal(signal.SIGINT, before)
        if pressed:
            _thread.start_new_thread(_thread.interrupt_main, ())  # it gets its turn when the kernel goes on
        return result


def _jump(symbol: str, place: int) -> Any:
    """Return machine code under the name ``symbol`` that calls the function whose address is at ``place``."""
    module = ir.Module()
    function = ir.Function(module, _KIND, symbol)
    builder = ir.IRBuilder(function.append_basic_block())
    address = builder.load(builder.inttoptr(ir.Constant(_INTEGER, place), _INTEGER.as_pointer()))
    builder.ret(builder.call(builder.inttoptr(address, _KIND.as_pointer()), function.args, tail=True))
    parsed = binding.parse_assembly(str(module))
    engine = binding.create_mcjit_compiler(parsed, binding.Target.from_default_triple().create_target_machine())
    engine.finalize_object()
    return engine


_BY_SYMBOL: dict[str, LateKernel] = {}


def compile_late(entry: str) -> None:
    """Compile the late kernel with this entry in advance, or load its machine code; without the JIT do nothing."""
    if not JIT_DISABLED:
        late_kernel(entry).compile()


def late_kernel(entry: str) -> LateKernel:
    """Return the late kernel with this entry; there are none with the JIT disabled."""
    return _BY_SYMBOL[_symbol_of(entry)]


def _symbol_of(entry: str) -> str:
    """Return the name in machine code of the late kernel with this entry."""
    return f"endeavor_{entry}"


def _late_kernel(module: str, symbol: str) -> LateKernel:
    """Return the late kernel that ``module`` makes, in this process."""
    importlib.import_module(module)
    return _BY_SYMBOL[symbol]


def called_late(entry: Callable[..., Any], directly: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function by which kernels call a late kernel: (board, state, what, first, second, out) -> int64.

    Args:
        entry: The kernel, with the arguments of ENTRY; the array ``out`` of a call, of any type, comes as bytes.
        directly: What ``entry`` calls, with the arguments of a call; returned where nothing is compiled.
    """
    if JIT_DISABLED:
        return directly
    late = LateKernel(entry)
    _BY_SYMBOL[late.symbol] = late

    def type_call(typing_context: Any, board: Any, state: Any, what: Any, first: Any, second: Any, out: Any) -> Any:
        """Call the symbol with pointers to the given records and to the array."""
        signature = types.int64(board, state, types.int64, types.int64, types.int64, out)

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            array = cgutils.create_struct_proxy(signature.args[5])(context, builder, values[5])
            size = builder.mul(array.nitems, array.itemsize)
            function = cgutils.get_or_insert_function(builder.module, _KIND, late.symbol)
            records = [builder.bitcast(value, _POINTER) for value in values[:2]]
            return builder.call(function, [*records, *values[2:5], builder.bitcast(array.data, _POINTER), size])

        return signature, generate

    return cast(Callable[..., Any], intrinsic(type_call))
