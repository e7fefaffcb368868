"""The layouts of the observations: tables of rows for the standard game, the variants and the Exploits."""

from __future__ import annotations

from endeavor_env.endeavor.exploits.row import FLAGS, ID, INT8, MAYBE, NUMBER, OWNER, SCALED, SEAT
from endeavor_env.endeavor.exploits.table import AXES, EXPLOITS, NUM_FOLLOW_UPS
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.layout import SIZES
from endeavor_env.engine.layouts import Row, lay_out, layout_size, replace_rows

# --- The layouts of the standard game's observations: a table of rows for ``features`` and one for ``compact`` -------
# The layouts of the other variants are made from these. Adding a row: one line here, and the lines of ``features`` or
# ``compact`` that fill it.
#
# "Relative seat" always means: 0 is the observing seat, 1 the seat after it in playing order, and so on; numbers at or
# beyond the number of players are absent seats and hold zeros. Every slice is sized by the limits of ``constants``, so
# a vector has the same shape on every board and with any number of players.

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


# --- The layouts of the variants -------------------------------------------------------------------------------------
# The rows of the standard game at the same offsets, then those the variants add.
# A *side* is whoever owns discs on the map: the seats, and after them the owners without a seat. Relative sides begin
# with the relative seats. After those comes the neutral side in ``soloplay_2`` and ``soloplay_3``; in ``neutral_2`` the
# observer's neutral side is 2 and the other seat's is 3; in ``solo`` the observer is 0 and the opposing colours are 1
# to 4, while place 1 of everything that lies on a mat is the mat these four share.

LEAST_LEADS = (0, 3, 5, 7, 9)
"""The smallest lead that reaches each rung of the solo ladder above defeat, in order: ``lead_at_least`` (S8.3)."""
NEUTRAL_PARTS = ("sail", "occupy")
"""The parts of an action that a neutral disc follows, in the order of their codes: ``neutral_due`` (V2F.2, V2F.3)."""
_OBSERVED_VARIANTS = c.VARIANT_EXPLOITS  # games with Exploits have layouts of their own

_SIDE, _COLOUR, _POSITION, _COLUMN, _LEVEL = "relative side", "colour", "scale position", "column", "level"
VARIANT_SIZES = SIZES | {
    _SIDE: c.MAX_SEATS,
    _COLOUR: c.NUM_COLOURS,
    _POSITION: c.SCALE_SIZE,
    _COLUMN: c.GRID_COLUMNS,
    _LEVEL: c.GRID_LEVELS,
    "variant": _OBSERVED_VARIANTS,
    "difficulty": len(c.DIFFICULTY_NAMES),
    "variant decision": c.NUM_VARIANT_DECISIONS - c.NUM_DECISIONS,
    "lead": len(LEAST_LEADS),
    "neutral part": len(NEUTRAL_PARTS),
    "task": c.NUM_TASKS,
    "blue token kind": c.NUM_BLUE,
    "waiting token": c.MAX_WAITING,
}
_BITS = "bits"

# --- rows of the standard game that hold more here -----------------------------------------------------------------

