"""The greedy player: the value of a position, the search over its own turn, and its entry."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.exploits.any_game import card_below, top_card
from endeavor_env.endeavor.exploits.changes import in_play, owner_of, safe_cities
from endeavor_env.endeavor.exploits.tiles import belongs_to_turn
from endeavor_env.endeavor.flow.dispatch import apply, legal_bytes
from endeavor_env.endeavor.flow.scoring import glory_on_table, total_glory
from endeavor_env.endeavor.players.greedy.weights import WEIGHTS, Weights
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import PASS_AT
from endeavor_env.endeavor.rules.base.actions import free_cities, majority, open_regions, reachable_regions
from endeavor_env.endeavor.rules.base.phases import card_limit, marker
from endeavor_env.endeavor.rules.bits import has
from endeavor_env.endeavor.rules.sides import has_exploits, is_solo, num_mats
from endeavor_env.endeavor.rules.state import STATE, board_at, state_at
from endeavor_env.endeavor.variants.solo.grid import LAST_COLUMN, base_position
from endeavor_env.engine.kernels.players import player_entry
from endeavor_env.engine.kernels.rng import next_below
from endeavor_env.kernels.intrinsics import generator_at, memory_at
from endeavor_env.kernels.kernels import kernel

# --- The way that status markers have gone towards their next step, which counts before the step is reached ----------


@kernel
def smooth(table, position, top, share):
    """Return ``table[position]`` plus ``share`` of the step to its next higher entry, in proportion to the way there.

    ``table`` (NUM_MARKERS,) int8 never falls; ``top`` is the last position in use.
    """
    value = table[position]
    low = position
    while low > 0 and table[low - 1] == value:
        low -= 1
    high = position
    while high < top and table[high] == value:
        high += 1
    step = np.float64(table[high]) - np.float64(value)
    if step <= 0.0:
        return np.float64(value)
    return np.float64(value) + share * step * np.float64(position - low) / np.float64(high - low)


@kernel
def promised_glory(board, state, mat):
    """Return the Glory that the next Glory spaces of the four markers add, each times the part of the way (R12.3)."""
    promised = 0.0
    for status in range(c.NUM_STATUSES):
        position = marker(board, state, mat, status)
        promised += smooth(board.status_glory, position, board.status_max, 1.0) - np.float64(
            board.status_glory[position]
        )
    return promised


# --- What Exploits are worth to a seat besides the Glory that they score, as the greedy player estimates it ----------
# The indices into the weights follow; ``weights.ExploitTerms`` explains them, in the same order.

W_SHIELD = 0
W_KEY = 1
W_CANNON = 2
W_GALLEON = 3
W_SAFE_CITY = 4
NUM_EXPLOIT_WEIGHTS = 5


@kernel
def _filled(board, state, region):
    """Return the filled part of a region's track, 1.0 if the region is open."""
    if state.open[region]:
        return 1.0
    return np.float64(state.track_next[region]) / np.float64(board.track_length[region])


@kernel
def _shields(board, state, seat, ahead, weights):
    """Return the worth of shields, and of presence in the regions of Exploits that are not active (X1.3, X1.4)."""
    worth = 0.0
    for exploit in range(c.NUM_EXPLOITS):
        first, second = board.exploit_region[exploit, 0], board.exploit_region[exploit, 1]
        if in_play(state, exploit) and state.presence[seat, first] > 0 and state.presence[seat, second] > 0:
            filled = min(_filled(board, state, first), _filled(board, state, second))
            worth += weights[W_SHIELD] * ahead if filled >= 1.0 else weights[W_KEY] * filled
    return worth


@kernel
def _safe_cities(state, seat):
    """Return the number of own cities that are fortified or cannot be attacked, as a float."""
    cities, safe = 0.0, safe_cities(state) | np.int64(state.fortified)
    for city in range(c.NUM_ALL_CITIES):
        if owner_of(state, city) == seat and has(safe, city):
            cities += 1.0
    return cities


@kernel
def exploit_prospects(board, state, seat, ahead, weights):
    """Return what the Exploits may still bring to ``seat``, in Glory.

    Args:
        board: BOARD record, read only.
        state: STATE record of a game with Exploits, read only.
        seat: The seat.
        ahead: ``rounds_ahead`` of the position.
        weights: (NUM_EXPLOIT_WEIGHTS,) float64.
    """
    worth = _shields(board, state, seat, ahead, weights)
    for cannon in range(c.NUM_CANNONS):
        if state.cannon_seat[cannon] == seat:
            worth += weights[W_CANNON] * ahead
    worth += weights[W_GALLEON] * ahead * np.float64(state.galleons[seat])
    return worth + weights[W_SAFE_CITY] * _safe_cities(state, seat)


# --- What the Opposition may still gain in a solitaire game, in Glory, as the greedy player estimates it -------------
# The indices into the weights of these terms follow; ``weights`` holds and explains the values, in the same order.
# Terms that stand for Glory to come vanish when the Opposition has no action left in the game.

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


