"""Final scoring, part by part (R12). In mid-game the parts are those "as if the game ended now"."""

from __future__ import annotations

import numpy as np

from endeavor_env.core import constants as c
from endeavor_env.core._jit import kernel
from endeavor_env.core.bits import has
from endeavor_env.core.rules.cards import holding_legal_without_slot
from endeavor_env.core.rules.statuses import marker
from endeavor_env.core.sides import glory_mat, mat_of

GLORY_BITS = 12  # for one mat's share of a packed count; those of five fit into an int64
GLORY_MASK = (1 << GLORY_BITS) - 1


@kernel
def packed(glory, mat):
    """Return ``glory`` as the share of ``mat`` in a packed count."""
    return np.int64(glory) << (np.int64(mat) * GLORY_BITS)


@kernel
def share_of(count, mat):
    """Return what ``mat`` has of a packed ``count``."""
    return (count >> (np.int64(mat) * GLORY_BITS)) & GLORY_MASK


@kernel
def cities_glory(board, state):
    """Return the printed Glory of the cities that each mat holds, packed (R12.1)."""
    count = np.int64(0)
    for city in range(board.num_cities):
        mat = mat_of(state, state.city_owner[city])
        if mat != c.NONE:
            count += packed(board.city_glory[city], mat)
    return count


@kernel
def connections_glory(board, state):
    """Return the Glory of the connections that each mat controls now, packed (R8.4.3, R12.2).

    It does not matter who took their tokens. One owner must hold both ends: opposing colours count each for itself. A
    connection under a blockade is nobody's (E3).
    """
    count = np.int64(0)
    for connection in range(board.num_connections):
        owner = state.city_owner[board.connection_city[connection, 0]]
        mat = mat_of(state, owner)
        both = owner == state.city_owner[board.connection_city[connection, 1]]
        if mat != c.NONE and both and not has(np.int64(state.blocked), connection):
            count += packed(board.connection_glory, mat)
    return count


@kernel
def cards_glory(board, state):
    """Return the Glory printed on the face-up cards of each mat, Governors included, packed (R12.4)."""
    count = np.int64(0)
    for card in range(c.NUM_CARDS):
        mat = glory_mat(np.int64(state.card_place[card]))
        if mat != c.NONE:
            count += packed(board.card_glory[card], mat)
    return count


@kernel
def status_glory(board, state, mat, status):
    """Return the Glory of one status: the nearest Glory space at or below the marker (R12.3, C2)."""
    return np.int64(board.status_glory[marker(board, state, mat, status)])


@kernel
def governor_slot_glory(board, state, mat):
    """Return the Glory of an empty free-Governor slot (R12.5).

    It counts as empty if the holding is legal without it (notation 3.8). The Opposition's mat has no slot (S8.2).
    """
    empty = mat < state.num_seats and holding_legal_without_slot(board, state, mat)
    return np.int64(board.empty_governor_slot_glory if empty else 0)


@kernel
def buildings_glory(board, state, mat):
    """Return the Glory of the buildings owned; on the printed tiles only the University has any (R12.6)."""
    glory = np.int64(0)
    for building in range(board.num_building_types):
        glory += state.buildings[mat, building] * board.building_glory[building]
    return glory


@kernel
def harbor_glory(board, state, mat):
    """Return the Glory of the discs in harbor (R12.7)."""
    return np.int64(state.harbor[mat] // board.discs_per_glory)


@kernel
def slavery_glory(board, state, mat):
    """Return the Glory lost by face-down Slavery cards, 0 or below (R12.8)."""
    return -np.int64(state.num_face_down[mat] * board.slavery_penalty)
