"""Caravans: forming, driving and delivering goods (K6.1, K6.3, K8).

What a caravan can still spend on its way is a purse, one number: steps left, salt, gold, and the seats whose toll is
paid, as bits. So a way can be tried out without a copy of the state.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.engine.kernels.masks import allow, allow_set, only_asks
from endeavor_env.kernels.kernels import inlined, kernel
from endeavor_env.merchants.rules import actions, sets
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules.asking import ask, end_game, go_back, place_or_ask
from endeavor_env.merchants.rules.hands import limit_salt, pay_cards, show_cards
from endeavor_env.merchants.rules.merchants import goods_of_seat
from endeavor_env.merchants.rules.routes import owner_of
from endeavor_env.merchants.rules.sets import takers

_SALT_AT, _GOLD_AT, _PAID_AT, _BYTE = 8, 16, 24, 255
_NO_WAY = -1
_MOST_SALT = 2
"""Largest cost in salt of a step and the way out of full routes behind it: a step and three more."""


# --- forming ---------------------------------------------------------------------------------------------------------
@inlined
def _caravans_on(state, path):
    """Return how many caravans of anybody stand on a path."""
    found = np.int64(0)
    for seat in range(c.MAX_SEATS):
        for slot in range(c.SLOTS):
            found += np.int64(state.caravans[seat, slot] == path)
    return found


@kernel
def mark_caravans(board, state, mask):
    """Mark the own routes with an end at an own post and room for a caravan."""
    seat, posts = state.mover, np.int64(state.posts[state.mover])
    while posts != 0:
        where = np.int64(board.city_crossroads[sets.lowest(posts)])
        posts = sets.without_lowest(posts)
        for way in range(c.MEETING):
            path = np.int64(board.crossroads_paths[where, way])
            own = path != c.NONE and sets.has(state.routes[seat, path // sets.PATH_BITS], path % sets.PATH_BITS)
            if own and _caravans_on(state, path) < c.ROOM_ON_ROUTE:
                allow(mask, actions.CARAVAN_AT + path)


@kernel
def form(state, path):
    """Pay for a caravan and place it; if both are out, ask which one is lifted."""
    seat = state.mover
    for kind in (c.ORE, c.WOOD, c.SALT):
        pay_cards(state, seat, kind, 1)
    place_or_ask(state, state.caravans[seat], path, c.DECIDE_LIFT_CARAVAN)


@kernel
def lift_caravan(state, slot):
    """Let a caravan leave its place and become the new one, which has paid no toll (K6.3, K-R27)."""
    state.caravans[state.mover, slot] = state.place
    state.tolls[slot] = 0
    state.place = c.NONE
    go_back(state)


# --- steps -----------------------------------------------------------------------------------------------------------
@inlined
def _purse(state, slot, steps):
    """Return what a caravan of the mover can spend: with so many ``steps`` left."""
    seat = state.mover
    return (
        np.int64(steps)
        | np.int64(state.hand[seat, c.SALT]) << np.int64(_SALT_AT)
        | np.int64(state.gold[seat]) << np.int64(_GOLD_AT)
        | np.int64(state.tolls[slot]) << np.int64(_PAID_AT)
    )


@inlined
def _after_step(state, purse, owner, bribe):
    """Return the purse after a step onto a route of ``owner``, or _NO_WAY if it is not enough."""
    if purse & np.int64(_BYTE) == 0:
        if bribe or (purse >> np.int64(_SALT_AT)) & np.int64(_BYTE) == 0:
            return np.int64(_NO_WAY)
        purse += np.int64(c.STEPS_OF_SALT) - (np.int64(1) << np.int64(_SALT_AT))
    purse -= np.int64(1)
    if bribe or owner == state.mover or sets.has(purse >> np.int64(_PAID_AT), owner):
        return purse
    if (purse >> np.int64(_GOLD_AT)) & np.int64(_BYTE) == 0:
        return np.int64(_NO_WAY)
    return purse - (np.int64(1) << np.int64(_GOLD_AT)) + (np.int64(1) << np.int64(_PAID_AT + owner))


@inlined
def _others_on(state, slot, path):
    """Return how many caravans but that of the mover's slot stand on a path."""
    return _caravans_on(state, path) - np.int64(state.caravans[state.mover, slot] == path)


@inlined
def _is_full(state, slot, path):
    """Return whether a route has no room for the caravan that drives."""
    return _others_on(state, slot, path) >= c.ROOM_ON_ROUTE


