"""Routes: where they may lie, building, nets and income, and free routes (K6.4 to K6.7)."""

from __future__ import annotations

import numpy as np

from endeavor_env.engine.kernels.masks import allow, allow_set
from endeavor_env.kernels.intrinsics import words_on_stack
from endeavor_env.kernels.kernels import inlined, kernel
from endeavor_env.merchants.rules import actions, sets
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules.asking import ask, go_back
from endeavor_env.merchants.rules.hands import pay_cards, take_gold

# --- Nets: crossroads that are joined by routes of any owners, and the cities in them (K6.5) -------------------------

new_queue = words_on_stack(c.MAX_CROSSROADS)
"""``new_queue(n)``: a number for each crossroads on the stack, with any contents."""


@inlined
def built_word(state, word):
    """Return a word of the set of paths with a route of anybody."""
    routes = state.routes
    return routes[0, word] | routes[1, word] | routes[2, word] | routes[3, word]


@inlined
def is_built(state, path):
    """Return whether a path has a route of anybody."""
    return sets.has(built_word(state, path // sets.PATH_BITS), path % sets.PATH_BITS)


@inlined
def owner_of(state, path):
    """Return the seat whose route lies on a path, or NONE."""
    word, place = path // sets.PATH_BITS, path % sets.PATH_BITS
    owner = np.int64(c.NONE)
    for seat in range(c.MAX_SEATS):
        if sets.has(state.routes[seat, word], place):
            owner = np.int64(seat)
    return owner


@kernel
def cities_of_net(board, state, start, other):
    """Return the cities of the net of a crossroads, and whether another crossroads is in it.

    Nobody asks which ones there are if there are several, so the search ends with the second, or with the other
    crossroads.
    """
    queue, seen = new_queue(c.MAX_CROSSROADS), sets.new_crossroads(sets.CROSSROADS_WORDS)
    sets.clear(seen)
    sets.add_crossroads(seen, start)
    queue[0] = start
    done, found, cities, joined = 0, 1, np.int64(0), start == other
    while done < found and not joined and sets.without_lowest(cities) == 0:
        here = queue[done]
        done += 1
        if board.crossroads_city[here] != c.NONE:
            cities |= sets.bit(board.crossroads_city[here])
        for way in range(c.MEETING):
            path = np.int64(board.crossroads_paths[here, way])
            if path != c.NONE and is_built(state, path):
                there = np.int64(board.crossroads_ends[here, way])
                if not sets.has_crossroads(seen, there):
                    sets.add_crossroads(seen, there)
                    queue[found] = there
                    found += 1
                    joined = joined or there == other
    return cities, joined


# --- Income of routes: an isolated city that is connected for the first time (K6.5, K6.6) ----------------------------
# What a way pays is one number: a byte for each seat, the mover's the highest, so that larger numbers come first in the
# order of the choices.

_BYTE, _LAST = 8, c.MAX_SEATS - 1
_new_lists = words_on_stack(c.MAX_CROSSROADS * c.MOST_INCOMES)
new_ways = words_on_stack(c.MOST_INCOMES)
"""``new_ways(MOST_INCOMES)``: what ways pay, on the stack, with any contents."""


@kernel
def isolated_city(board, state, path):
    """Return the crossroads of the city that a route on ``path``, not yet there, connects first; NONE if it is none."""
    low, high = np.int64(board.path_ends[path, 0]), np.int64(board.path_ends[path, 1])
    ours, joined = cities_of_net(board, state, low, high)
    if joined or ours == 0:
        return np.int64(c.NONE)
    theirs, joined = cities_of_net(board, state, high, low)
    if joined or theirs == 0:
        return np.int64(c.NONE)
    if sets.without_lowest(ours) == 0:
        return np.int64(board.city_crossroads[sets.lowest(ours)])
    if sets.without_lowest(theirs) == 0:
        return np.int64(board.city_crossroads[sets.lowest(theirs)])
    return np.int64(c.NONE)


@inlined
def _share_of(state, path):
    """Return what the route on a path adds to the payments of a way."""
    owner = owner_of(state, path)
    distance = (owner - np.int64(state.mover) + np.int64(state.num_seats)) % np.int64(state.num_seats)
    return np.int64(1) << (_BYTE * (_LAST - distance))


@kernel
def _insert(ways, first, count, paid):
    """Add a payment to a list of the largest ones, which are descending and different; return their new number."""
    place = count
    while place > 0 and ways[first + place - 1] < paid:
        place -= 1
    if place == c.MOST_INCOMES or (place > 0 and ways[first + place - 1] == paid):
        return count
    last = min(count, c.MOST_INCOMES - 1)
    for index in range(last, place, -1):
        ways[first + index] = ways[first + index - 1]
    ways[first + place] = paid
    return last + 1


@kernel
def write_ways(board, state, start, out):
    """Write what the shortest ways by routes from a city to another one pay, the largest first; return their number.

    ``out`` (MOST_INCOMES,) int64 is written. A way that pays little is left out only if sixteen others pay more: the
    largest sixteen up to a crossroads are among those of the crossroads before it, each with the route between them.
    """
    lists, counts, lengths = (
        _new_lists(c.MAX_CROSSROADS * c.MOST_INCOMES),
        new_queue(c.MAX_CROSSROADS),
        new_queue(c.MAX_CROSSROADS),
    )
    queue = new_queue(c.MAX_CROSSROADS)
    lengths[:] = c.NONE
    counts[:] = 0
    lists[start * c.MOST_INCOMES] = 0
    counts[start], lengths[start], queue[0] = 1, 0, start
    done, found, number, limit = 0, 1, np.int64(0), np.int64(c.MAX_CROSSROADS)
    while done < found and lengths[queue[done]] <= limit:
        here = queue[done]
        done += 1
        if here != start and board.crossroads_city[here] != c.NONE:
            limit = lengths[here]
            for index in range(counts[here]):
                number = _insert(out, 0, number, lists[here * c.MOST_INCOMES + index])
        elif lengths[here] < limit:
            found = _go_on_from(board, state, here, lists, counts, lengths, queue, found)
    return number


@kernel
def _go_on_from(board, state, here, lists, counts, lengths, queue, found):
    """Lengthen the ways to a crossroads by one route in each direction; return how many crossroads are in the queue."""
    for way in range(c.MEETING):
        path = np.int64(board.crossroads_paths[here, way])
        if path == c.NONE or not is_built(state, path):
            continue
        there = np.int64(board.crossroads_ends[here, way])
        if lengths[there] == c.NONE:
            lengths[there] = lengths[here] + 1
            queue[found] = there
            found += 1
        if lengths[there] == lengths[here] + 1:
            share = _share_of(state, path)
            for index in range(counts[here]):
                paid = lists[here * c.MOST_INCOMES + index] + share
                counts[there] = _insert(lists, there * c.MOST_INCOMES, counts[there], paid)
    return found


@kernel
def pay_way(state, paid):
    """Pay a way, clockwise from the mover."""
    for distance in range(state.num_seats):
        amount = (paid >> np.int64(_BYTE * (_LAST - distance))) & np.int64(255)
        take_gold(state, (state.mover + distance) % state.num_seats, amount)


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
