"""The action ids (K11.1): blocks of moves, and after them the outcomes of chance."""

from __future__ import annotations

from typing import NamedTuple

from endeavor_env.engine.kernels.masks import words_of
from endeavor_env.merchants.rules import constants as c


class Block(NamedTuple):
    """Action ids that say the same of different things."""

    name: str
    verb: str
    """First word of the move."""
    counts: str
    """Things that the index numbers: "" for none, or a name of ``COUNTED``."""
    size: int
    offset: int
    """Id of its first entry."""


COUNTED = {
    "": 1,
    "card": c.NUM_CARDS,
    "resource": c.NUM_RESOURCES,
    "item": c.NUM_ITEMS,
    "exchange": c.NUM_RESOURCES * c.NUM_ITEMS,
    "city": c.MAX_CITIES,
    "path": c.MAX_PATHS,
    "crossroads": c.MAX_CROSSROADS,
    "terrain": c.MAX_TERRAINS,
    "slot": c.SLOTS,
    "opponent": c.MAX_SEATS - 1,
    "choice": c.MOST_INCOMES,
    "seat": c.MAX_SEATS,
    "sum": c.DICE_SUMS,
    "value": c.NUM_VALUES,
}
"""Things that indices number, with how many there are of each."""
_MOVES = (
    ("ROLL", ""), ("END", ""), ("DONE", ""), ("PLAY", "card"), ("CARD", ""), ("BUY", "resource"), ("BANK", "exchange"),
    ("MERCHANT", "city"), ("CARAVAN", "path"), ("ROUTE", "path"), ("LIFT", "slot"), ("WALK", "slot"),
    ("TO", "crossroads"), ("DRIVE", "slot"), ("STEP", "path"), ("STOP", ""), ("DELIVER", "city"),
    ("DISCARD", "resource"), ("ROBBER", "terrain"), ("STEAL", "opponent"), ("TOKEN", "terrain"), ("TAKE", "terrain"),
    ("INCOME", "choice"), ("GOLD", ""), ("POST", "city"), ("NEUTRAL", "city"), ("GIVE", "item"), ("WANT", "item"),
    ("PROPOSE", ""), ("CANCEL", ""), ("ACCEPT", ""), ("REFUSE", ""), ("PARTNER", "opponent"),
)  # fmt: skip
_OUTCOMES = (("FIRST", "seat"), ("DICE", "sum"), ("STOLEN", "resource"), ("DRAWN", "card"), ("VALUE", "value"))


def _laid_out() -> tuple[Block, ...]:
    blocks, offset = [], 0
    for name, counts in (*_MOVES, *_OUTCOMES):
        blocks.append(Block(name, name.lower(), counts, COUNTED[counts], offset))
        offset += COUNTED[counts]
    return tuple(blocks)


BLOCKS = _laid_out()
"""All blocks, in the order of their ids."""
_AT = {block.name: block.offset for block in BLOCKS}
NUM_MOVES = _AT["FIRST"]
"""The ids of the moves of seats are below; those from here on are outcomes of chance."""
NUM_ACTIONS = BLOCKS[-1].offset + BLOCKS[-1].size
MASK_WORDS = words_of(NUM_ACTIONS)

ROLL, END, DONE, PLAY_AT, CARD, BUY_AT, BANK_AT = (
    _AT[name] for name in ("ROLL", "END", "DONE", "PLAY", "CARD", "BUY", "BANK")
)
MERCHANT_AT, CARAVAN_AT, ROUTE_AT, LIFT_AT, WALK_AT, TO_AT, DRIVE_AT, STEP_AT, STOP, DELIVER_AT = (
    _AT[name] for name in ("MERCHANT", "CARAVAN", "ROUTE", "LIFT", "WALK", "TO", "DRIVE", "STEP", "STOP", "DELIVER")
)
DISCARD_AT, ROBBER_AT, STEAL_AT, TOKEN_AT, TAKE_AT, INCOME_AT, TAKE_GOLD, POST_AT, NEUTRAL_AT = (
    _AT[name] for name in ("DISCARD", "ROBBER", "STEAL", "TOKEN", "TAKE", "INCOME", "GOLD", "POST", "NEUTRAL")
)
GIVE_AT, WANT_AT, PROPOSE, CANCEL, ACCEPT, REFUSE, PARTNER_AT = (
    _AT[name] for name in ("GIVE", "WANT", "PROPOSE", "CANCEL", "ACCEPT", "REFUSE", "PARTNER")
)
FIRST_AT, DICE_AT, STOLEN_AT, DRAWN_AT, VALUE_AT = (_AT[name] for name, _ in _OUTCOMES)
