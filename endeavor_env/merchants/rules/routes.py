"""Routes: where they may lie, building, and the free routes of double arrows and of safe-conduct (K6.4 to K6.7)."""

from __future__ import annotations

import numpy as np

from endeavor_env.engine.kernels.masks import allow, allow_set
from endeavor_env.kernels.kernels import inlined, kernel
from endeavor_env.merchants.rules import actions, sets
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules.asking import ask, go_back
from endeavor_env.merchants.rules.hands import pay_cards
from endeavor_env.merchants.rules.income import (
    built_word,
    cities_of_net,
    is_built,
    isolated_city,
    new_ways,
    pay_way,
    write_ways,
)


# --- where routes may lie --------------------------------------------------------------------------------------------
@inlined
def free_word(state, seat, word):
    """Return a word of the set of paths on which a seat may build a route (K6.4)."""
    return state.near[seat, word] & ~built_word(state, word)


@kernel
def can_build(state, seat):
    """Return whether a seat has a route in supply and a path for it."""
    found = np.int64(0)
    for word in range(sets.PATH_WORDS):
        found |= free_word(state, seat, word)
    return found != 0 and state.routes_left[seat] > 0


@inlined
def mark_routes(state, seat, mask):
    """Mark the paths on which a seat may build."""
    for word in range(sets.PATH_WORDS):
        allow_set(mask, actions.ROUTE_AT + sets.PATH_BITS * word, free_word(state, seat, word))


@kernel
def mark_free_routes(board, state, mask):
    """Mark where a free route may lie: beside a double arrow, or for a safe-conduct anywhere by K6.4."""
    if state.arrow == c.NONE:
        mark_routes(state, state.mover, mask)
        return
    for index in range(c.NEIGHBOURS):
        path = np.int64(board.path_neighbours[state.arrow, index])
        if path != c.NONE and not is_built(state, path):
            allow(mask, actions.ROUTE_AT + path)


@kernel
def _arrow_gives(board, state):
    """Return whether there is a path beside the double arrow for a route in supply."""
    if state.routes_left[state.mover] == 0:
        return False
    for index in range(c.NEIGHBOURS):
        path = np.int64(board.path_neighbours[state.arrow, index])
        if path != c.NONE and not is_built(state, path):
            return True
    return False


# --- placing ---------------------------------------------------------------------------------------------------------
@kernel
def add_near(board, state, seat, where):
    """Note that a seat may build on the paths of a crossroads."""
    for way in range(c.MEETING):
        path = np.int64(board.crossroads_paths[where, way])
        if path != c.NONE:
            state.near[seat, path // sets.PATH_BITS] |= sets.bit(path % sets.PATH_BITS)


@kernel
def place_route(board, state, seat, path):
    """Put a route of a seat on a path."""
    state.routes[seat, path // sets.PATH_BITS] |= sets.bit(path % sets.PATH_BITS)
    state.routes_left[seat] -= 1
    add_near(board, state, seat, np.int64(board.path_ends[path, 0]))
    add_near(board, state, seat, np.int64(board.path_ends[path, 1]))


@kernel
def joins_cities(board, state, path):
    """Return whether a route on a path would join two cities (K3.9)."""
    low, high = np.int64(board.path_ends[path, 0]), np.int64(board.path_ends[path, 1])
    ours, _ = cities_of_net(board, state, low, high)
    theirs, _ = cities_of_net(board, state, high, low)
    return sets.without_lowest(ours | theirs) != 0


# --- building, and what follows: income, double arrow, second route of a safe-conduct (K12.2) ------------------------
@kernel
def buy_route(board, state, path):
    """Pay for a route and build it."""
    pay_cards(state, state.mover, c.ORE, 1)
    pay_cards(state, state.mover, c.WOOD, 1)
    build_route(board, state, path)


@kernel
def build_route(board, state, path):
    """Build a route of the mover, which is paid for or free, and run on to the next decision."""
    isolated = isolated_city(board, state, path)
    place_route(board, state, state.mover, path)
    state.arrow = path if board.path_arrow[path] else c.NONE
    if isolated != c.NONE:
        ways = new_ways(c.MOST_INCOMES)
        if write_ways(board, state, isolated, ways) > 1:
            state.place = isolated
            ask(state, c.DECIDE_INCOME)
            return
        pay_way(state, ways[0])
    _follow_arrow(board, state)


@kernel
def count_incomes(board, state):
    """Return how many choices there are for the income under way."""
    return write_ways(board, state, np.int64(state.place), new_ways(c.MOST_INCOMES))


@kernel
def choose_income(board, state, choice):
    """Pay one of the shortest ways, and run on to the next decision."""
    ways = new_ways(c.MOST_INCOMES)
    write_ways(board, state, np.int64(state.place), ways)
    pay_way(state, ways[choice])
    state.place = c.NONE
    _follow_arrow(board, state)


@kernel
def _follow_arrow(board, state):
    """Offer the free route of the double arrow that was built on, or go on without."""
    if state.arrow != c.NONE:
        if _arrow_gives(board, state):
            ask(state, c.DECIDE_FREE_ROUTE)
            return
        state.arrow = c.NONE
    go_on_with_conduct(state)


@kernel
def go_on_with_conduct(state):
    """Offer the next free route of a safe-conduct that is carried out, or go back."""
    if state.routes_of_card > 0 and can_build(state, state.mover):
        ask(state, c.DECIDE_FREE_ROUTE)
        return
    state.routes_of_card = 0
    go_back(state)


@kernel
def take_free_route(board, state, path):
    """Build a free route."""
    if state.arrow == c.NONE:
        state.routes_of_card -= 1
    build_route(board, state, path)


@kernel
def decline_free_route(state):
    """Do without the free route of a double arrow, or without those that a safe-conduct still gives (K9.1)."""
    if state.arrow == c.NONE:
        state.routes_of_card = 0
    state.arrow = c.NONE
    go_on_with_conduct(state)
