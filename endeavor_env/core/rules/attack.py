"""Attack (R8.5)."""

from __future__ import annotations

import numpy as np

from endeavor_env.core import constants as c
from endeavor_env.core.actions import ATTACK_AT
from endeavor_env.core.bits import has, where_above, where_equal
from endeavor_env.core.masks import allow_set
from endeavor_env.core.rules.cities import hold_city, is_fortified, leave_city, owner_of, region_of
from endeavor_env.core.rules.occupy import take_connections
from endeavor_env.core.rules.presence import cities_in, reachable_regions
from endeavor_env.core.rules.shields import has_exploits, is_active
from endeavor_env.machine.kernels import kernel

_cities_equal, _cities_above = where_equal(c.MAX_CITIES), where_above(c.MAX_CITIES)
CASUALTIES = 1  # discs that go from harbor to supply, besides the one that takes the city (R8.5.2)


@kernel
def casualties(board, state, seat, city):
    """Return how many harbor discs an Attack on ``city`` costs besides the one placed: 1 without Exploits (R8.5.2).

    A fortification costs one more (E4). While Imperialism is active, a connection from an own city saves one (E3).
    """
    lost = np.int64(CASUALTIES)
    if has_exploits(state):
        lost += is_fortified(state, city)
        if is_active(board, state, c.IMPERIALISM) and _has_supply_line(board, state, seat, city):
            lost -= 1
    return lost


@kernel
def _has_supply_line(board, state, seat, city):
    """Return whether ``city`` is in India or the Far East and ``seat`` holds a city that is connected to it (E3)."""
    region = region_of(board, city)
    in_reach = region == board.exploit_region[c.IMPERIALISM, 0] or region == board.exploit_region[c.IMPERIALISM, 1]
    if not in_reach:
        return False
    if city >= c.MAX_CITIES:  # the connection between the two cities of the tile is never blocked (XA8)
        return owner_of(state, c.BATAVIA + c.CAPE_TOWN - city) == seat
    for index in range(board.city_degree[city]):
        connection = np.int64(board.city_connection[city, index])
        first, second = board.connection_city[connection, 0], board.connection_city[connection, 1]
        other = second if first == city else first
        if state.city_owner[other] == seat and not has(np.int64(state.blocked), connection):
            return True
    return False


@kernel
def attack_targets(board, state, seat, lock):
    """Return the cities of other owners that ``seat`` may attack, as bits, Exploits apart (R8.5.1, R8.5.2).

    ``lock`` allows only the cities of one region (R8.8); NONE allows all.
    """
    if state.harbor[seat] < CASUALTIES + 1:
        return np.int64(0)
    others = _cities_above(state.city_owner, c.NONE) & ~_cities_equal(state.city_owner, seat)
    return others & cities_in(board, reachable_regions(board, state, seat, lock))


@kernel
def mark_attacks(board, state, seat, lock, words):
    """Mark the cities that ``seat`` may attack in the ATTACK block, Exploits apart."""
    allow_set(words, ATTACK_AT, attack_targets(board, state, seat, lock))


@kernel
def attack(board, state, seat, city):
    """Pay the casualties, replace the enemy disc with one of the harbor, then take connections (R8.5.2, R8.5.3)."""
    lost = casualties(board, state, seat, city)
    state.harbor[seat] -= lost
    state.supply[seat] += lost
    take_by_force(board, state, seat, city)


@kernel
def take_by_force(board, state, seat, city):
    """Replace the enemy disc in ``city`` with one of the harbor of ``seat``, and take its connections (R8.5.3)."""
    leave_city(board, state, city)
    state.harbor[seat] -= 1
    hold_city(board, state, seat, city)
    if city < c.MAX_CITIES:
        take_connections(board, state, seat, city)
