"""What the planner decides outside the action phase."""

from __future__ import annotations

import numpy as np

from endeavor_env.kernels.kernels import kernel
from endeavor_env.merchants.players.planner.plan import best_route, nearest_allowed
from endeavor_env.merchants.players.planner.ways import (
    FAR,
    new_costs,
    way_to_city,
    ways_of,
    write_lengths,
    write_steps,
    yield_at,
)
from endeavor_env.merchants.rules import actions, sets
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules.hands import hand_size
from endeavor_env.merchants.rules.places import paths_between, takers

_LEAST = -(1 << 20)


# --- set-up ----------------------------------------------------------------------------------------------------------
@kernel
def place_post(board, state, mask):
    """Return the post with the best terrains for the seat to move; far from its others, so that it reaches more."""
    best, found = np.int64(_LEAST), np.int64(c.NONE)
    for city in range(board.num_cities):
        if mask[actions.POST_AT + city]:
            where = np.int64(board.city_crossroads[city])
            value = 4 * yield_at(board, state, where) + _new_kinds(board, state, where)
            if value > best:
                best, found = value, np.int64(actions.POST_AT + city)
    return found


@kernel
def _new_kinds(board, state, where):
    """Return 8 for each terrain of a crossroads that has a number and whose kind no post of the seat to move has."""
    had = np.int64(0)
    for terrain in range(board.num_terrains):
        if board.terrain_cities[terrain] & state.posts[state.seat] != 0 and state.numbers[terrain] > 0:
            had |= sets.bit(board.kinds[terrain])
    value = np.int64(0)
    for index in range(c.MEETING):
        terrain = np.int64(board.crossroads_terrains[where, index])
        if terrain != c.NONE and state.numbers[terrain] > 0 and not sets.has(had, board.kinds[terrain]):
            value += 8
    return value


@kernel
def place_neutral(board, mask):
    """Return the first place for a neutral post."""
    found = np.int64(c.NONE)
    for city in range(board.num_cities):
        if mask[actions.NEUTRAL_AT + city] and found == c.NONE:
            found = np.int64(actions.NEUTRAL_AT + city)
    return found


@kernel
def place_route(board, state, mask):
    """Return the route nearest to a delivery; without one, done or the first."""
    seat, found = np.int64(state.seat), np.int64(c.NONE)
    cities = takers(state, seat)
    if state.decision == c.DECIDE_FREE_ROUTE:
        found = best_route(board, state, mask, seat, cities)
    if found == c.NONE:
        lengths = new_costs(c.MAX_PATHS)
        write_lengths(board, state, cities, lengths)
        found = nearest_allowed(mask, actions.ROUTE_AT, lengths)
    return first_legal(mask) if found == c.NONE else found


# --- the robber, and a seven -----------------------------------------------------------------------------------------
@kernel
def discard(state, mask):
    """Return the discard of a kind of which the seat has most."""
    best, found = np.int64(0), np.int64(c.NONE)
    for kind in range(c.NUM_RESOURCES):
        if mask[actions.DISCARD_AT + kind] and state.hand[state.seat, kind] > best:
            best, found = np.int64(state.hand[state.seat, kind]), np.int64(actions.DISCARD_AT + kind)
    return found


@kernel
def move_robber(board, state, mask):
    """Return the terrain where the robber takes most from the others and least from the mover."""
    best, found = np.int64(_LEAST), np.int64(c.NONE)
    for terrain in range(board.num_terrains):
        if mask[actions.ROBBER_AT + terrain]:
            value = np.int64(0)
            for seat in range(state.num_seats):
                posts = sets.count(board.terrain_cities[terrain] & state.posts[seat])
                value += ways_of(state, terrain) * posts * (-2 if seat == state.mover else 1)
            if value > best:
                best, found = value, np.int64(actions.ROBBER_AT + terrain)
    return found


@kernel
def rob(state, mask):
    """Return the victim that has delivered most, and of those the one with most cards."""
    best, found = np.int64(_LEAST), np.int64(c.NONE)
    for index in range(c.MAX_SEATS - 1):
        if mask[actions.STEAL_AT + index]:
            seat = (state.mover + index + 1) % state.num_seats
            value = np.int64(state.delivered[seat]) * 100 + hand_size(state, seat)
            if value > best:
                best, found = value, np.int64(actions.STEAL_AT + index)
    return found