_LEFT = "the neutral side of soloplay_2 and soloplay_3 has here those that left the game"
_VARIANT_FEATURE_CHANGES: tuple[Row, ...] = (
    ("players", ("players",), 0, 1, _MAYBE, "3, 4 or 5 players; zeros for fewer", "R2.4"),
    ("decision", ("decision",), 0, 1, _MAYBE, "kind of move asked for; zeros for those of `variant_decision`", "R13"),
    ("supply", (_SIDE,), 0, 1, _SCALED, f"discs in supply, divided by a player's discs; {_LEFT}", "R5.1"),
    ("presence", (_SIDE, "region"), 0, 6, _SCALED, "own discs in the region, divided by 5", "R8.3.2"),
    ("beside", (_SIDE, "region"), 0, 6, _SCALED, "own discs beside the full track, divided by 5", "R8.1.2"),
    ("track_discs", (_SIDE, "region"), 0, 1, _SCALED, "own discs on the track, divided by 8", "R8.2.2"),
    ("track_order", (_SIDE, "region"), 0, 1, _CODE, "sum of 2^(n-9) over own discs on spaces n = 1 (far end) to 8: "
     "of two sides the larger has the disc nearer the pile", "R8.2.2"),
    ("building_supply", ("building",), 0, 1, _SCALED, "copies left, in solo those of the stock, divided by those at "
     "the start", "R4.2"),
    ("track_left", ("region",), 0, 1, _SCALED, "free shipping spaces that take a disc, divided by 8", "R8.2.1"),
    ("city_owner", ("city", _SIDE), 0, 1, _MAYBE, "side whose disc lies in the city", "R8.3.1"),
)  # fmt: skip
_VARIANT_COMPACT_CHANGES: tuple[Row, ...] = (
    ("num_seats", ("",), 1, c.MAX_PLAYERS, _NUMBER, "players", "R2.4"),
    ("decision", ("",), 0, c.NUM_VARIANT_DECISIONS - 1, _ID, "kind of move asked for, beyond the last of the standard "
     "game a *variant decision*", "R13"),
    ("supply", (_SIDE,), 0, _INT8, _NUMBER, f"discs in supply; {_LEFT}", "R5.1"),
    ("presence", (_SIDE, "region"), 0, _INT8, _NUMBER, "own discs in the region", "R8.3.2"),
    ("beside", (_SIDE, "region"), 0, _INT8, _NUMBER, "own discs beside the full track", "R8.1.2"),
    ("building_supply", ("building",), 0, _INT8, _NUMBER, "copies left, in solo those of the stock", "R4.2"),
    ("card_place", ("card",), c.CARD_RETAINED, 8 + c.MAX_SEATS - 1, "place", "where the card is", "R9.1"),
    ("track_owner", ("region", "track space"), c.SPACE_CLOSED, c.MAX_SEATS - 1, _SIDE, "whose disc lies there, far end "
     "first", "R8.2"),
    ("city_owner", ("city",), -1, c.MAX_SEATS - 1, _SIDE, "whose disc lies in the city", "R8.3.1"),
)  # fmt: skip

# --- rows that follow those of the standard game --------------------------------------------------------------------

