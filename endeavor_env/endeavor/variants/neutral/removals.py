"""Set-up of the variants with neutral discs (V2S.1-V2S.5, V3S.1-V3S.3, V2F.1)."""

from __future__ import annotations

from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import REMOVE_SPACE_AT
from endeavor_env.endeavor.rules.base.sail import skip_closed
from endeavor_env.endeavor.rules.bits import count, where_above
from endeavor_env.engine.kernels.masks import allow_set
from endeavor_env.kernels.kernels import kernel

HIGHEST_REDUCED_LEVEL = 4  # one copy of each type from level 1 to this one is out of the game (V2S.1)
RESERVE_2, RESERVE_3 = 3, 2  # neutral discs of a player at the start, with 2 and with 3 players (V2S.2, V3S.2)
REMOVALS_2, REMOVALS_3 = 6, 8  # tokens the players remove (V2S.4, V3S.3)
_spaces_above = where_above(c.MAX_TRACK)
TRACK_LIMIT_2, TRACK_LIMIT_3 = 3, 2  # most tokens that a track may lose in all


@kernel
def set_up_neutral(board, state):
    """Lay out a variant's neutral discs, and remove the components that leave the game without a decision."""
    if state.variant == c.VARIANT_NEUTRAL_2:
        for side in range(state.num_seats, 2 * state.num_seats):
            state.supply[side] = board.discs_per_player
        return
    two = state.variant == c.VARIANT_SOLOPLAY_2
    state.neutral_reserve[: state.num_seats] = RESERVE_2 if two else RESERVE_3
    state.removals_left = REMOVALS_2 if two else REMOVALS_3
    if two:
        for building in range(board.num_building_types):
            if 1 <= board.building_level[building] <= HIGHEST_REDUCED_LEVEL:
                state.building_supply[building] -= 1
        for region in range(c.NUM_REGIONS):
            if board.track_length[region] > 0:
                remove_token(board, state, region, 0)  # V2S.3 does not say which token; the far one


@kernel
def remove_token(board, state, region, space):
    """Remove the token from shipping space ``space`` (0 = far end), and close the space unless ``removed_stay``."""
    state.token[c.TRACK_SPACES + region * c.MAX_TRACK + space] = c.NONE
    if not state.removed_stay:
        state.track_owner[region, space] = c.SPACE_CLOSED
        skip_closed(board, state, region)


@kernel
def first_remover(state):
    """Return the seat that removes a token first: the first player, with 3 players the next one (V2S.4, V3S.3)."""
    later = 1 if state.variant == c.VARIANT_SOLOPLAY_3 else 0
    return (state.first_player + later) % state.num_seats


@kernel
def mark_removals(board, state, words):
    """Mark the shipping spaces whose token may be removed, on tracks below their limit (V2S.4, V3S.3)."""
    limit = TRACK_LIMIT_2 if state.variant == c.VARIANT_SOLOPLAY_2 else TRACK_LIMIT_3
    for region in range(c.NUM_REGIONS):
        first = c.TRACK_SPACES + region * c.MAX_TRACK
        left = _spaces_above(state.token[first : first + c.MAX_TRACK], c.NONE)  # there are none beyond a track's end
        if board.track_length[region] - count(left) < limit:
            allow_set(words, REMOVE_SPACE_AT + region * c.MAX_TRACK, left)
