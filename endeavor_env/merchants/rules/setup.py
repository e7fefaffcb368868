"""Set-up: the first position, and the posts and routes that seats place before the first turn (K3).

The decisions of the free start are numbered from 0: three posts for each seat, with three players a neutral post for
each, and a route for each.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.engine.kernels.masks import allow, allow_set
from endeavor_env.kernels.kernels import inlined, kernel
from endeavor_env.merchants.rules import actions, sets
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules.asking import ask_chance, ask_seat, begin_turn
from endeavor_env.merchants.rules.hands import take_cards
from endeavor_env.merchants.rules.routes import add_near, is_built, joins_cities, place_route
from endeavor_env.merchants.rules.sets import free_cities


# --- the first position ----------------------------------------------------------------------------------------------
@kernel
def begin(board, state, first, options, num_seats, variant):
    """Write the position before anything is drawn; all of ``state`` is 0."""
    state.num_seats, state.variant, state.first = num_seats, variant, first
    state.trade = options[c.OPTION_TRADE]
    rolls = options[c.OPTION_ROLLS]
    state.most_rolls = rolls if rolls > 0 else c.USUAL_ROLLS
    state.robber = board.robber
    _copy_pieces(board, state)
    state.reserve[:] = c.CARDS_OF_KIND
    state.gold_left = c.ALL_GOLD - c.FIRST_GOLD * num_seats
    for seat in range(num_seats):
        state.gold[seat], state.routes_left[seat] = c.FIRST_GOLD, c.ALL_ROUTES
    state.merchants[:] = c.NONE
    state.caravans[:] = c.NONE
    state.card = state.bought = state.slot = state.victim = state.terrain = c.NONE
    state.arrow = state.place = c.NONE
    state.latest[:] = c.NONE
    if board.side == c.SHORT and options[c.OPTION_START] == c.FIXED:
        _place_fixed(board, state)
    ask_chance(state, c.CHANCE_FIRST)


@kernel
def _copy_pieces(board, state):
    """Write the numbers on the board, the tokens in the sea, and the pile (K3.2)."""
    for terrain in range(c.MAX_TERRAINS):
        state.numbers[terrain] = board.numbers[terrain]
    for kind in range(c.NUM_RESOURCES):
        for value in range(c.NUM_VALUES):
            state.sea[kind, value] = board.sea[kind, value]
    for kind in range(c.NUM_CARDS):
        state.pile[kind] = board.development[kind]


@kernel
def _place_fixed(board, state):
    """Place the posts, routes and caravans of the fixed start (K3.6); no decision of set-up is left."""
    for colour in range(c.MAX_SEATS):
        for index in range(c.START_POSTS):
            city = np.int64(board.start_posts[colour, index])
            if colour < state.num_seats:
                _place_post(board, state, colour, city)
            else:
                state.posts[c.NEUTRAL] |= sets.bit(city)
        if colour < state.num_seats:
            _take_start_cards(board, state, colour, np.int64(board.start_posts[colour, c.START_POSTS - 1]))
            _place_start_route(board, state, colour, np.int64(board.start_routes[colour]))
    state.placed = _steps(state)


@kernel
def _place_post(board, state, seat, city):
    """Put one of the first three posts on the board."""
    state.posts[seat] |= sets.bit(city)
    add_near(board, state, seat, np.int64(board.city_crossroads[city]))


@kernel
def _take_start_cards(board, state, seat, city):
    """Take a card for each terrain beside the third post, numbered or not (K3.7)."""
    where = np.int64(board.city_crossroads[city])
    for index in range(c.MEETING):
        terrain = board.crossroads_terrains[where, index]
        if terrain != c.NONE:
            take_cards(state, seat, np.int64(board.kinds[terrain]), 1)


@kernel
def _place_start_route(board, state, seat, path):
    """Put the first route of a seat on the board, and a caravan on it."""
    place_route(board, state, seat, path)
    state.caravans[seat, 0] = path


# --- the order of decisions ------------------------------------------------------------------------------------------
@inlined
def _posts_end(state):
    """Return the number of the first decision after those about posts of seats."""
    return np.int64(c.START_POSTS) * np.int64(state.num_seats)


@inlined
def _neutrals_end(state):
    """Return the number of the first decision about a route."""
    neutrals = np.int64(state.num_seats) if state.num_seats == c.MIN_SEATS else np.int64(0)
    return _posts_end(state) + neutrals


@inlined
def _steps(state):
    """Return the number of decisions of set-up."""
    return _neutrals_end(state) + np.int64(state.num_seats)


@inlined
def _seat_of(state, number):
    """Return who makes a decision of set-up: forward, back, forward, and then back each time."""
    seats = np.int64(state.num_seats)
    sweep, place = number // seats, number % seats
    forward = sweep == 0 or sweep == 2
    return (np.int64(state.mover) + (place if forward else seats - 1 - place)) % seats


@kernel
def show_first(board, state, seat):
    """Let a seat be the first player."""
    state.mover = seat
    ask_next(board, state)


@kernel
def ask_next(board, state):
    """Ask the next decision of set-up; without one, begin the first turn. Who has no path for a route is left out."""
    while state.placed < _steps(state):
        seat = _seat_of(state, np.int64(state.placed))
        if state.placed < _posts_end(state):
            ask_seat(state, c.DECIDE_POST, seat)
            return
        if state.placed < _neutrals_end(state):
            ask_seat(state, c.DECIDE_NEUTRAL, seat)
            return
        if _has_start_route(board, state, seat):
            ask_seat(state, c.DECIDE_START_ROUTE, seat)
            return
        state.placed += 1
    begin_turn(state, state.mover)


# --- decisions of the free start -------------------------------------------------------------------------------------
@kernel
def mark_posts(board, state, mask):
    """Mark the free brown cities."""
    allow_set(mask, actions.POST_AT, board.brown & free_cities(board, state))


@kernel
def place_post(board, state, city):
    """Place a post; the third one brings cards."""
    _place_post(board, state, np.int64(state.seat), city)
    if state.placed >= (c.START_POSTS - 1) * state.num_seats:
        _take_start_cards(board, state, np.int64(state.seat), city)
    state.placed += 1
    ask_next(board, state)


@kernel
def mark_neutrals(board, state, mask):
    """Mark the free violet cities."""
    allow_set(mask, actions.NEUTRAL_AT, board.violet & free_cities(board, state))


@kernel
def place_neutral(board, state, city):
    """Place a neutral post."""
    state.posts[c.NEUTRAL] |= sets.bit(city)
    state.placed += 1
    ask_next(board, state)


@inlined
def _is_start_route(board, state, path):
    """Return whether the first route of a seat may lie on a path beside one of its posts."""
    return path != c.NONE and not is_built(state, path) and not joins_cities(board, state, path)


@kernel
def _has_start_route(board, state, seat):
    """Return whether a seat has a path for its first route."""
    posts = np.int64(state.posts[seat])
    while posts != 0:
        where = np.int64(board.city_crossroads[sets.lowest(posts)])
        posts = sets.without_lowest(posts)
        for way in range(c.MEETING):
            if _is_start_route(board, state, np.int64(board.crossroads_paths[where, way])):
                return True
    return False


@kernel
def mark_start_routes(board, state, mask):
    """Mark where the first route of the seat to move may lie (K3.9)."""
    posts = np.int64(state.posts[state.seat])
    while posts != 0:
        where = np.int64(board.city_crossroads[sets.lowest(posts)])
        posts = sets.without_lowest(posts)
        for way in range(c.MEETING):
            path = np.int64(board.crossroads_paths[where, way])
            if _is_start_route(board, state, path):
                allow(mask, actions.ROUTE_AT + path)


@kernel
def place_first_route(board, state, path):
    """Place the first route of a seat, with a caravan."""
    _place_start_route(board, state, np.int64(state.seat), path)
    state.placed += 1
    ask_next(board, state)