_COMMON_FEATURES: tuple[Row, ...] = (
    ("variant", ("variant",), 0, 1, _ONE, "variant of the game", "R2.4"),
    ("variant_decision", ("variant decision",), 0, 1, _MAYBE, "kind of move asked for, if the standard game has none "
     "such", "V2S.4"),
    ("glory_lead", ("",), -2, 2, _SCALED, "the observer's `glory` less the highest of the others', divided by 20",
     "S8.3"),
    ("lead_at_least", ("lead",), 0, 1, _FLAGS, "that difference is at least 0, 3, 5, 7, 9: the rungs of the solo "
     "ladder above defeat", "S8.3"),
    # neutral discs
    ("removed_stay", ("",), 0, 1, _FLAGS, "option: a shipping space without token takes a disc", "V2S.5"),
    ("track_closed", ("region", "track space"), 0, 1, _FLAGS, "the shipping space takes no disc, far end first",
     "V2S.5"),
    ("removals_left", ("",), 0, 1, _SCALED, "tokens that still leave the tracks in set-up, divided by 8", "V2S.4"),
    ("neutral_reserve", ("relative seat",), 0, 1, _SCALED, "neutral discs beside the mat, divided by 3", "V2S.2"),
    ("neutral_harbor", ("relative seat",), 0, 1, _SCALED, "neutral discs in harbor, divided by 3", "V2S.6"),
    ("neutral_regions", ("region",), 0, 1, _FLAGS, "a neutral disc may go there when the action is over; in "
     "neutral_2 the region of the own part", "V2S.7"),
    ("neutral_due", ("neutral part",), 0, 1, _MAYBE, "own part that a neutral disc follows", "V2F.2"),
)  # fmt: skip
_SOLO_FEATURES: tuple[Row, ...] = (
    ("ties_first", ("",), 0, 1, _FLAGS, "option: the first option on the board settles what is left open", "S10"),
    ("difficulty", ("difficulty",), 0, 1, _ONE, "option: how strong the Opposition is", "S9.1"),
    ("ignore_industry", ("",), 0, 1, _FLAGS, "option: any level of the grid may be built", "S6.2"),
    # the action scale
    ("scale", (_POSITION, _COLOUR), 0, 1, _MAYBE, "colour of each disc of the action scale", "S1.3"),
    ("ipf", (_POSITION,), 0, 1, _MAYBE, "position of the marker; the colours below it act this round", "S2.1"),
    ("bonus_due", ("",), 0, 1, _FLAGS, "a bonus draw is owed", "S3.5"),
    ("opposition_first", ("",), 0, 1, _FLAGS, "Action phase: the Opposition acts before the player", "S3.3"),
    # the building grid
    ("grid_column", ("building", _COLUMN), 0, 1, _MAYBE, "column of the grid where the building lies", "S1.2"),
    ("last_built", ("building",), 0, 1, _MAYBE, "building the player took from the grid this round", "S7.2"),
    ("crown_level", (_LEVEL,), 0, 1, _MAYBE, "level of the crown", "S6.3"),
    ("crown_column", (_COLUMN,), 0, 1, _MAYBE, "column of the crown", "S6.3"),
    ("extra_actions", ("building",), 0, 1, _SCALED, "columns from the crown to the building, divided by 2", "S2.2"),
    ("pending", ("building",), 0, 1, _FLAGS, "the building waits to refill its row", "S7.3"),
    # what the Opposition is about
    ("retained", ("deck",), 0, 1, _FLAGS, "the Opposition keeps the Governor of the deck, only for its Glory", "S7.1"),
    ("task", ("task",), 0, 1, _ONE, "what the Opposition is about", "S4.1"),
    ("acting", (_COLOUR,), 0, 1, _MAYBE, "colour that acts", "S4.1"),
    ("scale_at", (_POSITION,), 0, 1, _MAYBE, "position of the disc that acts", "S4.1"),
    ("europe_step", ("status",), 0, 1, _MAYBE, "status of the token that the disc placed in Europe takes", "S1.8"),
    ("europe_order", ("status", _COLOUR), 0, 1, _MAYBE, "colours still to be placed in Europe in set-up, this one "
     "included", "S1.8"),
    ("waiting", ("blue token kind",), 0, 1, _SCALED, "blue tokens still to be carried out, divided by 4", "S5.5"),
    ("waiting_order", ("blue token kind",), 0, 1, _CODE, "sum of 2^-k over those of the kind, k = 1 for the one "
     "carried out next", "S5.5"),
    ("waiting_regions", ("region",), 0, 1, _CODE, "sum of 2^-k over those that lay in the region", "S5.5"),
)  # fmt: skip

