"""The flat action-id layout: contiguous blocks in a fixed, append-only order (notation, sections 2 and 3).

An id is ``offset of its block + index``. Blocks are sized by board limits, so an id means the same on every board.
New blocks are only ever appended; a network trained on the base game keeps the meaning of its outputs.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from endeavor_env.core.constants import MAX_BUILDING_TYPES, MAX_CITIES, NUM_BLUE, NUM_CARDS, NUM_DECKS, NUM_REGIONS

LAYOUT_VERSION = 1


class Block(NamedTuple):
    """One contiguous range of action ids."""

    name: str
    """Upper-case name of the block."""
    verb: str
    """The move's word in notation, ``verb:target`` (or the bare verb if ``targets`` is "nothing")."""
    offset: int
    """First id."""
    size: int
    """Number of ids."""
    targets: str
    """What the index within the block counts."""


_SIZES = (
    ("BUILD", "build", MAX_BUILDING_TYPES, "building"),
    ("ACTIVATE", "activate", MAX_BUILDING_TYPES, "building"),
    ("SPEND", "spend", NUM_BLUE, "blue token kind"),
    ("PASS", "pass", 1, "nothing"),
    ("DONE", "done", 1, "nothing"),
    ("SAIL", "sail", NUM_REGIONS, "region"),
    ("OCCUPY", "occupy", MAX_CITIES, "city"),
    ("ATTACK", "attack", MAX_CITIES, "city"),
    ("DRAW", "draw", NUM_DECKS, "deck"),
    ("PAY", "pay", MAX_BUILDING_TYPES, "building"),
    ("DISCARD", "discard", NUM_CARDS, "card"),
)


def _lay_out() -> tuple[Block, ...]:
    blocks, offset = [], 0
    for name, verb, size, targets in _SIZES:
        blocks.append(Block(name, verb, offset, size, targets))
        offset += size
    return tuple(blocks)


BLOCKS = _lay_out()
NUM_ACTIONS = BLOCKS[-1].offset + BLOCKS[-1].size

# The offsets again as plain ints, because kernels compile them in.
BUILD_AT = BLOCKS[0].offset
ACTIVATE_AT = BLOCKS[1].offset
SPEND_AT = BLOCKS[2].offset
PASS_AT = BLOCKS[3].offset
DONE_AT = BLOCKS[4].offset
SAIL_AT = BLOCKS[5].offset
OCCUPY_AT = BLOCKS[6].offset
ATTACK_AT = BLOCKS[7].offset
DRAW_AT = BLOCKS[8].offset
PAY_AT = BLOCKS[9].offset
DISCARD_AT = BLOCKS[10].offset


def layout_hash() -> str:
    """Returns 16 hex digits of the layout; checkpoints carry it and loading compares it."""
    text = f"{LAYOUT_VERSION};" + ";".join(f"{b.name}:{b.verb}:{b.offset}:{b.size}:{b.targets}" for b in BLOCKS)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
