"""Masks: legal actions as bits, and the random choice among them."""

from __future__ import annotations

import numpy as np

from endeavor_env.engine.kernels.rng import next_below
from endeavor_env.engine.kernels.rules import MAX_WORDS
from endeavor_env.kernels import intrinsics
from endeavor_env.kernels.kernels import inlined, kernel

# --- Masks: the legal actions of a decision as bits, 64 action ids in each int64 word, the lowest bit first ----------
# Kernels mark, count and choose actions in words; there is no byte for each action before an interface wants it
# (``write_bytes``). Words may be scratch of the caller or lie on the stack (``new_words``). A function that marks
# actions may be given words without entries (``only_asks``): it then only says whether there is anything to mark.

BITS = intrinsics.BITS
"""Action ids in a word."""
USUAL = 4
"""Legal actions of a word that are passed over without a branch; few decisions offer more."""


def words_of(actions: int) -> int:
    """Return the number of words of a mask of so many ``actions``."""
    return -(-actions // BITS)


new_words = intrinsics.words_on_stack(MAX_WORDS)
"""``new_words(size)``: scratch words for a mask on the stack of the kernel, with any contents."""
only_asks = intrinsics.no_words
"""``only_asks()``: words without entries, by which a marking function is asked whether there is anything to mark."""


# --- marking ---------------------------------------------------------------------------------------------------------
@inlined
def allow(words, action):
    """Mark ``action`` as legal."""
    words[action // BITS] |= np.int64(1) << np.int64(action % BITS)


@inlined
def allow_all(words, actions):
    """Mark all ids below ``actions`` as legal."""
    words[:] = -1
    if actions % BITS > 0:
        words[actions // BITS] = (np.int64(1) << np.int64(actions % BITS)) - np.int64(1)


@inlined
def forbid(words, action):
    """Take the mark of ``action`` back."""
    words[action // BITS] &= ~(np.int64(1) << np.int64(action % BITS))


@inlined
def allow_set(words, offset, members):
    """Mark the actions ``offset + i`` for all i of the set ``members`` (``endeavor.rules.bits``)."""
    word, shift = offset // BITS, np.int64(offset % BITS)
    words[word] |= members << shift
    if shift > 0 and word + 1 < words.size:  # they may reach into the next word; no branch that depends on them
        words[word + 1] |= members >> (np.int64(BITS) - shift)


@inlined
def forbid_block(words, offset, size):
    """Take back the marks of the ``size`` actions, at most 62, from ``offset`` on."""
    forbid_set(words, offset, (np.int64(1) << np.int64(size)) - np.int64(1))


@inlined
def forbid_set(words, offset, members):
    """Take back the marks of the actions ``offset + i`` for all i of the set ``members``."""
    word, shift = offset // BITS, np.int64(offset % BITS)
    words[word] &= ~(members << shift)
    if shift > 0 and word + 1 < words.size:
        words[word + 1] &= ~(members >> (np.int64(BITS) - shift))


# --- reading ---------------------------------------------------------------------------------------------------------
@inlined
def is_allowed(words, action):
    """Return whether ``action``, an id below the end of the words, is legal."""
    return (words[action // BITS] >> np.int64(action % BITS)) & np.int64(1) == 1


@inlined
def count_allowed(words):
    """Return the number of legal actions."""
    allowed = np.int64(0)
    for word in range(words.size):
        allowed += intrinsics.count_bits(words[word])
    return allowed


@inlined
def nth_allowed(words, n):
    """Return the legal action before which exactly ``n`` others come; there must be more than ``n``."""
    word = np.int64(0)
    for index in range(words.size - 1):  # over all words, because no processor can tell where a search would end
        inside = intrinsics.count_bits(words[index])
        beyond = np.int64((word == index) & (n >= inside))
        n -= inside * beyond
        word += beyond
    bits = words[word]
    for _ in range(USUAL):  # no branch, because no processor can tell how many there will be
        more = np.int64(n > 0)
        bits &= bits - more  # without the lowest
        n -= more
    for _ in range(n):
        bits &= bits - np.int64(1)
    return word * BITS + intrinsics.lowest_bit(bits)


# --- other forms of a mask -------------------------------------------------------------------------------------------
@kernel
def write_bytes(words, mask):
    """Write the mask as ``mask``, (actions,) int8: 1 = legal; entries of ids that the words do not have become 0."""
    end = min(mask.size, words.size * BITS)
    whole = end // BITS
    for word in range(whole):
        intrinsics.spread_bits(words[word], mask, word * BITS)
    for action in range(whole * BITS, end):
        mask[action] = (words[whole] >> np.int64(action - whole * BITS)) & np.int64(1)
    for action in range(end, mask.size):
        mask[action] = 0


@kernel
def read_bytes(mask, words):
    """Write the legal actions of ``mask``, (actions,) int8 of 0 and 1, as ``words``."""
    whole = mask.size // BITS
    for word in range(whole):
        words[word] = intrinsics.gather_bits(mask, word * BITS)
    for word in range(whole, words.size):
        words[word] = 0
    for action in range(whole * BITS, mask.size):
        words[whole] |= np.int64(mask[action]) << np.int64(action - whole * BITS)


@kernel
def write_ids(words, ids):
    """Write the legal action ids, ascending, to ``ids``, int16 and long enough; return how many there are."""
    found = np.int64(0)
    for word in range(words.size):
        bits = words[word]
        for _ in range(intrinsics.count_bits(bits)):
            lowest = intrinsics.lowest_bit(bits)
            ids[found] = word * BITS + lowest
            found += 1
            bits ^= np.int64(1) << lowest
    return found


# --- The random player: any legal action, each as likely as the others -----------------------------------------------


@inlined
def choose_move(words, rng):
    """Return a uniformly random legal action of a mask in ``words``; -1 if there is none."""
    count = count_allowed(words)
    return nth_allowed(words, next_below(rng, count)) if count > 0 else np.int64(-1)


@kernel
def count_legal(mask):
    """Return the number of legal actions of ``mask``, (n,) int8."""
    count = np.int32(0)  # 32 bits wide, so that the processor adds many entries at a time
    for action in range(mask.size):
        count = np.int32(count + np.int32(mask[action]))
    return np.int64(count)


@kernel
def choose(mask, rng):
    """Return a uniformly random legal action of ``mask``, int8; -1 if there is none, -2 if it is not all 0 and 1."""
    other_bits = np.int8(0)
    for action in range(mask.size):
        other_bits |= mask[action] & np.int8(-2)
    if other_bits != 0:
        return np.int64(-2)
    words = new_words(-(-mask.size // BITS))
    read_bytes(mask, words)
    return choose_move(words, rng)