_COMMON_COMPACT: tuple[Row, ...] = (
    ("variant", ("",), 0, _OBSERVED_VARIANTS - 1, _ID, "variant of the game", "R2.4"),
    # neutral discs
    ("removed_stay", ("",), 0, 1, _FLAGS, "option: a shipping space without token takes a disc", "V2S.5"),
    ("removals_left", ("",), 0, _INT8, _NUMBER, "tokens that still leave the tracks in set-up", "V2S.4"),
    ("neutral_reserve", ("relative seat",), 0, _INT8, _NUMBER, "neutral discs beside the mat", "V2S.2"),
    ("neutral_harbor", ("relative seat",), 0, _INT8, _NUMBER, "neutral discs in harbor", "V2S.6"),
    ("neutral_regions", ("",), 0, _INT8, _BITS, "where a neutral disc may go when the action is over; in neutral_2 the "
     "region of the own part", "V2S.7"),
    ("neutral_due", ("",), -1, 1, _ID, "own part that a neutral disc follows", "V2F.2"),
)  # fmt: skip
_SOLO_COMPACT: tuple[Row, ...] = (
    ("ties_first", ("",), 0, 1, _FLAGS, "option: the first option on the board settles what is left open", "S10"),
    ("difficulty", ("",), 0, len(c.DIFFICULTY_NAMES) - 1, _ID, "option: how strong the Opposition is", "S9.1"),
    ("ignore_industry", ("",), 0, 1, _FLAGS, "option: any level of the grid may be built", "S6.2"),
    # the action scale
    ("scale", (_POSITION,), -1, len(c.COLOUR_NAMES) - 1, _SIDE, "colour of each disc of the action scale", "S1.3"),
    ("ipf", ("",), 0, c.SCALE_SIZE, _NUMBER, "position of the marker; the colours below it act this round", "S2.1"),
    ("bonus_due", ("",), 0, 1, _FLAGS, "a bonus draw is owed", "S3.5"),
    ("opposition_first", ("",), 0, 1, _FLAGS, "the Opposition acts before the player; until the Action phase as in "
     "the last round", "S3.3"),
    # the building grid
    ("grid", (_LEVEL, _COLUMN), -1, SIZES["building"] - 1, _ID, "building on each cell", "S1.2"),
    ("last_built", ("",), -1, SIZES["building"] - 1, _ID, "building the player took from the grid this round", "S7.2"),
    ("crown_level", ("",), -1, c.GRID_LEVELS - 1, _ID, "level of the crown", "S6.3"),
    ("crown_column", ("",), -1, c.GRID_COLUMNS - 1, _ID, "column of the crown", "S6.3"),
    ("pending", (_LEVEL,), -1, SIZES["building"] - 1, _ID, "building that waits to refill the row", "S7.3"),
    # what the Opposition is about
    ("task", ("",), 0, c.NUM_TASKS - 1, _ID, "what the Opposition is about", "S4.1"),
    ("acting", ("",), -1, len(c.COLOUR_NAMES) - 1, _SIDE, "colour that acts", "S4.1"),
    ("task_step", ("",), 0, c.SCALE_SIZE, _NUMBER, "status in Europe, or disc of the scale, counted from 0", "S4.1"),
    ("europe_order", ("status",), -1, len(c.COLOUR_NAMES) - 1, _SIDE, "colours placed in Europe in set-up", "S1.8"),
    ("num_waiting", ("",), 0, c.MAX_WAITING, _NUMBER, "blue tokens still to be carried out", "S5.5"),
    ("waiting_kind", ("waiting token",), -1, SIZES["token kind"] - 1, _ID, "their kinds, the next one last", "S5.5"),
    ("waiting_regions", ("waiting token",), 0, _INT8, _BITS, "where each of them lay", "S5.5"),
)  # fmt: skip

VARIANT_FEATURE_ROWS = (*replace_rows(FEATURE_ROWS, _VARIANT_FEATURE_CHANGES), *_COMMON_FEATURES, *_SOLO_FEATURES)
VARIANT_COMPACT_ROWS = (*replace_rows(COMPACT_ROWS, _VARIANT_COMPACT_CHANGES), *_COMMON_COMPACT, *_SOLO_COMPACT)
VARIANT_FEATURES = lay_out(VARIANT_FEATURE_ROWS, VARIANT_SIZES)
VARIANT_COMPACT = lay_out(VARIANT_COMPACT_ROWS, VARIANT_SIZES)
VARIANT_FEATURES_SIZE = layout_size(VARIANT_FEATURES)
VARIANT_COMPACT_SIZE = layout_size(VARIANT_COMPACT)
SOLO_SLICES = frozenset(row[0] for row in (*_SOLO_FEATURES, *_SOLO_COMPACT))
"""Names of the slices that only a solo game fills; in other games they hold the values of a cleared state."""


# --- The layouts of games with Exploits ------------------------------------------------------------------------------
# The rows of the standard game at the same offsets, then those of the tiles.

NUM_ITEMS = c.NUM_CARDS
"""Number of values of ``follow_item``: a card, city, region, building, token kind or relative seat."""

_EXPLOIT = "exploit"
EXPLOIT_SIZES = (
    SIZES | {axis: len(names) for axis, names in AXES.items()} | {"follow-up": NUM_FOLLOW_UPS, "item": NUM_ITEMS}
)

