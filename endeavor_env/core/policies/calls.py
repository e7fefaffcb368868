"""Calls of compiled players through the address of their machine code.

A kernel that called every player directly would be compiled with all of them, and again for each new one. Instead a
player is compiled once, by itself, and kernels get the address of its *entry*, which takes plain pointers (ENTRY).

``arguments`` turns the pointers of an entry into the arguments of a player; ``call_entry`` calls an entry from a
kernel. With the JIT disabled entries are Python functions, and an address is an index of ``_PYTHON_ENTRIES``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from endeavor_env.core._jit import JIT_DISABLED, inlined, referencing_kernel
from endeavor_env.core.board_array import BOARD
from endeavor_env.core.intrinsics import array_at
from endeavor_env.core.state import STATE

ENTRY = (
    types.CPointer(cast(Any, numba.from_dtype(BOARD))),  # the board
    types.CPointer(cast(Any, numba.from_dtype(STATE))),  # the position
    types.CPointer(types.int8),  # the mask of its legal actions
    types.int64,  # number of action ids
    types.CPointer(types.uint8),  # the player's memory
    types.int64,  # its size in bytes
    types.CPointer(types.uint64),  # the generator
)
"""The types of the arguments of an entry, which returns an action id, int64."""

_PYTHON_ENTRIES: list[Callable[..., Any]] = []


@referencing_kernel
def _arguments_of_pointers(board, state, mask, num_actions, memory, size, rng):
    """Return (1,) boards, (1,) states, mask, memory and generator; Numba cannot return records in a tuple."""
    return (
        array_at(board, 1),
        array_at(state, 1),
        array_at(mask, num_actions),
        array_at(memory, size),
        array_at(rng, 1),
    )


def _arguments_of_arrays(board: Any, state: Any, mask: Any, num_actions: int, memory: Any, size: int, rng: Any) -> Any:
    """Return the same where nothing is compiled, so that there are no pointers."""
    return (board,), (state,), mask, memory, rng


def _generate_call(typing_context: Any, address: Any, board: Any, state: Any, mask: Any, memory: Any, rng: Any) -> Any:
    """Call the entry at ``address`` with pointers to the given records and arrays."""
    signature = types.int64(types.int64, board, state, mask, memory, rng)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        def array(place: int) -> Any:
            return cgutils.create_struct_proxy(signature.args[place])(context, builder, values[place])

        def pointer(value: Any) -> Any:
            return builder.bitcast(value, byte_pointer)

        byte_pointer, integer = ir.IntType(8).as_pointer(), ir.IntType(64)
        kind = ir.FunctionType(integer, [byte_pointer] * 3 + [integer, byte_pointer, integer, byte_pointer])
        entry = builder.inttoptr(values[0], kind.as_pointer())
        mask, memory, rng = array(3), array(4), array(5)
        given = [pointer(values[1]), pointer(values[2]), pointer(mask.data), mask.nitems]
        return builder.call(entry, [*given, pointer(memory.data), memory.nitems, pointer(rng.data)])

    return signature, generate


_call_address: Any = intrinsic(_generate_call)


@inlined
def _call_compiled(address, board, state, mask, memory, rng):
    """Return the action that the entry at ``address`` chooses."""
    return _call_address(address, board, state, mask, memory, rng)


def _call_python(address: int, board: Any, state: Any, mask: Any, memory: Any, rng: Any) -> Any:
    """Return the action that the entry of index ``address`` chooses."""
    return _PYTHON_ENTRIES[address](board, state, mask, mask.size, memory, memory.size, rng)


arguments = _arguments_of_arrays if JIT_DISABLED else _arguments_of_pointers
"""In an entry: returns the arguments of a player, (boards, states, mask, memory, rng), with one board and one state."""
call_entry = _call_python if JIT_DISABLED else _call_compiled
"""In a kernel: returns the action of the entry at an address, which must be one of ``address_of``."""


def address_of(entry: Callable[..., Any]) -> int:
    """Compile an entry, or load its machine code, and return its address; it must not be released afterwards."""
    if JIT_DISABLED:
        if entry not in _PYTHON_ENTRIES:
            _PYTHON_ENTRIES.append(entry)
        return _PYTHON_ENTRIES.index(entry)
    dispatcher: Any = entry
    dispatcher.compile(ENTRY)
    compiled = dispatcher.overloads[ENTRY]
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cfunc_wrapper_name))


def entry_of(player: Callable[..., Any]) -> Callable[..., Any]:
    """Return an entry for a player of the caller's: ``player(board, state, mask, memory, rng)``.

    Its machine code is not saved. The players of this package write their entries out, so that theirs is.
    """
    compiled: Any = player
    if not JIT_DISABLED and not hasattr(player, "py_func"):
        compiled = numba.njit(nogil=True, error_model="numpy")(player)

    def entry(board, state, mask, num_actions, memory, size, rng):  # no types: compiled
        boards, states, allowed, own, generator = arguments(board, state, mask, num_actions, memory, size, rng)
        return np.int64(compiled(boards[0], states[0], allowed, own, generator))

    return entry if JIT_DISABLED else numba.njit(nogil=True, error_model="numpy")(entry)
