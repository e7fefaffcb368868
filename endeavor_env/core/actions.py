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
    family: str
    """The family a ruleset must have for these ids to occur."""

    @property
    def end(self) -> int:
        """The first id after the block."""
        return self.offset + self.size


# --- the table: append rows at the end, never insert ------------------------------------------------------------------
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
    ("SALTPETRE_ATTACK", "saltpetre_attack", c.MAX_CITIES, "city", "exploits"),
    ("SALTPETRE_CANNON", "saltpetre_cannon", 1, "industry token", "exploits"),
    ("SALTPETRE_ACTIVATE", "saltpetre_activate", c.MAX_BUILDING_TYPES, "building", "exploits"),
    ("PIRATES_RAID", "pirates_raid", c.MAX_CITIES, "city", "exploits"),
    ("PIRATES_GOVERN", "pirates_govern", c.NUM_CARDS, "card", "exploits"),
    ("IMPERIALISM_SAIL", "imperialism_sail", c.NUM_REGIONS, "region", "exploits"),
    ("IMPERIALISM_CLAIM", "imperialism_claim", c.MAX_CONNECTIONS, "connection", "exploits"),
    ("SPANISH_MAIN_FORTIFY", "spanish_main_fortify", c.MAX_CITIES, "city", "exploits"),
    ("SPANISH_MAIN_PAY", "spanish_main_pay", c.MAX_BUILDING_TYPES, "building", "exploits"),
    ("VOC_RETURN", "voc_return", c.MAX_BUILDING_TYPES, "building", "exploits"),
    ("VOC_TAKE", "voc_take", c.MAX_BUILDING_TYPES, "building", "exploits"),
    ("VOC_OCCUPY", "voc_occupy", 2, "city of the tile", "exploits"),
    ("VOC_ATTACK", "voc_attack", 2, "city of the tile", "exploits"),
    ("VOC_FORTIFY", "voc_fortify", 2, "city of the tile", "exploits"),
    ("JESUITS_MISSION", "jesuits_mission", c.NUM_ALL_CITIES, "city or city of the tile", "exploits"),
    ("JESUITS_MOVE", "jesuits_move", c.NUM_ALL_CITIES + 1, "city, city of the tile or tile", "exploits"),
    ("JESUITS_PLACE", "jesuits_place", c.NUM_ALL_CITIES, "city or city of the tile", "exploits"),
    ("JESUITS_SPEND", "jesuits_spend", 1, "culture token", "exploits"),
    ("SOUTH_SEA_INVEST", "south_sea_invest", 1, "next space", "exploits"),
    ("SOUTH_SEA_CASH", "south_sea_cash", len(c.SHARE_NAMES), "share", "exploits"),
    ("SOUTH_SEA_KEEP", "south_sea_keep", len(c.SHARE_NAMES), "share", "exploits"),
    ("GALLEONS_FROM", "galleons_from", 1 + c.NUM_REGIONS, "Manila or region", "exploits"),
    ("GALLEONS_TO", "galleons_to", c.NUM_REGIONS, "region", "exploits"),
    ("GALLEONS_GIVE", "galleons_give", c.NUM_TOKEN_KINDS, "token kind", "exploits"),
    ("GALLEONS_GET", "galleons_get", c.NUM_SPACES, "space", "exploits"),
    ("GALLEONS_PAY", "galleons_pay", c.MAX_BUILDING_TYPES, "building", "exploits"),
    ("GALLEONS_GAIN", "galleons_gain", 1, "disc", "exploits"),
    ("RAILROAD_DISCARD", "railroad_discard", 1, "slavery card", "exploits"),
    ("RAILROAD_FREE", "railroad_free", c.NUM_STATUSES, "status", "exploits"),
    ("VENUS_PLACE", "venus_place", c.NUM_PACIFIC, "Pacific space", "exploits"),
    ("VENUS_TOKEN", "venus_token", c.NUM_STATUSES + 1, "status or Glory", "exploits"),
    ("VENUS_FINANCE", "venus_finance", c.NUM_FINANCIER, "Financier space", "exploits"),
    ("SUN_PLACE", "sun_place", 1, "disc", "exploits"),
    ("SPICE_PLACE", "spice_place", c.NUM_REGIONS, "region", "exploits"),
    ("SPICE_FINANCE", "spice_finance", c.NUM_REGIONS, "region", "exploits"),
    ("SPICE_POLITICS", "spice_politics", c.NUM_REGIONS, "region", "exploits"),
    ("GLOBALISATION_ATTACK", "globalisation_attack", c.NUM_ALL_CITIES, "city or city of the tile", "exploits"),
    ("GLOBALISATION_SWAP", "globalisation_swap", c.NUM_CARDS, "card", "exploits"),
    ("GLOBALISATION_FOR", "globalisation_for", c.NUM_CARDS, "card", "exploits"),
    ("MARQUE_PUSH", "marque_push", c.NUM_REGIONS * c.MAX_TRACK, "shipping space", "exploits"),
    ("MARQUE_STEAL", "marque_steal", c.NUM_STATUSES, "status", "exploits"),
    ("MARQUE_RECALL", "marque_recall", c.NUM_REGIONS, "region", "exploits"),
    ("HAITI_STACK", "haiti_stack", c.NUM_DECKS, "deck", "exploits"),
    ("HAITI_TAKE", "haiti_take", c.NUM_CARDS, "card", "exploits"),
)
_FAMILIES = {"base": ("base",), "variants": ("base", "variants"), "exploits": ("base", "exploits")}  # of each ruleset
_RULESETS_OF_VARIANTS = ("base", "variants", "variants", "variants", "variants", "exploits")  # as VARIANT_NAMES

