"""The components as they are laid out, and cities with their discs (R1, R2)."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.rules import constants as c
from endeavor_env.engine.kernels.rng import shuffle
from endeavor_env.kernels.kernels import kernel

# --- Cities with their discs -----------------------------------------------------------------------------------------


@kernel
def hold_city(board, state, side, city):
    """Make ``side`` the owner of ``city``; its disc counts for presence (R8.3.2)."""
    state.city_owner[city] = side
    state.presence[side, board.city_region[city]] += 1


@kernel
def leave_city(board, state, city):
    """Move the disc in ``city`` to its owner's supply (R8.5.3)."""
    owner = state.city_owner[city]
    state.supply[owner] += 1
    state.presence[owner, board.city_region[city]] -= 1
    state.city_owner[city] = c.NONE


# --- The components and how they are laid out before the first round (R1, R2) ----------------------------------------


@kernel
def is_space(board, space):
    """Return whether ``space`` in [0, NUM_SPACES) exists on this board (R1.3)."""
    if space < c.CONNECTION_SPACES:
        return space - c.CITY_SPACES < board.num_cities
    if space < c.TRACK_SPACES:
        return space - c.CONNECTION_SPACES < board.num_connections
    region = (space - c.TRACK_SPACES) // c.MAX_TRACK
    return (space - c.TRACK_SPACES) % c.MAX_TRACK < board.track_length[region]


@kernel
def deal_tokens(board, rng, tokens):
    """Deal every token to a space (R2.1): ``tokens`` (NUM_SPACES,) int8, NONE where there is no space."""
    dealt = 0
    for kind in range(c.NUM_TOKEN_KINDS):
        for _ in range(board.token_count[kind]):
            tokens[dealt] = kind
            dealt += 1
    shuffle(rng, tokens, dealt)
    # Spread the shuffled tokens over the existing spaces from behind, so that none is overwritten before it is moved.
    for region in range(c.NUM_REGIONS - 1, -1, -1):
        first = c.TRACK_SPACES + region * c.MAX_TRACK
        dealt = _spread(tokens, dealt, first, c.MAX_TRACK, np.int64(board.track_length[region]))
    dealt = _spread(tokens, dealt, c.CONNECTION_SPACES, c.MAX_CONNECTIONS, np.int64(board.num_connections))
    _spread(tokens, dealt, c.CITY_SPACES, c.MAX_CITIES, np.int64(board.num_cities))


@kernel
def _spread(tokens, dealt, first, spaces, used):
    """Move the last ``used`` of the first ``dealt`` tokens to ``first`` and on; the other ``spaces`` get NONE."""
    tokens[first + used : first + spaces] = c.NONE
    for space in range(first + used - 1, first - 1, -1):
        dealt -= 1
        tokens[space] = tokens[dealt]
    return dealt


@kernel
def lay_out(board, state, tokens):
    """Put ``tokens`` (NUM_SPACES,) on the board, and what every game begins with on the table and the mats (R2)."""
    for space in range(c.NUM_SPACES):
        state.token[space] = tokens[space]
    for region in range(c.NUM_REGIONS):
        state.open[region] = board.open_at_start[region]
    for building in range(board.num_building_types):
        state.building_supply[building] = board.building_copies[building]
    for seat in range(state.num_seats):
        state.supply[seat] = board.discs_per_player
        for building in range(board.num_building_types):
            state.buildings[seat, building] = board.building_start[building]
            for status in range(c.NUM_STATUSES):
                icons = board.building_start[building] * board.building_icons[building, status]
                state.status[seat, status] += icons