_EXPLOIT_FEATURE_CHANGES: tuple[Row, ...] = (
    ("decision", ("decision",), 0, 1, MAYBE, "kind of move asked for; zeros for a follow-up", "R13"),
    ("pile_top", ("deck", "position"), 0, 1, _ONE, "position of the top card in its own deck, the last entry for an "
     "empty pile; `pile_card` says which card it is", "R8.7.1"),
)  # fmt: skip
_FEATURES: tuple[Row, ...] = (
    ("exploit", (_EXPLOIT,), 0, 1, FLAGS, "the Exploit is in play", "X1.1"),
    ("exploit_active", (_EXPLOIT,), 0, 1, FLAGS, "both its regions are open", "X1.3"),
    ("shield", (_EXPLOIT, SEAT), 0, 1, FLAGS, "the seat has a shield on it", "X1.4"),
    ("exploit_glory", (_EXPLOIT, SEAT), -1, 2, SCALED, "Glory of it if the game ended now, divided by 20", "X1.11"),
    ("follow_up", ("follow-up",), 0, 1, MAYBE, "what an ability leaves to be decided", "X1.7"),
    ("follow_item", ("item",), 0, 1, MAYBE, "card, region, building, kind or relative seat that it is about", "X1.7"),
    ("follow_left", ("",), 0, 1, SCALED, "how often it can still be chosen, divided by 8", "X1.7"),
    ("turn_seat", (SEAT,), 0, 1, MAYBE, "seat whose action or Salary phase goes on after a follow-up", "X1.7"),
    ("with_cannon", ("",), 0, 1, FLAGS, "a cannon has activated the building of this action", "E1"),
    ("fewer_discs", ("",), 0, 1, FLAGS, "option: 30 discs for each player", "X0"),
    ("value1_bonus", ("",), 0, 1, FLAGS, "option: cards of value 1 bring a disc", "X0"),
)  # fmt: skip

_EXPLOIT_COMPACT_CHANGES: tuple[Row, ...] = (
    ("decision", ("",), 0, c.NUM_ALL_DECISIONS - 1, ID, "kind of move asked for", "R13"),
    ("card_place", ("card",), c.CARD_ON_HAITI, 8 + c.MAX_SEATS - 1, "place", "where the card is", "R9.1"),
)
_COMPACT: tuple[Row, ...] = (
    ("exploit", (_EXPLOIT,), 0, 1, FLAGS, "the Exploit is in play", "X1.1"),
    ("follow_up", ("",), -1, NUM_FOLLOW_UPS - 1, ID, "what an ability leaves to be decided", "X1.7"),
    ("follow_item", ("",), -1, NUM_ITEMS - 1, ID, "card, region, building, kind or relative seat that it is about",
     "X1.7"),
    ("follow_left", ("",), 0, INT8, NUMBER, "how often it can still be chosen", "X1.7"),
    ("turn_seat", ("",), *OWNER, "seat whose action or Salary phase goes on after a follow-up", "X1.7"),
    ("with_cannon", ("",), 0, 1, FLAGS, "a cannon has activated the building of this action", "E1"),
    ("fewer_discs", ("",), 0, 1, FLAGS, "option: 30 discs for each player", "X0"),
    ("value1_bonus", ("",), 0, 1, FLAGS, "option: cards of value 1 bring a disc", "X0"),
)  # fmt: skip

EXPLOIT_FEATURE_ROWS = (
    *replace_rows(FEATURE_ROWS, _EXPLOIT_FEATURE_CHANGES),
    *_FEATURES,
    *(row for one in EXPLOITS for row in one.features),
)
EXPLOIT_COMPACT_ROWS = (
    *replace_rows(COMPACT_ROWS, _EXPLOIT_COMPACT_CHANGES),
    *_COMPACT,
    *(row for one in EXPLOITS for row in one.compact),
)
EXPLOIT_FEATURES = lay_out(EXPLOIT_FEATURE_ROWS, EXPLOIT_SIZES)
EXPLOIT_COMPACT = lay_out(EXPLOIT_COMPACT_ROWS, EXPLOIT_SIZES)
EXPLOIT_FEATURES_SIZE = layout_size(EXPLOIT_FEATURES)
EXPLOIT_COMPACT_SIZE = layout_size(EXPLOIT_COMPACT)
_OFFSETS = {part.name: part.offset for part in EXPLOIT_FEATURES}
FEATURE_WRITERS = [
    (_OFFSETS[one.features[0][0]], one.write_features) for one in EXPLOITS if one.write_features is not None
]
"""Where the rows of each Exploit begin, with the kernel that fills those that are no fields."""
