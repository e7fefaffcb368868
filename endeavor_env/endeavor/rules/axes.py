"""The axes of observations: what the entries of their rows count, and how many there are."""

from __future__ import annotations

from endeavor_env.endeavor.rules import constants as c

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
