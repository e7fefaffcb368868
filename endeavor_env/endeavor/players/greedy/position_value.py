"""The value of a position for one seat, in Glory, as the greedy player estimates it.

The value is the Glory of the seat "as if the game ended now", plus estimates of what its buildings and statuses, its
stock and its chances will bring, minus a share of the other seats' Glory. In the solitaire game the prospects of the
Opposition are subtracted too (``opposition_prospects``), in games with Exploits what these may bring is added
(``exploit_prospects``). All weights are in one float64 array, so that compiled and uncompiled runs agree to the last
bit. It holds a set of weights for games at a table, a second set of the same terms for the solitaire game, the weights
of the Opposition's prospects, and those of the Exploits; ``weights`` holds and explains the values, in the same order.
The indices into a set follow.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.exploits.any_game import card_below, top_card
from endeavor_env.endeavor.flow.scoring import glory_on_table, total_glory
from endeavor_env.endeavor.players.greedy.exploit_prospects import NUM_EXPLOIT_WEIGHTS, exploit_prospects
from endeavor_env.endeavor.players.greedy.opposition_prospects import NUM_OPPOSITION_WEIGHTS, opposition_prospects
from endeavor_env.endeavor.players.greedy.progress import promised_glory, smooth
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.base.sail import majority
from endeavor_env.endeavor.rules.base.statuses import card_limit, marker
from endeavor_env.endeavor.rules.sides import has_exploits, is_solo, num_mats
from endeavor_env.kernels.kernels import kernel

# Income: what brings something in every round still to come.
W_GROWTH = 0
W_BUILD_LEVEL = 1
W_ACTION = 2
W_UNPAID_ACTION = 3
W_PART = 4  # five weights, SAIL..PAY
W_SECOND_CHOICE = 9
W_SECOND_PART = 10
# Stock: what is ready to be used.
W_READY = 11
W_DISC = 12
W_CARD_LIMIT = 13
W_EXCESS_CARD = 14
# Chances: what the next actions may bring. In the last round all of them together are multiplied by W_LATE.
W_LATE = 15
W_PROGRESS = 16
W_LEVEL_PROGRESS = 17
W_TOKEN = 18  # four weights, the blue kinds in their order
W_ICON = 22
W_BEST_CARD = 23
W_EVERY_CARD = 24
W_NEAR_CARD = 25
W_CLOSED_CARD = 26
W_GOVERNOR = 27
W_FREE_CITY = 28
W_FOOTHOLD = 29
W_LINK = 30
W_LINK_TOKEN = 31
# The other seats.
W_BEST_RIVAL = 32
W_ALL_RIVALS = 33
SET_SIZE = 34

TABLE_SET = 0  # where each set begins in the array of all weights
SOLO_SET = TABLE_SET + SET_SIZE
OPPOSITION_SET = SOLO_SET + SET_SIZE
EXPLOIT_SET = OPPOSITION_SET + NUM_OPPOSITION_WEIGHTS
NUM_WEIGHTS = EXPLOIT_SET + NUM_EXPLOIT_WEIGHTS

MANY_CITIES = 4  # more free cities than this add nothing


@kernel
def rounds_ahead(board, state):
    """Return the Growth phases still to come, 0..num_rounds, as a float."""
    ahead = np.float64(board.num_rounds) - np.float64(state.round_number)
    return ahead + 1.0 if state.phase <= c.PHASE_BUILD else ahead


@kernel
def action_worth(board, building, weights):
    """Return the worth of one activation of ``building``; 0 without an activation space (R8.8)."""
    mode = board.building_mode[building]
    if mode == c.MODE_NONE:
        return 0.0
    best, other = 0.0, 0.0
    for index in range(c.MAX_ACTION_PARTS):
        part = board.building_action[building, index]
        if part != c.NONE:
            worth = weights[W_PART + part]
            other += min(best, worth)
            best = max(best, worth)
    if mode == c.MODE_ONE:
        return best
    return best + other * weights[W_SECOND_CHOICE if mode == c.MODE_EITHER else W_SECOND_PART]


@kernel
def income_and_stock(board, state, seat, ahead, weights):
    """Return the worth of growth, levels and actions over the ``ahead`` rounds to come, and of what is ready now.

    A building acts in every round only if its disc is paid back, so that actions and payments limit each other;
    actions beyond the payments count less. Discs on buildings that the next Salary frees count as if in harbor.
    """
    share = weights[W_LEVEL_PROGRESS]
    top = board.status_max
    payments = smooth(board.payments, marker(board, state, seat, c.FINANCE), top, share)
    growth = smooth(board.growth, marker(board, state, seat, c.CULTURE), top, share)
    level = smooth(board.build_level, marker(board, state, seat, c.INDUSTRY), top, share)
    actions, worth, occupied, ready = 0.0, 0.0, 0.0, 0.0
    for building in range(board.num_building_types):
        if state.buildings[seat, building] > 0 and board.building_mode[building] != c.MODE_NONE:
            copies = np.float64(state.buildings[seat, building])
            busy = np.float64(state.occupied[seat, building])
            each = action_worth(board, building, weights)
            actions += copies
            occupied += busy
            worth += copies * each
            ready += (copies - busy) * each
    mean = worth / max(actions, 1.0)
    a_round = weights[W_GROWTH] * growth + weights[W_BUILD_LEVEL] * level
    a_round += mean * weights[W_ACTION] * min(actions, payments)
    a_round += mean * weights[W_UNPAID_ACTION] * max(actions - payments, 0.0)
    stock = weights[W_READY] * ready
    if ahead > 0.0:
        stock += weights[W_DISC] * (np.float64(state.harbor[seat]) + min(occupied, payments))
    return ahead * a_round + stock


@kernel
def blue_tokens(state, seat, weights):
    """Return the worth of the blue tokens held."""
    worth = 0.0
    for blue in range(c.NUM_BLUE):
        worth += weights[W_TOKEN + blue] * np.float64(state.tokens[seat, c.FIRST_BLUE + blue])
    return worth


@kernel
def card_worth(board, card, weights):
    """Return the worth of a card to be drawn: its Glory and icons."""
    icons = np.int64(0)
    for status in range(c.NUM_STATUSES):
        icons += board.card_icons[card, status]
    return np.float64(board.card_glory[card]) + weights[W_ICON] * np.float64(icons)


@kernel
def card_chances(board, state, seat, weights):
    """Return the worth of the best cards that ``seat`` can draw, or nearly, from the top of each pile down (R8.7.1).

    A card for which one disc is lacking is multiplied by W_NEAR_CARD. In a closed region the best card is multiplied by
    W_CLOSED_CARD and the filled part of the track.
    """
    best, total = 0.0, 0.0
    for deck in range(c.NUM_DECKS):
        region = board.deck_region[deck]
        present = state.presence[seat, region]
        if present == 0 and board.track_length[region] > 0:
            continue
        worth, card = 0.0, top_card(state, deck)
        while card != c.NONE:
            if not board.card_governor[card]:
                lacking = board.card_value[card] - present
                if lacking > 1:
                    break
                factor = 1.0 if lacking <= 0 else weights[W_NEAR_CARD]
                worth = max(worth, factor * card_worth(board, card, weights))
            card = card_below(state, card)
        if not state.open[region]:
            full = np.float64(state.track_next[region]) / np.float64(board.track_length[region])
            worth *= weights[W_CLOSED_CARD] * full
        best = max(best, worth)
        total += worth
    return weights[W_BEST_CARD] * best + weights[W_EVERY_CARD] * total


@kernel
def card_room(board, state, seat, weights):
    """Return the worth of the card limit, less the cards that exceed it and would be discarded (R9.4)."""
    slotted = 1 if state.num_governors[seat] > 0 else 0
    normal = np.float64(state.num_cards[seat] - slotted)
    limit = smooth(
        board.card_limit, marker(board, state, seat, c.POLITICS), board.status_max, weights[W_LEVEL_PROGRESS]
    )
    room = np.float64(card_limit(board, state, seat))
    if state.num_slavery[seat] > 0:
        room += 1.0
    excess = max(normal - min(room, np.float64(board.card_slots)), 0.0)
    return weights[W_CARD_LIMIT] * limit - weights[W_EXCESS_CARD] * excess


@kernel
def region_chances(board, state, seat, weights):
    """Return the worth of presence: in closed regions, for their Governors, and for free cities (R8.2.2, R8.3.1)."""
    worth, cities = 0.0, 0.0
    for region in range(c.NUM_REGIONS):
        length = np.float64(board.track_length[region])
        if not state.open[region] and state.presence[seat, region] > 0:
            full = np.float64(state.track_next[region]) / length
            worth += weights[W_FOOTHOLD] * full
            governor = np.int64(board.governor_card[region])
            offered = governor != c.NONE and state.card_place[governor] == c.CARD_IN_PILE
            if offered and majority(board, state, region) == seat:
                worth += weights[W_GOVERNOR] * full * card_worth(board, governor, weights)
    for city in range(board.num_cities):
        region = board.city_region[city]
        at_home = board.track_length[region] == 0 or state.presence[seat, region] > 0
        if state.city_owner[city] == c.NONE and state.open[region] and at_home:
            cities += 1.0
    return worth + weights[W_FREE_CITY] * min(cities, np.float64(MANY_CITIES))


@kernel
def link_chances(board, state, seat, weights):
    """Return the worth of connections that lack only a free city, more if their token still lies there (R8.4)."""
    worth = 0.0
    for connection in range(board.num_connections):
        first = state.city_owner[board.connection_city[connection, 0]]
        second = state.city_owner[board.connection_city[connection, 1]]
        if (first == seat and second == c.NONE) or (first == c.NONE and second == seat):
            worth += 1.0
            if state.token[c.CONNECTION_SPACES + connection] != c.NONE:
                worth += weights[W_LINK_TOKEN]
    return weights[W_LINK] * worth


@kernel
def prospects(board, state, seat, ahead, weights):
    """Return the parts of ``seat_value`` besides the Glory now, a tuple in Glory.

    They are income and stock, with what Exploits may bring, room for cards, and the chances: Glory that markers will
    bring, tokens, cards, regions and links. ``ahead`` is ``rounds_ahead`` of the position, and ``weights`` begins with
    a set, in games with Exploits the first one.
    """
    income = income_and_stock(board, state, seat, ahead, weights)
    if has_exploits(state):
        income += exploit_prospects(board, state, seat, ahead, weights[EXPLOIT_SET:])
    return (
        income,
        card_room(board, state, seat, weights),
        weights[W_PROGRESS] * promised_glory(board, state, seat),
        blue_tokens(state, seat, weights),
        card_chances(board, state, seat, weights),
        region_chances(board, state, seat, weights),
        link_chances(board, state, seat, weights),
    )


@kernel
def value_of_parts(glory, parts, ahead, weights):
    """Return ``seat_value``, given the Glory now and ``prospects``."""
    income, room, promised, tokens, cards, regions, links = parts
    chances = promised + tokens
    chances += cards + regions
    chances += links
    value = glory + income
    value += room
    return value + (chances if ahead > 0.0 else weights[W_LATE] * chances)


@kernel
def seat_value(board, state, seat, glory, weights):
    """Return the estimated final Glory of ``seat``, up to a constant that its own choices do not change.

    ``glory`` is ``engine.scoring.glory_on_table`` of the position.
    """
    ahead = rounds_ahead(board, state)
    now = np.float64(total_glory(board, state, seat, glory))
    return value_of_parts(now, prospects(board, state, seat, ahead, weights), ahead, weights)


@kernel
def value_beside_rivals(board, state, seat, weights):
    """Return ``seat_value`` minus a share of the other mats' Glory now; ``weights`` begins with the set of the game."""
    best, total, now = 0.0, 0.0, glory_on_table(board, state)
    for other in range(num_mats(state)):
        if other != seat:
            glory = np.float64(total_glory(board, state, other, now))
            best = max(best, glory)
            total += glory
    value = seat_value(board, state, seat, now, weights)
    return value - weights[W_BEST_RIVAL] * best - weights[W_ALL_RIVALS] * total / np.float64(num_mats(state) - 1)


@kernel
def position_value(board, state, seat, weights):
    """Return the value of the position for ``seat``; ``weights`` is (NUM_WEIGHTS,) float64."""
    if is_solo(state):
        value = value_beside_rivals(board, state, seat, weights[SOLO_SET:])
        return value - opposition_prospects(board, state, weights[OPPOSITION_SET:])
    return value_beside_rivals(board, state, seat, weights)
