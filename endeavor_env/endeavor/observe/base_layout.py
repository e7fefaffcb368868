"""The layouts of the standard game's observations: a table of rows for ``features`` and one for ``compact``.

``variant_layout`` makes the layouts of the other variants from these. Adding a row: one line here, and the lines of
``base_features`` or ``base_compact`` that fill it.

"Relative seat" always means: 0 is the observing seat, 1 the seat after it in playing order, and so on; numbers at or
beyond the number of players are absent seats and hold zeros. Every slice is sized by the limits of ``constants``, so
a vector has the same shape on every board and with any number of players.
"""

from __future__ import annotations

from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.axes import SIZES
from endeavor_env.endeavor.rules.layout import Row, lay_out, layout_size

FEATURES_VERSION = 1
COMPACT_VERSION = 1
_SEAT, _STATUS, _KIND, _BUILDING = "relative seat", "status", "token kind", "building"
_REGION, _DECK, _CARD, _CITY, _CONNECTION = "region", "deck", "card", "city", "connection"

_ONE, _MAYBE, _FLAGS, _SCALED, _CODE = "one-hot", "one-hot or zeros", "flags", "scaled", "code"
FEATURE_ROWS: tuple[Row, ...] = (
    # the table
    ("players", ("players",), 0, 1, _ONE, "3, 4 or 5 players", "R2.4"),
    ("round", ("",), 0, 1, _SCALED, "round, 0 before the first Build, divided by the number of rounds", "R3.1"),
    ("last_round", ("",), 0, 1, _FLAGS, "this is the last round", "R11.3"),
    ("phase", ("phase",), 0, 1, _ONE, "phase of the round", "R3.1"),
    ("decision", ("decision",), 0, 1, _ONE, "kind of move asked for", "R13"),
    ("to_move", (_SEAT,), 0, 1, _MAYBE, "seat that decides; zeros when the game is over", "R3.2"),
    ("first_player", (_SEAT,), 0, 1, _ONE, "seat with the first-player marker", "R11.3"),
    ("sweep", ("",), 0, 1, _SCALED, "seats done in a phase that goes round once, divided by the players", "R3.2"),
    ("payments_left", ("",), 0, 1, _SCALED, "salary payments left, divided by the board's highest number", "R6.1"),
    ("abolished", ("",), 0, 1, _FLAGS, "slavery is abolished", "R8.9"),
    # the action under way
    ("source", (_BUILDING,), 0, 1, _MAYBE, "building activated; zeros for a blue token or no action", "R8.6.2"),
    ("mode", ("mode",), 0, 1, _ONE, "how the parts combine; `none` when no action is under way", "R8.8"),
    ("open_parts", ("action",), 0, 1, _SCALED, "parts of this kind still open, divided by 2", "R8.8"),
    ("parts_done", ("",), 0, 1, _SCALED, "parts carried out, divided by 2", "R8.8"),
    ("lock_region", (_REGION,), 0, 1, _MAYBE, "region the next part is bound to", "R8.8"),
    ("lock_deck", (_DECK,), 0, 1, _MAYBE, "deck the next part is bound to", "C3"),
    # the seats
    ("present", (_SEAT,), 0, 1, _FLAGS, "a player sits here", "R2.4"),
    ("passed", (_SEAT,), 0, 1, _FLAGS, "has passed this round", "R7.1"),
    ("supply", (_SEAT,), 0, 1, _SCALED, "discs in supply, divided by a player's discs", "R5.1"),
    ("harbor", (_SEAT,), 0, 3, _SCALED, "discs in harbor, divided by 10", "R7.4"),
    ("harbor_at_least", (_SEAT, "discs"), 0, 1, _FLAGS, "at least 1, 2, ... 6 discs in harbor", "R7.4"),
    ("marker", (_SEAT, _STATUS), 0, 1, _SCALED, "status marker, divided by 15", "R10.1"),
    ("surplus", (_SEAT, _STATUS), 0, 2, _SCALED, "icons above the marker, divided by 15", "R10.1"),
    ("level", (_SEAT, _STATUS), 0, 1, _SCALED, "build level, growth, payments and card limit that the markers give, "
     "divided by what the end of the track gives", "R1.8"),
    ("glory", (_SEAT,), -1, 3, _SCALED, "Glory if the game ended now, divided by 100", "R12"),
    ("tokens_held", (_SEAT, _KIND), 0, 1, _SCALED, "trade tokens held, divided by the number of that kind", "R7.3"),
    ("buildings", (_SEAT, _BUILDING), 0, 1, _SCALED, "copies owned, divided by those of the supply and of a mat at the "
     "start", "R4.1"),
    ("occupied", (_SEAT, _BUILDING), 0, 1, _SCALED, "copies with a disc on them, divided in the same way", "R7.2"),
    ("cards_held", (_SEAT,), 0, 1, _SCALED, "face-up cards, divided by 12", "R9.4"),
    ("governors_held", (_SEAT,), 0, 1, _SCALED, "Governors among them, divided by 7", "R9.2"),
    ("slavery_held", (_SEAT,), 0, 1, _SCALED, "Slavery cards among them, divided by 6", "R9.3"),
    ("face_down", (_SEAT,), 0, 1, _SCALED, "Slavery cards face down, divided by 6", "R12.8"),
    ("presence", (_SEAT, _REGION), 0, 6, _SCALED, "own discs in the region, divided by 5", "R8.3.2"),
    ("beside", (_SEAT, _REGION), 0, 6, _SCALED, "own discs beside the full track, divided by 5", "R8.1.2"),
    ("track_discs", (_SEAT, _REGION), 0, 1, _SCALED, "own discs on the track, divided by 8", "R8.2.2"),
    ("track_order", (_SEAT, _REGION), 0, 1, _CODE, "sum of 2^(n-9) over own discs on spaces n = 1 (far end) to 8: "
     "of two seats the larger has the disc nearer the pile", "R8.2.2"),
    # buildings and cards on the table
    ("building_supply", (_BUILDING,), 0, 1, _SCALED, "copies left, divided by those at the start", "R4.2"),
    ("pile_top", (_DECK, "position"), 0, 1, _ONE, "position of the top card, the last entry for empty", "R8.7.1"),
    ("pile_value", (_DECK,), 0, 1, _SCALED, "value of the top card, divided by 5; 0 if empty", "R8.7.1"),
    ("pile_icons", (_DECK, _STATUS), 0, 1, _SCALED, "icons of the top card, divided by 4", "R7.5"),
    ("pile_glory", (_DECK,), 0, 1, _SCALED, "Glory of the top card, divided by 4", "R12.4"),
    ("pile_missing", (_DECK,), 0, 1, _SCALED, "discs the observer lacks to draw the top card, divided by 5", "R8.7.1"),
    ("card_in_pile", (_CARD,), 0, 1, _FLAGS, "the card lies in its pile", "R8.7.1"),
    ("card_holder", (_CARD, _SEAT), 0, 1, _MAYBE, "seat that holds the card face up", "R9.1"),
    # the map
    ("region_open", (_REGION,), 0, 1, _FLAGS, "the region is open", "R8.2.1"),
    ("track_left", (_REGION,), 0, 1, _SCALED, "free shipping spaces, divided by 8", "R8.2.1"),
    ("track_next", (_REGION, _KIND), 0, 1, _MAYBE, "token on the shipping space filled next", "R8.1.1"),
    ("track_tokens", (_REGION, _KIND), 0, 1, _CODE, "sum of 2^-k over the free spaces with such a token, k = 1 for "
     "the space filled next", "R8.1.1"),
    ("city_token", (_CITY, _KIND), 0, 1, _MAYBE, "token in the city", "R8.3.1"),
    ("city_owner", (_CITY, _SEAT), 0, 1, _MAYBE, "seat whose disc lies in the city", "R8.3.1"),
    ("connection_token", (_CONNECTION, _KIND), 0, 1, _MAYBE, "token on the connection", "R8.4.2"),
    ("connection_ends", (_CONNECTION,), 0, 1, _SCALED, "end cities the observer occupies, divided by 2", "R8.4.1"),
)  # fmt: skip

