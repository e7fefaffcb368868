"""Rows of small integers, copied, compared and scaled as vectors: what observations are written with.

Each is an instruction of a fixed number of entries, its ``size``: ``copied(40)`` is a function (source, row, out, at)
that kernels call. A source may have several rows of the fixed length; ``row`` is the number of one.

Loops that Numba compiles cannot become vectors, because LLVM does not know that source and target are apart. For 40
entries ``scaled`` takes 6 ns (a loop 16), ``copied`` 0.5 (390), ``relabelled`` 2.6 (210), ``one_hots`` 10 (1,080).
"""

from __future__ import annotations

import numpy as np

from endeavor_env.kernels.instructions import GROUP, groups, instruction
from endeavor_env.kernels.kernels import kernel


# --- bytes -----------------------------------------------------------------------------------------------------------
@instruction
def copied(code, source, row, out, at, *, size):
    """Copy a row to ``out[at:]``, an array of the same kind."""
    code.copy(out, at, source, row * size, size)


@instruction
def clipped(code, source, row, out, at, *, size):
    """Copy a row of int16 to bytes ``out[at:]``, each in [0, 127]."""
    counts = code.load(source, row * size, range(size))
    code.store(out, at, range(size), code.minimum(code.maximum(counts, 0), 127))


@instruction
def relabelled(code, source, places, out, at, *, size, labels, step):
    """Copy bytes to ``out[at:]`` and rename the labels in them.

    Labels are the numbers below ``labels``, alone or with a multiple of ``step`` added, a power of 2. Label s gets the
    number in the s-th four bits of ``places`` instead of s, and what was added to it stays, as do values below 0.
    """
    kept = 127 & -step  # all bits but those of a label and the sign, so that no value below 0 is a label
    found = code.load(source, 0, range(size))
    others = found & kept
    renamed = known = found ^ others
    for label in range(labels):
        renamed = code.where(known == label, places >> 4 * label & 15, renamed)
    code.store(out, at, range(size), renamed | others)


# --- floats ----------------------------------------------------------------------------------------------------------
@instruction
def scaled(code, source, row, factor, most, out, at, *, size):
    """Write a row of counts, at least 0, times ``factor`` and at most ``most``, as float32 to ``out[at:]``.

    It is computed in float64. ``factor`` is a number, or an array of ``size`` numbers.
    """
    for group in groups(size):
        counts = code.maximum(code.load(source, row * size, group), 0)
        by = code.load(factor, 0, group) if code.is_array(factor) else factor
        code.store(out, at, group, code.minimum(counts.astype(np.float64) * by, most))


@instruction
def scaled_beyond(code, source, row, limit, factor, most, out, at, *, size):
    """Do as ``scaled`` with what exceeds a limit; ``factor`` is a number."""
    for group in groups(size):
        above = code.maximum(code.load(source, row * size, group) - limit, 0)
        code.store(out, at, group, code.minimum(above.astype(np.float64) * factor, most))


@instruction
def byte_shares(code, bits, factor, out, at, *, size):
    """Write the lowest ``size`` bytes of an int64 as float32 to ``out[at:]``.

    Each byte counts as a number of 0 to 255 and is multiplied by ``factor``, a power of 2, so that nothing is rounded.
    """
    shares = (code.bytes_of(bits).astype(np.int32) & 255).astype(np.float32) * factor
    for group in groups(size):
        code.store(out, at, group, shares[group])


@instruction
def one_hot(code, index, out, at, *, size):
    """Write ``size`` float32 to ``out[at:]``: 1 at ``index``, which may be none of them, and else 0."""
    for group in groups(size):
        code.store(out, at, group, code.indices(group) == index)


@instruction
def flags_below(code, count, out, at, *, size):
    """Write ``size`` float32 to ``out[at:]``: 1 at indices below ``count``, and else 0."""
    for group in groups(size):
        code.store(out, at, group, code.indices(group) < count)


@instruction
def one_hots(code, source, start, columns, out, at, *, rows, size):
    """Write a row of ``size`` float32 for each of many bytes to ``out[at:]``.

    The bytes are ``rows`` entries of ``source`` from ``start`` on, a multiple of 8 of them. In the row of a byte there
    is a 1 in the column that stands for its value, if any, and else 0. What column i stands for is byte i of
    ``columns``, an int64.
    """
    columns_of_group, bytes_of_group = [*range(size)] * GROUP, [row for row in range(GROUP) for _ in range(size)]
    wanted = code.bytes_of(columns)[columns_of_group]
    for first in range(0, rows, GROUP):
        found = code.load(source, start, range(first, first + GROUP))[bytes_of_group]
        code.store(out, at, range(first * size, (first + GROUP) * size), found == wanted)


@instruction
def zeros(code, out, at, *, size):
    """Write ``size`` zeros to ``out[at:]``."""
    code.clear(out, at, size)


# --- int64 as eight bytes --------------------------------------------------------------------------------------------
@kernel
def byte_counts(bits):
    """Return an int64 whose bytes are the numbers of bits in the bytes of ``bits``, which is at least 0."""
    pairs = bits - (bits >> 1 & 0x5555555555555555)
    fours = (pairs & 0x3333333333333333) + (pairs >> 2 & 0x3333333333333333)
    return fours + (fours >> 4) & 0x0F0F0F0F0F0F0F0F


@kernel
def repeated_byte(value):
    """Return an int64 whose eight bytes are all the lowest byte of ``value``."""
    byte = np.int64(value) & 255
    two = byte | byte << 8
    four = two | two << 16
    return four | four << 32


@instruction
def places_of_values(code, source, start) -> int:
    """Return where each of the values 0 to 7 stands in the eight bytes from ``start`` on.

    Byte v of the int64 is about value v: its bit 7 - i, so the highest for i = 0, is 1 if the byte i is v.
    """
    backward = [place for _ in range(8) for place in range(7, -1, -1)]
    found = code.load(source, start, range(8))[backward]
    return code.word_of(found == [value for value in range(8) for _ in range(8)])
