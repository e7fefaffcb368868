"""STATE: one game as one fixed-size record. Copy is assignment, saving is ``tobytes``, equality is byte equality.

The record holds no pointer, no padding and no generator: after set-up the game has no chance, so equal moves give
equal bytes. Rows beyond those in use and beyond the board's own counts keep the value they were cleared to.

Rows of (MAX_SEATS, ...) fields are *seats*, but for the discs on the map (``supply``, ``beside``, ``presence`` and the
owners in ``city_owner`` and ``track_owner``) they are *sides*: the seats, and after them what owns discs without having
a seat. In ``soloplay_2`` and ``soloplay_3`` that is one neutral side, whose ``supply`` counts the discs that left the
game; in ``neutral_2`` sides 2 and 3 belong to seats 0 and 1; in ``solo`` sides 1 to 4 are the opposing colours, and row
OPPOSITION of all other fields is the mat they share.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from endeavor_env.core import constants as c

STATE = np.dtype(
    (
        np.record,
        [
            # true icon counts, not capped at 15 (R10.1)
            ("status", np.int16, (c.MAX_SEATS, c.NUM_STATUSES)),
            # where the game stands
            ("num_seats", np.int8),  # players: 3..5 in the base game, 1 in solo
            ("variant", np.int8),  # VARIANT_*
            ("first_player", np.int8),  # seat with the first-player marker this round
            ("round_number", np.int8),  # 1..7; not "round": NumPy records have a method of that name
            ("phase", np.int8),  # PHASE_*
            ("decision", np.int8),  # DECIDE_*: what kind of move is asked for
            ("seat", np.int8),  # whose decision it is; NONE when the game is over
            ("sweep", np.int8),  # seats done in a phase that goes round the table once, 0..num_seats
            ("payments_left", np.int8),  # Salary phase, 0..5
            ("abolished", np.int8),  # 0/1, slavery is abolished (R8.9)
            # the action under way (DECIDE_TARGET)
            ("source", np.int8),  # building type that was activated, or NONE for a blue token
            ("mode", np.int8),  # MODE_*
            ("parts", np.int8, (c.MAX_ACTION_PARTS,)),  # SAIL..PAY still open, or NONE
            ("parts_done", np.int8),  # 0..2 carried out
            ("lock_region", np.int8),  # region the next part is bound to, or NONE
            ("lock_deck", np.int8),  # deck the next part is bound to, or NONE
            # seats
            ("passed", np.int8, (c.MAX_SEATS,)),  # 0/1 this round
            ("supply", np.int8, (c.MAX_SEATS,)),  # discs, by side
            ("harbor", np.int8, (c.MAX_SEATS,)),  # discs
            ("tokens", np.int8, (c.MAX_SEATS, c.NUM_TOKEN_KINDS)),  # trade tokens held
            ("buildings", np.int8, (c.MAX_SEATS, c.MAX_BUILDING_TYPES)),  # copies owned
            ("occupied", np.int8, (c.MAX_SEATS, c.MAX_BUILDING_TYPES)),  # copies with a disc on them
            ("num_cards", np.int8, (c.MAX_SEATS,)),  # face-up cards held
            ("num_governors", np.int8, (c.MAX_SEATS,)),  # of them
            ("num_slavery", np.int8, (c.MAX_SEATS,)),  # of them
            ("num_face_down", np.int8, (c.MAX_SEATS,)),  # set-aside Slavery cards
            # the table
            ("building_supply", np.int8, (c.MAX_BUILDING_TYPES,)),  # copies left
            ("card_place", np.int8, (c.NUM_CARDS,)),  # seat, CARD_IN_PILE, CARD_OUT_OF_GAME or CARD_FACE_DOWN + seat
            ("pile_top", np.int8, (c.NUM_DECKS,)),  # position of the top card 0..5, 6 = empty
            # the board
            ("token", np.int8, (c.NUM_SPACES,)),  # token kind lying on the space, or NONE
            ("open", np.int8, (c.NUM_REGIONS,)),  # 0/1
            ("city_owner", np.int8, (c.MAX_CITIES,)),  # side or NONE
            ("track_owner", np.int8, (c.NUM_REGIONS, c.MAX_TRACK)),  # side, NONE or SPACE_CLOSED, index 0 = far end
            ("track_next", np.int8, (c.NUM_REGIONS,)),  # index of the next space to fill; track_length = full
            ("beside", np.int8, (c.MAX_SEATS, c.NUM_REGIONS)),  # discs beside a full track, by side
            ("presence", np.int8, (c.MAX_SEATS, c.NUM_REGIONS)),  # discs in cities, on and beside the track
            # options of a variant (notation 4)
            ("ties_first", np.int8),  # 0/1: the first option in data-file order settles the Opposition's ties
            ("difficulty", np.int8),  # DIFFICULTY_*
            ("ignore_industry", np.int8),  # 0/1: any level of the grid may be built (S6.2)
            ("removed_stay", np.int8),  # 0/1: a shipping space without token takes a disc (V2S.5)
            # variants with neutral discs
            ("removals_left", np.int8),  # tokens that still leave the tracks in set-up (V2S.4)
            ("neutral_reserve", np.int8, (c.MAX_SEATS,)),  # neutral discs beside the mat (V2S.2)
            ("neutral_harbor", np.int8, (c.MAX_SEATS,)),  # neutral discs in harbor (V2S.6)
            ("neutral_regions", np.int8),  # bit r: a neutral disc may go to region r after this action (V2S.7)
            ("neutral_due", np.int8),  # neutral_2: SAIL or OCCUPY is to be followed by a neutral disc, or NONE
            # solo: the action scale, and the building grid
            ("scale", np.int8, (c.SCALE_SIZE,)),  # sides 1..4, index 0 = position 1 (S0)
            ("ipf", np.int8),  # position 1..8 of the marker that says how many colours act (S2)
            ("bonus_due", np.int8),  # 0/1, its face: a bonus draw is owed (S3.5)
            ("grid", np.int8, (c.GRID_LEVELS, c.GRID_COLUMNS)),  # building type or NONE
            ("last_built", np.int8),  # type the player took from it this round, or NONE
            ("isb_level", np.int8),  # row 0..4 of the crown (S0)
            ("isb_column", np.int8),  # column 0..2 of the crown
            ("pending", np.int8, (c.GRID_LEVELS,)),  # type waiting to refill the row, or NONE (S7.3)
            # solo: what the Opposition is about
            ("europe_order", np.int8, (c.NUM_COLOURS,)),  # sides in the order of S1.8
            ("opposition_first", np.int8),  # 0/1: it acts before the player this round (S3.3)
            ("task", np.int8),  # TASK_*
            ("task_step", np.int8),  # TASK_EUROPE: status 0..3; TASK_ACTION and TASK_TOKEN: index on the scale
            ("acting", np.int8),  # side 1..4 that acts, or NONE
            ("choices", np.int64),  # what the player is asked to choose from for it, as bits; 0 if it is not asked
            ("choices_at", np.int16),  # offset of their block of action ids
            ("num_waiting", np.int8),  # blue tokens still to be carried out (S5.5)
            ("waiting_kind", np.int8, (c.MAX_WAITING,)),  # token kind, the next one last; NONE beyond num_waiting
            ("waiting_regions", np.int8, (c.MAX_WAITING,)),  # bit r: the token lay in region r; 0 beyond num_waiting
        ],
    )
)


def copy_states(states: npt.NDArray[np.void]) -> npt.NDArray[np.void]:
    """Returns an independent, writable copy of (N,) STATE through its bytes.

    NumPy's own ``copy`` goes field by field and takes over ten times as long; in a kernel plain assignment is fastest.
    """
    return np.frombuffer(bytearray(states.tobytes()), STATE)


SETUP = np.dtype(
    (
        np.record,
        [  # every random outcome of a game; what a variant does not use is NONE
            ("first_player", np.int8),
            ("tokens", np.int8, (c.NUM_SPACES,)),  # token kind on each space before anything is removed
            ("grid", np.int8, (c.GRID_LEVELS, c.GRID_COLUMNS)),  # solo: building types (S1.2)
            ("scale", np.int8, (c.SCALE_SIZE,)),  # solo: sides 1..4 from position 1 upward (S1.3)
            ("track_discs", np.int8, (c.NUM_REGIONS, 2)),  # solo: sides on shipping spaces 1 and 2 (S1.6)
            ("europe_order", np.int8, (c.NUM_COLOURS,)),  # solo: sides in drawing order (S1.8)
        ],
    )
)
