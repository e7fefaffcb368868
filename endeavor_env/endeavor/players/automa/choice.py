"""The automa's choice: a player by the priority list and tie-breaks of the solitaire game's Opposition (S4, S5).

Items a to e and their tie-breaks are those of ``variants.solo.priority_list`` and ``variants.solo.tie_breaks``, with
the seat as side and as mat. Ties that they leave are broken here, by data-file order if nothing else is said: the
automa never draws at random. Decisions that the list does not cover are in ``builds`` and ``fallbacks``.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.exploits.any_game import draw_targets, top_card
from endeavor_env.endeavor.players.automa.builds import choose_building
from endeavor_env.endeavor.players.automa.fallbacks import (
    any_legal,
    best_track,
    building_to_free,
    choose_discard,
    choose_neutral,
    choose_removal,
    choose_salary,
    city_to_attack,
    unlisted_tracks,
    unvisited_regions,
)
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import (
    ACTIVATE_AT,
    ATTACK_AT,
    DRAW_AT,
    OCCUPY_AT,
    PASS_AT,
    PAY_AT,
    SAIL_AT,
    SPEND_AT,
)
from endeavor_env.endeavor.rules.base.attack import CASUALTIES
from endeavor_env.endeavor.rules.base.presence import reachable_regions
from endeavor_env.endeavor.rules.base.tokens import blue_part
from endeavor_env.endeavor.rules.bits import bit, has, lowest
from endeavor_env.endeavor.variants.solo.priority_list import complete_options, draw_options, ship_options
from endeavor_env.endeavor.variants.solo.tie_breaks import brings_something, pick_card, pick_city
from endeavor_env.kernels.kernels import kernel

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
