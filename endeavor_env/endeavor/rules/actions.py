"""The action ids: one table of blocks, and which rulesets have which of them (notation, sections 2 and 3).

An id is ``offset of its block + index``. Blocks are sized by board limits, so an id means the same on every board. They
stand in a fixed order, and new ones are only appended: a network trained on the base game keeps the meaning of its
outputs. A *ruleset* has some families of blocks; its ids go up to the end of its last block. Appending a family changes
neither size nor hash of a ruleset that does not have it.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

import numpy as np

from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules import exploit_additions as exploits
from endeavor_env.engine.kernels.masks import words_of

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
    """Kind of things that the index within the block numbers."""
    family: str
    """Family that a ruleset must have for these ids to occur."""

    @property
    def end(self) -> int:
        """The first id after the block."""
        return self.offset + self.size


# --- the table: append rows at the end, never insert; those of the Exploits stand in their own files ------------------
_ROWS = (  # name, verb, size, what the index counts, family
    ("BUILD", "build", c.MAX_BUILDING_TYPES, "building", "base"),
    ("ACTIVATE", "activate", c.MAX_BUILDING_TYPES, "building", "base"),
    ("SPEND", "spend", c.NUM_BLUE, "blue token kind", "base"),
    ("PASS", "pass", 1, "nothing", "base"),
    ("DONE", "done", 1, "nothing", "base"),
    ("SAIL", "sail", c.NUM_REGIONS, "region", "base"),
    ("OCCUPY", "occupy", c.MAX_CITIES, "city", "base"),
    ("ATTACK", "attack", c.MAX_CITIES, "city", "base"),
    ("DRAW", "draw", c.NUM_DECKS, "deck", "base"),
    ("PAY", "pay", c.MAX_BUILDING_TYPES, "building", "base"),
    ("DISCARD", "discard", c.NUM_CARDS, "card", "base"),
    ("REMOVE_SPACE", "remove", c.NUM_REGIONS * c.MAX_TRACK, "shipping space", "variants"),
    ("REMOVE_CITY", "remove", c.MAX_CITIES, "city", "variants"),
    ("NEUTRAL_SAIL", "neutral_sail", c.NUM_REGIONS, "region", "variants"),
    ("NEUTRAL_OCCUPY", "neutral_occupy", c.MAX_CITIES, "city", "variants"),
    ("TAKE", "take", c.NUM_STATUSES, "status", "variants"),
    *((block.name, block.name.lower(), block.size, block.targets, "exploits") for block in exploits.BLOCKS),
)
_FAMILIES = {"base": ("base",), "variants": ("base", "variants"), "exploits": ("base", "exploits")}  # of each ruleset
_RULESETS_OF_VARIANTS = ("base", "variants", "variants", "variants", "variants", "exploits")  # as VARIANT_NAMES


def _of_exploits(decision: int) -> tuple[str, ...]:
    """Return the blocks of the Exploits that a kind of decision may offer."""
    return tuple(block.name for block in exploits.BLOCKS if decision in block.decisions)


_PARTS = ("SAIL", "OCCUPY", "ATTACK", "DRAW")
DECISION_BLOCKS = {  # which blocks each kind of decision may offer (notation, section 3)
    c.DECIDE_NOTHING: (),
    c.DECIDE_BUILD: ("BUILD",),
    c.DECIDE_SALARY: ("PAY",),
    c.DECIDE_TURN: ("ACTIVATE", "SPEND", "PASS", *_of_exploits(c.DECIDE_TURN)),
    c.DECIDE_TARGET: ("DONE", *_PARTS, "PAY", *_of_exploits(c.DECIDE_TARGET)),
    c.DECIDE_DISCARD: ("DONE", "DISCARD"),
    c.DECIDE_ROUND_END_DISCARD: ("DISCARD",),
    c.DECIDE_REMOVE: ("REMOVE_SPACE",),
    c.DECIDE_NEUTRAL: ("DONE", "NEUTRAL_SAIL", "NEUTRAL_OCCUPY"),
    c.DECIDE_OPPOSITION: (*_PARTS, "DISCARD", "REMOVE_CITY", "TAKE"),
    c.DECIDE_FOLLOW_UP: ("DONE", *_PARTS, "PAY", *_of_exploits(c.DECIDE_FOLLOW_UP)),
}


# --- what follows from the table --------------------------------------------------------------------------------------


def _lay_out() -> tuple[Block, ...]:
    """Return the blocks end to end."""
    blocks, offset = [], 0
    for name, verb, size, targets, family in _ROWS:
        blocks.append(Block(name, verb, offset, size, targets, family))
        offset += size
    return tuple(blocks)


BLOCKS = _lay_out()
NUM_IDS = BLOCKS[-1].end
"""Ids of all blocks together."""
OFFSETS = {block.name: block.offset for block in BLOCKS}


class Ruleset(NamedTuple):
    """The action ids of one kind of game."""

    name: str
    """Name in RULESETS."""
    blocks: tuple[Block, ...]
    """Its blocks in the order of their ids."""
    num_actions: int
    """Number of ids: entries of its masks, outputs of its networks."""
    hash: str
    """16 hex digits that change with any of its blocks."""


def _ruleset(name: str) -> Ruleset:
    """Return the ruleset of this name."""
    blocks = tuple(block for block in BLOCKS if block.family in _FAMILIES[name])
    text = f"{LAYOUT_VERSION};" + ";".join(f"{b.name}:{b.verb}:{b.offset}:{b.size}:{b.targets}" for b in blocks)
    return Ruleset(name, blocks, blocks[-1].end, hashlib.sha256(text.encode()).hexdigest()[:16])


RULESETS = {name: _ruleset(name) for name in _FAMILIES}
NUM_ACTIONS = RULESETS["base"].num_actions
"""Ids of the base game; the first ids of every ruleset."""
NUM_VARIANT_ACTIONS = RULESETS["variants"].num_actions
MASK_SIZES = tuple(ruleset.num_actions for ruleset in RULESETS.values())
"""Ids of the variants."""


def ruleset_of(variant: str) -> Ruleset:
    """Return the ruleset of a variant, a name of VARIANT_NAMES."""
    return RULESETS[_RULESETS_OF_VARIANTS[c.VARIANT_NAMES.index(variant)]]


def num_actions(variant: str) -> int:
    """Return the number of action ids of a variant: a mask has this many entries, a network this many outputs."""
    return ruleset_of(variant).num_actions


NUM_WORDS = np.array([words_of(num_actions(variant)) for variant in c.VARIANT_NAMES], np.int64)
"""(NUM_VARIANTS,) int64: the words of the masks of each variant."""


def layout_hash(variant: str = "standard") -> str:
    """Return the hash of a variant's action ids; checkpoints carry it and loading compares it."""
    return ruleset_of(variant).hash


