"""Set-up of the solitaire game (S1): the random draws, the steps without a decision, and the options of the others."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.base.actions import cities_of, put_on_track
from endeavor_env.endeavor.rules.bits import bit, lowest, without_lowest
from endeavor_env.endeavor.variants.solo.grid import base_position
from endeavor_env.engine.kernels.rng import next_below, shuffle
from endeavor_env.kernels.kernels import inlined, kernel

DISCS_ON_SCALE = c.SCALE_SIZE // c.NUM_COLOURS  # of each colour (S1.3)
DISCS_ON_TRACKS = 3  # of each colour (S1.6)
TRACK_SPACES_DEALT = 2  # of each track (S1.6)
EVERY_COLOUR = (1 << (c.FIRST_COLOUR + c.NUM_COLOURS)) - (1 << c.FIRST_COLOUR)  # sides of the opposing colours, as bits
EVERY_GROUP = (1 << (c.NUM_STATUSES + 1)) - 1  # the four kinds of status token, and the blue tokens as a fifth, as bits


@kernel
def europe_shows_all(board, tokens):
    """Return whether the cities of the start region show every status and a blue token (S1.4)."""
    seen = 0
    for city in range(board.num_cities):
        if board.track_length[board.city_region[city]] == 0:
            seen |= 1 << min(tokens[c.CITY_SPACES + city], c.FIRST_BLUE)
    return seen == EVERY_GROUP


@kernel
def draw_solo(board, rng, setup):
    """Draw the grid, the scale, the discs on the tracks and the order of S1.8 into ``setup`` (S1.2, S1.3, S1.6)."""
    for level in range(c.GRID_LEVELS):
        column = 0
        for building in range(board.num_building_types):
            if board.building_level[building] == level + 1:
                setup.grid[level, column] = building
                column += 1
        shuffle(rng, setup.grid[level], column)
    for place in range(c.SCALE_SIZE):
        setup.scale[place] = c.FIRST_COLOUR + place // DISCS_ON_SCALE
    shuffle(rng, setup.scale, c.SCALE_SIZE)
    while not _draw_track_discs(board, rng, setup.track_discs, setup.europe_order):
        pass
    for place in range(c.NUM_COLOURS):
        setup.europe_order[place] = c.FIRST_COLOUR + place
    shuffle(rng, setup.europe_order, c.NUM_COLOURS)


@kernel
def _draw_track_discs(board, rng, discs, left):
    """Deal the discs to the first two spaces of the tracks; return whether every colour is on a first space (S1.6).

    ``left`` (NUM_COLOURS,) int8 is scratch: the discs of each colour not yet dealt.
    """
    left[:] = DISCS_ON_TRACKS
    remaining, seen = c.NUM_COLOURS * DISCS_ON_TRACKS, 0
    for place in range(TRACK_SPACES_DEALT):
        for region in range(c.NUM_REGIONS):
            if board.track_length[region] == 0:
                continue
            pick = next_below(rng, remaining)
            colour = 0
            while pick >= left[colour]:
                pick -= left[colour]
                colour += 1
            left[colour] -= 1
            remaining -= 1
            discs[region, place] = c.FIRST_COLOUR + colour
            if place == 0:
                seen |= 1 << (c.FIRST_COLOUR + colour)
    return seen == EVERY_COLOUR


@kernel
def set_up_solo(board, state, setup):
    """Set up the Opposition after the common set-up (S1.1-S1.7, S1.11), and make S1.8 its task."""
    for side in range(c.FIRST_COLOUR, c.FIRST_COLOUR + c.NUM_COLOURS):
        state.supply[side] = board.discs_per_player
    for level in range(c.GRID_LEVELS):
        for column in range(setup.grid.shape[1]):
            building = setup.grid[level, column]
            state.grid[level, column] = building
            state.building_supply[building] -= 1
    state.isb_level = state.isb_column = 0
    for index in range(c.SCALE_SIZE):
        state.scale[index] = setup.scale[index]
    for index in range(c.NUM_COLOURS):
        state.europe_order[index] = setup.europe_order[index]
    for place in range(TRACK_SPACES_DEALT):
        for region in range(c.NUM_REGIONS):
            if board.track_length[region] > 0:
                _place_on_track(board, state, setup.track_discs[region, place], region)
    state.ipf = base_position(1)
    state.task = c.TASK_EUROPE
    state.acting = state.europe_order[0]


@kernel
def _place_on_track(board, state, side, region):
    """Put a disc on the next space; the Opposition gets a status token there, a blue one is lost (S1.6, S1.7)."""
    space = put_on_track(board, state, side, region)
    state.supply[side] -= 1
    kind = state.token[space]
    state.token[space] = c.NONE
    if kind < c.FIRST_BLUE:
        state.tokens[c.OPPOSITION, kind] += 1
        state.status[c.OPPOSITION, kind] += 1


@inlined
def europe_candidates(board, state, status):
    """Return the cities that S1.8 allows for ``status``, as bits, and the item they fit: 0 to 2 for S1.8a to S1.8c.

    All are free, in the start region, and have a token of that status.
    """
    best, cities, rest = np.int64(TRACK_SPACES_DEALT), np.int64(0), _free_at_start(board, state)
    while rest != 0:
        city = lowest(rest)
        if state.token[c.CITY_SPACES + city] == status:
            place = _nearest_place(board, state, city)
            if place < best:
                best, cities = place, np.int64(0)
            if place == best:
                cities |= bit(city)
        rest = without_lowest(rest)
    return cities, best


@inlined
def _free_at_start(board, state):
    """Return the free cities of the start region, the one without a track, as bits."""
    cities = np.int64(0)
    for region in range(c.NUM_REGIONS):
        if board.track_length[region] == 0:
            cities |= board.region_cities[region]
    return cities & cities_of(board, state, c.NONE)


@inlined
def _nearest_place(board, state, city):
    """Return the first track space, 0 or 1, that the acting colour has in a region connected to ``city``, else 2."""
    nearest = np.int64(TRACK_SPACES_DEALT)
    for index in range(board.city_degree[city]):
        connection = board.city_connection[city, index]
        first, second = board.connection_city[connection, 0], board.connection_city[connection, 1]
        region = board.city_region[second if first == city else first]
        if board.track_length[region] > 0:
            for place in range(nearest):
                if state.track_owner[region, place] == state.acting:
                    nearest = np.int64(place)
                    break
    return nearest


@kernel
def blue_in_europe(board, state):
    """Return the free cities of the start region with a blue token, as bits (S1.9)."""
    cities, rest = np.int64(0), _free_at_start(board, state)
    while rest != 0:
        city = lowest(rest)
        if state.token[c.CITY_SPACES + city] >= c.FIRST_BLUE:
            cities |= bit(city)
        rest = without_lowest(rest)
    return cities
