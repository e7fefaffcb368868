"""Occupy, and taking control of connections (R8.3, R8.4)."""

from __future__ import annotations

import numpy as np

from endeavor_env.core import constants as c
from endeavor_env.core._jit import kernel
from endeavor_env.core.actions import OCCUPY_AT
from endeavor_env.core.bits import bit, has
from endeavor_env.core.rules.cities import hold_city
from endeavor_env.core.rules.presence import reachable_regions
from endeavor_env.core.rules.tokens import take_token


@kernel
def can_occupy(board, state, regions, city):
    """Return whether ``city`` is free and in one of ``regions``, bits from ``reachable_regions`` (R8.3.1)."""
    free = (state.city_owner[city] == c.NONE) & (state.pirate_at != city)  # E2: nobody enters the pirate's city
    return free and ((regions >> board.city_region[city]) & 1) == 1


@kernel
def free_cities(board, state, regions):
    """Return the cities in ``regions`` without a disc and without the pirate (E2), both as bits."""
    within = np.int64(0)
    for region in range(c.NUM_REGIONS):
        if has(regions, region):
            within |= board.region_cities[region]
    if state.pirate_at >= 0:
        within &= ~bit(state.pirate_at)
    return cities_of(board, state, c.NONE) & within


@kernel
def cities_of(board, state, side):
    """Return the cities in which ``side`` has a disc, as bits; with NONE the cities without a disc."""
    cities = np.int64(0)
    for city in range(c.MAX_CITIES):  # no branch and a fixed length: faster than skipping unused rows
        cities |= np.int64(state.city_owner[city] == side) << city
    return cities & ((np.int64(1) << board.num_cities) - np.int64(1))


@kernel
def mark_occupies(board, state, seat, lock, out):
    """Mark the free cities that ``seat`` may occupy in the OCCUPY block (R8.3.1)."""
    if state.harbor[seat] < 1:
        return
    regions = reachable_regions(board, state, seat, lock)
    for city in range(board.num_cities):
        if can_occupy(board, state, regions, city):
            out[OCCUPY_AT + city] = 1


@kernel
def any_occupy(board, state, seat, lock):
    """Return whether Occupy has a target, within region ``lock`` unless it is NONE."""
    if state.harbor[seat] < 1:
        return False
    regions = reachable_regions(board, state, seat, lock)
    for city in range(board.num_cities):
        if can_occupy(board, state, regions, city):
            return True
    return False


@kernel
def occupy(board, state, seat, city):
    """Put a harbor disc into a free city, take the city's token, then its connections (R8.3.1)."""
    state.harbor[seat] -= 1
    hold_city(board, state, seat, city)
    take_token(state, seat, c.CITY_SPACES + city)
    take_connections(board, state, seat, city)


@kernel
def take_connections(board, state, seat, city):
    """Take the tokens of all connections that ``seat`` controls now that it holds ``city`` (R8.4.1, R8.4.2)."""
    for index in range(board.city_degree[city]):
        connection = np.int64(board.city_connection[city, index])
        if controls(board, state, seat, connection):
            take_token(state, seat, c.CONNECTION_SPACES + connection)


@kernel
def controls(board, state, seat, connection):
    """Return whether ``seat`` holds both ends of ``connection``, on which no blockade lies (R8.4.1, E3)."""
    first = board.connection_city[connection, 0]
    second = board.connection_city[connection, 1]
    both = (state.city_owner[first] == seat) & (state.city_owner[second] == seat)
    return both and not has(np.int64(state.blocked), connection)
