"""Final scoring, part by part (R12). In mid-game the parts are those "as if the game ended now"."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.base.cards import holding_legal_without_slot
from endeavor_env.endeavor.rules.base.phases import marker
from endeavor_env.endeavor.rules.bits import count, lowest, where_equal, without_lowest
from endeavor_env.endeavor.rules.board_array import DISC_SHIFT, GLORY_DIGITS
from endeavor_env.endeavor.rules.sides import is_solo, mat_of, num_mats
from endeavor_env.kernels.kernels import inlined, kernel

_cities_of = where_equal(c.MAX_CITIES)
_cards_at = where_equal(c.NUM_CARDS)
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
def _scoring_sides(state):
    """Return how many sides, the first ones, have a mat that scores their discs."""
    return np.int64(c.FIRST_COLOUR + c.NUM_COLOURS) if is_solo(state) else np.int64(state.num_seats)


@kernel
def map_glory(board, state):
    """Return the Glory of the cities and that of the connections that each mat holds, both packed."""
    of_cities, of_connections = np.int64(0), np.int64(0)
    for side in range(_scoring_sides(state)):
        mat, held = mat_of(state, side), _cities_of(state.city_owner, side)
        of_cities += packed(cities_glory(board, held), mat)
        of_connections += packed(connections_glory(board, held), mat)
    return of_cities, of_connections


@inlined
def cities_glory(board, held):
    """Return the printed Glory of a set of cities (R12.1)."""
    return count(held) + count(held & board.rich_cities)


@inlined
def connections_glory(board, held):
    """Return the Glory of the connections that the owner of a set of cities controls now (R8.4.3, R12.2).

    It does not matter who took their tokens. One owner must hold both ends: opposing colours count each for itself.
    """
    controlled = np.int64(0)
    for index in range(board.num_spans):
        controlled += count(held & (held >> board.span[index]) & board.span_cities[index])
    return controlled * board.connection_glory


@kernel
def cards_glory(board, state):
    """Return the Glory printed on the face-up cards of each mat, Governors included, packed (R12.4, S7.1)."""
    glory = np.int64(0)
    for mat in range(num_mats(state)):
        held = _cards_at(state.card_place, mat)
        if mat == c.OPPOSITION and is_solo(state):
            held |= _cards_at(state.card_place, c.CARD_RETAINED)
        points = np.int64(0)
        for digit in range(GLORY_DIGITS):
            points += count(held & board.glory_cards[digit]) << digit
        glory += packed(points, mat)
    return glory


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
    glory, types = np.int64(0), np.int64(board.glory_buildings)
    while types != 0:
        building = lowest(types)
        glory += np.int64(state.buildings[mat, building]) * board.building_glory[building]
        types = without_lowest(types)
    return glory


@kernel
def harbor_glory(board, state, mat):
    """Return the Glory of the discs in harbor (R12.7)."""
    return np.int64(state.harbor[mat]) * board.glory_of_discs >> DISC_SHIFT


@kernel
def slavery_glory(board, state, mat):
    """Return the Glory lost by face-down Slavery cards, 0 or below (R12.8)."""
    return -np.int64(state.num_face_down[mat] * board.slavery_penalty)
