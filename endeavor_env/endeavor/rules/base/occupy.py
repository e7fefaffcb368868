"""Occupy, and taking control of connections (R8.3, R8.4)."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import OCCUPY_AT
from endeavor_env.endeavor.rules.base.cities import hold_city
from endeavor_env.endeavor.rules.base.presence import cities_in, reachable_regions
from endeavor_env.endeavor.rules.base.tokens import take_token
from endeavor_env.endeavor.rules.bits import where_equal
from endeavor_env.engine.kernels.masks import allow_set
from endeavor_env.kernels.kernels import kernel

_cities_equal = where_equal(c.MAX_CITIES)


@kernel
def free_cities(board, state, regions):
    """Return the cities in ``regions`` without a disc, both as bits."""
    return _cities_equal(state.city_owner, c.NONE) & cities_in(board, regions)


@kernel
def cities_of(board, state, side):
    """Return the cities in which ``side`` has a disc, as bits; with NONE the cities without a disc."""
    return _cities_equal(state.city_owner, side) & ((np.int64(1) << board.num_cities) - np.int64(1))


@kernel
def occupy_targets(board, state, seat, lock):
    """Return the free cities that ``seat`` may occupy, as bits (R8.3.1).

    It needs a harbor disc. ``lock`` allows only the cities of one region (R8.8); NONE allows all.
    """
    if state.harbor[seat] < 1:
        return np.int64(0)
    return free_cities(board, state, reachable_regions(board, state, seat, lock))


@kernel
def mark_occupies(board, state, seat, lock, words):
    """Mark the free cities that ``seat`` may occupy in the OCCUPY block."""
    allow_set(words, OCCUPY_AT, occupy_targets(board, state, seat, lock))


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
    """Return whether ``seat`` holds both ends of ``connection`` (R8.4.1)."""
    first = board.connection_city[connection, 0]
    second = board.connection_city[connection, 1]
    return (state.city_owner[first] == seat) & (state.city_owner[second] == seat)
