"""Cities with their discs: those of the board, and in games with Exploits the two on a tile (E5).

A city is a number: one of the board, BATAVIA or CAPE_TOWN.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.core import constants as c
from endeavor_env.core.bits import bit, has
from endeavor_env.machine.kernels import kernel


@kernel
def region_of(board, city):
    """Return the region of a city; Batavia is in the Far East and Cape Town in Africa (E5)."""
    if city < c.MAX_CITIES:
        return np.int64(board.city_region[city])
    return np.int64(board.exploit_region[c.VOC, city - c.BATAVIA])


@kernel
def owner_of(state, city):
    """Return the side whose disc is in a city, or NONE."""
    return np.int64(state.city_owner[city] if city < c.MAX_CITIES else state.tile_city_owner[city - c.BATAVIA])


@kernel
def hold_city(board, state, side, city):
    """Make ``side`` the owner of ``city``; its disc counts for presence (R8.3.2)."""
    if city < c.MAX_CITIES:
        state.city_owner[city] = side
    else:
        state.tile_city_owner[city - c.BATAVIA] = side
    state.presence[side, region_of(board, city)] += 1


@kernel
def leave_city(board, state, city):
    """Move the disc in ``city``, if any, to its owner's supply, and a fortification to its tile (R8.5.3, E4)."""
    owner = owner_of(state, city)
    if owner == c.NONE:
        return
    state.supply[owner] += 1
    state.presence[owner, region_of(board, city)] -= 1
    state.fortified &= ~bit(city)
    if city < c.MAX_CITIES:
        state.city_owner[city] = c.NONE
    else:
        state.tile_city_owner[city - c.BATAVIA] = c.NONE


@kernel
def is_fortified(state, city):
    """Return whether a city has a fortification (E4, E5)."""
    return has(np.int64(state.fortified), city)


@kernel
def has_missionary(state, city):
    """Return whether a missionary is in a city, which then can never be attacked (E6)."""
    for index in range(c.NUM_MISSIONARIES):
        if state.missionary[index] == city:
            return True
    return False
