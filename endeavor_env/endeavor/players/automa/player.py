"""The automa: its choice by the Opposition's priority list, with fallbacks of its own, and its entry."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.exploits.any_game import attack_targets, controls, draw_targets, top_card
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import (
    ACTIVATE_AT,
    ATTACK_AT,
    BUILD_AT,
    DISCARD_AT,
    DONE_AT,
    DRAW_AT,
    NEUTRAL_OCCUPY_AT,
    NEUTRAL_SAIL_AT,
    OCCUPY_AT,
    PASS_AT,
    PAY_AT,
    REMOVE_SPACE_AT,
    SAIL_AT,
    SPEND_AT,
)
from endeavor_env.endeavor.rules.base.actions import CASUALTIES, blue_part, next_space, reachable_regions
from endeavor_env.endeavor.rules.base.phases import marker, payments
from endeavor_env.endeavor.rules.bits import bit, has, lowest
from endeavor_env.endeavor.rules.sides import is_solo, mat_of
from endeavor_env.endeavor.rules.state import board_at, state_at
from endeavor_env.endeavor.variants.solo.priority_list import (
    LAST,
    beside_options,
    brings_something,
    complete_options,
    connections_completed,
    draw_options,
    effective_advance,
    free_spaces,
    icons_in_least,
    pick_card,
    pick_city,
    pick_track,
    ship_options,
)
from endeavor_env.engine.kernels.players import player_entry
from endeavor_env.kernels.intrinsics import bytes_at
from endeavor_env.kernels.kernels import kernel

# --- The automa's choice of a building -------------------------------------------------------------------------------
# The Opposition never builds (S2.5), so these criteria are not in its rules.

WORST = -(1 << 30)  # below every merit
NUM_CRITERIA = 7


@kernel
def _extra_actions(state, building):
    """Return the number of extra actions that the Opposition gets for this tile of the grid (S2.2)."""
    for level in range(c.GRID_LEVELS):
        for column in range(c.GRID_COLUMNS):
            if state.grid[level, column] == building:
                return abs(np.int64(column) - state.isb_column)
    return np.int64(0)


@kernel
def _short_of_actions(board, state, seat):
    """Return whether Salary can free all buildings with an action, so that the seat lacks actions, not payments."""
    actions = np.int64(0)
    for building in range(board.num_building_types):
        if board.building_mode[building] != c.MODE_NONE:
            actions += state.buildings[seat, building]
    return actions <= payments(board, state, seat)


@kernel
def _new_actions(board, state, seat, building):
    """Return how many of Occupy, Sail and Draw ``building`` has and no building of the seat has."""
    owned, offered = np.int64(0), np.int64(0)
    for other in range(board.num_building_types):
        for index in range(c.MAX_ACTION_PARTS):
            part = board.building_action[other, index]
            if part in (c.OCCUPY, c.SAIL, c.DRAW):
                owned |= bit(part) if state.buildings[seat, other] > 0 else 0
                offered |= bit(part) if other == building else 0
    count = np.int64(0)
    for part in range(c.DRAW + 1):
        count += 1 if has(offered & ~owned, part) else 0
    return count


@kernel
def _merit(board, state, seat, building, criterion, more_actions):
    """Return the score of ``building`` by ``criterion``, a number in [0, NUM_CRITERIA).

    0: few extra actions for the Opposition (solo); 1: Glory, in the last round; 2: an action if the seat needs
    ``more_actions``, else icons that advance a status; 3: kinds of action that the seat does not have yet, if it needs
    more; 4: level; 5 and 6: C1 and C2 of S5.3 for the icons.
    """
    if criterion == 0:
        return -_extra_actions(state, building) if is_solo(state) else np.int64(0)
    if criterion == 1:
        return np.int64(board.building_glory[building] if state.round_number >= board.num_rounds else 0)
    if criterion == 2:
        acts = board.building_mode[building] != c.MODE_NONE
        return np.int64(
            1
            if (acts if more_actions else effective_advance(board, state, seat, board.building_icons[building]) > 0)
            else 0
        )
    if criterion == 3:
        return _new_actions(board, state, seat, building) if more_actions else np.int64(0)
    if criterion == 4:
        return np.int64(board.building_level[building])
    if criterion == 5:
        return effective_advance(board, state, seat, board.building_icons[building])
    return icons_in_least(board, state, seat, board.building_icons[building])


@kernel
def choose_building(board, state, seat, mask):
    """Return the legal BUILD action that is best by the criteria in turn, of equals the first; -1 if none is legal."""
    kept = np.int64(0)
    for building in range(board.num_building_types):
        kept |= bit(building) if mask[BUILD_AT + building] else 0
    more_actions = _short_of_actions(board, state, seat)
    for criterion in range(NUM_CRITERIA):
        best, left = np.int64(WORST), np.int64(0)
        for building in range(board.num_building_types):
            if has(kept, building):
                merit = _merit(board, state, seat, building, criterion, more_actions)
                if merit > best:
                    best, left = merit, np.int64(0)
                if merit == best:
                    left |= bit(building)
        kept = left
    return BUILD_AT + lowest(kept) if kept != 0 else -1


# --- The automa's choices for which the Opposition has no rule: it has no buildings, no Salary, no pass (S2.5) -------
# Each is a rule of thumb in the spirit of the priority list: blue tokens first, then the least advanced status.

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


# --- The automa's choice ---------------------------------------------------------------------------------------------
# A player by the priority list and tie-breaks of the solitaire game's Opposition (S4, S5).
# Items a to e and their tie-breaks are those of ``variants.solo.priority_list``, with
# the seat as side and as mat. Ties that they leave are broken here, by data-file order if nothing else is said: the
# automa never draws at random. Decisions that the list does not cover stand above.

COMPLETE = 5  # a part beside SAIL..PAY: Sail only as in item c, the one use S5.5 has for the Sail of a blue token


@kernel
def _cities_to_occupy(board, state, seat):
    """Return the cities of items a and b, as bits; in the second part of an action those of its region."""
    regions = reachable_regions(board, state, seat, np.int64(state.lock_region))
    cities, _ = pick_city(board, state, seat, seat, regions)
    return cities


@kernel
def _decks_to_draw(board, state, seat):
    """Return the decks of item e without useless cards, as bits; in the second part of an action those it allows."""
    decks = np.int64(0)
    if state.lock_region == c.NONE and state.lock_deck == c.NONE:
        decks, _ = draw_options(board, state, seat, seat, decks != 0)
        return decks
    targets = draw_targets(board, state, seat, np.int64(state.lock_deck), np.int64(state.lock_region))
    for deck in range(c.NUM_DECKS):
        if has(targets, deck) and brings_something(board, state, seat, top_card(state, deck)):
            decks |= bit(deck)
    decks, _ = pick_card(board, state, seat, decks)
    return decks


@kernel
def _target_by_list(board, state, seat, parts, useless):
    """Return the target of the first feasible item a to e that ``parts`` allow, and its part; NONE if there is none.

    ``parts`` are SAIL..PAY and COMPLETE as bits; with ``useless`` Sail may take a space that brings nothing.
    """
    here = np.int64(-1) if state.lock_region == c.NONE else bit(state.lock_region)
    if has(parts, c.OCCUPY):
        cities = _cities_to_occupy(board, state, seat)
        if cities != 0:
            return OCCUPY_AT + lowest(cities), c.OCCUPY
    if has(parts, COMPLETE):
        tracks, _ = complete_options(board, state, seat, seat)
        if tracks & here != 0:
            return SAIL_AT + best_track(board, state, tracks & here), COMPLETE
    if has(parts, c.SAIL):
        tracks, _ = ship_options(board, state, seat, seat, useless)
        if tracks & here == 0:
            tracks = unvisited_regions(board, state, seat)
        if tracks & here != 0:
            return SAIL_AT + best_track(board, state, tracks & here), c.SAIL
    if has(parts, c.DRAW):
        decks = _decks_to_draw(board, state, seat)
        if decks != 0:
            return DRAW_AT + lowest(decks), c.DRAW
    return np.int64(c.NONE), c.NONE


@kernel
def _target_beyond_list(board, state, seat, parts, useless):
    """Return the target for which no item of the list stands, and its part; NONE if there is none.

    These are, in this order: a Sail to any track, an Attack, a Pay. Arguments are those of ``_target_by_list``.
    """
    here = np.int64(-1) if state.lock_region == c.NONE else bit(state.lock_region)
    if has(parts, c.SAIL):
        tracks = unlisted_tracks(board, state, seat, here, useless)
        if tracks != 0:
            return SAIL_AT + best_track(board, state, tracks), c.SAIL
    if has(parts, c.ATTACK):
        city = city_to_attack(board, state, seat)
        if city != c.NONE:
            return ATTACK_AT + city, c.ATTACK
    if has(parts, c.PAY):
        building = building_to_free(board, state, seat)
        if building != c.NONE:
            return PAY_AT + building, c.PAY
    return np.int64(c.NONE), c.NONE


@kernel
def _best_target(board, state, seat, parts):
    """Return the best target that ``parts`` (bits) allow, and its part; NONE if there is none.

    Useless targets come last, and only Sails among them (S4.3): a disc on a track is still worth something.
    """
    for run in range(2):
        allowed = parts if run == 0 else parts & bit(c.SAIL)
        action, part = _target_by_list(board, state, seat, allowed, run == 1)
        if action == c.NONE:
            action, part = _target_beyond_list(board, state, seat, allowed, run == 1)
        if action != c.NONE:
            return action, part
    return np.int64(c.NONE), c.NONE


@kernel
def _part_bits(part, harbor, by_token):
    """Return what ``part`` (SAIL..PAY or NONE) allows with ``harbor`` discs: SAIL..PAY and COMPLETE as bits."""
    if part == c.NONE or harbor < (CASUALTIES + 1 if part == c.ATTACK else (1 if part in (c.SAIL, c.OCCUPY) else 0)):
        return np.int64(0)
    if part == c.SAIL:
        return bit(COMPLETE) if by_token else bit(COMPLETE) | bit(c.SAIL)
    return bit(part)


@kernel
def _token_parts(state, seat, blue):
    """Return the parts that the blue token ``blue`` 0..3 allows, as bits."""
    kind, harbor = c.FIRST_BLUE + blue, np.int64(state.harbor[seat])
    return _part_bits(blue_part(kind, 0), harbor, True) | _part_bits(blue_part(kind, 1), harbor, True)


@kernel
def _building_parts(board, state, seat, building):
    """Return the parts that activating ``building``, which costs a disc, allows, as bits (R7.2)."""
    bits, harbor = np.int64(0), np.int64(state.harbor[seat]) - 1
    for index in range(c.MAX_ACTION_PARTS):
        bits |= _part_bits(np.int64(board.building_action[building, index]), harbor, False)
    return bits


@kernel
def _opening_move(board, state, seat, mask, part):
    """Return the move that opens ``part``: the last kind of blue token that allows it, else the first building."""
    for blue in range(c.NUM_BLUE - 1, -1, -1):
        if mask[SPEND_AT + blue] and has(_token_parts(state, seat, blue), part):
            return SPEND_AT + blue
    for building in range(board.num_building_types):
        if mask[ACTIVATE_AT + building] and has(_building_parts(board, state, seat, building), part):
            return ACTIVATE_AT + building
    return PASS_AT


@kernel
def _choose_turn(board, state, seat, mask):
    """Return the move that opens the action for the best target; PASS if there is none."""
    parts = np.int64(0)
    for blue in range(c.NUM_BLUE):
        if mask[SPEND_AT + blue]:
            parts |= _token_parts(state, seat, blue)
    for building in range(board.num_building_types):
        if mask[ACTIVATE_AT + building]:
            parts |= _building_parts(board, state, seat, building)
    action, part = _best_target(board, state, seat, parts)
    return PASS_AT if action == c.NONE else _opening_move(board, state, seat, mask, part)


@kernel
def _choose_target(board, state, seat, mask):
    """Return the best target of the parts still open; if there is none, DONE if that is legal, else any target."""
    parts, harbor = np.int64(0), np.int64(state.harbor[seat])
    for index in range(c.MAX_ACTION_PARTS):
        parts |= _part_bits(np.int64(state.parts[index]), harbor, state.source == c.NONE)
    action, _ = _best_target(board, state, seat, parts)
    found = action != c.NONE and mask[action]  # the list knows nothing of what Exploits forbid
    return action if found else any_legal(mask)  # DONE has a lower id than every target


@kernel
def automa_action(board, state, mask):
    """Return the automa's legal action for ``state.seat``; -1 if none is legal.

    Args:
        board: BOARD record, read only.
        state: STATE record, read only, of any variant and at any decision.
        mask: As ``legal`` writes it, read only.
    """
    decision, seat = state.decision, np.int64(state.seat)
    if decision == c.DECIDE_TURN:
        return _choose_turn(board, state, seat, mask)
    if decision == c.DECIDE_TARGET:
        return _choose_target(board, state, seat, mask)
    if decision == c.DECIDE_BUILD:
        return choose_building(board, state, seat, mask)
    if decision == c.DECIDE_SALARY:
        return choose_salary(board, mask)
    if decision in (c.DECIDE_DISCARD, c.DECIDE_ROUND_END_DISCARD):
        return choose_discard(board, state, seat, mask)
    if decision == c.DECIDE_NEUTRAL:
        return choose_neutral(board, state, seat, mask)
    if decision == c.DECIDE_REMOVE:
        return choose_removal(board, state, seat, mask)
    return any_legal(mask)  # for the Opposition, the first option


# --- The automa as a compiled player: it needs no memory -------------------------------------------------------------


@player_entry
def automa_entry(board, state, mask, num_actions, memory, size, rng):
    """Return the automa's action; see ``engine.kernels.players.PLAYER_SIGNATURE``."""
    return np.int64(automa_action(board_at(board), state_at(state), bytes_at(mask, num_actions)))
