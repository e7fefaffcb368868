"""The automa's choices for which the Opposition has no rule: it has no buildings, no Salary, no pass (S2.5).

Each is a rule of thumb in the spirit of the priority list: blue tokens first, then the least advanced status.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.exploits.any_game import attack_targets, controls
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import (
    DISCARD_AT,
    DONE_AT,
    NEUTRAL_OCCUPY_AT,
    NEUTRAL_SAIL_AT,
    PAY_AT,
    REMOVE_SPACE_AT,
)
from endeavor_env.endeavor.rules.base.sail import next_space
from endeavor_env.endeavor.rules.base.statuses import marker
from endeavor_env.endeavor.rules.bits import bit, has
from endeavor_env.endeavor.rules.sides import mat_of
from endeavor_env.endeavor.variants.solo.priority_list import beside_options, complete_options, free_spaces
from endeavor_env.endeavor.variants.solo.tie_breaks import LAST, connections_completed, pick_track
from endeavor_env.kernels.kernels import kernel

LOWEST = -(1 << 30)  # below every rank
HIGHEST = 1 << 30  # above every rank
GLORY_FACTOR = 64  # Glory outweighs the icons of a card
CONNECTION_WEIGHT, GLORY_WEIGHT = 1000, 200  # a connection outweighs Glory, Glory outweighs a token


@kernel
def any_legal(mask):
    """Return the first legal action; -1 if there is none."""
    for action in range(mask.size):
        if mask[action]:
            return action
    return -1


@kernel
def token_rank(board, state, seat, space):
    """Return the rank of the token on ``space`` for ``seat``, the lowest wanted most.

    It is -1 for a blue token, the marker's position for a status token, and LAST if the status is at the end of its
    track or there is no token.
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
    """Return the best of ``tracks``, bits: a blue token first, then the fewest free spaces, then data-file order."""
    chosen, least = np.int64(c.NONE), np.int64(HIGHEST)
    for region in range(c.NUM_REGIONS):
        if has(tracks, region):
            space = next_space(board, state, region)
            blue = space != c.NONE and state.token[space] >= c.FIRST_BLUE
            rank = free_spaces(board, state, region) + (0 if blue else c.MAX_TRACK)
            if rank < least:
                chosen, least = np.int64(region), rank
    return chosen


@kernel
def unvisited_regions(board, state, seat):
    """Return the regions of item d.iii for a seat, as bits: open ones with a free city where it is not present.

    The Opposition needs no test of presence: a colour that is present occupies the city by item b. A seat can be
    present but without the disc or action to occupy, and another disc beside the track would bring it nothing.
    """
    regions = beside_options(board, state)
    for region in range(c.NUM_REGIONS):
        if state.presence[seat, region] > 0:
            regions &= ~bit(region)
    return regions


