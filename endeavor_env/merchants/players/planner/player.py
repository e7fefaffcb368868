"""The planner: a plan for its turn, answers to all else, and its entry."""

from __future__ import annotations

import numpy as np

from endeavor_env.kernels.entries import code_entry
from endeavor_env.kernels.intrinsics import bytes_at, words_on_stack
from endeavor_env.kernels.kernels import inlined, kernel
from endeavor_env.kernels.kinds import INTEGER, pointer
from endeavor_env.merchants.rules import actions, sets
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules.board_record import board_at
from endeavor_env.merchants.rules.caravans import free_goods
from endeavor_env.merchants.rules.hands import hand_size
from endeavor_env.merchants.rules.merchants import stock_of
from endeavor_env.merchants.rules.production import ways_of
from endeavor_env.merchants.rules.routes import is_built
from endeavor_env.merchants.rules.sets import free_cities, paths_between, paths_to_nearest, takers
from endeavor_env.merchants.rules.state import state_at

# --- How far it is to where a good can be delivered: over routes, or over paths that must be built on first ----------

FAR = 1 << 20
"""The cost of what cannot be reached."""
NEW_CARAVAN = 2
new_costs = words_on_stack(c.MAX_PATHS)
"""``new_costs(MAX_PATHS)``: a cost for each path on the stack, with any contents."""


@kernel
def write_steps(board, state, cities, costs):
    """Write for each path with a route how many steps lead from it to one beside ``cities``; FAR if none do."""
    _begin(board, state, cities, False, costs)
    _spread(board, state, False, costs)


@kernel
def write_lengths(board, state, cities, costs):
    """Write for each path how many routes are still to be built from it on, with it, to one beside ``cities``."""
    _begin(board, state, cities, True, costs)
    _spread(board, state, True, costs)


@kernel
def write_lengths_from(board, state, seat, costs):
    """Write for each path how many routes are still to be built, with it, so that a caravan of a seat comes there.

    A caravan that is formed anew, on an own route beside an own post, costs as much as NEW_CARAVAN routes.
    """
    for path in range(c.MAX_PATHS):
        formed = stands_at_post(board, state, seat, path) and state.caravans[seat, 0] != path
        costs[path] = NEW_CARAVAN if formed else FAR
    for slot in range(c.SLOTS):
        if state.caravans[seat, slot] != c.NONE:
            costs[state.caravans[seat, slot]] = 0
    _spread(board, state, True, costs)