_TURN = ("ACTIVATE", "SPEND", "PASS", "SALTPETRE_ACTIVATE")
_PARTS = ("SAIL", "OCCUPY", "ATTACK", "DRAW")
_EXPLOITS = tuple(row[0] for row in _ROWS if row[4] == "exploits")
_FOLLOW_UPS = (
    *("SALTPETRE_CANNON", "SPANISH_MAIN_PAY", "VOC_TAKE", "JESUITS_PLACE", "JESUITS_SPEND", "SOUTH_SEA_CASH"),
    *("SOUTH_SEA_KEEP", "GALLEONS_TO", "GALLEONS_GIVE", "GALLEONS_GET", "GALLEONS_PAY", "GALLEONS_GAIN"),
    *("VENUS_TOKEN", "SPICE_FINANCE", "SPICE_POLITICS", "GLOBALISATION_FOR", "MARQUE_STEAL", "MARQUE_RECALL"),
)
_ONLY_FOLLOW_UPS = (
    *("VOC_TAKE", "JESUITS_PLACE", "JESUITS_SPEND", "SOUTH_SEA_CASH", "SOUTH_SEA_KEEP", "GALLEONS_TO"),
    *("GALLEONS_GIVE", "GALLEONS_GET", "GALLEONS_PAY", "GALLEONS_GAIN", "VENUS_TOKEN", "GLOBALISATION_FOR"),
    "MARQUE_STEAL",
)
_ABILITIES = tuple(name for name in _EXPLOITS if name not in (*_ONLY_FOLLOW_UPS, "SALTPETRE_ACTIVATE"))
DECISION_BLOCKS = {  # which blocks each kind of decision may offer (notation, section 3)
    c.DECIDE_NOTHING: (),
    c.DECIDE_BUILD: ("BUILD",),
    c.DECIDE_SALARY: ("PAY",),
    c.DECIDE_TURN: _TURN,
    c.DECIDE_TARGET: ("DONE", *_PARTS, "PAY", *_ABILITIES),
    c.DECIDE_DISCARD: ("DONE", "DISCARD"),
    c.DECIDE_ROUND_END_DISCARD: ("DISCARD",),
    c.DECIDE_REMOVE: ("REMOVE_SPACE",),
    c.DECIDE_NEUTRAL: ("DONE", "NEUTRAL_SAIL", "NEUTRAL_OCCUPY"),
    c.DECIDE_OPPOSITION: (*_PARTS, "DISCARD", "REMOVE_CITY", "TAKE"),
    c.DECIDE_FOLLOW_UP: ("DONE", *_PARTS, "PAY", *_FOLLOW_UPS),
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

SALTPETRE_ATTACK_AT = OFFSETS["SALTPETRE_ATTACK"]
SALTPETRE_CANNON_AT = OFFSETS["SALTPETRE_CANNON"]
SALTPETRE_ACTIVATE_AT = OFFSETS["SALTPETRE_ACTIVATE"]
PIRATES_RAID_AT = OFFSETS["PIRATES_RAID"]
PIRATES_GOVERN_AT = OFFSETS["PIRATES_GOVERN"]
IMPERIALISM_SAIL_AT = OFFSETS["IMPERIALISM_SAIL"]
IMPERIALISM_CLAIM_AT = OFFSETS["IMPERIALISM_CLAIM"]
SPANISH_MAIN_FORTIFY_AT = OFFSETS["SPANISH_MAIN_FORTIFY"]
SPANISH_MAIN_PAY_AT = OFFSETS["SPANISH_MAIN_PAY"]
VOC_RETURN_AT = OFFSETS["VOC_RETURN"]
VOC_TAKE_AT = OFFSETS["VOC_TAKE"]
VOC_OCCUPY_AT = OFFSETS["VOC_OCCUPY"]
VOC_ATTACK_AT = OFFSETS["VOC_ATTACK"]
VOC_FORTIFY_AT = OFFSETS["VOC_FORTIFY"]
JESUITS_MISSION_AT = OFFSETS["JESUITS_MISSION"]
JESUITS_MOVE_AT = OFFSETS["JESUITS_MOVE"]
JESUITS_PLACE_AT = OFFSETS["JESUITS_PLACE"]
JESUITS_SPEND_AT = OFFSETS["JESUITS_SPEND"]
SOUTH_SEA_INVEST_AT = OFFSETS["SOUTH_SEA_INVEST"]
SOUTH_SEA_CASH_AT = OFFSETS["SOUTH_SEA_CASH"]
SOUTH_SEA_KEEP_AT = OFFSETS["SOUTH_SEA_KEEP"]
GALLEONS_FROM_AT = OFFSETS["GALLEONS_FROM"]
GALLEONS_TO_AT = OFFSETS["GALLEONS_TO"]
GALLEONS_GIVE_AT = OFFSETS["GALLEONS_GIVE"]
GALLEONS_GET_AT = OFFSETS["GALLEONS_GET"]
GALLEONS_PAY_AT = OFFSETS["GALLEONS_PAY"]
GALLEONS_GAIN_AT = OFFSETS["GALLEONS_GAIN"]
RAILROAD_DISCARD_AT = OFFSETS["RAILROAD_DISCARD"]
RAILROAD_FREE_AT = OFFSETS["RAILROAD_FREE"]
VENUS_PLACE_AT = OFFSETS["VENUS_PLACE"]
VENUS_TOKEN_AT = OFFSETS["VENUS_TOKEN"]
VENUS_FINANCE_AT = OFFSETS["VENUS_FINANCE"]
SUN_PLACE_AT = OFFSETS["SUN_PLACE"]
SPICE_PLACE_AT = OFFSETS["SPICE_PLACE"]
SPICE_FINANCE_AT = OFFSETS["SPICE_FINANCE"]
SPICE_POLITICS_AT = OFFSETS["SPICE_POLITICS"]
GLOBALISATION_ATTACK_AT = OFFSETS["GLOBALISATION_ATTACK"]
GLOBALISATION_SWAP_AT = OFFSETS["GLOBALISATION_SWAP"]
GLOBALISATION_FOR_AT = OFFSETS["GLOBALISATION_FOR"]
MARQUE_PUSH_AT = OFFSETS["MARQUE_PUSH"]
MARQUE_STEAL_AT = OFFSETS["MARQUE_STEAL"]
MARQUE_RECALL_AT = OFFSETS["MARQUE_RECALL"]
HAITI_STACK_AT = OFFSETS["HAITI_STACK"]
HAITI_TAKE_AT = OFFSETS["HAITI_TAKE"]

OFFSET_OF = np.repeat([block.offset for block in BLOCKS], [block.size for block in BLOCKS]).astype(np.int64)
"""(NUM_IDS,) int64: the offset of the block that an id belongs to, which names the block; id - offset is its index."""

_PART_OF_OFFSET = {SAIL_AT: c.SAIL, OCCUPY_AT: c.OCCUPY, ATTACK_AT: c.ATTACK, DRAW_AT: c.DRAW, PAY_AT: c.PAY}
PART_OF = np.array([_PART_OF_OFFSET.get(offset, c.NONE) for offset in OFFSET_OF.tolist()], np.int64)
"""(NUM_IDS,) int64: the part SAIL..PAY that an id is a target of, NONE for other ids."""


def _decision_ends() -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Return the first id after those that a decision may offer, by variant and decision."""
    ends = np.zeros((c.NUM_VARIANTS, c.NUM_ALL_DECISIONS), np.int64)
    for variant, name in enumerate(c.VARIANT_NAMES):
        ends_of_blocks = {block.name: block.end for block in ruleset_of(name).blocks}
        for decision, names in DECISION_BLOCKS.items():
            ends[variant, decision] = max((ends_of_blocks.get(one, 0) for one in names), default=0)
    return ends


DECISION_ENDS = _decision_ends()
"""(NUM_VARIANTS, NUM_ALL_DECISIONS) int64: random play looks at no id from here on."""


def _offered() -> np.ndarray[tuple[int, ...], np.dtype[np.int8]]:
    """Return which ids each kind of decision may offer, 1 = may."""
    offered = np.zeros((c.NUM_ALL_DECISIONS, NUM_IDS), np.int8)
    for block in BLOCKS:
        for decision, names in DECISION_BLOCKS.items():
            offered[decision, block.offset : block.end] = block.name in names
    return offered


OFFERED = _offered()
"""(NUM_ALL_DECISIONS, NUM_IDS) int8: 1 where a kind of decision may offer an id."""
