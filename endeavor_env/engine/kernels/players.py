"""The compiled players at a table: codes of who decides for a seat, and the kernel that lets any of them choose."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.engine.kernels.arguments import MEMORY, NUMBERS
from endeavor_env.engine.kernels.masks import write_bytes
from endeavor_env.engine.kernels.uniform import choose_move
from endeavor_env.kernels.intrinsics import record_at
from endeavor_env.kernels.kernels import inlined
from endeavor_env.kernels.kinds import Fields, array
from endeavor_env.kernels.outside import called_at

# --- who decides for a seat: codes of `TABLE.policies` and of rollouts ------------------------------------------------
SEAT_LEARNER = 0  # the caller's actions
SEAT_RANDOM = 1
FIRST_ENTRY = 2  # this and the codes after it: compiled players that are called through their entries
SEAT_CALLABLE = 1 << 13  # + index of a function of the caller


class Players(NamedTuple):
    """The entries and memories of compiled players, indexed by code."""

    addresses: npt.NDArray[np.int64]
    """(codes,): addresses of entries (``outside.address_of``); those of codes that do not play do not matter."""
    offsets: npt.NDArray[np.int64]
    """(codes + 1,): the memory of code i is ``memory[offsets[i] : offsets[i + 1]]``."""
    memory: npt.NDArray[np.uint8]
    """(bytes,): settings and scratch of all players, each from a multiple of 64 bytes on. Where several threads play,
    (threads, bytes), and each takes ``players_of`` its number."""


@inlined
def players_of(players, thread):
    """Return the players of one thread."""
    return Players(players.addresses, players.offsets, players.memory[thread])


PLAYERS = Fields(Players, (NUMBERS, NUMBERS, MEMORY))
PLAYERS_OF_THREADS = Fields(Players, (NUMBERS, NUMBERS, array(np.uint8, 2)))
"""The kinds of arguments for the players of one thread, and of several."""
NOBODY = Players(np.zeros(0, np.int64), np.zeros(1, np.int64), np.zeros(0, np.uint8))
"""For tables at which ``random`` is the only compiled player."""
VALUED = np.dtype((np.record, [("value", np.float64)]))
"""What the memory of a player that values positions begins with, written at each decision: the value of the best move
for its seat, NaN if it did not look."""
valued_of = record_at(VALUED)
"""``valued_of(memory)``: this record."""
_call = called_at(7)  # board, position, mask, number of actions, memory, its size, generator


@inlined
def choose(policy, players, board, position, words, mask, rng):
    """Return the action that a compiled player chooses for the seat to move.

    Args:
        policy: SEAT_RANDOM, or the code of another compiled player.
        players: ``Players`` of this thread, whose memory is overwritten.
        board: The board, a row of words or the record of the game; read only.
        position: The position, in the same way; a decision is asked.
        words: The mask of the position, see ``masks``; read only.
        mask: (number of actions,) int8, scratch: the form in which other players than ``random`` get the mask.
        rng: (1,) uint64, advanced in place.
    """
    if policy < FIRST_ENTRY:
        return choose_move(words, rng)
    write_bytes(words, mask)
    memory = players.memory[players.offsets[policy] : players.offsets[policy + 1]]
    return _call(players.addresses[policy], board, position, mask, mask.size, memory, memory.size, rng)