@kernel
def _purse_at(state, purse, path, bribe):
    """Return the purse after a step onto a path, _NO_WAY if there is no route or not enough to pay."""
    if path == c.NONE:
        return np.int64(_NO_WAY)
    owner = owner_of(state, path)
    return np.int64(_NO_WAY) if owner == c.NONE else _after_step(state, purse, owner, bribe)


@kernel
def _leaves_at_once(board, state, slot, purse, path, bribe):
    """Return whether a route with room can be reached from a path by one step."""
    for index in range(c.NEIGHBOURS):
        there = np.int64(board.path_neighbours[path, index])
        if _purse_at(state, purse, there, bribe) != _NO_WAY and not _is_full(state, slot, there):
            return True
    return False


@kernel
def _leaves_by_one(board, state, slot, purse, path, before, bribe):
    """Return whether a route with room can be reached from a path by one step, or over another full route."""
    if _leaves_at_once(board, state, slot, purse, path, bribe):
        return True
    for index in range(c.NEIGHBOURS):
        there = np.int64(board.path_neighbours[path, index])
        left = _purse_at(state, purse, there, bribe)
        if left != _NO_WAY and there != before and _leaves_at_once(board, state, slot, left, there, bribe):
            return True
    return False


@kernel
def _can_leave(board, state, slot, purse, path, bribe):
    """Return whether a full route can be left for one with room (K8.2).

    Seven other caravans fill three routes at most, and to come back to a full route never helps.
    """
    if _leaves_at_once(board, state, slot, purse, path, bribe):
        return True
    for index in range(c.NEIGHBOURS):
        there = np.int64(board.path_neighbours[path, index])
        left = _purse_at(state, purse, there, bribe)
        if left != _NO_WAY and _leaves_by_one(board, state, slot, left, there, path, bribe):
            return True
    return False


@kernel
def _is_step(board, state, slot, purse, path, bribe):
    """Return whether a caravan may step onto a path."""
    left = _purse_at(state, purse, path, bribe)
    if left == _NO_WAY:
        return False
    return not _is_full(state, slot, path) or _can_leave(board, state, slot, left, path, bribe)


@kernel
def _has_step(board, state, slot, purse, here, bribe):
    """Return whether a caravan has a step from a path."""
    for index in range(c.NEIGHBOURS):
        if _is_step(board, state, slot, purse, np.int64(board.path_neighbours[here, index]), bribe):
            return True
    return False


@kernel
def can_drive(board, state, slot, bribe):
    """Return whether a caravan of the mover has a first step."""
    here = np.int64(state.caravans[state.mover, slot])
    return here != c.NONE and _has_step(
        board, state, slot, _purse(state, slot, c.BRIBE_STEPS if bribe else 0), here, bribe
    )


@kernel
def mark_drives(board, state, mask, bribe):
    """Mark the caravans of the mover that have a first step."""
    for slot in range(c.SLOTS):
        if can_drive(board, state, slot, bribe):
            allow(mask, actions.DRIVE_AT + slot)


@kernel
def has_bribe_drive(board, state):
    """Return whether a bribe would let a caravan of the mover drive."""
    return can_drive(board, state, 0, True) or can_drive(board, state, 1, True)


@kernel
def mark_steps(board, state, mask):
    """Mark the next steps of the drive; return whether there is one."""
    slot, bribe, found = np.int64(state.slot), state.card == c.BRIBE, False
    here = np.int64(state.caravans[state.mover, slot])
    purse = _purse(state, slot, state.steps)
    for index in range(c.NEIGHBOURS):
        path = np.int64(board.path_neighbours[here, index])
        if _is_step(board, state, slot, purse, path, bribe):
            if mask.size > 0:
                allow(mask, actions.STEP_AT + path)
            found = True
    return found


# --- driving ---------------------------------------------------------------------------------------------------------
@kernel
def begin_drive(board, state, slot):
    """Choose a caravan that drives."""
    state.slot = slot
    state.moved = 0
    state.steps = c.BRIBE_STEPS if state.card == c.BRIBE else 0
    if state.card != c.BRIBE:
        _show_salt(board, state, np.int64(state.caravans[state.mover, slot]), False)
    ask(state, c.DECIDE_DRIVE)