_NUMBER, _ID, _WHO = "number", "id", "relative seat"
_INT8 = 127

COMPACT_ROWS: tuple[Row, ...] = (
    # the table
    ("num_seats", ("",), c.MIN_PLAYERS, c.MAX_PLAYERS, _NUMBER, "players", "R2.4"),
    ("round", ("",), 0, _INT8, _NUMBER, "round, 0 before the first Build", "R3.1"),
    ("phase", ("",), 0, len(c.PHASE_NAMES) - 1, _ID, "phase of the round", "R3.1"),
    ("decision", ("",), 0, c.NUM_DECISIONS - 1, _ID, "kind of move asked for", "R13"),
    ("to_move", ("",), -1, c.MAX_SEATS - 1, _WHO, "seat that decides; -1 when the game is over", "R3.2"),
    ("first_player", ("",), 0, c.MAX_SEATS - 1, _WHO, "seat with the first-player marker", "R11.3"),
    ("sweep", ("",), 0, c.MAX_SEATS, _NUMBER, "seats done in a phase that goes round once", "R3.2"),
    ("payments_left", ("",), 0, _INT8, _NUMBER, "salary payments left", "R6.1"),
    ("abolished", ("",), 0, 1, _FLAGS, "slavery is abolished", "R8.9"),
    # the action under way
    ("source", ("",), -1, c.MAX_BUILDING_TYPES - 1, _ID, "building activated; -1 for a blue token or none", "R8.6.2"),
    ("mode", ("",), 0, len(c.MODE_NAMES) - 1, _ID, "how the parts combine", "R8.8"),
    ("parts", ("part",), -1, len(c.ACTION_NAMES) - 1, _ID, "actions still open", "R8.8"),
    ("parts_done", ("",), 0, c.MAX_ACTION_PARTS, _NUMBER, "parts carried out", "R8.8"),
    ("lock_region", ("",), -1, c.NUM_REGIONS - 1, _ID, "region the next part is bound to", "R8.8"),
    ("lock_deck", ("",), -1, c.NUM_DECKS - 1, _ID, "deck the next part is bound to", "C3"),
    # the seats
    ("status", (_SEAT, _STATUS), 0, _INT8, _NUMBER, "true icon counts; the marker shows at most 15", "R10.1"),
    ("passed", (_SEAT,), 0, 1, _FLAGS, "has passed this round", "R7.1"),
    ("supply", (_SEAT,), 0, _INT8, _NUMBER, "discs in supply", "R5.1"),
    ("harbor", (_SEAT,), 0, _INT8, _NUMBER, "discs in harbor", "R7.4"),
    ("tokens_held", (_SEAT, _KIND), 0, _INT8, _NUMBER, "trade tokens held", "R7.3"),
    ("buildings", (_SEAT, _BUILDING), 0, _INT8, _NUMBER, "copies owned", "R4.1"),
    ("occupied", (_SEAT, _BUILDING), 0, _INT8, _NUMBER, "copies with a disc on them", "R7.2"),
    ("cards_held", (_SEAT,), 0, c.NUM_CARDS, _NUMBER, "face-up cards", "R9.4"),
    ("governors_held", (_SEAT,), 0, c.NUM_CARDS, _NUMBER, "Governors among them", "R9.2"),
    ("slavery_held", (_SEAT,), 0, c.NUM_CARDS, _NUMBER, "Slavery cards among them", "R9.3"),
    ("face_down", (_SEAT,), 0, c.NUM_CARDS, _NUMBER, "Slavery cards face down", "R12.8"),
    ("presence", (_SEAT, _REGION), 0, _INT8, _NUMBER, "own discs in the region", "R8.3.2"),
    ("beside", (_SEAT, _REGION), 0, _INT8, _NUMBER, "own discs beside the full track", "R8.1.2"),
    ("glory", (_SEAT,), -128, _INT8, _NUMBER, "Glory if the game ended now", "R12"),
    # buildings and cards on the table
    ("building_supply", (_BUILDING,), 0, _INT8, _NUMBER, "copies left", "R4.2"),
    ("pile_top", (_DECK,), 0, c.CARDS_PER_DECK, _NUMBER, "position of the pile's top card, 6 for empty", "R8.7.1"),
    ("card_place", (_CARD,), -2, 8 + c.MAX_SEATS - 1, "place", "where the card is", "R9.1"),
    # the map
    ("region_open", (_REGION,), 0, 1, _FLAGS, "the region is open", "R8.2.1"),
    ("track_next", (_REGION,), 0, c.MAX_TRACK, _NUMBER, "shipping spaces already filled", "R8.1.1"),
    ("track_owner", (_REGION, "track space"), -1, c.MAX_SEATS - 1, _WHO, "whose disc lies there, far end first",
     "R8.2"),
    ("city_owner", (_CITY,), -1, c.MAX_SEATS - 1, _WHO, "whose disc lies in the city", "R8.3.1"),
    ("token", ("space",), -1, c.NUM_TOKEN_KINDS - 1, _ID, "token kind on the space: cities, then connections, then "
     "shipping spaces region by region", "R1.3"),
)  # fmt: skip


FEATURES = lay_out(FEATURE_ROWS, SIZES)
COMPACT = lay_out(COMPACT_ROWS, SIZES)
FEATURES_SIZE = layout_size(FEATURES)
COMPACT_SIZE = layout_size(COMPACT)
