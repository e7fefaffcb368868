"""The Opposition's moves: occupying, attacking, shipping and stealing, and the tokens they bring (S4.6, S5.5)."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.base.actions import controls, open_if_full, put_on_track
from endeavor_env.endeavor.rules.base.components import hold_city
from endeavor_env.endeavor.rules.bits import bit
from endeavor_env.kernels.kernels import kernel


@kernel
def _gain_token(state, space, regions, carried_out):
    """Take the token off ``space``: a status token counts at once, a blue one waits if it is to be ``carried_out``.

    ``regions``, bits, are those in which the token lies, two if it lies on a connection between regions.
    """
    kind = state.token[space]
    if kind == c.NONE:
        return
    state.token[space] = c.NONE
    if kind < c.FIRST_BLUE:
        state.tokens[c.OPPOSITION, kind] += 1
        state.status[c.OPPOSITION, kind] += 1
    elif carried_out:
        state.waiting_kind[state.num_waiting] = kind
        state.waiting_regions[state.num_waiting] = regions
        state.num_waiting += 1


@kernel
def _reverse_waiting(state, first):
    """Reverse the waiting tokens from index ``first`` on, so that the first one gained is carried out first (C8)."""
    low, high = np.int64(first), np.int64(state.num_waiting) - 1
    while low < high:
        kind, regions = state.waiting_kind[low], state.waiting_regions[low]
        state.waiting_kind[low] = state.waiting_kind[high]
        state.waiting_regions[low] = state.waiting_regions[high]
        state.waiting_kind[high] = kind
        state.waiting_regions[high] = regions
        low += 1
        high -= 1


@kernel
def drop_token(state):
    """Remove the next waiting token, which is carried out now or has no effect."""
    state.num_waiting -= 1
    state.waiting_kind[state.num_waiting] = c.NONE
    state.waiting_regions[state.num_waiting] = 0


@kernel
def hold(board, state, side, city):
    """Put a disc of ``side`` in ``city``, and take its token and those of completed connections (S4.6, S5.5).

    Blue tokens are carried out later, in the easier game not at all (S9.1).
    """
    first = state.num_waiting
    carried_out = state.difficulty != c.DIFFICULTY_EASIER
    hold_city(board, state, side, city)
    state.supply[side] -= 1  # below 0 if the discs run out: they are placed all the same (C2)
    _gain_token(state, c.CITY_SPACES + city, bit(board.city_region[city]), carried_out)
    for index in range(board.city_degree[city]):
        connection = np.int64(board.city_connection[city, index])
        if controls(board, state, side, connection):
            one = board.city_region[board.connection_city[connection, 0]]
            other = board.city_region[board.connection_city[connection, 1]]
            _gain_token(state, c.CONNECTION_SPACES + connection, bit(one) | bit(other), carried_out)
    _reverse_waiting(state, first)


@kernel
def take_city(board, state, side, city):
    """Attack the player: return its disc to its supply, and put one of ``side`` in the city (S5.5)."""
    victim = state.city_owner[city]
    state.supply[victim] += 1
    state.presence[victim, board.city_region[city]] -= 1
    hold(board, state, side, city)


@kernel
def ship(board, state, side, region):
    """Put a disc on or beside a track; a blue token there is carried out only in the harder game (S5.5, S9.2)."""
    space = put_on_track(board, state, side, region)
    state.supply[side] -= 1
    if space != c.NONE:
        _gain_token(state, space, bit(region), state.difficulty == c.DIFFICULTY_HARDER)
        open_if_full(board, state, region)


@kernel
def steal(state, victim, status):
    """Move one status token from the mat of ``victim`` to the Opposition's (S5.5)."""
    state.tokens[victim, status] -= 1
    state.status[victim, status] -= 1
    state.tokens[c.OPPOSITION, status] += 1
    state.status[c.OPPOSITION, status] += 1
