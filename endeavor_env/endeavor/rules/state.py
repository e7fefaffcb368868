"""STATE: one game as one fixed-size record. Copying is assignment, saving is ``tobytes``, equality is byte equality.

The record holds no pointer and no generator: there is no chance after set-up, so equal moves give equal bytes. Fields
are aligned, the widest first, and the size is a multiple of 8, so that the same kernels can be compiled for other
processors, graphics cards included. Rows beyond those in use, and beyond the board's own counts, keep their default.

Rows of (MAX_SEATS, ...) fields are *seats*, except for the discs on the map (``supply``, ``beside``, ``presence`` and
the owners in ``city_owner`` and ``track_owner``): there they are *sides*. Sides are the seats, followed by owners of
discs that have no seat. ``soloplay_2`` and ``soloplay_3`` have one neutral side, whose ``supply`` counts the discs
that left the game; in ``neutral_2`` sides 2 and 3 belong to seats 0 and 1; in ``solo`` sides 1 to 4 are the opposing
colours, and row OPPOSITION of all other fields is the mat they share.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.board_array import BOARD
from endeavor_env.endeavor.rules.exploit_additions import EXPLOIT_BITS
from endeavor_env.endeavor.rules.exploit_additions import FIELDS as EXPLOIT_FIELDS
from endeavor_env.endeavor.rules.layout import Field
from endeavor_env.kernels.entries import code_entry
from endeavor_env.kernels.intrinsics import record_at
from endeavor_env.kernels.kinds import INTEGER, array, pointer

_STATE_FIELDS = (
    # --- wide fields first ---------------------------------------------------------------------------------------
    Field("choices", np.int64),  # solo: what the player chooses from for the Opposition, as bits; 0 if not asked
    Field("status", np.int16, (c.MAX_SEATS, c.NUM_STATUSES)),  # true icon counts, not capped at 15 (R10.1)
    Field("choices_at", np.int16),  # solo: first action id of the block that `choices` counts in
    # --- where the game stands -----------------------------------------------------------------------------------
    Field("num_seats", np.int8),  # players: 3..5 in the base game, 1 in solo
    Field("variant", np.int8),  # VARIANT_*
    Field("first_player", np.int8),  # seat with the first-player marker this round
    Field("round_number", np.int8),  # 1..7; not "round": NumPy records have a method of that name
    Field("phase", np.int8),  # PHASE_*
    Field("decision", np.int8),  # DECIDE_*: what kind of move is asked for
    Field("seat", np.int8, default=c.NONE),  # whose decision it is; NONE when the game is over
    Field("sweep", np.int8),  # seats done in a phase that goes round the table once, 0..num_seats
    Field("payments_left", np.int8),  # Salary phase, 0..5
    Field("abolished", np.int8),  # 0/1, slavery is abolished (R8.9)
    # --- the action under way (DECIDE_TARGET) --------------------------------------------------------------------
    Field("source", np.int8, default=c.NONE),  # building type that was activated, or NONE for a blue token
    Field("mode", np.int8),  # MODE_*
    Field("parts", np.int8, (c.MAX_ACTION_PARTS,), c.NONE),  # SAIL..PAY still open, or NONE
    Field("parts_done", np.int8),  # 0..2 carried out
    Field("lock_region", np.int8, default=c.NONE),  # region the next part is bound to, or NONE
    Field("lock_deck", np.int8, default=c.NONE),  # deck the next part is bound to, or NONE
    # --- the seats -----------------------------------------------------------------------------------------------
    Field("passed", np.int8, (c.MAX_SEATS,)),  # 0/1 this round
    Field("supply", np.int8, (c.MAX_SEATS,)),  # discs, by side
    Field("harbor", np.int8, (c.MAX_SEATS,)),  # discs
    Field("tokens", np.int8, (c.MAX_SEATS, c.NUM_TOKEN_KINDS)),  # trade tokens held
    Field("buildings", np.int8, (c.MAX_SEATS, c.MAX_BUILDING_TYPES)),  # copies owned
    Field("occupied", np.int8, (c.MAX_SEATS, c.MAX_BUILDING_TYPES)),  # copies with a disc on them
    Field("num_cards", np.int8, (c.MAX_SEATS,)),  # face-up cards held
    Field("num_governors", np.int8, (c.MAX_SEATS,)),  # of them
    Field("num_slavery", np.int8, (c.MAX_SEATS,)),  # of them
    Field("num_face_down", np.int8, (c.MAX_SEATS,)),  # Slavery cards set aside
    # --- the table -----------------------------------------------------------------------------------------------
    Field("building_supply", np.int8, (c.MAX_BUILDING_TYPES,)),  # copies left
    Field("card_place", np.int8, (c.NUM_CARDS,), c.CARD_IN_PILE),  # seat, CARD_* or CARD_FACE_DOWN + seat
    Field("pile_top", np.int8, (c.NUM_DECKS,)),  # position of the top card 0..5, 6 = empty
    # --- the board -----------------------------------------------------------------------------------------------
    Field("token", np.int8, (c.NUM_SPACES,), c.NONE),  # token kind lying on the space, or NONE
    Field("open", np.int8, (c.NUM_REGIONS,)),  # 0/1
    Field("city_owner", np.int8, (c.MAX_CITIES,), c.NONE),  # side or NONE
    Field("track_owner", np.int8, (c.NUM_REGIONS, c.MAX_TRACK), c.NONE),  # side, NONE or SPACE_CLOSED; 0 = far end
    Field("track_next", np.int8, (c.NUM_REGIONS,)),  # index of the next space to fill; track_length = full
    Field("beside", np.int8, (c.MAX_SEATS, c.NUM_REGIONS)),  # discs beside a full track, by side
    Field("presence", np.int8, (c.MAX_SEATS, c.NUM_REGIONS)),  # discs in cities, on and beside the track, by side
    # --- options of the game (notation 4) ------------------------------------------------------------------------
    Field("ties_first", np.int8),  # 0/1: the first option in data-file order settles the Opposition's ties
    Field("difficulty", np.int8),  # DIFFICULTY_*
    Field("ignore_industry", np.int8),  # 0/1: any level of the grid may be built (S6.2)
    Field("removed_stay", np.int8),  # 0/1: a shipping space without token takes a disc (V2S.5)
    # --- variants with neutral discs -----------------------------------------------------------------------------
    Field("removals_left", np.int8),  # tokens that still leave the tracks in set-up (V2S.4)
    Field("neutral_reserve", np.int8, (c.MAX_SEATS,)),  # neutral discs beside the mat (V2S.2)
    Field("neutral_harbor", np.int8, (c.MAX_SEATS,)),  # neutral discs in harbor (V2S.6)
    Field("neutral_regions", np.int8),  # bit r: a neutral disc may go to region r after this action (V2S.7)
    Field("neutral_due", np.int8, default=c.NONE),  # neutral_2: SAIL or OCCUPY calls for a neutral disc, or NONE
    # --- solo: the action scale and the building grid ------------------------------------------------------------
    Field("scale", np.int8, (c.SCALE_SIZE,), c.NONE),  # sides 1..4, index 0 = position 1 (S0)
    Field("ipf", np.int8),  # the rulebook's IPF marker: position 1..8; the colours below it act this round (S2)
    Field("bonus_due", np.int8),  # 0/1, the face that the IPF marker shows: a bonus draw is owed (S3.5)
    Field("grid", np.int8, (c.GRID_LEVELS, c.GRID_COLUMNS), c.NONE),  # building type or NONE
    Field("last_built", np.int8, default=c.NONE),  # type the player took from the grid this round, or NONE
    Field("isb_level", np.int8, default=c.NONE),  # the rulebook's ISB (the crown on the last tile built): row 0..4
    Field("isb_column", np.int8, default=c.NONE),  # and its column 0..2 (S0)
    Field("pending", np.int8, (c.GRID_LEVELS,), c.NONE),  # type waiting to refill the row, or NONE (S7.3)
    # --- solo: what the Opposition has to do ---------------------------------------------------------------------
    Field("europe_order", np.int8, (c.NUM_COLOURS,), c.NONE),  # sides in the order of S1.8
    Field("opposition_first", np.int8),  # 0/1: it acts before the player this round (S3.3)
    Field("task", np.int8),  # TASK_*
    Field("task_step", np.int8),  # TASK_EUROPE: status 0..3; TASK_ACTION and TASK_TOKEN: index on the scale
    Field("acting", np.int8, default=c.NONE),  # side 1..4 that acts, or NONE
    Field("num_waiting", np.int8),  # blue tokens still to be carried out (S5.5)
    Field("waiting_kind", np.int8, (c.MAX_WAITING,), c.NONE),  # token kind, the next one last
    Field("waiting_regions", np.int8, (c.MAX_WAITING,)),  # bit r: the token lay in region r
    Field("spare", np.int8, (3,)),  # fills the fields above up to a multiple of 8 bytes
)
_SETUP_FIELDS = (  # every random outcome of a game; what a variant does not use keeps NONE
    Field("first_player", np.int8, default=c.NONE),
    Field("tokens", np.int8, (c.NUM_SPACES,), c.NONE),  # token kind on each space before anything is removed
    Field("grid", np.int8, (c.GRID_LEVELS, c.GRID_COLUMNS), c.NONE),  # solo: building types (S1.2)
    Field("scale", np.int8, (c.SCALE_SIZE,), c.NONE),  # solo: sides 1..4 from position 1 upward (S1.3)
    Field("track_discs", np.int8, (c.NUM_REGIONS, 2), c.NONE),  # solo: sides on shipping spaces 1 and 2 (S1.6)
    Field("europe_order", np.int8, (c.NUM_COLOURS,), c.NONE),  # solo: sides in drawing order (S1.8)
    Field("exploits", EXPLOIT_BITS),  # bit e: Exploit e is in play (X1.1)
)


def _record(fields: tuple[Field, ...]) -> np.dtype[np.void]:
    """Return the record of ``fields`` in their order, filled up with a ``padding`` field to a multiple of 8 bytes."""
    size = sum(np.dtype((field.kind, field.shape)).itemsize for field in fields)
    if size % 8:
        fields = (*fields, Field("padding", np.int8, (-size % 8,)))
    plain = np.dtype([(field.name, field.kind, field.shape) for field in fields], align=True)
    return np.dtype((np.record, plain))


def _empty(record: np.dtype[np.void], fields: tuple[Field, ...]) -> npt.NDArray[np.void]:
    """Return (1,) of ``record`` that holds every field's default."""
    empty = np.zeros(1, record)
    for field in fields:
        empty[field.name] = field.default
    return empty


