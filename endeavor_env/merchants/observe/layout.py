"""The layouts of observations: named slices of a vector, "features" as float32 and "compact" as int8.

Both begin with the same rows of small numbers, which features divide by their greatest value. Then features have a flag
for each piece and place, and compact ids. Seats are relative: 0 is the observer, then clockwise.
"""

from __future__ import annotations

import hashlib

import numpy as np

from endeavor_env.engine.layouts import Layout, Slice, lay_out, row_offsets
from endeavor_env.merchants.rules import constants as c

AXES = {
    "seat": c.MAX_SEATS,
    "resource": c.NUM_RESOURCES,
    "item": c.NUM_ITEMS,
    "card": c.NUM_CARDS,
    "value": c.NUM_VALUES,
    "slot": c.SLOTS,
    "decision": c.NUM_DECISIONS,
    "owner": c.NUM_OWNERS,
    "terrain": c.MAX_TERRAINS,
    "crossroads": c.MAX_CROSSROADS,
    "path": c.MAX_PATHS,
    "city": c.MAX_CITIES,
    "part": 2,
}
"""Axes of rows with their sizes; owners are the relative seats, and after them nobody: neutral."""


_Row = tuple[str, str, int, int, str]

_NUMBERS: tuple[_Row, ...] = (
    ("hand", "resource", 0, 19, "Cards of each kind in the own hand (K1.3)."),
    ("cards", "card", 0, 7, "Development cards of each kind in the own hand (K9)."),
    ("bought", "card", 0, 1, "The kind of card that the observer bought this turn and may not play yet (K6.2)."),
    (
        "known",
        "seat resource",
        0,
        19,
        "Cards of each kind that a hand holds for sure, as far as the observer saw (K14).",
    ),
    ("unknown", "seat", 0, 19, "Cards of a hand whose kind the observer does not know."),
    ("gold", "seat", 0, 100, "Gold of each seat."),
    ("num_cards", "seat", 0, 25, "Development cards in each hand."),
    ("routes_left", "seat", 0, 30, "Routes in supply (K3.4)."),
    ("stock", "seat", 0, 11, "Posts that still lie on goods (K3.4)."),
    ("free_goods", "seat", 0, 10, "Free goods (K8.5)."),
    ("delivered", "seat", 0, 10, "Goods delivered: the score (K10.2)."),
    ("to_deliver", "seat", 0, 10, "Goods that are not delivered yet; with 0 the seat has won (K10.1)."),
    ("discards", "seat", 0, 19, "Cards that a seat must still discard (K4.3)."),
    ("playing", "seat", 0, 1, "Seats that play."),
    ("mover", "seat", 0, 1, "Whose turn it is."),
    ("asked", "seat", 0, 1, "Whose decision it is."),
    ("accepted", "seat", 0, 1, "Who has accepted the offer (K5.3)."),
    ("tolls", "slot seat", 0, 1, "Seats whose toll each caravan of the mover has paid this turn (K8.3)."),
    ("reserve", "resource", 0, 19, "Cards of each kind in the reserve."),
    ("gold_left", "", 0, 100, "Gold in the reserve."),
    ("pile", "", 0, 25, "Development cards in the pile."),
    ("used", "card", 0, 7, "Development cards played since the pile was last made new."),
    ("sea", "resource value", 0, 3, "Tokens in the sea by kind and value (K3.2)."),
    ("decision", "decision", 0, 1, "What is asked (K12)."),
    ("rolled", "", 0, 1, "Whether the dice were rolled this turn."),
    ("card_played", "", 0, 1, "Whether a development card was played this turn (K9.1)."),
    ("has_bought", "", 0, 1, "Whether a development card was bought this turn."),
    ("buys", "", 0, 2, "Resources bought for gold this turn (K5.2)."),
    ("offers", "", 0, 3, "Offers begun this turn (K5.3)."),
    ("gives", "item", 0, 3, "What the mover gives in the offer."),
    ("wants", "item", 0, 3, "What the mover wants in the offer."),
    ("card", "card", 0, 1, "The development card that is being carried out."),
    ("routes_of_card", "", 0, 2, "Free routes that a safe-conduct still gives."),
    ("steps", "", 0, 5, "Steps of the drive that are paid for."),
    ("moved", "", 0, 1, "Whether the drive has had its first step."),
    ("slot", "slot", 0, 1, "The merchant or caravan of the mover that moves."),
    ("hundreds_of_rolls", "", 0, 100, "Rolls made, whole hundreds, 100 at most (K10.3)."),
    ("rolls", "", 0, 99, "Rolls made beyond whole hundreds."),
    ("hundreds_of_rolls_left", "", 0, 100, "Rolls until the game is cut off, whole hundreds, 100 at most."),
    ("rolls_left", "", 0, 99, "Rolls until then beyond whole hundreds."),
)
_FLAGS: tuple[_Row, ...] = (
    ("terrain_kind", "terrain resource", 0, 1, "What each terrain produces (K2.2)."),
    ("terrain_ways", "terrain", 0, 1, "Ways of two dice, of 36, to roll its number, divided by 5 (K2.8)."),
    ("terrain_token", "terrain", 0, 1, "Terrains with a token."),
    ("terrain_empty", "terrain", 0, 1, "Terrains without a number."),
    ("terrain_robber", "terrain", 0, 1, "Where the robber stands."),
    ("terrain_chosen", "terrain", 0, 1, "The terrain that gets a token (K7.5)."),
    ("posts", "owner city", 0, 1, "Posts (K2.5)."),
    ("goods", "city", 0, 1, "Cities with a good under their post (K8.4)."),
    ("city_gold", "city", 0, 1, "Gold that founding a post pays, divided by 5 (K2.6)."),
    ("routes", "seat path", 0, 1, "Routes."),
    ("caravans", "seat slot path", 0, 1, "Where caravans stand."),
    ("arrow", "path", 0, 1, "The double arrow that still gives a route (K6.7)."),
    ("arrows", "path", 0, 1, "Double arrows on paths without route."),
    ("merchants", "seat slot crossroads", 0, 1, "Where merchants stand."),
    ("place", "crossroads", 0, 1, "Where a merchant is recruited, a post was founded or an income begins."),
    ("new_caravan", "path", 0, 1, "Where a caravan is formed for which another one must be lifted (K6.3)."),
)
_IDS: tuple[_Row, ...] = (
    ("terrain_kind", "terrain", -1, 4, "What each terrain produces, -1 beyond the board (K2.2)."),
    ("terrain_number", "terrain", 0, 12, "Its number, 0 without one (K2.8)."),
    ("terrain_token", "terrain", 0, 1, "Whether a token lies there."),
    ("robber", "", -1, 71, "Where the robber stands."),
    ("terrain_chosen", "", -1, 71, "The terrain that gets a token, or -1 (K7.5)."),
    ("post", "city", -1, 4, "Relative seat that has the post, 4 for a neutral one, -1 without one (K2.5)."),
    ("good", "city", 0, 1, "Whether a good lies under the post (K8.4)."),
    ("city_gold", "city", 0, 5, "Gold that founding a post pays (K2.6)."),
    ("route", "path", -1, 3, "Relative seat that has the route, or -1."),
    ("arrows", "path", 0, 1, "Double arrows."),
    ("caravans", "seat slot part", -1, 99, "Paths on which caravans stand, as hundreds and the rest, or -1."),
    ("merchants", "seat slot part", -1, 99, "Crossroads on which merchants stand, in the same way."),
    ("arrow", "part", -1, 99, "The path of a double arrow that still gives a route, in the same way (K6.7)."),
    ("place", "part", -1, 99, "Crossroads of a new merchant or post or of an income, path of a new caravan, likewise."),
)


