"""How kernels and Python call compiled players."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from endeavor_env.endeavor.flow.dispatch import legal
from endeavor_env.endeavor.rules.actions import NUM_WORDS
from endeavor_env.endeavor.rules.arguments import BOARDS, STATES, board_at, state_at
from endeavor_env.endeavor.rules.board_array import BOARD
from endeavor_env.endeavor.rules.state import STATE
from endeavor_env.engine.kernels.masks import new_words
from endeavor_env.engine.kernels.players import PLAYERS, choose
from endeavor_env.engine.kernels.rng import GENERATOR
from endeavor_env.engine.kernels.rules import BYTES
from endeavor_env.kernels.entries import code_entry, entry
from endeavor_env.kernels.intrinsics import bytes_at, generator_at, memory_at
from endeavor_env.kernels.kinds import INTEGER, pointer
from endeavor_env.kernels.switches import JIT_DISABLED

# --- The entries of compiled players, which kernels call by their addresses ------------------------------------------
# A kernel that called every player directly would be compiled with all of them, and again for each new one. Instead a
# player is a code entry (``player_entry``), compiled by itself, and kernels are handed its address
# (``engine.kernels.players``).

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


def entry_of(player: Callable[..., Any]) -> Callable[..., Any]:
    """Return an entry for a player of the caller's: ``player(board, state, mask, memory, rng)``.

    Its machine code is not saved. The players of this package write their entries out, so that theirs is.
    """
    compile_it: Any = _unchanged if JIT_DISABLED else _compile
    compiled = player if hasattr(player, "py_func") else compile_it(player)

    def entry(board, state, mask, num_actions, memory, size, rng):  # no types: compiled
        allowed, own, generator = bytes_at(mask, num_actions), memory_at(memory, size), generator_at(rng, 1)
        return np.int64(compiled(board_at(board), state_at(state), allowed, own, generator))

    return compile_it(entry)


def _unchanged(function: Any) -> Any:
    return function


def _compile(function: Any) -> Any:
    from endeavor_env.kernels.numba_kernels import compiled_alone

    return compiled_alone(function)


# --- The choice of a compiled player for one game, as Python asks for it ---------------------------------------------


@entry(INTEGER, PLAYERS, BOARDS, STATES, BYTES, GENERATOR)
def choose_action(policy, players, boards, states, mask, rng):
    """Call ``players.choose``, given one board and one state, (1,) arrays.

    ``mask`` is overwritten, as scratch; return -1 if there is no legal action.
    """
    words = new_words(NUM_WORDS[states[0].variant])
    legal(boards[0], states[0], words)
    if states[0].seat < 0:
        return np.int64(-1)
    return choose(policy, players, boards[0], states[0], words, mask, rng)
