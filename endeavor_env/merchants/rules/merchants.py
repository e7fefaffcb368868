"""Merchants: recruiting, walking, and the posts and tokens that they bring (K6.1, K6.3, K7)."""

from __future__ import annotations

import numpy as np

from endeavor_env.engine.kernels.masks import allow, allow_set
from endeavor_env.kernels.intrinsics import where_above
from endeavor_env.kernels.kernels import inlined, kernel
from endeavor_env.merchants.rules import actions, sets
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules.asking import ask, ask_chance, go_back, place_or_ask
from endeavor_env.merchants.rules.hands import pay_cards, show_cards, take_gold
from endeavor_env.merchants.rules.routes import add_near
from endeavor_env.merchants.rules.sets import free_cities, paths_between, taken_cities

_farther = where_above(sets.CROSSROADS_BITS)
_ALL = (1 << sets.CROSSROADS_BITS) - 1


@inlined
def goods_of_seat(board, state):
    """Return how many goods each seat has from the start (K3.4)."""
    return c.GOODS[board.side][state.num_seats - c.MIN_SEATS]


@inlined
def stock_of(board, state, seat):
    """Return how many posts a seat still has: one lies on each good but the first."""
    return goods_of_seat(board, state) - 1 - state.built[seat]


# --- recruiting ------------------------------------------------------------------------------------------------------
@kernel
def mark_recruits(board, state, mask):
    """Mark the cities with a post of the mover on which no merchant stands."""
    cities = np.int64(state.posts[state.mover])
    for slot in range(c.SLOTS):  # nobody else's merchant can stand there
        where = np.int64(state.merchants[state.mover, slot])
        if where != c.NONE and board.crossroads_city[where] != c.NONE:
            cities &= ~sets.bit(board.crossroads_city[where])
    allow_set(mask, actions.MERCHANT_AT, cities)


@kernel
def recruit(board, state, city):
    """Pay for a merchant and place it; if both are out, ask which one is lifted."""
    seat = state.mover
    pay_cards(state, seat, c.WOOL, 1)
    pay_cards(state, seat, c.WHEAT, 1)
    pay_cards(state, seat, c.WOOD, 1)
    where = np.int64(board.city_crossroads[city])
    place_or_ask(state, state.merchants[seat], where, c.DECIDE_LIFT_MERCHANT)


@kernel
def lift_merchant(state, slot):
    """Let a merchant leave its place and become the new one (K6.3)."""
    state.merchants[state.mover, slot] = state.place
    state.place = c.NONE
    go_back(state)


# --- where a merchant may go -----------------------------------------------------------------------------------------
@kernel
def _write_blocked(board, state, blocked):
    """Write where no merchant of the mover may end: merchants, posts of others, free cities if it has no post left."""
    sets.clear(blocked)
    for seat in range(c.MAX_SEATS):
        for slot in range(c.SLOTS):
            where = np.int64(state.merchants[seat, slot])
            if where != c.NONE:
                sets.add_crossroads(blocked, where)
    cities = taken_cities(state) & ~np.int64(state.posts[state.mover])
    if stock_of(board, state, state.mover) == 0:
        cities |= free_cities(board, state)
    while cities != 0:
        sets.add_crossroads(blocked, np.int64(board.city_crossroads[sets.lowest(cities)]))
        cities = sets.without_lowest(cities)


@inlined
def _steps(state):
    """Return how far a merchant of the mover may walk: what its wheat pays for, or a trade treaty."""
    if state.card == c.TRADE_TREATY:
        return np.int64(c.TREATY_STEPS)
    return np.int64(state.hand[state.mover, c.WHEAT]) * np.int64(c.STEPS_OF_WHEAT)


@inlined
def _reach_word(board, where, steps, word):
    """Return a word of the set of crossroads that are so near."""
    return np.int64(_ALL) & ~_farther(board.distances[where, word], steps)


@kernel
def mark_destinations(board, state, mask):
    """Mark where the merchant that walks may end (K7.2, K7.3)."""
    blocked = sets.new_crossroads(sets.CROSSROADS_WORDS)
    _write_blocked(board, state, blocked)
    where, steps = np.int64(state.merchants[state.mover, state.slot]), _steps(state)
    for word in range(sets.CROSSROADS_WORDS):
        ends = _reach_word(board, where, steps, word) & ~blocked[word]
        allow_set(mask, actions.TO_AT + sets.CROSSROADS_BITS * word, ends)


@kernel
def can_walk(board, state, slot, steps):
    """Return whether a merchant of the mover has an end within so many steps."""
    where = np.int64(state.merchants[state.mover, slot])
    if where == c.NONE or steps == 0:
        return False
    if _has_plain_neighbour(board, state, where):
        return True
    blocked = sets.new_crossroads(sets.CROSSROADS_WORDS)
    _write_blocked(board, state, blocked)
    ends = np.int64(0)
    for word in range(sets.CROSSROADS_WORDS):
        ends |= _reach_word(board, where, steps, word) & ~blocked[word]
    return ends != 0


