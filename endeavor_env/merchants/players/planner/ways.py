"""How far it is to where a good can be delivered: over routes, or over paths that must be built on first."""

from __future__ import annotations

import numpy as np

from endeavor_env.kernels.intrinsics import words_on_stack
from endeavor_env.kernels.kernels import inlined, kernel
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules import sets
from endeavor_env.merchants.rules.nets import is_built
from endeavor_env.merchants.rules.places import free_cities, paths_between
from endeavor_env.merchants.rules.production import ways_of_sum

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


@kernel
def way_to_city(board, state, where):
    """Return the fewest paths from a crossroads to a city without post; FAR if there is none."""
    cities, nearest = free_cities(board, state), np.int64(FAR)
    while cities != 0:
        there = np.int64(board.city_crossroads[sets.lowest(cities)])
        cities = sets.without_lowest(cities)
        nearest = min(nearest, paths_between(board, where, there))
    return nearest


@inlined
def ways_of(state, terrain):
    """Return how many of the 36 ways of two dice roll the number of a terrain."""
    number = np.int64(state.numbers[terrain])
    return ways_of_sum(number) if number > 0 else np.int64(0)


@kernel
def yield_at(board, state, where):
    """Return how many ways of two dice yield something on a crossroads, for all its terrains together."""
    total = np.int64(0)
    for index in range(c.MEETING):
        terrain = np.int64(board.crossroads_terrains[where, index])
        if terrain != c.NONE:
            total += ways_of(state, terrain)
    return total
