"""Layouts of observations: rows of a table laid end to end, and their offsets for the kernels that fill them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from math import prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.inputs import plain_text
from endeavor_env.errors import InvalidOptionError, shown
from endeavor_env.kernels.kernels import constants

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
    """How the entries hold what they mean, a name that the game explains; "" where the meaning says it."""
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


Vector = npt.NDArray[Any]


def kind_of(vector: object) -> str:
    """Return what was given instead of an observation, for messages."""
    return f"an array of shape {vector.shape}" if isinstance(vector, np.ndarray) else f"a {type(vector).__name__}"


class Layout:
    """The layout of one kind of observation.

    Attributes:
        name: "features" or "compact", with a word before it where a game has several.
        hash: 16 hex digits that change with its name and slices, and with ``version``.
        version: Raised when the meaning of an entry changes.
        slices: The parts of the vector, in order and without gaps.
        size: Length of the vector.
        dtype: float32 or int8.
        low: (size,) smallest value of each entry, in ``dtype``, read only.
        high: (size,) largest value of each entry.
    """

    def __init__(
        self, name: str, slices: tuple[Slice, ...], dtype: npt.DTypeLike, digest: str, version: int = 1
    ) -> None:
        """Use ``slices``, which follow each other without gaps, and their hash."""
        self.name, self.version, self.hash = name, version, digest
        self.slices = slices
        self.size = slices[-1].offset + slices[-1].size
        self.dtype: np.dtype[Any] = np.dtype(dtype)
        self.low: npt.NDArray[Any] = np.concatenate([np.full(part.size, part.low, self.dtype) for part in slices])
        self.high: npt.NDArray[Any] = np.concatenate([np.full(part.size, part.high, self.dtype) for part in slices])
        self.low.flags.writeable = self.high.flags.writeable = False
        self._by_name = {part.name: part for part in slices}

    def __getitem__(self, name: str) -> Slice:
        """Return the slice called ``name``; raise InvalidOptionError, listing all names, if there is none."""
        if plain_text(name) not in self._by_name:
            raise InvalidOptionError(
                f"slice {shown(name)} is not in the {self.name} observation: its slices are {', '.join(self._by_name)}"
            )
        return self._by_name[name]

    def __iter__(self) -> Iterator[Slice]:
        """Iterate over the slices in order."""
        return iter(self.slices)

    def __len__(self) -> int:
        """Return the number of slices."""
        return len(self.slices)

    def __repr__(self) -> str:
        return f"<Layout {self.name} v{self.version} {self.hash}: {len(self)} slices, {self.size} x {self.dtype}>"

    def view(self, vector: Vector, name: str) -> Vector:
        """Return one slice of a vector, or of a batch of them, in its own shape.

        Args:
            vector: (..., size).
            name: Name of the slice.

        Returns:
            ``(..., *shape)``, a view if NumPy can make one.

        Raises:
            InvalidOptionError: There is no such slice, or the last axis does not have ``size`` entries.
        """
        part = self[name]
        if not isinstance(vector, np.ndarray) or vector.shape[-1:] != (self.size,):
            raise InvalidOptionError(
                f"{kind_of(vector)} is no {self.name} observation: its last axis must have {self.size} entries"
            )
        return vector[..., part.span].reshape((*vector.shape[:-1], *part.shape))

    def unpack(self, vector: Vector) -> dict[str, Vector]:
        """Return every slice by name, as ``view`` returns it."""
        return {part.name: self.view(vector, part.name) for part in self.slices}
