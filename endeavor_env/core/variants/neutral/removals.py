"""Set-up of the variants with neutral discs (V2S.1-V2S.5, V3S.1-V3S.3, V2F.1)."""

from __future__ import annotations

import numpy as np

from endeavor_env.core import constants as c
from endeavor_env.core._jit import kernel
from endeavor_env.core.actions import REMOVE_SPACE_AT
from endeavor_env.core.rules.sail import skip_closed

TOP_LEVEL_THINNED = 4  # one copy of each type up to this level is out of the game (V2S.1)
RESERVE_2, RESERVE_3 = 3, 2  # neutral discs a player starts with (V2S.2, V3S.2)
REMOVALS_2, REMOVALS_3 = 6, 8  # tokens the players remove (V2S.4, V3S.3)
A_TRACK_2, A_TRACK_3 = 3, 2  # tokens a track may lose in all


@kernel
def set_up_neutral(board, state):
    """Lay out a variant's neutral discs, and removes what nobody decides."""
    if state.variant == c.VARIANT_NEUTRAL_2:
        for side in range(state.num_seats, 2 * state.num_seats):
            state.supply[side] = board.discs_per_player
        return
    two = state.variant == c.VARIANT_SOLOPLAY_2
    state.neutral_reserve[: state.num_seats] = RESERVE_2 if two else RESERVE_3
    state.removals_left = REMOVALS_2 if two else REMOVALS_3
    if two:
        for building in range(board.num_building_types):
            if 1 <= board.building_level[building] <= TOP_LEVEL_THINNED:
                state.building_supply[building] -= 1
        for region in range(c.NUM_REGIONS):
            if board.track_length[region] > 0:
                remove_token(board, state, region, 0)  # which of them is not said; the far one (V2S.3)


@kernel
def remove_token(board, state, region, space):
    """Take the token off shipping space ``space`` (0 = far end), which is closed then unless the option keeps it."""
    state.token[c.TRACK_SPACES + region * c.MAX_TRACK + space] = c.NONE
    if not state.removed_stay:
        state.track_owner[region, space] = c.SPACE_CLOSED
        skip_closed(board, state, region)


@kernel
def first_remover(state):
    """Return the seat that removes a token first: the first player, with three the one to its left (V2S.4, V3S.3)."""
    later = 1 if state.variant == c.VARIANT_SOLOPLAY_3 else 0
    return (state.first_player + later) % state.num_seats


@kernel
def mark_removals(board, state, out):
    """Mark the shipping spaces whose token may be removed: any of a track that has not lost too many (V2S.4)."""
    limit = A_TRACK_2 if state.variant == c.VARIANT_SOLOPLAY_2 else A_TRACK_3
    for region in range(c.NUM_REGIONS):
        first, left = c.TRACK_SPACES + region * c.MAX_TRACK, np.int64(0)
        for space in range(c.MAX_TRACK):  # there is no token beyond the end of a track
            left += np.int64(state.token[first + space] != c.NONE)
        if board.track_length[region] - left < limit:
            for space in range(c.MAX_TRACK):
                out[REMOVE_SPACE_AT + region * c.MAX_TRACK + space] = state.token[first + space] != c.NONE
