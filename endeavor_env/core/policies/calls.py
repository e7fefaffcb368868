"""Calls of compiled players through the address of their machine code.

A kernel that called every player directly would be compiled with all of them, and again for each new one. Instead a
player is a code entry (``player_entry``), compiled by itself, and kernels get its address.

``arguments`` turns the pointers of an entry into the arguments of a player; ``call_entry`` calls an entry from a
kernel. Where nothing is compiled entries are Python functions, and an address is an index of ``_PYTHON_ENTRIES``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from endeavor_env.core.board_array import BOARD
from endeavor_env.core.state import STATE
from endeavor_env.machine.entries import Entry, code_entry
from endeavor_env.machine.instructions import typed
from endeavor_env.machine.intrinsics import array_at
from endeavor_env.machine.kernels import inlined, referencing_kernel
from endeavor_env.machine.kinds import INTEGER, pointer
from endeavor_env.machine.switches import JIT_DISABLED

ENTRY = (
    pointer(BOARD),  # the board
    pointer(STATE),  # the position
    pointer(np.int8),  # the mask of its legal actions
    INTEGER,  # number of action ids
    pointer(np.uint8),  # the player's memory
    INTEGER,  # its size in bytes
    pointer(np.uint64),  # the generator
)
"""The kinds of the arguments of an entry, which returns an action id, int64."""
player_entry = code_entry(*ENTRY, counts_references=True)
"""The decorator of the entry of a compiled player."""

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


def _call_python(address: int, board: Any, state: Any, mask: Any, memory: Any, rng: Any) -> Any:
    """Return the action that the entry of index ``address`` chooses."""
    return _PYTHON_ENTRIES[address](board, state, mask, mask.size, memory, memory.size, rng)


_call_address = typed("calls:call_address", _call_python)


@inlined
def _call_compiled(address, board, state, mask, memory, rng):
    """Return the action that the entry at ``address`` chooses."""
    return _call_address(address, board, state, mask, memory, rng)


arguments = _arguments_of_arrays if JIT_DISABLED else _arguments_of_pointers
"""In an entry: returns the arguments of a player, (boards, states, mask, memory, rng), with one board and one state."""
call_entry = _call_python if JIT_DISABLED else _call_compiled
"""In a kernel: returns the action of the entry at an address, which must be one of ``address_of``."""


def address_of(entry: Callable[..., Any]) -> int:
    """Return the address of an entry, compiled if needed; it must not be released afterwards."""
    if JIT_DISABLED:
        if entry not in _PYTHON_ENTRIES:
            _PYTHON_ENTRIES.append(entry)
        return _PYTHON_ENTRIES.index(entry)
    if isinstance(entry, Entry):
        from endeavor_env.machine.loading.addresses import address_of_entry

        return address_of_entry(entry)
    from endeavor_env.machine.numba_kernels import address_of_function

    return address_of_function(entry, ENTRY)


def entry_of(player: Callable[..., Any]) -> Callable[..., Any]:
    """Return an entry for a player of the caller's: ``player(board, state, mask, memory, rng)``.

    Its machine code is not saved. The players of this package write their entries out, so that theirs is.
    """
    if JIT_DISABLED:

        def python_entry(board: Any, state: Any, mask: Any, num_actions: int, memory: Any, size: int, rng: Any) -> Any:
            boards, states, allowed, own, generator = arguments(board, state, mask, num_actions, memory, size, rng)
            return np.int64(player(boards[0], states[0], allowed, own, generator))

        return python_entry
    from endeavor_env.machine.numba_kernels import compiled_alone

    compiled: Any = player if hasattr(player, "py_func") else compiled_alone(player)

    def entry(board, state, mask, num_actions, memory, size, rng):  # no types: compiled
        boards, states, allowed, own, generator = arguments(board, state, mask, num_actions, memory, size, rng)
        return np.int64(compiled(boards[0], states[0], allowed, own, generator))

    return compiled_alone(entry)
