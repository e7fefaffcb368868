"""Batches of fastcatan's games, whose masks are packed into words of 64 bits, from which Numba compiles the choice."""

from __future__ import annotations

import importlib
import os
from typing import Any

import numba
import numpy as np

from endeavor_env.benchmarks.peers import Work, threads

LENGTH = 3600
"""About how many decisions a game takes."""
STAGES = 64
"""A batch is filled with games of so many different ages."""
SHARED = 1024
"""So many games for each thread make it worthwhile to share the choice, too, as ``Batch`` does."""
NO_ACTION = np.uint32(0xFFFFFFFF)
"""Chosen where nothing is legal; fastcatan takes it for no move."""
_ONE, _TWO, _FOUR, _TOP = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56)
_PAIRS, _NIBBLES = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
_BYTES, _SUM = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)
_S7, _S13, _S17, _S32 = np.uint64(7), np.uint64(13), np.uint64(17), np.uint64(32)


@numba.njit(nogil=True, inline="always")
def _bits_set(word):
    """Return the number of ones in a word; LLVM knows this sum and compiles it to one instruction."""
    word = word - ((word >> _ONE) & _PAIRS)
    word = (word & _NIBBLES) + ((word >> _TWO) & _NIBBLES)
    word = (word + (word >> _FOUR)) & _BYTES
    return np.int64((word * _SUM) >> _TOP)


@numba.njit(nogil=True, inline="always")
def _place(word, before):
    """Return the place of the one that has ``before`` ones below it, by halving: no branch has to be guessed."""
    place = np.int64(0)
    for width in (32, 16, 8, 4, 2, 1):
        lower = _bits_set((word >> np.uint64(place)) & ((_ONE << np.uint64(width)) - _ONE))
        above = before >= lower
        place += width * above
        before -= lower * above
    return place


@numba.njit(nogil=True, inline="always")
def _below(rngs, row, limit):
    """Return a random number in [0, ``limit``) from the row's xorshift generator."""
    x = rngs[row]
    x ^= x << _S13
    x ^= x >> _S7
    x ^= x << _S17
    rngs[row] = x
    return np.int64(((x >> _S32) * np.uint64(limit)) >> _S32)


@numba.njit(nogil=True)
def choose(masks, rngs, actions, low, high):
    """Choose for the rows [``low``, ``high``); return how many have a legal action.

    Args:
        masks: (N, words) uint64, action 64 * w + b is bit b of word w.
        rngs: (N,) uint64, not 0: a generator for each row, advanced in place.
        actions: (N,) uint32, gets the choice.
        low: The first row.
        high: The row after the last.
    """
    chosen = 0
    for row in range(low, high):
        legal = 0
        for word in range(masks.shape[1]):
            legal += _bits_set(masks[row, word])
        if legal == 0:
            actions[row] = NO_ACTION
            continue
        number, passed, before, found = _below(rngs, row, legal), 0, 0, 0
        for word in range(masks.shape[1] - 1):
            passed += _bits_set(masks[row, word])
            beyond = number >= passed
            found += beyond
            before = passed if beyond else before
        actions[row] = 64 * found + _place(masks[row, found], number - before)
        chosen += 1
    return chosen


@numba.njit(nogil=True, parallel=True)
def choose_in_parts(masks, rngs, actions, parts):
    """Choose for all rows, cut into ``parts`` that Numba's threads share; return how many have a legal action."""
    chosen, rows = 0, actions.size
    for part in numba.prange(parts):
        chosen += choose(masks, rngs, actions, rows * part // parts, rows * (part + 1) // parts)
    return chosen


class Turns:
    """Random legal play in a batch of games; those that end start again."""

    def __init__(self, library: Any, games: int, seed: int, parts: int = 1) -> None:
        """Start the games; the choice is shared by as many threads as ``parts``."""
        self.env, self.parts = library.BatchedEnv(games, seed), parts
        self.env.reset()
        self.masks = np.zeros((games, library.MASK_WORDS), np.uint64)
        self.actions, self.ended = np.zeros(games, np.uint32), np.zeros(games, np.uint8)
        self.rngs = np.random.default_rng(seed).integers(1, 1 << 63, games, np.uint64)

    def turn(self) -> int:
        """Make a move in every game; return the number of decisions."""
        self.env.write_masks(self.masks)
        given = (self.masks, self.rngs, self.actions)
        decisions = choose_in_parts(*given, self.parts) if self.parts > 1 else choose(*given, 0, self.actions.size)
        self.env.step_autoreset(self.actions, self.ended)
        return int(decisions)

    def spread(self, library: Any, length: int) -> None:
        """Replace the games by games of all ages up to ``length`` decisions, as they are in a long run.

        Early decisions take less time than later ones. To save time only a few games are played, and kept at many
        ages; with chance seeded anew, equal boards go on differently.
        """
        few = Turns(library, -(-self.actions.size // STAGES), seed=1)
        ages = []
        for _ in range(STAGES):
            ages.append(np.zeros((few.actions.size, library.SNAPSHOT_BYTES), np.uint8))
            few.env.save_snapshots(ages[-1])
            for _ in range(length // STAGES):
                few.turn()
        self.env.load_snapshots(np.concatenate(ages)[: self.actions.size])
        self.env.reseed(np.arange(self.actions.size, dtype=np.uint64))


def batch(games: int, passive: bool = False) -> Work:
    """Return work that makes a move in each of ``games`` games.

    Args:
        games: The size of the batch.
        passive: Whether OpenMP's threads sleep while they wait, instead of keeping their cores busy, as they do by
            default: that is quicker while no other program needs a core, and far slower otherwise. Only beside
            threads that sleep can others share the choice.
    """
    if passive:
        os.environ["OMP_WAIT_POLICY"] = "PASSIVE"  # read when the library is loaded
    library = importlib.import_module("fastcatan")
    turns = Turns(library, games, seed=0, parts=min(threads(), games // SHARED) if passive else 1)
    turns.spread(library, LENGTH)
    return turns.turn
