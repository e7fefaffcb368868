"""The Opposition's tasks, one at a time, with the moves and discards that they lead to."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import (
    ATTACK_AT,
    DISCARD_AT,
    DRAW_AT,
    OCCUPY_AT,
    OFFSET_OF,
    REMOVE_CITY_AT,
    SAIL_AT,
    TAKE_AT,
)
from endeavor_env.endeavor.rules.base.actions import controls, draw, open_if_full, put_on_track, reachable_regions
from endeavor_env.endeavor.rules.base.cards import discard, holding_legal, lose_card
from endeavor_env.endeavor.rules.base.components import hold_city
from endeavor_env.endeavor.rules.base.phases import marker
from endeavor_env.endeavor.rules.bits import bit, has, lowest, without_lowest
from endeavor_env.endeavor.variants.solo.deal import blue_in_europe, europe_candidates
from endeavor_env.endeavor.variants.solo.priority_list import (
    BY_TOKEN,
    ITEM_ATTACK,
    ITEM_BONUS,
    ITEM_DISCARD,
    ITEM_EUROPE_ANY,
    ITEM_EUROPE_FAR,
    ITEM_EUROPE_NEAR,
    ITEM_MASK,
    ITEM_NOTHING,
    ITEM_PAY,
    ITEM_REMOVE,
    TIE_BEST_DISCARD,
    TIE_STATUS,
    TIE_SWING,
    action_options,
    complete_options,
    connections_completed,
    draw_for,
    occupy_options,
)
from endeavor_env.kernels.kernels import inlined, kernel

# --- The Opposition's moves: to occupy, attack, ship and steal, and the tokens that they bring (S4.6, S5.5) ----------


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


# --- The Opposition's discards at its card limit: the fewest cards, and the best off after them (S7.1, C11) ----------
# Sets of cards are bits.

GLORY_FACTOR = 1 << 16  # Glory outweighs any sum of statuses


@inlined
def _status_after(board, state, chosen, status):
    """Return the true count of ``status`` after a discard of the cards ``chosen``."""
    count = np.int64(state.status[c.OPPOSITION, status])
    while chosen != 0:
        count -= board.card_icons[lowest(chosen), status]
        chosen = without_lowest(chosen)
    return count


@kernel
def _marker_at(board, count):
    """Return the marker position of a status with this true count (R10.1)."""
    return max(np.int64(0), min(np.int64(board.status_max), count))


@inlined
def _legal_after(board, state, chosen):
    """Return whether the cards held are legal after a discard of the cards ``chosen`` (R9.3, R9.4)."""
    normal, governors = np.int64(state.num_cards[c.OPPOSITION]), np.int64(state.num_governors[c.OPPOSITION])
    slavery = np.int64(state.num_slavery[c.OPPOSITION])
    limit = board.card_limit[_marker_at(board, _status_after(board, state, chosen, c.POLITICS))]
    while chosen != 0:
        card = lowest(chosen)
        normal -= 1
        governors -= board.card_governor[card]
        slavery -= board.card_slavery[card]
        chosen = without_lowest(chosen)
    normal -= 1 if governors > 0 else 0
    extra = 1 if slavery > 0 else 0
    return normal <= board.card_slots and normal - extra <= limit


@inlined
def _worth_after(board, state, chosen):
    """Return a number that ranks the discard of the cards ``chosen``: the Glory after it, then the true counts.

    Glory that no choice of cards changes is left out; a discarded Governor keeps its Glory (S7.1).
    """
    glory, counts = np.int64(0), np.int64(0)
    for status in range(c.NUM_STATUSES):
        after = _status_after(board, state, chosen, status)
        glory += board.status_glory[_marker_at(board, after)]
        counts += after
    while chosen != 0:
        card = lowest(chosen)
        if not board.card_governor[card]:
            glory -= board.card_glory[card]
            if board.card_slavery[card]:
                glory -= board.slavery_penalty
        chosen = without_lowest(chosen)
    return glory * GLORY_FACTOR + counts


@kernel
def _cards_of(held, subset):
    """Return the cards of ``held`` that ``subset`` selects: its bit i stands for the i-th card held."""
    cards = np.int64(0)
    while subset != 0:
        if subset & np.int64(1):
            cards |= bit(lowest(held))
        held = without_lowest(held)
        subset >>= np.int64(1)
    return cards


@kernel
def _next_subset(subset):
    """Return the next larger number with the same number of bits set."""
    low = subset & -subset
    ripple = subset + low
    return ripple | ((subset ^ ripple) >> (lowest(low) + np.int64(2)))


@kernel
def discard_options(board, state):
    """Return the cards that occur in any best set of the least size, 0 if the cards held are legal (C11)."""
    options = np.int64(0)
    if holding_legal(board, state, c.OPPOSITION):
        return options
    held = np.int64(0)
    for card in range(c.NUM_CARDS):
        held |= np.int64(state.card_place[card] == c.OPPOSITION) << card
    count = np.int64(state.num_cards[c.OPPOSITION])
    for size in range(1, count + 1):
        best = np.int64(-(1 << 60))
        subset = bit(size) - np.int64(1)
        while subset < bit(count):
            chosen = _cards_of(held, subset)
            if _legal_after(board, state, chosen):
                worth = _worth_after(board, state, chosen)
                if worth > best:
                    best, options = worth, np.int64(0)
                if worth == best:
                    options |= chosen
            subset = _next_subset(subset)
        if options != 0:
            return options
    return options


@kernel
def discard_card(board, state, card):
    """Discard a card of the Opposition; a Governor is retained for its Glory (S7.1)."""
    if board.card_governor[card] and not board.card_slavery[card]:
        lose_card(board, state, c.OPPOSITION, card, c.CARD_RETAINED)
    else:
        discard(board, state, c.OPPOSITION, card)


# --- The Opposition's tasks: the options of the task at hand, and carrying one out (S1.8, S1.9, S4, S5, S7.1) --------
# What follows a task is decided in ``flow.opposition_turn``.

PLAYER = 0


@inlined
def decide(board, state):
    """Return block offset, options as bits and reason of the task at hand; no options if nothing is feasible."""
    task, side = state.task, state.acting
    if task == c.TASK_ACTION:
        return action_options(board, state, side, c.OPPOSITION)
    if task == c.TASK_TOKEN:
        return _token_options(board, state, side)
    if task == c.TASK_BONUS:
        decks, reason = draw_for(board, state, side, c.OPPOSITION, np.int64(0))
        return DRAW_AT, decks, (ITEM_BONUS | (reason & ~ITEM_MASK)) if decks != 0 else ITEM_NOTHING
    if task == c.TASK_EUROPE:
        return _europe_options(board, state)
    if task == c.TASK_REMOVE:
        return REMOVE_CITY_AT, blue_in_europe(board, state), ITEM_REMOVE
    cards = discard_options(board, state)  # TASK_DISCARD and TASK_END_DISCARD
    return DISCARD_AT, cards, (ITEM_DISCARD | TIE_BEST_DISCARD) if cards != 0 else ITEM_NOTHING


@inlined
def _europe_options(board, state):
    """Return the cities of the first of S1.8a, S1.8b and S1.8c that fits any, as options of TASK_EUROPE."""
    cities, place = europe_candidates(board, state, state.task_step)
    if place == 0:
        return OCCUPY_AT, cities, ITEM_EUROPE_NEAR
    return OCCUPY_AT, cities, ITEM_EUROPE_FAR if place == 1 else ITEM_EUROPE_ANY


@kernel
def _token_options(board, state, side):
    """Return block offset, options and reason of the waiting blue token that is carried out next (S5.5)."""
    kind = state.waiting_kind[state.num_waiting - 1]
    regions = np.int64(state.waiting_regions[state.num_waiting - 1])
    if kind == c.TOKEN_ATTACK:
        cities, reason = _attack_options(board, state, side)
        return ATTACK_AT, cities, reason | BY_TOKEN
    if kind == c.TOKEN_PAY:
        statuses, reason = _pay_options(board, state)
        return TAKE_AT, statuses, reason | BY_TOKEN
    if kind == c.TOKEN_OCCUPY_DRAW:
        block = OCCUPY_AT
        options, reason = occupy_options(board, state, side, c.OPPOSITION)
    else:
        block = SAIL_AT
        options, reason = complete_options(board, state, side, c.OPPOSITION)
    if options == 0:
        block = DRAW_AT
        options, reason = draw_for(board, state, side, c.OPPOSITION, regions)
    return block, options, reason | BY_TOKEN


@kernel
def _swing(board, state, side, city):
    """Return the Glory that changes hands when ``side`` takes ``city`` from the player; tokens do not count (S5.5)."""
    swing = 2 * np.int64(board.city_glory[city])
    lost = np.int64(0)
    for index in range(board.city_degree[city]):
        if controls(board, state, PLAYER, np.int64(board.city_connection[city, index])):
            lost += 1
    return swing + (lost + connections_completed(board, state, side, city)) * board.connection_glory


@kernel
def _attack_options(board, state, side):
    """Return the player's cities with the greatest swing, in open regions where ``side`` is present (S5.5)."""
    regions = np.int64(reachable_regions(board, state, side, c.NONE))
    most, kept, all_cities = np.int64(-1), np.int64(0), np.int64(0)
    for city in range(board.num_cities):
        if state.city_owner[city] == PLAYER and has(regions, board.city_region[city]):
            all_cities |= bit(city)
            swing = _swing(board, state, side, city)
            if swing > most:
                most, kept = swing, np.int64(0)
            if swing == most:
                kept |= bit(city)
    if kept == 0:
        return kept, ITEM_NOTHING
    return kept, ITEM_ATTACK | (TIE_SWING if kept != all_cities else 0)


