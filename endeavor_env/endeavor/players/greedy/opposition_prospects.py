"""What the Opposition may still gain in a solitaire game, in Glory, as the greedy player estimates it.

The indices into the weights of these terms follow; ``weights`` holds and explains the values, in the same order. Terms
that stand for Glory to come vanish when the Opposition has no action left in the game.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.players.greedy.progress import promised_glory
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.base.occupy import free_cities
from endeavor_env.endeavor.rules.base.presence import open_regions, reachable_regions
from endeavor_env.endeavor.rules.base.sail import majority
from endeavor_env.endeavor.rules.bits import has
from endeavor_env.endeavor.variants.solo.grid import LAST_COLUMN, base_position
from endeavor_env.kernels.kernels import kernel

# This round.
W_ACTION_DUE = 0
W_OCCUPY_DUE = 1
W_COLUMN = 2
W_BONUS_DRAW = 3
# Where the crown stands.
W_OUTER_COLUMN = 4
W_LAST_COLUMN = 5
# The rounds to come.
W_CITY = 6
W_CITY_BLUE = 7
W_CONNECTION = 8
W_REGION = 9
W_TRACK = 10
W_STATUS = 11
NUM_OPPOSITION_WEIGHTS = 12


@kernel
def actions_due(state):
    """Return how many actions on the scale the Opposition still makes this round (S2.1-S2.3, S3.1)."""
    if state.phase in (c.PHASE_SETUP, c.PHASE_OVER):
        return np.int64(0)
    whole_round = np.int64(state.ipf) - 1
    if state.phase != c.PHASE_ACTION:
        return whole_round
    if state.task in (c.TASK_ACTION, c.TASK_TOKEN):
        return whole_round - state.task_step
    if state.task == c.TASK_NONE and not state.opposition_first:
        return whole_round
    return np.int64(0)


@kernel
def later_actions(board, state):
    """Return how many actions the Opposition makes in the rounds after this one if no building adds any (S2.1)."""
    count = np.int64(0)
    for later in range(state.round_number + 1, board.num_rounds + 1):
        count += base_position(later) - 1
    return count


@kernel
def occupies_due(board, state, due, free):
    """Return how many of the next ``due`` actions are of colours that can occupy one of ``free``, cities as bits."""
    count = np.int64(0)
    for side in range(c.FIRST_COLOUR, c.FIRST_COLOUR + c.NUM_COLOURS):
        discs = np.int64(0)
        for place in range(state.ipf - 1 - due, state.ipf - 1):
            discs += np.int64(state.scale[place] == side)
        if discs > 0 and free_cities(board, state, reachable_regions(board, state, side, c.NONE)) & free != 0:
            count += discs
    return count


@kernel
def city_prospects(board, state, actions, free, weights):
    """Return the worth of the cities ``free``, as bits, that the Opposition can take with ``actions`` actions."""
    cities, glory, blue = 0.0, 0.0, 0.0
    for city in range(board.num_cities):
        if has(free, city):
            cities += 1.0
            glory += np.float64(board.city_glory[city])
            blue += np.float64(state.token[c.CITY_SPACES + city] >= c.FIRST_BLUE)
    taken = min(1.0, actions / max(cities, 1.0))
    return taken * (weights[W_CITY] * glory + weights[W_CITY_BLUE] * blue)


@kernel
def connection_prospects(board, state, actions):
    """Return how many connections lack only a free city that their colour can reach, at most ``actions`` (S4.1a)."""
    count = 0.0
    for connection in range(board.num_connections):
        for end in range(2):
            city = np.int64(board.connection_city[connection, end])
            side = np.int64(state.city_owner[board.connection_city[connection, 1 - end]])
            if side >= c.FIRST_COLOUR and state.city_owner[city] == c.NONE:
                region = np.int64(board.city_region[city])
                present = board.track_length[region] == 0 or state.presence[side, region] > 0
                if present and state.open[region]:
                    count += 1.0
    return min(count, actions)


@kernel
def track_prospects(board, state):
    """Return the filled parts, added up, of the closed tracks whose Governor the Opposition would win now (S4.5)."""
    filled = 0.0
    for region in range(c.NUM_REGIONS):
        governor = np.int64(board.governor_card[region])
        offered = governor != c.NONE and state.card_place[governor] == c.CARD_IN_PILE
        if offered and not state.open[region] and majority(board, state, region) >= c.FIRST_COLOUR:
            filled += np.float64(state.track_next[region]) / np.float64(board.track_length[region])
    return filled


@kernel
def crown_prospects(board, state, weights):
    """Return the worth of the columns that the crown moved this round, and of where it stands for the next (S2.2)."""
    if state.phase == c.PHASE_SETUP:
        return 0.0
    worth = weights[W_COLUMN] * np.float64(state.ipf - base_position(state.round_number))
    if state.round_number < board.num_rounds:
        worth += weights[W_OUTER_COLUMN] * np.float64(state.isb_column == 0 or state.isb_column == LAST_COLUMN)
        worth += weights[W_LAST_COLUMN] * np.float64(state.isb_column == LAST_COLUMN)
    return worth


@kernel
def opposition_prospects(board, state, weights):
    """Return what the Opposition may still gain, in Glory; ``weights`` is (NUM_OPPOSITION_WEIGHTS,) float64."""
    due = actions_due(state)
    actions = np.float64(due + later_actions(board, state))
    worth = weights[W_BONUS_DRAW] * np.float64(state.bonus_due)
    if actions == 0.0:
        return worth
    regions = open_regions(state)
    free = free_cities(board, state, regions)
    worth += weights[W_ACTION_DUE] * np.float64(due)
    worth += weights[W_OCCUPY_DUE] * np.float64(occupies_due(board, state, due, free))
    worth += crown_prospects(board, state, weights)
    worth += city_prospects(board, state, actions, free, weights)
    worth += weights[W_CONNECTION] * connection_prospects(board, state, actions)
    for region in range(c.NUM_REGIONS):
        worth += weights[W_REGION] * actions * np.float64(has(regions, region))
    worth += weights[W_TRACK] * track_prospects(board, state)
    return worth + weights[W_STATUS] * promised_glory(board, state, c.OPPOSITION)
