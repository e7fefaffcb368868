"""The plan of the planner for a turn: what it wants to do next, and which cards it lacks for that.

It delivers what is free, else it founds posts, which frees goods. It drives where a route leads to a delivery, else it
builds towards one. It knows no more than its seat may: hands of others it does not look at.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.kernels.intrinsics import words_on_stack
from endeavor_env.kernels.kernels import inlined, kernel
from endeavor_env.merchants.players.planner.ways import (
    FAR,
    new_costs,
    stands_at_post,
    way_to_city,
    write_lengths,
    write_lengths_from,
    write_steps,
)
from endeavor_env.merchants.rules import actions
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules.caravans import free_goods
from endeavor_env.merchants.rules.merchants import stock_of
from endeavor_env.merchants.rules.places import takers

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