def _slices(rows: tuple[_Row, ...]) -> tuple[Slice, ...]:
    """Return rows end to end."""
    named = ((name, tuple(axes.split()), low, high, "", meaning, "") for name, axes, low, high, meaning in rows)
    return lay_out(tuple(named), AXES)


def _layout(name: str, slices: tuple[Slice, ...], dtype: type[np.float32 | np.int8], most: float) -> Layout:
    """Return the layout of rows of which no entry is above ``most``."""
    text = ";".join(f"{row.name}:{row.offset}:{row.shape}:{row.axes}:{row.low:g}:{row.high:g}" for row in slices)
    limited = tuple(row._replace(high=min(most, row.high)) for row in slices)
    return Layout(name, limited, dtype, hashlib.sha256(f"{name};{text}".encode()).hexdigest()[:16])


_FEATURES, _COMPACT = _slices(_NUMBERS + _FLAGS), _slices(_NUMBERS + _IDS)
LAYOUTS = {
    "features": _layout("features", _FEATURES, np.float32, 1),
    "compact": _layout("compact", _COMPACT, np.int8, 127),
}
"""The layouts by name. Features divide numbers by their greatest value."""
NUM_NUMBERS = _FEATURES[len(_NUMBERS)].offset
"""Number of entries that both layouts begin with."""
NUMBERS_AT = row_offsets(_FEATURES[: len(_NUMBERS)])
FLAGS_AT, IDS_AT = row_offsets(_FEATURES), row_offsets(_COMPACT)
"""The offsets of rows as constants of kernels: ``IDS_AT.post`` is where ``post`` begins."""
GREATEST = np.concatenate([np.full(row.size, row.high, np.float32) for row in _FEATURES[: len(_NUMBERS)]])
"""The greatest value of each of the common numbers."""
GREATEST.flags.writeable = False
