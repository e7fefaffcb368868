"""The parts of observation layouts and records: axes, fields, and rows laid end to end."""

from __future__ import annotations

import hashlib
from math import prod
from typing import Any, NamedTuple

import numpy as np

from endeavor_env.endeavor.rules import constants as c
from endeavor_env.kernels.kernels import constants

# --- The axes of observations: what the entries of their rows count, and how many there are --------------------------

HARBOR_STEPS = 6
"""Number of flags of ``harbor_at_least``: at least 1, 2, ... 6 discs."""
SIZES = {  # entries along each axis; "" is that of a single number
    "": 1,
    "players": c.MAX_PLAYERS - c.MIN_PLAYERS + 1,
    "phase": len(c.PHASE_NAMES),
    "decision": c.NUM_DECISIONS,
    "mode": len(c.MODE_NAMES),
    "action": len(c.ACTION_NAMES),
    "part": c.MAX_ACTION_PARTS,
    "discs": HARBOR_STEPS,
    "position": c.CARDS_PER_DECK + 1,
    "track space": c.MAX_TRACK,
    "space": c.NUM_SPACES,
    "relative seat": c.MAX_SEATS,
    "status": c.NUM_STATUSES,
    "token kind": c.NUM_TOKEN_KINDS,
    "building": c.MAX_BUILDING_TYPES,
    "region": c.NUM_REGIONS,
    "deck": c.NUM_DECKS,
    "card": c.NUM_CARDS,
    "city": c.MAX_CITIES,
    "connection": c.MAX_CONNECTIONS,
    "exploit": c.NUM_EXPLOITS,
    "city of the tile": len(c.TILE_CITY_NAMES),
    "city or city of the tile": c.NUM_ALL_CITIES,
}


# --- What a record is made of: its fields ----------------------------------------------------------------------------


class Field(NamedTuple):
    """One field of a record."""

    name: str
    kind: type[np.signedinteger[Any]]
    shape: tuple[int, ...] = ()
    default: int = 0
    """Initial value of every entry, which also stays in rows that are not in use."""


# --- What every observation layout is made of ------------------------------------------------------------------------
# Rows of a table, laid end to end, and their offsets for the kernels.
# A layout is a table of rows, one for each named part of the vector. ``lay_out`` computes the place of every row, and
# ``row_offsets`` makes the places available to a kernel by name. A new row is therefore one line of a table and the
# lines of the kernel that fill it. A further table has a kernel of its own, which ``write`` calls after those before
# it:
#
#     ROWS = (*VARIANT_FEATURE_ROWS, ("embargo", ("region",), 0, 1, "flags", "no ship may go there", "X1.1"))
#     EMBARGO_FEATURES = lay_out(ROWS, VARIANT_SIZES)
#     _AT = row_offsets(EMBARGO_FEATURES)
#
#     @kernel
#     def write_embargo(state, out):
#         for region in range(c.NUM_REGIONS):
#             out[_AT.embargo + region] = state.embargo[region]
#
# Rows are only ever appended: a longer layout begins with the rows of the shorter one at the same offsets, so the
# kernels of the shorter one fill the beginning of the longer one too.


class Slice(NamedTuple):
    """One named, contiguous part of an observation vector."""

    name: str
    """Unique within its layout; an identifier."""
    offset: int
    """Index of its first entry."""
    shape: tuple[int, ...]
    """Shape after ``reshape``; the vector holds it in C order."""
    axes: tuple[str, ...]
    """Name of each axis of ``shape``."""
    low: float
    """Smallest value an entry can take."""
    high: float
    """Largest value an entry can take."""
    encoding: str
    """One of ``ENCODINGS``."""
    meaning: str
    """One sentence."""
    clause: str
    """Clause of the rules that makes it matter."""

    @property
    def size(self) -> int:
        """Number of entries."""
        return prod(self.shape)

    @property
    def span(self) -> slice:
        """Its range of indices: ``vector[part.span]`` are its entries."""
        return slice(self.offset, self.offset + self.size)


Row = tuple[str, tuple[str, ...], float, float, str, str, str]
"""One line of a table: name, axes, low, high, encoding, meaning and clause, as in ``Slice``."""

ENCODINGS = {
    "one-hot": "0 or 1, exactly one 1 along the last axis",
    "one-hot or zeros": "0 or 1, at most one 1 along the last axis",
    "flags": "0 or 1, each for itself",
    "scaled": "a count divided by the stated number, clipped to the range",
    "code": "a sum of distinct powers of 1/2, each standing for one place; exact in float32, so nothing is lost",
    "number": "the number itself, clipped to the range",
    "id": "an index, or -1 for none",
    "relative seat": "a relative seat, or -1 for none",
    "relative side": "a relative side, -1 for none, -2 for a shipping space that takes no disc",
    "place": "relative seat that holds the card face up, -1 in a pile, -2 out of the game, -3 kept by the Opposition "
    "for its Glory, -4 on the stack of the Haitian Revolution, 8 + relative seat for a card that lies face down",
    "bits": "a sum of 2^n over the regions n that apply",
}


def lay_out(rows: tuple[Row, ...], sizes: dict[str, int]) -> tuple[Slice, ...]:
    """Return the slices of ``rows``, end to end.

    Args:
        rows: The table. Join tables to extend a layout; the rows of the first keep their offsets.
        sizes: Number of entries along each axis, by the axis's name.

    Raises:
        ValueError: Two rows have the same name.
    """
    slices, offset, names = [], 0, set()
    for name, axes, low, high, encoding, meaning, clause in rows:
        if name in names:
            raise ValueError(f"two rows of an observation layout are called {name!r}: every row needs its own name")
        names.add(name)
        shape = tuple(sizes[axis] for axis in axes)
        slices.append(Slice(name, offset, shape, axes, float(low), float(high), encoding, meaning, clause))
        offset += prod(shape)
    return tuple(slices)


def replace_rows(rows: tuple[Row, ...], changes: tuple[Row, ...]) -> tuple[Row, ...]:
    """Return ``rows`` with each of ``changes`` in the place of the row of the same name.

    The axes of a changed row must have the sizes of those it had, so that all offsets stay.
    """
    changed = {row[0]: row for row in changes}
    return tuple(changed.get(row[0], row) for row in rows)


def layout_size(slices: tuple[Slice, ...]) -> int:
    """Return the length of the vector."""
    return slices[-1].offset + slices[-1].size


def row_offsets(slices: tuple[Slice, ...]) -> Any:
    """Return the offset of every slice as a constant of kernels: ``_AT.round`` is where ``round`` begins."""
    return constants("row_offsets", {part.name: part.offset for part in slices})


def layout_hash(name: str, version: int, slices: tuple[Slice, ...]) -> str:
    """Return 16 hex digits that change with any name, place, shape, range or encoding of a layout, not with prose."""
    text = ";".join(f"{s.name}:{s.offset}:{s.shape}:{s.axes}:{s.low}:{s.high}:{s.encoding}" for s in slices)
    return hashlib.sha256(f"{name};{version};{text}".encode()).hexdigest()[:16]