BASE_SIZE = sum(np.dtype((field.kind, field.shape)).itemsize for field in _STATE_FIELDS)
"""Bytes of the fields that games without Exploits use, the first ones of a state; the others keep their defaults."""
STATE = _record((*_STATE_FIELDS, *EXPLOIT_FIELDS))
SETUP = _record(_SETUP_FIELDS)
EMPTY_STATE = _empty(STATE, (*_STATE_FIELDS, *EXPLOIT_FIELDS))
"""(1,) STATE that every game begins as; kernels copy it."""
EMPTY_SETUP = _empty(SETUP, _SETUP_FIELDS)
"""(1,) SETUP that every set-up begins as; kernels copy it."""


def copy_states(states: npt.NDArray[np.void]) -> npt.NDArray[np.void]:
    """Return an independent, writable copy of (N,) STATE through its bytes.

    NumPy's own ``copy`` goes field by field and takes over ten times as long; in a kernel plain assignment is fastest.
    """
    return np.frombuffer(bytearray(states.tobytes()), STATE)


def new_setup() -> npt.NDArray[np.void]:
    """Return a copy of EMPTY_SETUP."""
    return np.frombuffer(bytearray(_EMPTY_SETUP_BYTES), SETUP)


_EMPTY_SETUP_BYTES = EMPTY_SETUP.tobytes()


# --- The kinds of arguments that only entries of this game take ------------------------------------------------------
# The others are in ``engine.kernels.rules``.

BOARDS, STATES, SETUPS = array(BOARD), array(STATE), array(SETUP)
SHORTS, SHORT_ROWS = array(np.int16), array(np.int16, 2)


# --- The arguments by which kernels call parts of the game through symbols (``kernels.calls``) -----------------------

OUTSIDE = code_entry(
    pointer(BOARD),  # the board
    pointer(STATE),  # the position
    INTEGER,  # what to do, a number that the entry gives a meaning
    INTEGER,  # two numbers that it is about
    INTEGER,
    pointer(),  # an array to write to
    INTEGER,  # the number of its entries
)
"""The decorator of the entry of such a part, which returns int64."""
board_at, state_at = record_at(BOARD), record_at(STATE)
"""In a code entry: ``board_at(board)`` and ``state_at(state)`` are the records of what it is given."""