# --- the same for kernels, which compile plain ints and constant arrays in -------------------------------------------
BUILD_AT = OFFSETS["BUILD"]
ACTIVATE_AT = OFFSETS["ACTIVATE"]
SPEND_AT = OFFSETS["SPEND"]
PASS_AT = OFFSETS["PASS"]
DONE_AT = OFFSETS["DONE"]
SAIL_AT = OFFSETS["SAIL"]
OCCUPY_AT = OFFSETS["OCCUPY"]
ATTACK_AT = OFFSETS["ATTACK"]
DRAW_AT = OFFSETS["DRAW"]
PAY_AT = OFFSETS["PAY"]
DISCARD_AT = OFFSETS["DISCARD"]
REMOVE_SPACE_AT = OFFSETS["REMOVE_SPACE"]  # region r, n-th from the far end: + r * MAX_TRACK + n - 1
REMOVE_CITY_AT = OFFSETS["REMOVE_CITY"]
NEUTRAL_SAIL_AT = OFFSETS["NEUTRAL_SAIL"]
NEUTRAL_OCCUPY_AT = OFFSETS["NEUTRAL_OCCUPY"]
TAKE_AT = OFFSETS["TAKE"]

OFFSET_OF = np.repeat([block.offset for block in BLOCKS], [block.size for block in BLOCKS]).astype(np.int64)
"""(NUM_IDS,) int64: the offset of the block that an id belongs to, which names the block; id - offset is its index."""

_PART_OF_OFFSET = {SAIL_AT: c.SAIL, OCCUPY_AT: c.OCCUPY, ATTACK_AT: c.ATTACK, DRAW_AT: c.DRAW, PAY_AT: c.PAY}
PART_OF = np.array([_PART_OF_OFFSET.get(offset, c.NONE) for offset in OFFSET_OF.tolist()], np.int64)
"""(NUM_IDS,) int64: the part SAIL..PAY that an id is a target of, NONE for other ids."""


def _offered() -> np.ndarray[tuple[int, ...], np.dtype[np.int8]]:
    """Return which ids each kind of decision may offer, 1 = may."""
    offered = np.zeros((c.NUM_ALL_DECISIONS, NUM_IDS), np.int8)
    for block in BLOCKS:
        for decision, names in DECISION_BLOCKS.items():
            offered[decision, block.offset : block.end] = block.name in names
    return offered


OFFERED = _offered()
"""(NUM_ALL_DECISIONS, NUM_IDS) int8: 1 where a kind of decision may offer an id."""