@inlined
def stands_at_post(board, state, seat, path):
    """Return whether a path has a route of a seat beside a post of the seat, where it may form a caravan (K6.1)."""
    own = sets.has(state.routes[seat, path // sets.PATH_BITS], path % sets.PATH_BITS)
    return own and board.path_cities[path] & state.posts[seat] != 0


@kernel
def _begin(board, state, cities, builds, costs):
    """Write what the paths beside cities cost, and FAR for all others."""
    for path in range(c.MAX_PATHS):
        costs[path] = FAR
        if board.path_cities[path] & cities != 0:
            if is_built(state, path):
                costs[path] = 0
            elif builds:
                costs[path] = 1


@kernel
def _spread(board, state, builds, costs):
    """Lower the costs until no neighbour gives a lower one."""
    changed = True
    while changed:
        changed = False
        for path in range(board.num_paths):
            built = is_built(state, path)
            if not (built or builds):
                continue
            own = 0 if builds and built else 1
            for index in range(c.NEIGHBOURS):
                beside = np.int64(board.path_neighbours[path, index])
                if beside != c.NONE and costs[beside] + own < costs[path]:
                    costs[path] = costs[beside] + own
                    changed = True


@inlined
def way_to_city(board, state, where):
    """Return the fewest paths from a crossroads to a city without post; FAR if there is none."""
    return paths_to_nearest(board, where, free_cities(board, state), FAR)


@kernel
def yield_at(board, state, where):
    """Return how many ways of two dice yield something on a crossroads, for all its terrains together."""
    total = np.int64(0)
    for index in range(c.MEETING):
        terrain = np.int64(board.crossroads_terrains[where, index])
        if terrain != c.NONE:
            total += ways_of(state, terrain)
    return total


# --- The plan of the planner for a turn: what it wants to do next, and which cards it lacks for that -----------------
# It delivers what is free, else it founds posts, which frees goods. It drives where a route leads to a delivery, else
# it builds towards one. It knows no more than its seat may: hands of others it does not look at.

_new_needs = words_on_stack(c.NUM_RESOURCES)
_NOTHING = -1
_MOST_SALT = 3
"""A drive that takes more salt is not planned: routes are built instead."""


@inlined
def _first_allowed(mask, first, size):
    """Return the first legal action of a block; _NOTHING if there is none."""
    for index in range(size):
        if mask[first + index]:
            return np.int64(first + index)
    return np.int64(_NOTHING)


@kernel
def nearest_allowed(mask, first, costs):
    """Return the legal action on a path whose cost is least, if it leads anywhere; _NOTHING otherwise."""
    best, found = np.int64(FAR), np.int64(_NOTHING)
    for path in range(c.MAX_PATHS):
        if mask[first + path] and costs[path] < best:
            best, found = costs[path], np.int64(first + path)
    return found


@kernel
def act(board, state, mask):
    """Return the move of the action phase."""
    seat, needs = np.int64(state.mover), _new_needs(c.NUM_RESOURCES)
    needs[:] = 0
    found = _first_allowed(mask, actions.DELIVER_AT, c.MAX_CITIES)
    goods = free_goods(state, seat)
    if found == _NOTHING and goods > 0:
        found = _deliver(board, state, mask, seat, needs)
    if found == _NOTHING and stock_of(board, state, seat) > 0:
        found = _found_post(board, state, mask, seat, goods, needs)
    if found == _NOTHING:
        found = _obtain(state, mask, seat, needs)
    if found == _NOTHING and mask[actions.PLAY_AT + c.LANCER]:
        found = np.int64(actions.PLAY_AT + c.LANCER)
    if found == _NOTHING and mask[actions.CARD] and _spares(state, seat, needs, c.WOOL):
        found = np.int64(actions.CARD) if _spares(state, seat, needs, c.SALT) else found
    return np.int64(actions.END) if found == _NOTHING else found


@inlined
def _spares(state, seat, needs, kind):
    """Return whether a seat has a card of a kind that the plan does not need."""
    return state.hand[seat, kind] > needs[kind]


# --- delivering ------------------------------------------------------------------------------------------------------
@kernel
def _deliver(board, state, mask, seat, needs):
    """Return a move that brings a caravan nearer to a delivery; _NOTHING, with what is needed for one, if none does."""
    cities, steps = takers(state, seat), new_costs(c.MAX_PATHS)
    write_steps(board, state, cities, steps)
    slot, nearest = _nearest_caravan(state, seat, steps)
    if nearest <= _MOST_SALT * c.STEPS_OF_SALT:
        return _drive(state, mask, seat, slot, nearest, needs)
    if slot == _NOTHING or _nearest_place(board, state, seat, steps) <= _MOST_SALT * c.STEPS_OF_SALT:
        return _form_caravan(mask, steps, needs)
    return _build(board, state, mask, seat, cities, needs)


@kernel
def _drive(state, mask, seat, slot, nearest, needs):
    """Return the move that begins a drive, or a bribe; _NOTHING, with the salt that is needed, if none does."""
    if mask[actions.PLAY_AT + c.BRIBE] and nearest <= c.BRIBE_STEPS:
        return np.int64(actions.PLAY_AT + c.BRIBE)
    needs[c.SALT] = (nearest + c.STEPS_OF_SALT - 1) // c.STEPS_OF_SALT
    if mask[actions.DRIVE_AT + slot] and state.hand[seat, c.SALT] >= needs[c.SALT]:
        return np.int64(actions.DRIVE_AT) + slot
    return np.int64(_NOTHING)


@kernel
def _nearest_place(board, state, seat, steps):
    """Return how near to a delivery a caravan of a seat can be formed."""
    nearest = np.int64(FAR)
    for path in range(board.num_paths):
        if steps[path] < nearest and stands_at_post(board, state, seat, path):
            nearest = steps[path]
    return nearest


@kernel
def _nearest_caravan(state, seat, steps):
    """Return which caravan of a seat is nearest to a delivery, and how near; _NOTHING if none is out."""
    slot, nearest = np.int64(_NOTHING), np.int64(FAR + 1)
    for index in range(c.SLOTS):
        path = np.int64(state.caravans[seat, index])
        if path != c.NONE and steps[path] < nearest:
            slot, nearest = np.int64(index), steps[path]
    return slot, nearest


@kernel
def _form_caravan(mask, steps, needs):
    """Return the move that forms a caravan, as near to a delivery as can be."""
    needs[c.ORE] = needs[c.WOOD] = needs[c.SALT] = 1
    found = nearest_allowed(mask, actions.CARAVAN_AT, steps)
    return found if found != _NOTHING else _first_allowed(mask, actions.CARAVAN_AT, c.MAX_PATHS)


@kernel
def _build(board, state, mask, seat, cities, needs):
    """Return a move that builds on the shortest way of a caravan to a delivery."""
    if mask[actions.PLAY_AT + c.SAFE_CONDUCT]:
        return np.int64(actions.PLAY_AT + c.SAFE_CONDUCT)
    if state.routes_left[seat] == 0:
        return np.int64(_NOTHING)
    needs[c.ORE] = needs[c.WOOD] = 1
    if _first_allowed(mask, actions.ROUTE_AT, c.MAX_PATHS) == _NOTHING:
        return np.int64(_NOTHING)
    return best_route(board, state, mask, seat, cities)


@kernel
def best_route(board, state, mask, seat, cities):
    """Return the route on the way of a caravan to a delivery that lacks the fewest routes; _NOTHING without a way."""
    there, here = new_costs(c.MAX_PATHS), new_costs(c.MAX_PATHS)
    write_lengths(board, state, cities, there)
    write_lengths_from(board, state, seat, here)
    for path in range(board.num_paths):
        there[path] = min(np.int64(FAR), (there[path] + here[path]) * c.MAX_PATHS + there[path])
    return nearest_allowed(mask, actions.ROUTE_AT, there)


# --- founding --------------------------------------------------------------------------------------------------------
@kernel
def _found_post(board, state, mask, seat, goods, needs):
    """Return a move that brings a merchant to a city without post; _NOTHING, with what is needed, if none does."""
    slot, nearest = nearest_merchant(board, state, seat)
    if slot == _NOTHING:
        recruit = best_recruit(board, state, mask)
        if recruit != _NOTHING:
            return recruit
        if goods == 0:
            needs[c.WOOL] = needs[c.WHEAT] = needs[c.WOOD] = 1
        return np.int64(_NOTHING)
    if mask[actions.PLAY_AT + c.TRADE_TREATY] and nearest <= c.TREATY_STEPS:
        return np.int64(actions.PLAY_AT + c.TRADE_TREATY)
    wheat = (nearest + c.STEPS_OF_WHEAT - 1) // c.STEPS_OF_WHEAT
    needs[c.WHEAT] = max(needs[c.WHEAT], wheat)
    if mask[actions.WALK_AT + slot] and state.hand[seat, c.WHEAT] >= wheat:
        return np.int64(actions.WALK_AT) + slot
    return np.int64(_NOTHING)


@kernel
def nearest_merchant(board, state, seat):
    """Return which merchant of a seat is nearest to a city without post, and how near; _NOTHING if none is out."""
    slot, nearest = np.int64(_NOTHING), np.int64(FAR + 1)
    for index in range(c.SLOTS):
        where = np.int64(state.merchants[seat, index])
        if where != c.NONE:
            distance = way_to_city(board, state, where)
            if distance < nearest:
                slot, nearest = np.int64(index), distance
    return slot, nearest


@kernel
def best_recruit(board, state, mask):
    """Return the recruiting move nearest to a city without post."""
    best, found = np.int64(FAR + 1), np.int64(_NOTHING)
    for city in range(board.num_cities):
        if mask[actions.MERCHANT_AT + city]:
            distance = way_to_city(board, state, np.int64(board.city_crossroads[city]))
            if distance < best:
                best, found = distance, np.int64(actions.MERCHANT_AT + city)
    return found


# --- getting what is lacking -----------------------------------------------------------------------------------------
@kernel
def _obtain(state, mask, seat, needs):
    """Return a trade with the reserve for a card that the plan lacks; _NOTHING if none is possible."""
    for kind in range(c.NUM_RESOURCES):
        if state.hand[seat, kind] < needs[kind]:
            for give in range(c.NUM_RESOURCES):
                spare = state.hand[seat, give] - needs[give]
                if spare >= c.BANK_RATE and mask[actions.BANK_AT + c.NUM_ITEMS * give + kind]:
                    return np.int64(actions.BANK_AT + c.NUM_ITEMS * give + kind)
            if mask[actions.BUY_AT + kind]:
                return np.int64(actions.BUY_AT + kind)
    return np.int64(_NOTHING)


# --- What the planner decides outside the action phase ---------------------------------------------------------------

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


# --- The planner: it follows a plan for its turn, and answers all else by simple rules; nothing is drawn -------------


@kernel
def choose(board, state, mask):
    """Return the move of the seat to move."""
    decision = state.decision
    if decision == c.DECIDE_ACTION:
        return act(board, state, mask)
    if decision == c.DECIDE_PRODUCTION:
        return np.int64(actions.ROLL)
    if decision == c.DECIDE_REPLY:
        return reply(state, mask)
    if decision == c.DECIDE_DISCARD:
        return discard(state, mask)
    if decision == c.DECIDE_ROBBER:
        return move_robber(board, state, mask)
    if decision == c.DECIDE_STEAL:
        return rob(state, mask)
    if decision == c.DECIDE_DRIVE:
        return drive(board, state, mask)
    return _choose_other(board, state, decision, mask)


@kernel
def _choose_other(board, state, decision, mask):
    """Return the move of a decision that is met less often."""
    if decision == c.DECIDE_DESTINATION:
        return end_walk(board, state, mask)
    if decision in (c.DECIDE_FREE_ROUTE, c.DECIDE_START_ROUTE):
        return place_route(board, state, mask)
    if decision == c.DECIDE_POST:
        return place_post(board, state, mask)
    if decision == c.DECIDE_NEUTRAL:
        return place_neutral(board, mask)
    if decision == c.DECIDE_LIFT_MERCHANT:
        return lift_merchant(board, state)
    if decision == c.DECIDE_TAKE:
        return take_token(board, state, mask)
    if decision == c.DECIDE_BRIBE:
        return choose_caravan(board, state, mask)
    if decision == c.DECIDE_TREATY:
        return _use_treaty(board, state, mask)
    return first_legal(mask)


@kernel
def _use_treaty(board, state, mask):
    """Return the walk that brings a merchant to a city, else the gold."""
    slot, nearest = nearest_merchant(board, state, np.int64(state.mover))
    if slot != c.NONE and nearest <= c.TREATY_STEPS and mask[actions.WALK_AT + slot]:
        return np.int64(actions.WALK_AT) + slot
    return np.int64(actions.TAKE_GOLD) if mask[actions.TAKE_GOLD] else first_legal(mask)


@code_entry(pointer(), pointer(), pointer(np.int8), INTEGER, pointer(np.uint8), INTEGER, pointer(np.uint64))
def planner_entry(board, place, mask, num_actions, _memory, _size, _rng):
    """Return the move of the seat to move."""
    return choose(board_at(board), state_at(place), bytes_at(mask, num_actions))
