"""The axes, fields and encodings of observations and records."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from endeavor_env.endeavor.rules import constants as c

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


# --- How the entries of a row hold what they mean --------------------------------------------------------------------

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
