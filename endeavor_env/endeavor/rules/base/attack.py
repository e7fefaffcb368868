"""Attack (R8.5)."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import ATTACK_AT
from endeavor_env.endeavor.rules.base.cities import hold_city, leave_city
from endeavor_env.endeavor.rules.base.occupy import take_connections
from endeavor_env.endeavor.rules.base.presence import cities_in, reachable_regions
from endeavor_env.endeavor.rules.bits import where_above, where_equal
from endeavor_env.engine.kernels.masks import allow_set
from endeavor_env.kernels.kernels import kernel

_cities_equal, _cities_above = where_equal(c.MAX_CITIES), where_above(c.MAX_CITIES)
CASUALTIES = 1  # discs that go from harbor to supply, besides the one that takes the city (R8.5.2)


@kernel
def attack_targets(board, state, seat, lock):
    """Return the cities of other owners that ``seat`` may attack, as bits (R8.5.1, R8.5.2).

    ``lock`` allows only the cities of one region (R8.8); NONE allows all.
    """
    if state.harbor[seat] < CASUALTIES + 1:
        return np.int64(0)
    return enemy_cities(board, state, seat, reachable_regions(board, state, seat, lock))


@kernel
def enemy_cities(board, state, seat, regions):
    """Return the cities of other owners in ``regions``, both as bits (R8.5.1)."""
    others = _cities_above(state.city_owner, c.NONE) & ~_cities_equal(state.city_owner, seat)
    return others & cities_in(board, regions)


@kernel
def mark_attacks(board, state, seat, lock, words):
    """Mark the cities that ``seat`` may attack in the ATTACK block."""
    allow_set(words, ATTACK_AT, attack_targets(board, state, seat, lock))


@kernel
def attack(board, state, seat, city):
    """Pay the casualties, replace the enemy disc with one of the harbor, then take connections (R8.5.2, R8.5.3)."""
    state.harbor[seat] -= CASUALTIES + 1
    state.supply[seat] += CASUALTIES
    leave_city(board, state, city)
    hold_city(board, state, seat, city)
    take_connections(board, state, seat, city)