# --- merchants -------------------------------------------------------------------------------------------------------
@kernel
def end_walk(board, state, mask):
    """Return the end of a walk: the best city without post, else as near to one as can be."""
    here = np.int64(state.merchants[state.mover, state.slot])
    best, found = np.int64(_LEAST), np.int64(c.NONE)
    for where in range(board.num_crossroads):
        if mask[actions.TO_AT + where]:
            city = np.int64(board.crossroads_city[where])
            value = -way_to_city(board, state, where)
            if city != c.NONE and not sets.has(np.int64(state.posts[state.mover]), city):
                value = 1000 + yield_at(board, state, where) + 2 * np.int64(board.city_gold[city])
                value -= 8 * ((paths_between(board, here, where) + c.STEPS_OF_WHEAT - 1) // c.STEPS_OF_WHEAT)
            if value > best:
                best, found = value, np.int64(actions.TO_AT + where)
    return found


@kernel
def lift_merchant(board, state):
    """Return the merchant that is farther from a city without post."""
    first = way_to_city(board, state, np.int64(state.merchants[state.mover, 0]))
    second = way_to_city(board, state, np.int64(state.merchants[state.mover, 1]))
    return np.int64(actions.LIFT_AT + (1 if second > first else 0))


@kernel
def take_token(board, state, mask):
    """Return the token that the mover misses least."""
    best, found = np.int64(_LEAST), np.int64(c.NONE)
    for terrain in range(board.num_terrains):
        if mask[actions.TAKE_AT + terrain]:
            own = sets.count(board.terrain_cities[terrain] & state.posts[state.mover])
            value = ways_of(state, terrain) * (1 - 2 * own)
            if value > best:
                best, found = value, np.int64(actions.TAKE_AT + terrain)
    return found


# --- caravans --------------------------------------------------------------------------------------------------------
@kernel
def drive(board, state, mask):
    """Return a delivery, else the step nearest to one, else stop."""
    for city in range(board.num_cities):
        if mask[actions.DELIVER_AT + city]:
            return np.int64(actions.DELIVER_AT + city)
    steps = new_costs(c.MAX_PATHS)
    write_steps(board, state, takers(state, np.int64(state.mover)), steps)
    found = nearest_allowed(mask, actions.STEP_AT, steps)
    here = steps[state.caravans[state.mover, state.slot]]
    ends = mask[actions.STOP] and (found == c.NONE or steps[found - actions.STEP_AT] >= here)
    if ends or found == c.NONE:
        return np.int64(actions.STOP) if mask[actions.STOP] else first_legal(mask)
    return found


@kernel
def choose_caravan(board, state, mask):
    """Return the caravan nearest to a delivery, of those that may drive."""
    steps = new_costs(c.MAX_PATHS)
    write_steps(board, state, takers(state, np.int64(state.mover)), steps)
    best, found = np.int64(FAR + 1), np.int64(c.NONE)
    for slot in range(c.SLOTS):
        if mask[actions.DRIVE_AT + slot] and steps[state.caravans[state.mover, slot]] < best:
            best = steps[state.caravans[state.mover, slot]]
            found = np.int64(actions.DRIVE_AT + slot)
    return found


# --- offers ----------------------------------------------------------------------------------------------------------
@kernel
def reply(state, mask):
    """Accept what gives more than it takes, or as much of a kind that the seat lacks."""
    given, wanted, lacks = np.int64(0), np.int64(0), False
    for item in range(c.NUM_ITEMS):
        given += np.int64(state.gives[item])
        wanted += np.int64(state.wants[item])
        lacks = lacks or (item < c.GOLD and state.gives[item] > 0 and state.hand[state.seat, item % c.GOLD] == 0)
    accepts = mask[actions.ACCEPT] and (given > wanted or (given == wanted and lacks))
    return np.int64(actions.ACCEPT if accepts else actions.REFUSE)


@kernel
def first_legal(mask):
    """Return the first legal action."""
    for action in range(mask.size):
        if mask[action]:
            return np.int64(action)
    return np.int64(c.NONE)
