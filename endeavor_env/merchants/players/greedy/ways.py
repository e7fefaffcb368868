"""How near merchants are to free cities, and caravans to posts that take a good."""

from __future__ import annotations

import numpy as np

from endeavor_env.kernels.intrinsics import numbers_on_stack, words_on_stack
from endeavor_env.kernels.kernels import inlined, kernel
from endeavor_env.merchants.players.greedy import weights as w
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules import sets
from endeavor_env.merchants.rules.merchants import stock_of
from endeavor_env.merchants.rules.nets import is_built
from endeavor_env.merchants.rules.places import free_cities, paths_between, takers

_new_costs = numbers_on_stack(c.MAX_PATHS)
_QUEUE = 2 * c.MAX_PATHS
_new_queue = words_on_stack(_QUEUE)
_new_waits = words_on_stack(c.MAX_PATHS)


# --- merchants --------------------------------------------------------------------------------------------------------
@kernel
def paths_to_city(board, where, cities):
    """Return the fewest paths from a crossroads to one of some cities, FAR_CITY at most."""
    best = np.int64(w.FAR_CITY)
    while cities != 0:
        there = np.int64(board.city_crossroads[sets.lowest(cities)])
        cities = sets.without_lowest(cities)
        best = min(best, paths_between(board, where, there))
    return best


@inlined
def _best_and_other(first, second, factor):
    """Return the larger value and the smaller one times a factor."""
    return max(first, second) + factor * min(first, second)


@kernel
def merchants_value(board, state, seat, weights):
    """Return what the merchants of a seat are worth: nothing when it has no posts left."""
    if stock_of(board, state, seat) <= 0:
        return 0.0
    cities = free_cities(board, state)
    first = _merchant_value(board, np.int64(state.merchants[seat, 0]), cities, weights)
    second = _merchant_value(board, np.int64(state.merchants[seat, 1]), cities, weights)
    return _best_and_other(first, second, weights[w.SECOND_MERCHANT])


@kernel
def _merchant_value(board, where, cities, weights):
    """Return what a merchant is worth at a crossroads, 0 if it is not on the map."""
    if where == c.NONE:
        return 0.0
    nearer = np.int64(w.FAR_CITY) - paths_to_city(board, where, cities)
    return weights[w.MERCHANT] + weights[w.NEAR_CITY] * np.float64(nearer)


# --- caravans ---------------------------------------------------------------------------------------------------------
@kernel
def caravans_value(board, state, seat, weights):
    """Return what it is worth to be near posts of others that take a good."""
    cities = takers(state, seat)
    first = _caravan_value(board, state, seat, 0, cities, weights)
    second = _caravan_value(board, state, seat, 1, cities, weights)
    return weights[w.NEAR_POST] * _best_and_other(first, second, weights[w.SECOND_CARAVAN])


@kernel
def _caravan_value(board, state, seat, slot, cities, weights):
    """Return by how many steps a caravan is nearer to a post than FAR_POST; steps that are paid for count as made."""
    start = np.int64(state.caravans[seat, slot])
    if start == c.NONE:
        return 0.0
    cost = steps_to_post(board, state, seat, start, cities, weights[w.UNBUILT])
    if state.decision == c.DECIDE_DRIVE and seat == state.mover and slot == state.slot:
        cost -= min(cost, np.float64(state.steps))
    return np.float64(w.FAR_POST) - cost


@kernel
def steps_to_post(board, state, seat, start, cities, unbuilt):
    """Return the fewest steps from a path to one with an end at one of ``cities``, FAR_POST at most.

    A path without route counts ``unbuilt`` steps; it is passed only where the seat could build on it, or could after
    it has built on the one before.
    """
    costs, queue, waits = _new_costs(c.MAX_PATHS), _new_queue(_QUEUE), _new_waits(c.MAX_PATHS)
    costs[:] = w.FAR_POST
    waits[:] = 0
    best = np.float64(w.FAR_POST)
    costs[start], queue[0] = 0.0, start
    done, found, can_build = np.int64(0), np.int64(1), state.routes_left[seat] > 0
    while done < found:
        here = queue[done % _QUEUE]
        done += 1
        waits[here] = 0
        if costs[here] >= best:
            continue
        if board.path_cities[here] & cities != 0:
            best = costs[here]
            continue
        lies_here = is_built(state, here)
        for index in range(c.NEIGHBOURS):
            there = np.int64(board.path_neighbours[here, index])
            if there == c.NONE:
                continue
            step = 1.0
            if not is_built(state, there):
                near = sets.has(state.near[seat, there // sets.PATH_BITS], there % sets.PATH_BITS)
                if not can_build or (lies_here and not near):
                    continue
                step = unbuilt
            if costs[here] + step < costs[there]:
                costs[there] = costs[here] + step
                if waits[there] == 0:
                    waits[there] = 1
                    queue[found % _QUEUE] = there
                    found += 1
    return best
