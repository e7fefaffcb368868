"""The variants with neutral discs (V2S, V3S, V2F): set-up and play."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import DONE_AT, NEUTRAL_OCCUPY_AT, NEUTRAL_SAIL_AT, OFFSET_OF, REMOVE_SPACE_AT
from endeavor_env.endeavor.rules.base.actions import (
    free_cities,
    open_if_full,
    open_regions,
    put_on_track,
    reachable_regions,
    skip_closed,
    take_token,
)
from endeavor_env.endeavor.rules.base.components import hold_city
from endeavor_env.endeavor.rules.base.turn import is_open, stop_action
from endeavor_env.endeavor.rules.bits import bit, count, has, where_above
from endeavor_env.engine.kernels.masks import allow, allow_set
from endeavor_env.kernels.kernels import kernel

# --- Neutral discs in play: SoloPlay's variants for 2 and 3 players (V2S, V3S) and the 2-player variant V2F ----------

EVERY_REGION = (1 << c.NUM_REGIONS) - 1


@kernel
def take_neutral_discs(state):
    """Move a neutral disc from the reserve to every harbor below the largest, neutral discs counted (V2S.6, V3S.4)."""
    largest = np.int64(0)
    for seat in range(state.num_seats):
        largest = max(largest, np.int64(state.harbor[seat]) + state.neutral_harbor[seat])
    for seat in range(state.num_seats):
        smaller = np.int64(state.harbor[seat]) + state.neutral_harbor[seat] < largest
        if smaller and state.neutral_reserve[seat] > 0:
            state.neutral_reserve[seat] -= 1
            state.neutral_harbor[seat] += 1


@kernel
def note_part(state, part, region):
    """Record where a neutral disc may or must go after a part of an action (V2S.7-V2S.9, V2F.2, V2F.3).

    After an action in two regions, which only a custom board can have, the disc may go to either.
    """
    if state.variant == c.VARIANT_NEUTRAL_2:
        if part in (c.SAIL, c.OCCUPY):
            state.neutral_due = part
            state.neutral_regions = bit(region)
    elif part == c.DRAW:
        state.neutral_regions = EVERY_REGION
    elif part != c.PAY:
        state.neutral_regions |= bit(region)


@kernel
def forget_parts(state):
    """Clear what ``note_part`` recorded, once the neutral disc is placed, declined or impossible."""
    state.neutral_regions = 0
    state.neutral_due = c.NONE


@kernel
def _tracks(board, state, regions, full):
    """Return the ``regions`` that have a track, as bits; without a free space only if ``full``."""
    tracks = np.int64(0)
    for region in range(c.NUM_REGIONS):
        length = board.track_length[region]
        if has(regions, region) and length > 0 and (full or state.track_next[region] < length):
            tracks |= bit(region)
    return tracks


@kernel
def _side_cities(board, state, seat):
    """Return the cities that the neutral side of ``seat`` may occupy after ``seat`` has, as bits (V2F.3).

    They are in the same region if possible, else in any region where that side may occupy.
    """
    here = np.int64(state.neutral_regions)
    reach = reachable_regions(board, state, state.num_seats + seat, c.NONE)
    cities = free_cities(board, state, reach & here)
    return cities if cities != 0 else free_cities(board, state, reach)


@kernel
def sail_options(board, state, seat):
    """Return the regions that a neutral disc may sail to now, as bits."""
    if state.variant != c.VARIANT_NEUTRAL_2:
        return _tracks(board, state, np.int64(state.neutral_regions), True)  # C1: full tracks included
    if state.neutral_due != c.SAIL or state.supply[state.num_seats + seat] < 1:
        return np.int64(0)
    return _tracks(board, state, np.int64(EVERY_REGION), False)


@kernel
def occupy_options(board, state, seat):
    """Return the cities that a neutral disc may occupy now, as bits."""
    if state.variant != c.VARIANT_NEUTRAL_2:
        return free_cities(board, state, np.int64(state.neutral_regions) & open_regions(state))
    if state.neutral_due != c.OCCUPY or state.supply[state.num_seats + seat] < 1:
        return np.int64(0)
    return _side_cities(board, state, seat)


@kernel
def neutral_follows(board, state, seat):
    """Return whether a neutral disc must or may be placed (notation 3.9, 3.10)."""
    if state.neutral_regions == 0 or (state.variant != c.VARIANT_NEUTRAL_2 and state.neutral_harbor[seat] < 1):
        return False
    return sail_options(board, state, seat) != 0 or occupy_options(board, state, seat) != 0


@kernel
def asks_for_disc(board, state, seat, going_on):
    """Return whether to ask for a neutral disc now, before the action under way goes on or ends.

    ``going_on`` says whether the action has a target left. If it is time to ask, but no disc can be placed, clear what
    called for one.
    """
    if state.variant == c.VARIANT_NEUTRAL_2:
        # V2F.4, V2F.5: ask before the next part, but only once for two Sails
        later = going_on and state.neutral_due == c.SAIL and is_open(state, c.SAIL)
    else:
        later = going_on  # V2S.7: never ask between the parts
    if later:
        return False
    if neutral_follows(board, state, seat):
        if state.variant != c.VARIANT_NEUTRAL_2:
            stop_action(state)  # the action is over, even if the neutral disc creates a target for an open part
        return True
    forget_parts(state)
    return False


@kernel
def mark_neutral(board, state, seat, words):
    """Mark where the neutral disc may go, and DONE if placing it is optional (V2S.7)."""
    allow_set(words, NEUTRAL_SAIL_AT, sail_options(board, state, seat))
    allow_set(words, NEUTRAL_OCCUPY_AT, occupy_options(board, state, seat))
    if state.variant != c.VARIANT_NEUTRAL_2:
        allow(words, DONE_AT)


@kernel
def place_neutral(board, state, seat, action):
    """Place the neutral disc; the token goes to ``seat`` in SoloPlay (V2S.11), in V2F out of the game (V2F.6)."""
    side = np.int64(state.num_seats)
    if state.variant == c.VARIANT_NEUTRAL_2:
        side += seat
        state.supply[side] -= 1
    else:
        state.neutral_harbor[seat] -= 1
    if OFFSET_OF[action] == NEUTRAL_OCCUPY_AT:
        city = action - NEUTRAL_OCCUPY_AT
        hold_city(board, state, side, city)
        _clear_space(state, seat, c.CITY_SPACES + city)
        return
    region = action - NEUTRAL_SAIL_AT
    space = put_on_track(board, state, side, region)
    if space != c.NONE:
        _clear_space(state, seat, space)
        open_if_full(board, state, region)


@kernel
def _clear_space(state, seat, space):
    """Remove the token from the space that a neutral disc fills: to ``seat``, or in V2F out of the game."""
    if state.variant == c.VARIANT_NEUTRAL_2:
        state.token[space] = c.NONE
    else:
        take_token(state, seat, space)


# --- Set-up of the variants with neutral discs (V2S.1-V2S.5, V3S.1-V3S.3, V2F.1) -------------------------------------

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
