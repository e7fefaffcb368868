"""Final scoring with its breakdown (R12). Also answers "as if the game ended now" in mid-game."""

from __future__ import annotations

import numpy as np

from endeavor_env.core import constants as c
from endeavor_env.core._jit import kernel
from endeavor_env.core.rules.cards import holding_legal_without_slot
from endeavor_env.core.rules.occupy import controls
from endeavor_env.core.rules.statuses import marker
from endeavor_env.core.sides import mat_of, num_mats

GLORY_BITS = 12  # for the Glory of one mat; those of five fit into an int64
GLORY_MASK = (1 << GLORY_BITS) - 1


@kernel
def cities_glory(board, state, seat):
    """Returns the printed Glory of the cities held (R12.1)."""
    glory = np.int64(0)  # wide: the tables are int8
    for city in range(board.num_cities):
        if state.city_owner[city] == seat:
            glory += board.city_glory[city]
    return glory


@kernel
def connections_glory(board, state, seat):
    """Returns the Glory of the connections controlled now, whoever took their tokens (R8.4.3, R12.2)."""
    held = np.int64(0)
    for connection in range(board.num_connections):
        if controls(board, state, seat, connection):
            held += 1
    return held * board.connection_glory


@kernel
def status_glory(board, state, seat, status):
    """Returns the Glory of one status: the nearest Glory space at or below the marker (R12.3, C2)."""
    return board.status_glory[marker(board, state, seat, status)]


@kernel
def cards_glory(board, state, seat):
    """Returns the Glory printed on the face-up cards held, Governors included (R12.4)."""
    glory = np.int64(0)
    for card in range(c.NUM_CARDS):
        if state.card_place[card] == seat:
            glory += board.card_glory[card]
    return glory


@kernel
def governor_slot_glory(board, state, seat):
    """Returns the Glory of a free-Governor slot, empty iff the holding is legal without it (R12.5, notation 3.8)."""
    return board.empty_governor_slot_glory if holding_legal_without_slot(board, state, seat) else 0


@kernel
def buildings_glory(board, state, seat):
    """Returns the Glory of the buildings owned, which only the University has on the printed tiles (R12.6)."""
    glory = np.int64(0)
    for building in range(board.num_building_types):
        glory += state.buildings[seat, building] * board.building_glory[building]
    return glory


@kernel
def score(board, state, seat, out):
    """Writes the breakdown of ``seat`` into ``out`` (NUM_BREAKDOWN,) int16: BREAKDOWN_KEYS, then the neutral discs."""
    if state.variant == c.VARIANT_SOLO and seat == c.OPPOSITION:
        _score_opposition(board, state, out)
        return
    out[c.SCORE_CITIES] = cities_glory(board, state, seat)
    out[c.SCORE_CONNECTIONS] = connections_glory(board, state, seat)
    for status in range(c.NUM_STATUSES):
        out[c.SCORE_STATUSES + status] = status_glory(board, state, seat, status)
    out[c.SCORE_CARDS] = cards_glory(board, state, seat)
    out[c.SCORE_GOVERNOR_SLOT] = governor_slot_glory(board, state, seat)
    out[c.SCORE_UNIVERSITY] = buildings_glory(board, state, seat)
    out[c.SCORE_HARBOR] = state.harbor[seat] // board.discs_per_glory  # R12.7
    out[c.SCORE_SLAVERY] = -(state.num_face_down[seat] * board.slavery_penalty)  # R12.8
    out[c.SCORE_NEUTRAL] = state.neutral_reserve[seat]  # V2S.14


@kernel
def _score_opposition(board, state, out):
    """Writes the breakdown of the Opposition: its four colours each for itself on the map, one mat (S8.2)."""
    out[:] = 0
    for side in range(c.FIRST_COLOUR, c.FIRST_COLOUR + c.NUM_COLOURS):
        out[c.SCORE_CITIES] += cities_glory(board, state, side)
        out[c.SCORE_CONNECTIONS] += connections_glory(board, state, side)
    for status in range(c.NUM_STATUSES):
        out[c.SCORE_STATUSES + status] = status_glory(board, state, c.OPPOSITION, status)
    out[c.SCORE_CARDS] = cards_glory(board, state, c.OPPOSITION) + _retained_glory(board, state)
    out[c.SCORE_SLAVERY] = -(state.num_face_down[c.OPPOSITION] * board.slavery_penalty)


@kernel
def _retained_glory(board, state):
    """Returns the Glory of the Governors the Opposition discarded (S7.1)."""
    glory = np.int64(0)
    for card in range(c.NUM_CARDS):
        if state.card_place[card] == c.CARD_RETAINED:
            glory += board.card_glory[card]
    return glory


@kernel
def scores(board, state, out):
    """Writes every breakdown into ``out`` (MAX_SEATS, NUM_BREAKDOWN) int16; absent seats get zeros.

    In the solitaire game row 0 is the player's and row 1 the Opposition's.
    """
    out[:] = 0
    for seat in range(num_mats(state)):
        score(board, state, seat, out[seat])


@kernel
def map_and_cards(board, state):
    """Returns the Glory of cities, connections and cards of every mat, GLORY_BITS bits for each, from one pass (S8.2).

    Opposing colours count each for itself, all for the Opposition.
    """
    packed = np.int64(0)
    for city in range(board.num_cities):
        mat = mat_of(state, state.city_owner[city])
        if mat != c.NONE:
            packed += np.int64(board.city_glory[city]) << (mat * GLORY_BITS)
    for connection in range(board.num_connections):
        owner = state.city_owner[board.connection_city[connection, 0]]
        mat = mat_of(state, owner)
        if mat != c.NONE and owner == state.city_owner[board.connection_city[connection, 1]]:
            packed += np.int64(board.connection_glory) << (mat * GLORY_BITS)
    mats = num_mats(state)
    for card in range(c.NUM_CARDS):
        place = np.int64(state.card_place[card])
        if place == c.CARD_RETAINED:
            place = np.int64(c.OPPOSITION)
        if 0 <= place < mats:
            packed += np.int64(board.card_glory[card]) << (place * GLORY_BITS)
    return packed


@kernel
def total_from(board, state, seat, packed):
    """Returns the total Glory of ``seat``, or of the Opposition, as if the game ended now (R12, S8).

    ``packed`` is ``map_and_cards`` of the position, which serves all seats.
    """
    total = (packed >> (np.int64(seat) * GLORY_BITS)) & GLORY_MASK
    for status in range(c.NUM_STATUSES):
        total += status_glory(board, state, seat, status)
    total -= state.num_face_down[seat] * board.slavery_penalty
    if state.variant == c.VARIANT_SOLO and seat == c.OPPOSITION:
        return total
    total += governor_slot_glory(board, state, seat)
    total += buildings_glory(board, state, seat) + state.harbor[seat] // board.discs_per_glory
    return total + state.neutral_reserve[seat]
