"""The flat action-id layout: contiguous blocks in a fixed, append-only order (notation, sections 2 and 3).

An id is ``offset of its block + index``. Blocks are sized by board limits, so an id means the same on every board.
New blocks are only ever appended; a network trained on the base game keeps the meaning of its outputs. The base game
has the first ``NUM_ACTIONS`` ids, every other variant all of them.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from endeavor_env.core import constants as c

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
    ("BUILD", "build", c.MAX_BUILDING_TYPES, "building"),
    ("ACTIVATE", "activate", c.MAX_BUILDING_TYPES, "building"),
    ("SPEND", "spend", c.NUM_BLUE, "blue token kind"),
    ("PASS", "pass", 1, "nothing"),
    ("DONE", "done", 1, "nothing"),
    ("SAIL", "sail", c.NUM_REGIONS, "region"),
    ("OCCUPY", "occupy", c.MAX_CITIES, "city"),
    ("ATTACK", "attack", c.MAX_CITIES, "city"),
    ("DRAW", "draw", c.NUM_DECKS, "deck"),
    ("PAY", "pay", c.MAX_BUILDING_TYPES, "building"),
    ("DISCARD", "discard", c.NUM_CARDS, "card"),
    # from here on: moves of the variants only
    ("REMOVE_SPACE", "remove", c.NUM_REGIONS * c.MAX_TRACK, "shipping space"),
    ("REMOVE_CITY", "remove", c.MAX_CITIES, "city"),
    ("NEUTRAL_SAIL", "neutral_sail", c.NUM_REGIONS, "region"),
    ("NEUTRAL_OCCUPY", "neutral_occupy", c.MAX_CITIES, "city"),
    ("TAKE", "take", c.NUM_STATUSES, "status"),
)
_BASE_BLOCKS = 11  # BUILD to DISCARD


def _lay_out() -> tuple[Block, ...]:
    blocks, offset = [], 0
    for name, verb, size, targets in _SIZES:
        blocks.append(Block(name, verb, offset, size, targets))
        offset += size
    return tuple(blocks)


BLOCKS = _lay_out()
NUM_ACTIONS = BLOCKS[_BASE_BLOCKS].offset
"""Ids of the base game, variant "standard"; the first ids of every variant."""
NUM_VARIANT_ACTIONS = BLOCKS[-1].offset + BLOCKS[-1].size
"""Ids of all other variants."""

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
REMOVE_SPACE_AT = BLOCKS[11].offset  # region r, n-th from the far end: + r * MAX_TRACK + n - 1
REMOVE_CITY_AT = BLOCKS[12].offset
NEUTRAL_SAIL_AT = BLOCKS[13].offset
NEUTRAL_OCCUPY_AT = BLOCKS[14].offset
TAKE_AT = BLOCKS[15].offset


def num_actions(variant: str) -> int:
    """Returns the number of action ids of a variant: a mask has this many entries, a network this many outputs."""
    return NUM_ACTIONS if variant == c.VARIANT_NAMES[0] else NUM_VARIANT_ACTIONS


def layout_hash(size: int = NUM_ACTIONS) -> str:
    """Returns 16 hex digits of the first ``size`` ids; checkpoints carry it and loading compares it."""
    blocks = [b for b in BLOCKS if b.offset < size]
    text = f"{LAYOUT_VERSION};" + ";".join(f"{b.name}:{b.verb}:{b.offset}:{b.size}:{b.targets}" for b in blocks)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
