"""Attack (R8.5)."""

from __future__ import annotations

from endeavor_env.core import constants as c
from endeavor_env.core._jit import kernel
from endeavor_env.core.actions import ATTACK_AT
from endeavor_env.core.rules.occupy import hold_city, take_connections
from endeavor_env.core.rules.presence import reachable_regions

DISCS = 2  # harbor discs it takes: the casualty, and the disc that takes the city (R8.5.2)


@kernel
def _can_attack(board, state, seat, regions, city):
    """Return whether another owner's disc holds ``city`` in one of ``regions`` (R8.5.1)."""
    owner = state.city_owner[city]
    return owner != c.NONE and owner != seat and ((regions >> board.city_region[city]) & 1) == 1


@kernel
def mark_attacks(board, state, seat, lock, out):
    """Mark the enemy cities ``seat`` may attack in the ATTACK block; it takes two harbor discs (R8.5.1, R8.5.2)."""
    if state.harbor[seat] < DISCS:
        return
    regions = reachable_regions(board, state, seat, lock)
    for city in range(board.num_cities):
        if _can_attack(board, state, seat, regions, city):
            out[ATTACK_AT + city] = 1


@kernel
def any_attack(board, state, seat, lock):
    """Return whether Attack has a target, within region ``lock`` unless it is NONE."""
    if state.harbor[seat] < DISCS:
        return False
    regions = reachable_regions(board, state, seat, lock)
    for city in range(board.num_cities):
        if _can_attack(board, state, seat, regions, city):
            return True
    return False


@kernel
def attack(board, state, seat, city):
    """Move one disc to the supply, replace the enemy disc with a second, then take connections (R8.5.2, R8.5.3)."""
    victim = state.city_owner[city]
    state.harbor[seat] -= DISCS
    state.supply[seat] += 1
    state.supply[victim] += 1
    state.presence[victim, board.city_region[city]] -= 1
    hold_city(board, state, seat, city)
    take_connections(board, state, seat, city)
