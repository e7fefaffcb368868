"""Neutral discs in play: SoloPlay's 2- and 3-player variants (V2S, V3S) and the 2-player variant of V2F."""

from __future__ import annotations

import numpy as np

from endeavor_env.core import constants as c
from endeavor_env.core._jit import kernel
from endeavor_env.core.actions import DONE_AT, NEUTRAL_OCCUPY_AT, NEUTRAL_SAIL_AT, OFFSET_OF
from endeavor_env.core.bits import bit, has, mark
from endeavor_env.core.rules.occupy import free_cities, hold_city
from endeavor_env.core.rules.presence import open_regions, reachable_regions
from endeavor_env.core.rules.sail import open_if_full, put_on_track
from endeavor_env.core.rules.targets import is_open, stop_action
from endeavor_env.core.rules.tokens import take_token

EVERY_REGION = (1 << c.NUM_REGIONS) - 1


@kernel
def take_neutral_discs(state):
    """Give a neutral disc to every harbor that is not the largest, neutral ones counted (V2S.6, V3S.4)."""
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
    """Remember what a part carried out allows or demands: where a neutral disc may go (V2S.7-V2S.9, V2F.2, V2F.3).

    After an action in two regions, which only a custom board can have, either of them will do.
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
    """Forget what was remembered, when the neutral disc is placed, declined or impossible."""
    state.neutral_regions = 0
    state.neutral_due = c.NONE


@kernel
def _tracks(board, state, regions, full):
    """Return those of ``regions`` with a track, as bits; with ``full`` also those without a free space."""
    tracks = np.int64(0)
    for region in range(c.NUM_REGIONS):
        length = board.track_length[region]
        if has(regions, region) and length > 0 and (full or state.track_next[region] < length):
            tracks |= bit(region)
    return tracks


@kernel
def _side_cities(board, state, seat):
    """Return the cities that the neutral side of ``seat`` may occupy after its seat did (V2F.3)."""
    here = np.int64(state.neutral_regions)
    reach = reachable_regions(board, state, state.num_seats + seat, c.NONE)
    cities = free_cities(board, state, reach & here)
    return cities if cities != 0 else free_cities(board, state, reach)


@kernel
def sail_options(board, state, seat):
    """Return the regions a neutral disc may sail to now, as bits."""
    if state.variant != c.VARIANT_NEUTRAL_2:
        return _tracks(board, state, np.int64(state.neutral_regions), True)  # C1: a full track, too
    if state.neutral_due != c.SAIL or state.supply[state.num_seats + seat] < 1:
        return np.int64(0)
    return _tracks(board, state, np.int64(EVERY_REGION), False)


@kernel
def occupy_options(board, state, seat):
    """Return the cities a neutral disc may occupy now, as bits."""
    if state.variant != c.VARIANT_NEUTRAL_2:
        return free_cities(board, state, np.int64(state.neutral_regions) & open_regions(state))
    if state.neutral_due != c.OCCUPY or state.supply[state.num_seats + seat] < 1:
        return np.int64(0)
    return _side_cities(board, state, seat)


@kernel
def neutral_follows(board, state, seat):
    """Return whether a neutral disc is to be placed, or may be (notation 3.9, 3.10)."""
    if state.neutral_regions == 0 or (state.variant != c.VARIANT_NEUTRAL_2 and state.neutral_harbor[seat] < 1):
        return False
    return sail_options(board, state, seat) != 0 or occupy_options(board, state, seat) != 0


@kernel
def asks_for_disc(board, state, seat, going_on):
    """Return whether a neutral disc is placed now, before the action under way goes on or ends.

    ``going_on`` says whether the action has a target left. If no disc can follow, forget what called for it.
    """
    if state.variant == c.VARIANT_NEUTRAL_2:
        # Before the next part, but only once for two Sails (V2F.4, V2F.5).
        later = going_on and state.neutral_due == c.SAIL and is_open(state, c.SAIL)
    else:
        later = going_on  # never between the parts (V2S.7)
    if later:
        return False
    if neutral_follows(board, state, seat):
        if state.variant != c.VARIANT_NEUTRAL_2:
            stop_action(state)  # it is over, even if the neutral disc makes a target of what was left
        return True
    forget_parts(state)
    return False


@kernel
def mark_neutral(board, state, seat, out):
    """Mark where the neutral disc may go, and DONE where it is optional (V2S.7)."""
    mark(sail_options(board, state, seat), NEUTRAL_SAIL_AT, out)
    mark(occupy_options(board, state, seat), NEUTRAL_OCCUPY_AT, out)
    if state.variant != c.VARIANT_NEUTRAL_2:
        out[DONE_AT] = 1


@kernel
def place_neutral(board, state, seat, action):
    """Place the neutral disc; its token goes to ``seat`` in SoloPlay (V2S.11), else out of the game (V2F.6)."""
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
    """Take the token off the space a neutral disc fills."""
    if state.variant == c.VARIANT_NEUTRAL_2:
        state.token[space] = c.NONE
    else:
        take_token(state, seat, space)
