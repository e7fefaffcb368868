"""The compiled players at a table, and the memory of each."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, NamedTuple, TypeVar, get_type_hints

import numpy as np
import numpy.typing as npt

from endeavor_env.engine.kernels.masks import choose_move, write_bytes
from endeavor_env.engine.kernels.rules import MEMORY, NUMBERS
from endeavor_env.kernels.calls import indirect_call
from endeavor_env.kernels.entries import code_entry
from endeavor_env.kernels.intrinsics import record_at
from endeavor_env.kernels.kernels import inlined, reading_kernel
from endeavor_env.kernels.kinds import INTEGER, Fields, array, pointer

# --- The memory of a player ------------------------------------------------------------------------------------------
# One array of bytes, so that compiled players can be handed it, and its parts by name.

ROUND = 64
"""Every part begins at a multiple of so many bytes."""
Parts = TypeVar("Parts", bound=tuple[Any, ...])


class Part(NamedTuple):
    """What a part of the memory holds: it stands in the annotation of the field that shows the part."""

    kind: Any
    """The type of its entries."""
    shape: tuple[int, ...]
    """() for a last part that has all the rest, and any number of entries."""
    shows: str = ""
    """The part whose bytes it shows as another type; "" if they are its own."""


def rounded(size: int) -> int:
    """Return the bytes that a part of this size takes."""
    return -(-size // ROUND) * ROUND


def taken_apart(name: str, parts: type[Parts]) -> tuple[Callable[[npt.NDArray[np.uint8]], Parts], int]:
    """Return a kernel of this name that takes memory apart, and the bytes of all parts but one that has the rest.

    The kernel is written as it would be by hand: a view for each part, one after the other.

    Args:
        name: That under which the calling module keeps the kernel.
        parts: A NamedTuple, with a ``Part`` in the annotation of each field.
    """
    names: dict[str, Any] = {"__name__": parts.__module__, "parts": parts}
    places: dict[str, str] = {}
    views, at = [], 0
    for field, hint in get_type_hints(parts, include_extras=True).items():
        (part,) = hint.__metadata__
        kind = np.dtype(part.kind)
        size = kind.itemsize * prod(part.shape)
        places[field] = places.get(part.shows) or (f"{at}:{at + size}" if part.shape else f"{at}:")
        at += 0 if part.shows or not part.shape else rounded(size)
        names[f"{field}_kind"] = kind
        shape = f".reshape({part.shape})" if len(part.shape) > 1 else ""
        views.append(f"memory[{places[field]}].view({field}_kind){shape}")
    exec(compile(f"def {name}(memory):\n    return parts({', '.join(views)})", f"<{name}>", "exec"), names)
    return reading_kernel(names[name]), at


# --- The entries of compiled players ----------------------------------------------------------------------------------
# A kernel that called every player directly would be compiled with all of them, and again for each new one. Instead a
# player is a code entry, compiled by itself, and kernels are handed its address.

PLAYER_SIGNATURE = (
    pointer(),  # the board
    pointer(),  # the position, in which a seat is to move
    pointer(),  # the mask of its legal actions, int8
    INTEGER,  # number of action ids
    pointer(),  # the player's memory, uint8
    INTEGER,  # its size in bytes
    pointer(),  # the generator, (1,) uint64
)
"""The kinds of the arguments of a player's code entry, which returns an action id, int64."""
LEAF_SIGNATURE = (pointer(), pointer(), pointer(), INTEGER, pointer())
"""The kinds of the arguments of a code entry that values a position: board, position, the player's memory and its size,
and (MAX_SEATS,) float64 for what the position is worth to each seat by what it may see; a share of the win, about."""
player_entry = code_entry(*PLAYER_SIGNATURE, counts_references=True)
leaf_entry = code_entry(*LEAF_SIGNATURE, counts_references=True)
"""The decorators of such entries."""


# --- The compiled players at a table ---------------------------------------------------------------------------------
# Codes of who decides for a seat, and the kernel that lets any of them choose.

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
_call = indirect_call(len(PLAYER_SIGNATURE))


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
