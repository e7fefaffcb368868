"""What the automa does where the Opposition's rules are silent: it has no buildings, no Salary, no pass (S2.5).

Each choice is a rule of thumb in the spirit of the list: blue tokens first, then the least advanced status.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.core import constants as c
from endeavor_env.core._jit import kernel
from endeavor_env.core.actions import DISCARD_AT, DONE_AT, NEUTRAL_OCCUPY_AT, NEUTRAL_SAIL_AT, PAY_AT, REMOVE_SPACE_AT
from endeavor_env.core.bits import bit, has
from endeavor_env.core.rules.occupy import controls
from endeavor_env.core.rules.presence import reachable_regions
from endeavor_env.core.rules.sail import next_space
from endeavor_env.core.rules.statuses import marker
from endeavor_env.core.sides import mat_of
from endeavor_env.core.variants.solo.priority_list import beside_options, complete_options, free_spaces
from endeavor_env.core.variants.solo.tie_breaks import LAST, connections_completed, pick_track

WORST = -(1 << 30)  # below every merit
FAR = 1 << 30  # above every rank
ICON_SHARE = 64  # Glory outweighs the icons of a card
CITY_WEIGHT, GLORY_WEIGHT = 1000, 200  # a connection outweighs Glory, Glory outweighs a token


@kernel
def any_legal(mask):
    """Return the first legal action, -1 if there is none."""
    for action in range(mask.size):
        if mask[action]:
            return action
    return -1


@kernel
def token_rank(board, state, seat, space):
    """Return how soon ``seat`` wants the token of ``space``: blue -1, a status its marker, else LAST.

    A status at the end of its track and a space without token rank LAST.
    """
    kind = np.int64(state.token[space])
    if kind == c.NONE:
        return np.int64(LAST)
    if kind >= c.FIRST_BLUE:
        return np.int64(-1)
    position = np.int64(marker(board, state, seat, kind))
    return position if position < board.status_max else np.int64(LAST)


# --- shipping --------------------------------------------------------------------------------------------------------


@kernel
def best_track(board, state, tracks):
    """Settle a tie of tracks, bits and not empty: a blue token first, then the fewest free spaces, then the order."""
    chosen, least = np.int64(c.NONE), np.int64(FAR)
    for region in range(c.NUM_REGIONS):
        if has(tracks, region):
            space = next_space(board, state, region)
            blue = space != c.NONE and state.token[space] >= c.FIRST_BLUE
            rank = free_spaces(board, state, region) + (0 if blue else c.MAX_TRACK)
            if rank < least:
                chosen, least = np.int64(region), rank
    return chosen


@kernel
def new_shores(board, state, seat):
    """Item d.iii for a seat: the open regions with a free city where it is not present, which b implies for a colour.

    A seat may be present and yet have nothing to occupy with; another disc beside the track would bring it nothing.
    """
    regions = beside_options(board, state)
    for region in range(c.NUM_REGIONS):
        if state.presence[seat, region] > 0:
            regions &= ~bit(region)
    return regions


@kernel
def other_tracks(board, state, seat, regions, useless):
    """Return the tracks of ``regions``, bits, that a Sail leaves open, even without a disc of ``seat``, by S5.2.

    The Opposition has discs on all tracks from the start, so its list does not say how to begin.
    """
    tracks = np.int64(0)
    for region in range(c.NUM_REGIONS):
        if not has(regions, region) or free_spaces(board, state, region) < 2:
            continue
        if useless or token_rank(board, state, seat, next_space(board, state, region)) < LAST:
            tracks |= bit(region)
    tracks, _ = pick_track(board, state, seat, tracks)
    return tracks


# --- attacking, paying ------------------------------------------------------------------------------------------------


@kernel
def _swing(board, state, seat, city):
    """Return the Glory that changes hands when ``seat`` takes ``city``, as in S5.5; neutral sides lose none."""
    owner = np.int64(state.city_owner[city])
    swing = board.city_glory[city] + connections_completed(board, state, seat, city) * board.connection_glory
    if mat_of(state, owner) == c.NONE:
        return swing
    swing += board.city_glory[city]
    for index in range(board.city_degree[city]):
        if controls(board, state, owner, np.int64(board.city_connection[city, index])):
            swing += board.connection_glory
    return swing


@kernel
def greatest_swing(board, state, seat):
    """Return the enemy city within reach of the greatest swing, NONE if there is none (S5.5)."""
    regions = np.int64(reachable_regions(board, state, seat, np.int64(state.lock_region)))
    chosen, most = np.int64(c.NONE), np.int64(-1)
    for city in range(board.num_cities):
        owner = state.city_owner[city]
        if owner != c.NONE and owner != seat and has(regions, board.city_region[city]):
            swing = _swing(board, state, seat, city)
            if swing > most:
                chosen, most = np.int64(city), swing
    return chosen


@kernel
def _part_rank(part):
    """Return the place of an action in the list, Attack and Pay after it."""
    if part == c.OCCUPY:
        return 0
    if part == c.SAIL:
        return 1
    if part == c.DRAW:
        return 2
    return 3 if part == c.ATTACK else 4


@kernel
def _action_rank(board, building):
    """Return how soon the automa wants ``building`` ready: by its first action in the list, two before one."""
    rank, count = 9, 0
    for index in range(c.MAX_ACTION_PARTS):
        part = board.building_action[building, index]
        if part != c.NONE:
            rank = min(rank, _part_rank(part))
            count += 1
    return 2 * rank - (1 if count > 1 else 0)


@kernel
def _pays(board, building):
    """Return whether Pay is among the actions of ``building``."""
    return board.building_action[building, 0] == c.PAY or board.building_action[building, 1] == c.PAY


@kernel
def pay_target(board, state, seat):
    """Return the building to free by Pay, NONE if there is none: never one that pays, or two could take turns."""
    chosen, least = np.int64(c.NONE), FAR
    for building in range(board.num_building_types):
        if state.occupied[seat, building] > 0 and not _pays(board, building):
            rank = _action_rank(board, building)
            if rank < least:
                chosen, least = np.int64(building), rank
    return chosen


@kernel
def choose_salary(board, mask):
    """Free the building that the automa wants ready first."""
    chosen, least = -1, FAR
    for building in range(board.num_building_types):
        if mask[PAY_AT + building]:
            rank = _action_rank(board, building)
            if rank < least:
                chosen, least = PAY_AT + building, rank
    return chosen


# --- cards ------------------------------------------------------------------------------------------------------------


@kernel
def _loss(board, state, seat, card):
    """Return the Glory that discarding ``card`` costs, its icons breaking ties (S7.1, one card at a time)."""
    glory, icons = np.int64(board.card_glory[card]), np.int64(0)
    for status in range(c.NUM_STATUSES):
        lost = np.int64(board.card_icons[card, status])
        after = max(np.int64(0), min(np.int64(board.status_max), state.status[seat, status] - lost))
        glory += board.status_glory[marker(board, state, seat, status)] - board.status_glory[after]
        icons += lost
    if board.card_slavery[card]:
        glory += board.slavery_penalty
    return glory * ICON_SHARE + icons


@kernel
def choose_discard(board, state, seat, mask):
    """Keep its cards if it may (R9.8); else discards the one that costs least."""
    if mask[DONE_AT]:
        return DONE_AT
    chosen, least = -1, np.int64(FAR)
    for card in range(c.NUM_CARDS):
        if mask[DISCARD_AT + card]:
            loss = _loss(board, state, seat, card)
            if loss < least:
                chosen, least = DISCARD_AT + card, loss
    return chosen


# --- the variants' own decisions --------------------------------------------------------------------------------------


@kernel
def choose_neutral(board, state, seat, mask):
    """Choose for a neutral disc: a track before a city for an equal token, so that the city stays free."""
    two = state.variant == c.VARIANT_NEUTRAL_2
    region, track_rank = _neutral_track(board, state, seat, mask, two)
    city, city_rank = _neutral_city(board, state, seat, mask, two)
    if mask[DONE_AT] and min(track_rank, city_rank) >= LAST:
        return DONE_AT  # V2S.7: the token is all that the disc would bring
    if min(track_rank, city_rank) == FAR:
        return any_legal(mask)
    return NEUTRAL_SAIL_AT + region if track_rank <= city_rank else NEUTRAL_OCCUPY_AT + city


@kernel
def _neutral_track(board, state, seat, mask, two):
    """Return the region for a neutral disc and its rank, FAR if there is none.

    A track is completed only if ``seat`` gets the Governor, as in item c, and that comes first.
    """
    side = np.int64(state.num_seats) + (seat if two else 0)
    completing, _ = complete_options(board, state, side, seat)
    chosen, least = np.int64(c.NONE), np.int64(FAR)
    for region in range(c.NUM_REGIONS):
        if not mask[NEUTRAL_SAIL_AT + region]:
            continue
        rank = np.int64(FAR)
        if has(completing, region):
            rank = np.int64(WORST)
        elif free_spaces(board, state, region) >= 2:
            rank = token_rank(board, state, seat, next_space(board, state, region))
            rank = -rank if two else rank  # V2F.6: the token is lost, so it should be one not wanted
        if rank < least:
            chosen, least = np.int64(region), rank
    return chosen, least


@kernel
def _neutral_city(board, state, seat, mask, two):
    """Return the city for a neutral disc and its rank, FAR if there is none.

    Where the token is lost (V2F.6), rather a city that ``seat`` has no use for: by its own connections, Glory, token.
    """
    chosen, least = np.int64(c.NONE), np.int64(FAR)
    for city in range(board.num_cities):
        if mask[NEUTRAL_OCCUPY_AT + city]:
            rank = token_rank(board, state, seat, c.CITY_SPACES + city)
            if two:
                links = connections_completed(board, state, seat, city)
                rank = links * CITY_WEIGHT + np.int64(board.city_glory[city]) * GLORY_WEIGHT - rank
            if rank < least:
                chosen, least = np.int64(city), rank
    return chosen, least


@kernel
def choose_removal(board, state, seat, mask):
    """Remove the token wanted least, from the longest track and its far end where several are alike (V2S.4)."""
    chosen, most = -1, np.int64(WORST)
    for region in range(c.NUM_REGIONS):
        length = np.int64(board.track_length[region])
        for space in range(length):
            number = region * c.MAX_TRACK + space
            if mask[REMOVE_SPACE_AT + number]:
                worth = token_rank(board, state, seat, c.TRACK_SPACES + number) * c.MAX_TRACK + length
                if worth > most:
                    chosen, most = REMOVE_SPACE_AT + number, worth
    return chosen