# --- The value of a position for one seat, in Glory, as the greedy player estimates it -------------------------------
# The value is the Glory of the seat "as if the game ended now", plus estimates of what its buildings and statuses, its
# stock and its chances will bring, minus a share of the other seats' Glory. In the solitaire game the prospects of the
# Opposition are subtracted too, in games with Exploits what these may bring is added (both above). All weights are in
# one float64 array, so that compiled and uncompiled runs agree to the last bit. It holds a set of weights for games at
# a table, a second set of the same terms for the solitaire game, the weights of the Opposition's prospects, and those
# of the Exploits; ``weights`` holds and explains the values, in the same order. The indices into a set follow.

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


# --- The greedy player's choice: the legal action after which its own turn can end in the best position --------------
# At a turn decision it tries every target of every action it could open, and both parts of combined actions; it does
# not look beyond its own turn. Positions are compared by ``position_value``.
#
# The caller provides scratch memory: ``scratch`` (DEPTH,) STATE and ``masks`` (DEPTH, number of actions) int8, with any
# contents. The position itself is only read.

DEPTH = 3  # an action, its first target, its second target
SAME = 1e-9  # values closer than this are a tie


@kernel
def _goes_on(state, seat):
    """Return whether the action of ``seat`` is not over."""
    return state.decision == c.DECIDE_TARGET or belongs_to_turn(state, seat)


@kernel
def _best_target(board, seat, weights, scratch, masks):
    """Return the best value over the targets of ``scratch[0]``, each followed by the best target of a second part.

    Both depths are in one kernel, because every kernel that calls the rules compiles all of them again.
    """
    best = -np.inf
    legal_bytes(board, scratch[0], masks[1])
    for first in range(masks.shape[1]):
        if not masks[1, first]:
            continue
        scratch[1] = scratch[0]
        apply(board, scratch[1], first)
        if not _goes_on(scratch[1], seat):
            best = max(best, position_value(board, scratch[1], seat, weights))
            continue
        legal_bytes(board, scratch[1], masks[2])
        for second in range(masks.shape[1]):
            if masks[2, second]:
                scratch[2] = scratch[1]
                apply(board, scratch[2], second)
                best = max(best, position_value(board, scratch[2], seat, weights))
    return best


@kernel
def greedy_action(board, state, weights, scratch, masks, rng):
    """Return the legal action of the highest value for ``state.seat``, ties drawn with ``rng``; -1 if none is legal.

    The value of PASS is that of the position as it is: what follows, the next round or the end, comes in any case.

    Args:
        board: BOARD record, read only.
        state: STATE record, read only; not one of ``scratch``.
        weights: (NUM_WEIGHTS,) float64, indexed by ``position_value.W_*``.
        scratch: (DEPTH,) STATE, overwritten.
        masks: (DEPTH, number of actions) int8, overwritten.
        rng: (1,) uint64, advanced once for each action that ties with the best one so far.
    """
    seat = state.seat
    chosen, best, ties = -1, -np.inf, 0
    legal_bytes(board, state, masks[0])
    for action in range(masks.shape[1]):
        if not masks[0, action]:
            continue
        if action == PASS_AT:
            value = position_value(board, state, seat, weights)
        else:
            scratch[0] = state
            apply(board, scratch[0], action)
            if _goes_on(scratch[0], seat):
                value = _best_target(board, seat, weights, scratch, masks)
            else:
                value = position_value(board, scratch[0], seat, weights)
        if value > best + SAME:
            chosen, best, ties = action, value, 1
        elif value > best - SAME:
            ties += 1
            if next_below(rng, ties) == 0:
                chosen = action
    return chosen


# --- The greedy player as a compiled player: its memory holds its weights, then its scratch arrays -------------------

_STATES_AT = WEIGHTS.as_array().nbytes
_MASKS_AT = _STATES_AT + DEPTH * STATE.itemsize


def greedy_memory(num_actions: int, weights: Weights = WEIGHTS) -> npt.NDArray[np.uint8]:
    """Return the memory of a greedy player with these weights, in games with ``num_actions`` action ids."""
    memory = np.zeros(_MASKS_AT + DEPTH * num_actions, np.uint8)
    memory[:_STATES_AT] = weights.as_array().view(np.uint8)
    return memory


@player_entry
def greedy_entry(board, state, mask, num_actions, memory, size, rng):
    """Return the greedy player's action; see ``engine.kernels.players.PLAYER_SIGNATURE``."""
    own = memory_at(memory, size)
    weights, scratch = own[:_STATES_AT].view(np.float64), own[_STATES_AT:_MASKS_AT].view(STATE)
    masks = own[_MASKS_AT : _MASKS_AT + DEPTH * num_actions].view(np.int8).reshape((DEPTH, num_actions))
    return np.int64(greedy_action(board_at(board), state_at(state), weights, scratch, masks, generator_at(rng, 1)))