@kernel
def _pay_options(board, state):
    """Return the statuses to steal: of those the player has tokens of, the Opposition's least advanced (S5.5, C9)."""
    least, kept, held = np.int64(99), np.int64(0), np.int64(0)
    for status in range(c.NUM_STATUSES):
        if state.tokens[PLAYER, status] > 0:
            held |= bit(status)
            rank = np.int64(marker(board, state, c.OPPOSITION, status))
            if rank < least:
                least, kept = rank, np.int64(0)
            if rank == least:
                kept |= bit(status)
    if kept == 0:
        return kept, ITEM_NOTHING
    return kept, ITEM_PAY | (TIE_STATUS if kept != held else 0)


@inlined
def carry_out_choice(board, state, action):
    """Carry out ``action``, an option of ``decide``, for the acting colour."""
    side, block = state.acting, OFFSET_OF[action]
    index = action - block
    if block == TAKE_AT:
        steal(state, PLAYER, index)
    elif block == REMOVE_CITY_AT:
        state.token[c.CITY_SPACES + index] = c.NONE
    elif block == DISCARD_AT:
        discard_card(board, state, index)
    elif block == DRAW_AT:
        draw(board, state, c.OPPOSITION, index)
    elif block == ATTACK_AT:
        take_city(board, state, side, index)
    elif block == OCCUPY_AT:
        hold(board, state, side, index)
    else:
        ship(board, state, side, index)