@kernel
def step(board, state, path):
    """Pay for a step and make it; the drive ends by itself if nothing but ``stop`` is possible (K8.6)."""
    seat, slot = state.mover, state.slot
    if state.card != c.BRIBE:
        if state.steps == 0:
            pay_cards(state, seat, c.SALT, 1)
            state.steps = c.STEPS_OF_SALT
        _pay_toll(state, seat, slot, owner_of(state, path))
    state.steps -= 1
    state.moved = 1
    state.caravans[seat, slot] = path
    go_on_driving(board, state)


@kernel
def _pay_toll(state, seat, slot, owner):
    """Pay the owner of a route, once a turn for each caravan (K8.3)."""
    if owner != seat and not sets.has(state.tolls[slot], owner):
        state.gold[seat] -= 1
        state.gold[owner] += 1
        state.tolls[slot] |= sets.bit(owner)


@kernel
def stop(state):
    """End the drive."""
    state.steps = state.moved = 0
    go_back(state)


@kernel
def go_on_driving(board, state):
    """Ask for the next step, delivery or stop."""
    here = np.int64(state.caravans[state.mover, state.slot])
    delivers = _deliveries_from(board, state, here) != 0
    if not delivers and not mark_steps(board, state, only_asks()):
        if state.card != c.BRIBE:
            _show_lack_of_salt(board, state, here)
        stop(state)
        return
    if state.card != c.BRIBE:
        _show_salt(board, state, here, delivers)
    ask(state, c.DECIDE_DRIVE)


@kernel
def _show_salt(board, state, here, delivers):
    """Let everybody know of salt without which the drive would be over, or the step onto a full route illegal (K14)."""
    slot, salt = np.int64(state.slot), np.int64(state.hand[state.mover, c.SALT])
    purse, needed = _purse(state, slot, state.steps) - (salt << np.int64(_SALT_AT)), np.int64(0)
    if not delivers:
        while needed < salt and not _has_step(board, state, slot, _with_salt(purse, needed), here, False):
            needed += 1
    if state.moved and _is_full(state, slot, here):
        while needed < salt and not _can_leave(board, state, slot, _with_salt(purse, needed), here, False):
            needed += 1
    if needed > 0:
        show_cards(state, state.mover, c.SALT, needed)


@kernel
def _show_lack_of_salt(board, state, here):
    """Let everybody know that with more salt the drive would go on (K14)."""
    slot = np.int64(state.slot)
    purse = _purse(state, slot, state.steps)
    for more in range(1, _MOST_SALT + 1):
        if _has_step(board, state, slot, _with_salt(purse, more), here, False):
            limit_salt(state, np.int64(state.mover), more - 1)
            return


@inlined
def _with_salt(purse, more):
    """Return a purse with more salt."""
    return purse + (np.int64(more) << np.int64(_SALT_AT))


@kernel
def mark_drive(board, state, mask):
    """Mark steps, and after the first one deliveries and ``stop``, which a full route does not offer."""
    mark_steps(board, state, mask)
    if not state.moved:
        return
    here = np.int64(state.caravans[state.mover, state.slot])
    allow_set(mask, actions.DELIVER_AT, _deliveries_from(board, state, here))
    if not _is_full(state, np.int64(state.slot), here):
        allow(mask, actions.STOP)


# --- deliveries (K8.4) -----------------------------------------------------------------------------------------------
@inlined
def free_goods(state, seat):
    """Return the number of free goods of a seat (K8.5)."""
    return np.int64(1) + np.int64(state.built[seat]) - np.int64(state.delivered[seat])


@kernel
def _deliveries_from(board, state, path):
    """Return the cities at the ends of a path where the mover may deliver a good."""
    if path == c.NONE or free_goods(state, state.mover) == 0:
        return np.int64(0)
    return board.path_cities[path] & takers(state, state.mover)


@kernel
def mark_deliveries(board, state, mask):
    """Mark where the caravans of the mover may deliver from where they stand."""
    for slot in range(c.SLOTS):
        here = np.int64(state.caravans[state.mover, slot])
        allow_set(mask, actions.DELIVER_AT, _deliveries_from(board, state, here))


@kernel
def deliver(board, state, city):
    """Put a good under a post; the last one ends the game (K10.1)."""
    state.goods |= sets.bit(city)
    state.delivered[state.mover] += 1
    if state.delivered[state.mover] == goods_of_seat(board, state):
        end_game(state, c.ALL_DELIVERED)
    elif state.decision == c.DECIDE_DRIVE:
        go_on_driving(board, state)
    else:
        go_back(state)
