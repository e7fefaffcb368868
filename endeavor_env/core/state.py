"""STATE: one game as one fixed-size record. Copy is assignment, saving is ``tobytes``, equality is byte equality.

The record holds no pointer, no padding and no generator: after set-up the game has no chance, so equal moves give
equal bytes. Rows beyond ``num_seats`` and beyond the board's own counts keep the value they were cleared to.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from endeavor_env.core.constants import (
    MAX_ACTION_PARTS,
    MAX_BUILDING_TYPES,
    MAX_CITIES,
    MAX_SEATS,
    MAX_TRACK,
    NUM_CARDS,
    NUM_DECKS,
    NUM_REGIONS,
    NUM_SPACES,
    NUM_STATUSES,
    NUM_TOKEN_KINDS,
)

STATE = np.dtype(
    (
        np.record,
        [
            # true icon counts, not capped at 15 (R10.1)
            ("status", np.int16, (MAX_SEATS, NUM_STATUSES)),
            # where the game stands
            ("num_seats", np.int8),  # 3..5 in the base game
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
            ("parts", np.int8, (MAX_ACTION_PARTS,)),  # SAIL..PAY still open, or NONE
            ("parts_done", np.int8),  # 0..2 carried out
            ("lock_region", np.int8),  # region the next part is bound to, or NONE
            ("lock_deck", np.int8),  # deck the next part is bound to, or NONE
            # seats
            ("passed", np.int8, (MAX_SEATS,)),  # 0/1 this round
            ("supply", np.int8, (MAX_SEATS,)),  # discs
            ("harbor", np.int8, (MAX_SEATS,)),  # discs
            ("tokens", np.int8, (MAX_SEATS, NUM_TOKEN_KINDS)),  # trade tokens held
            ("buildings", np.int8, (MAX_SEATS, MAX_BUILDING_TYPES)),  # copies owned
            ("occupied", np.int8, (MAX_SEATS, MAX_BUILDING_TYPES)),  # copies with a disc on them
            ("num_cards", np.int8, (MAX_SEATS,)),  # face-up cards held
            ("num_governors", np.int8, (MAX_SEATS,)),  # of them
            ("num_slavery", np.int8, (MAX_SEATS,)),  # of them
            ("num_face_down", np.int8, (MAX_SEATS,)),  # set-aside Slavery cards
            # the table
            ("building_supply", np.int8, (MAX_BUILDING_TYPES,)),  # copies left
            ("card_place", np.int8, (NUM_CARDS,)),  # seat, CARD_IN_PILE, CARD_OUT_OF_GAME or CARD_FACE_DOWN + seat
            ("pile_top", np.int8, (NUM_DECKS,)),  # position of the top card 0..5, 6 = empty
            # the board
            ("token", np.int8, (NUM_SPACES,)),  # token kind lying on the space, or NONE
            ("open", np.int8, (NUM_REGIONS,)),  # 0/1
            ("city_owner", np.int8, (MAX_CITIES,)),  # seat or NONE
            ("track_owner", np.int8, (NUM_REGIONS, MAX_TRACK)),  # seat or NONE, index 0 = far end
            ("track_next", np.int8, (NUM_REGIONS,)),  # index of the next space to fill; track_length = full
            ("beside", np.int8, (MAX_SEATS, NUM_REGIONS)),  # discs beside a full track
            ("presence", np.int8, (MAX_SEATS, NUM_REGIONS)),  # own discs in cities, on the track and beside it
        ],
    )
)


def copy_states(states: npt.NDArray[np.void]) -> npt.NDArray[np.void]:
    """Returns an independent, writable copy of (N,) STATE through its bytes.

    NumPy's own ``copy`` goes field by field and takes over ten times as long; in a kernel plain assignment is fastest.
    """
    return np.frombuffer(bytearray(states.tobytes()), STATE)
