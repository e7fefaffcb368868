"""The Opposition's tasks: the options of the task at hand, and carrying one out (S1.8, S1.9, S4, S5, S7.1).

What follows a task is decided in ``engine.opposition_turn``.
"""

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
from endeavor_env.endeavor.rules.base.actions import controls, draw, reachable_regions
from endeavor_env.endeavor.rules.base.phases import marker
from endeavor_env.endeavor.rules.bits import bit, has
from endeavor_env.endeavor.variants.solo.deal import blue_in_europe, europe_candidates
from endeavor_env.endeavor.variants.solo.discards import discard_card, discard_options
from endeavor_env.endeavor.variants.solo.moves import hold, ship, steal, take_city
from endeavor_env.endeavor.variants.solo.priority_list import action_options, complete_options, draw_for, occupy_options
from endeavor_env.endeavor.variants.solo.reasons import (
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
)
from endeavor_env.endeavor.variants.solo.tie_breaks import connections_completed
from endeavor_env.kernels.kernels import inlined, kernel

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
