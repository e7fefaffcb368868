"""The layouts of the variants: the rows of the standard game at the same offsets, then those the variants add.

A *side* is whoever owns discs on the map: the seats, and after them the owners without a seat. Relative sides begin
with the relative seats. After those comes the neutral side in ``soloplay_2`` and ``soloplay_3``; in ``neutral_2`` the
observer's neutral side is 2 and the other seat's is 3; in ``solo`` the observer is 0 and the opposing colours are 1 to
4, while place 1 of everything that lies on a mat is the mat these four share.
"""

from __future__ import annotations

from endeavor_env.endeavor.observe.base_layout import COMPACT_ROWS, FEATURE_ROWS
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.axes import SIZES
from endeavor_env.endeavor.rules.layout import Row, lay_out, layout_size, replace_rows

VARIANT_FEATURES_VERSION = 1
VARIANT_COMPACT_VERSION = 1
LEAD_STEPS = (0, 3, 5, 7, 9)
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
    "lead": len(LEAD_STEPS),
    "neutral part": len(NEUTRAL_PARTS),
    "task": c.NUM_TASKS,
    "blue token kind": c.NUM_BLUE,
    "waiting token": c.MAX_WAITING,
}
_ONE, _MAYBE, _FLAGS, _SCALED, _CODE = "one-hot", "one-hot or zeros", "flags", "scaled", "code"
_NUMBER, _ID, _BITS = "number", "id", "bits"
_INT8 = 127

# --- rows of the standard game that hold more here -----------------------------------------------------------------

_LEFT = "the neutral side of soloplay_2 and soloplay_3 has here those that left the game"
_FEATURE_CHANGES: tuple[Row, ...] = (
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
_COMPACT_CHANGES: tuple[Row, ...] = (
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

VARIANT_FEATURE_ROWS = (*replace_rows(FEATURE_ROWS, _FEATURE_CHANGES), *_COMMON_FEATURES, *_SOLO_FEATURES)
VARIANT_COMPACT_ROWS = (*replace_rows(COMPACT_ROWS, _COMPACT_CHANGES), *_COMMON_COMPACT, *_SOLO_COMPACT)
VARIANT_FEATURES = lay_out(VARIANT_FEATURE_ROWS, VARIANT_SIZES)
VARIANT_COMPACT = lay_out(VARIANT_COMPACT_ROWS, VARIANT_SIZES)
VARIANT_FEATURES_SIZE = layout_size(VARIANT_FEATURES)
VARIANT_COMPACT_SIZE = layout_size(VARIANT_COMPACT)
SOLO_SLICES = frozenset(row[0] for row in (*_SOLO_FEATURES, *_SOLO_COMPACT))
"""Names of the slices that only a solo game fills; in other games they hold the values of a cleared state."""