@kernel
def unlisted_tracks(board, state, seat, regions, useless):
    """Return the best tracks of ``regions`` by S5.2, even without a disc of ``seat``, all as bits.

    A Sail must not complete the track; with ``useless`` the next space may bring nothing. The Opposition starts with
    discs on the tracks, so its list has no item for a side without any.
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
    """Return the Glory that changes hands when ``seat`` takes ``city``, as in S5.5; a neutral side loses none."""
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
def city_to_attack(board, state, seat):
    """Return the enemy city that can be attacked with the greatest swing; NONE if there is none (S5.5)."""
    targets = attack_targets(board, state, seat, np.int64(state.lock_region))
    chosen, most = np.int64(c.NONE), np.int64(-1)
    for city in range(board.num_cities):
        if has(targets, city):
            swing = _swing(board, state, seat, city)
            if swing > most:
                chosen, most = np.int64(city), swing
    return chosen


@kernel
def _part_rank(part):
    """Return the rank 0..4 of an action: its order in the list, then Attack, then Pay."""
    if part == c.OCCUPY:
        return 0
    if part == c.SAIL:
        return 1
    if part == c.DRAW:
        return 2
    return 3 if part == c.ATTACK else 4


@kernel
def _action_rank(board, building):
    """Return the rank of ``building`` to be freed, the lowest first: its best action, then two actions before one."""
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
def building_to_free(board, state, seat):
    """Return the building to free by Pay; NONE if there is none.

    It is never one with Pay: two of them could free each other in turn for ever.
    """
    chosen, least = np.int64(c.NONE), HIGHEST
    for building in range(board.num_building_types):
        if state.occupied[seat, building] > 0 and not _pays(board, building):
            rank = _action_rank(board, building)
            if rank < least:
                chosen, least = np.int64(building), rank
    return chosen


@kernel
def choose_salary(board, mask):
    """Return the legal PAY action for the building of the lowest rank; -1 if none is legal."""
    chosen, least = -1, HIGHEST
    for building in range(board.num_building_types):
        if mask[PAY_AT + building]:
            rank = _action_rank(board, building)
            if rank < least:
                chosen, least = PAY_AT + building, rank
    return chosen


# --- cards ------------------------------------------------------------------------------------------------------------


@kernel
def _loss(board, state, seat, card):
    """Return the cost of discarding ``card``: Glory, then icons as a tie-break (S7.1, one card at a time)."""
    glory, icons = np.int64(board.card_glory[card]), np.int64(0)
    for status in range(c.NUM_STATUSES):
        lost = np.int64(board.card_icons[card, status])
        after = max(np.int64(0), min(np.int64(board.status_max), state.status[seat, status] - lost))
        glory += board.status_glory[marker(board, state, seat, status)] - board.status_glory[after]
        icons += lost
    if board.card_slavery[card]:
        glory += board.slavery_penalty
    return glory * GLORY_FACTOR + icons


@kernel
def choose_discard(board, state, seat, mask):
    """Return DONE if that is legal (R9.8), else the discard that costs least; -1 if none is legal."""
    if mask[DONE_AT]:
        return DONE_AT
    chosen, least = -1, np.int64(HIGHEST)
    for card in range(c.NUM_CARDS):
        if mask[DISCARD_AT + card]:
            loss = _loss(board, state, seat, card)
            if loss < least:
                chosen, least = DISCARD_AT + card, loss
    return chosen


# --- decisions of the variants ----------------------------------------------------------------------------------------


@kernel
def choose_neutral(board, state, seat, mask):
    """Return the action for a neutral disc: at equal ranks a track before a city, so that the city stays free."""
    two = state.variant == c.VARIANT_NEUTRAL_2
    region, track_rank = _neutral_track(board, state, seat, mask, two)
    city, city_rank = _neutral_city(board, state, seat, mask, two)
    if mask[DONE_AT] and min(track_rank, city_rank) >= LAST:
        return DONE_AT  # V2S.7: the disc would bring nothing but its token
    if min(track_rank, city_rank) == HIGHEST:
        return any_legal(mask)
    return NEUTRAL_SAIL_AT + region if track_rank <= city_rank else NEUTRAL_OCCUPY_AT + city


@kernel
def _neutral_track(board, state, seat, mask, two):
    """Return the region for a neutral disc and its rank, HIGHEST if there is none.

    A track is completed only if ``seat`` gets the Governor, as in item c; then it ranks first. ``two`` says whether
    the variant is the 2-player one of V2F.
    """
    side = np.int64(state.num_seats) + (seat if two else 0)
    completing, _ = complete_options(board, state, side, seat)
    chosen, least = np.int64(c.NONE), np.int64(HIGHEST)
    for region in range(c.NUM_REGIONS):
        if not mask[NEUTRAL_SAIL_AT + region]:
            continue
        rank = np.int64(HIGHEST)
        if has(completing, region):
            rank = np.int64(LOWEST)
        elif free_spaces(board, state, region) >= 2:
            rank = token_rank(board, state, seat, next_space(board, state, region))
            rank = -rank if two else rank  # V2F.6: the token is lost, so one that is not wanted is best
        if rank < least:
            chosen, least = np.int64(region), rank
    return chosen, least


@kernel
def _neutral_city(board, state, seat, mask, two):
    """Return the city for a neutral disc and its rank, HIGHEST if there is none.

    In the variant of V2F, whose tokens are lost (V2F.6), it is the city that is worth least to ``seat``: by the
    connections it would complete, then Glory, then the token.
    """
    chosen, least = np.int64(c.NONE), np.int64(HIGHEST)
    for city in range(board.num_cities):
        if mask[NEUTRAL_OCCUPY_AT + city]:
            rank = token_rank(board, state, seat, c.CITY_SPACES + city)
            if two:
                links = connections_completed(board, state, seat, city)
                rank = links * CONNECTION_WEIGHT + np.int64(board.city_glory[city]) * GLORY_WEIGHT - rank
            if rank < least:
                chosen, least = np.int64(city), rank
    return chosen, least


@kernel
def choose_removal(board, state, seat, mask):
    """Return the legal removal of the token wanted least; at equal ranks on the longest track, nearest the far end.

    It is -1 if none is legal (V2S.4).
    """
    chosen, most = -1, np.int64(LOWEST)
    for region in range(c.NUM_REGIONS):
        length = np.int64(board.track_length[region])
        for space in range(length):
            number = region * c.MAX_TRACK + space
            if mask[REMOVE_SPACE_AT + number]:
                worth = token_rank(board, state, seat, c.TRACK_SPACES + number) * c.MAX_TRACK + length
                if worth > most:
                    chosen, most = REMOVE_SPACE_AT + number, worth
    return chosen