@kernel
def _has_plain_neighbour(board, state, where):
    """Return whether a crossroads beside this one has neither city nor merchant: the quick answer for most."""
    for way in range(c.MEETING):
        there = np.int64(board.crossroads_ends[where, way])
        if there != c.NONE and board.crossroads_city[there] == c.NONE:
            free = True
            for seat in range(c.MAX_SEATS):
                for slot in range(c.SLOTS):
                    free = free and state.merchants[seat, slot] != there
            if free:
                return True
    return False


@kernel
def mark_walks(board, state, mask, steps):
    """Mark the merchants of the mover that have an end within so many steps."""
    for slot in range(c.SLOTS):
        if can_walk(board, state, slot, steps):
            allow(mask, actions.WALK_AT + slot)


@kernel
def mark_paid_walks(board, state, mask):
    """Mark the merchants that may walk for wheat."""
    mark_walks(board, state, mask, np.int64(state.hand[state.mover, c.WHEAT]) * np.int64(c.STEPS_OF_WHEAT))


@kernel
def has_treaty_walk(board, state):
    """Return whether a trade treaty would let a merchant of the mover walk."""
    return can_walk(board, state, 0, np.int64(c.TREATY_STEPS)) or can_walk(board, state, 1, np.int64(c.TREATY_STEPS))


# --- walking and founding --------------------------------------------------------------------------------------------
@kernel
def begin_walk(board, state, slot):
    """Choose a merchant that walks; without a card this shows that the seat has the wheat for some end."""
    state.slot = slot
    if state.card != c.TRADE_TREATY:
        needed = np.int64(1)
        while not can_walk(board, state, slot, needed * np.int64(c.STEPS_OF_WHEAT)):
            needed += 1
        show_cards(state, state.mover, c.WHEAT, needed)
    ask(state, c.DECIDE_DESTINATION)


@kernel
def walk(board, state, there):
    """Pay for the way and go there; found a post in a city without one."""
    seat, slot = state.mover, state.slot
    here = np.int64(state.merchants[seat, slot])
    if state.card != c.TRADE_TREATY:
        distance = paths_between(board, here, there)
        pay_cards(state, seat, c.WHEAT, (distance + c.STEPS_OF_WHEAT - 1) // c.STEPS_OF_WHEAT)
    state.merchants[seat, slot] = there
    city = np.int64(board.crossroads_city[there])
    if city != c.NONE and not sets.has(state.posts[seat], city):
        state.merchants[seat, slot] = c.NONE
        _found(board, state, seat, city, there)
        return
    go_back(state)


@kernel
def _found(board, state, seat, city, where):
    """Found a post: its good becomes free, the city's gold is taken, a token may come (K7.4)."""
    state.posts[seat] |= sets.bit(city)
    state.built[seat] += 1
    add_near(board, state, seat, where)
    take_gold(state, seat, board.city_gold[city])
    for index in range(c.MEETING):
        terrain = board.crossroads_terrains[where, index]
        if terrain != c.NONE and state.numbers[terrain] == 0:
            state.place = where
            ask(state, c.DECIDE_TOKEN)
            return
    go_back(state)


# --- tokens (K7.5) ---------------------------------------------------------------------------------------------------
@kernel
def _in_sea(state, kind):
    """Return whether a token of a kind lies in the sea."""
    for value in range(c.NUM_VALUES):
        if state.sea[kind, value] > 0:
            return True
    return False


@kernel
def mark_token_terrains(board, state, mask):
    """Mark the terrains beside the new post that have no number; declining is possible if the sea has no token."""
    must = False
    for index in range(c.MEETING):
        terrain = np.int64(board.crossroads_terrains[state.place, index])
        if terrain != c.NONE and state.numbers[terrain] == 0:
            allow(mask, actions.TOKEN_AT + terrain)
            must = must or _in_sea(state, board.kinds[terrain])
    if not must:
        allow(mask, actions.DONE)


@kernel
def choose_token_terrain(board, state, terrain):
    """Choose the terrain that gets a token: one from the sea, which chance draws, or one that lies elsewhere."""
    state.terrain = terrain
    if _in_sea(state, board.kinds[terrain]):
        ask_chance(state, c.CHANCE_VALUE)
    else:
        ask(state, c.DECIDE_TAKE)


@kernel
def end_founding(state):
    """Go on after a token was placed or declined."""
    state.place = state.terrain = c.NONE
    go_back(state)


@kernel
def show_value(board, state, index):
    """Place a token from the sea."""
    state.sea[board.kinds[state.terrain], index] -= 1
    state.numbers[state.terrain] = index + (3 if index < c.NUM_VALUES // 2 else 6)  # VALUES
    end_founding(state)


@kernel
def mark_tokens(board, state, mask):
    """Mark the terrains with a token of the kind that is wanted."""
    kind = board.kinds[state.terrain]
    for terrain in range(board.num_terrains):
        if board.token_places[terrain] and state.numbers[terrain] > 0 and board.kinds[terrain] == kind:
            allow(mask, actions.TAKE_AT + terrain)


@kernel
def move_token(state, terrain):
    """Move a token from a terrain to the one that was chosen."""
    state.numbers[state.terrain] = state.numbers[terrain]
    state.numbers[terrain] = 0
    end_founding(state)
