"""What the rails know of a position: four fields of its record."""

from __future__ import annotations

from typing import Any

import numpy as np

from endeavor_env.kernels.intrinsics import record_at
from endeavor_env.kernels.kernels import inlined

HEADER_FIELDS = {
    "num_seats": 50,
    "variant": 51,  # a number that the game gives a meaning
    "decision": 55,  # what kind of move is asked for, a number that the game gives a meaning
    "seat": 56,  # whose decision it is; NONE when the game is over, CHANCE before a draw
}
"""The fields, all int8, and the bytes at which they lie in every game. They leave room before them for the widest
fields; positions of Endeavor that were stored before there were rails have them there."""
HEADER = np.dtype(
    (
        np.record,
        np.dtype(
            {
                "names": list(HEADER_FIELDS),
                "formats": [np.int8] * len(HEADER_FIELDS),
                "offsets": list(HEADER_FIELDS.values()),
                "itemsize": 64,
            }
        ),
    )
)
"""A position as the rails see it."""
header_of = record_at(HEADER)
"""``header_of(position)``: the HEADER of a position, a row of words or the record of its game."""


@inlined
def copy_words(source, target):
    """Copy a position, given as a row of words."""
    for word in range(source.size):
        target[word] = source[word]


def check_header(record: np.dtype[np.void]) -> None:
    """Raise TypeError unless positions of a game have the fields of HEADER where they belong."""
    fields: Any = record.fields or {}
    for name, place in HEADER_FIELDS.items():
        if name not in fields or fields[name][:2] != (np.int8, place):
            raise TypeError(f"a position must have the field {name}, int8, at byte {place}")
    if record.itemsize % 8 or record.itemsize < HEADER.itemsize:
        raise TypeError(f"a position has {record.itemsize} bytes: give a multiple of 8, at least {HEADER.itemsize}")
