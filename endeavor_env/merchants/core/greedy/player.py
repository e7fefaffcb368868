"""The greedy player as a compiled player: its memory holds its weights, then positions on which it tries moves.

Every legal move is carried out on a copy, and where it only begins something, such as a walk, so are the moves that go
on with it. What chance decides is not looked at: its value is that of the position before the draw.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from endeavor_env.machine.entries import code_entry
from endeavor_env.machine.intrinsics import assign, bytes_at, memory_at
from endeavor_env.machine.kernels import inlined, kernel
from endeavor_env.merchants.core import actions, sets
from endeavor_env.merchants.core import constants as c
from endeavor_env.merchants.core.board_record import board_at
from endeavor_env.merchants.core.greedy.offers import answer, best_partner, first_gift, go_on_offering
from endeavor_env.merchants.core.greedy.value import position_value
from endeavor_env.merchants.core.greedy.ways import paths_to_city
from endeavor_env.merchants.core.greedy.weights import NUM_WEIGHTS, Weights
from endeavor_env.merchants.core.moving import carry_out, write_legal_words
from endeavor_env.merchants.core.places import free_cities
from endeavor_env.merchants.core.state import STATE, state_at
from endeavor_env.rails.game_players import PLAYER_KINDS
from endeavor_env.rails.kernels.masks import BITS, new_words

DEPTH = 3
"""A move and up to two that go on with it: a trade treaty, the merchant that walks, where it goes."""
_WORDS = -(-actions.NUM_ACTIONS // BITS)
_STATES_AT = 64 * -(-8 * NUM_WEIGHTS // 64)
_SIZE = _STATES_AT + DEPTH * STATE.itemsize
_SAME, _NOTHING = 1e-9, -1e300


def greedy_memory(weights: Weights, num_actions: int) -> npt.NDArray[np.uint8]:
    """Return the memory of a greedy player with these weights."""
    memory, values = np.zeros(_SIZE, np.uint8), weights.as_array()
    memory[: values.nbytes] = values.view(np.uint8)
    return memory


@inlined
def _try(board, copies, depth, action):
    """Carry out a move on a copy of the position before it."""
    copies[depth] = copies[depth - 1]
    carry_out(board, copies[depth], action)


@inlined
def goes_on(state, seat):
    """Return whether a move only began something with which the seat goes on at once."""
    if state.seat != seat or state.decision == c.DECIDE_ACTION or state.decision == c.DECIDE_PRODUCTION:
        return False
    return not (state.decision == c.DECIDE_DRIVE and state.moved == 1)


@kernel
def is_worth_it(board, state, action):
    """Return whether a move is worth a look: of a walk, only what ends in a city or much nearer to a free one."""
    if state.decision != c.DECIDE_DESTINATION:
        return True
    there = action - np.int64(actions.TO_AT)
    if board.crossroads_city[there] != c.NONE:
        return True
    here, cities = np.int64(state.merchants[state.seat, state.slot]), free_cities(board, state)
    return paths_to_city(board, there, cities) + c.STEPS_OF_WHEAT <= paths_to_city(board, here, cities)


@kernel
def _value_of_last(board, copies, seat, weights):
    """Return the best value after any move that goes on with ``copies[1]``."""
    words, best = new_words(_WORDS), _NOTHING
    write_legal_words(board, copies[1], words)
    for word in range(_WORDS):
        bits = words[word]
        while bits != 0:
            lowest = sets.lowest(bits)
            action, bits = np.int64(word * BITS) + lowest, bits ^ (np.int64(1) << lowest)
            if is_worth_it(board, copies[1], action):
                _try(board, copies, 2, action)
                best = max(best, position_value(board, copies[2], seat, weights))
    return best


@kernel
def _value_of_next(board, copies, seat, weights):
    """Return the best value after any move that goes on with ``copies[0]``, and the move after it."""
    words, best = new_words(_WORDS), _NOTHING
    write_legal_words(board, copies[0], words)
    for word in range(_WORDS):
        bits = words[word]
        while bits != 0:
            lowest = sets.lowest(bits)
            action, bits = np.int64(word * BITS) + lowest, bits ^ (np.int64(1) << lowest)
            if is_worth_it(board, copies[0], action):
                _try(board, copies, 1, action)
                if goes_on(copies[1], seat):
                    best = max(best, _value_of_last(board, copies, seat, weights))
                else:
                    best = max(best, position_value(board, copies[1], seat, weights))
    return best


@inlined
def is_better(action, value, best, same):
    """Return whether a move is to be taken in place of one that is worth ``best``.

    Of moves whose values differ by less than ``same`` the first one stands, but for one that leaves all as it is.
    """
    leaves_all = action == actions.END or action == actions.DONE or action == actions.STOP
    return value > best + same or (leaves_all and value > best - same)


@kernel
def move_value(board, state, action, seat, weights, copies):
    """Return the value of the position after a move, or after the best that goes on with it."""
    assign(copies, state)
    carry_out(board, copies[0], action)
    if goes_on(copies[0], seat):
        return _value_of_next(board, copies, seat, weights)
    return position_value(board, copies[0], seat, weights)


@kernel
def best_move(board, state, mask, weights, copies):
    """Return the legal move of the highest value; offers are not looked at."""
    seat, chosen, best = np.int64(state.seat), np.int64(c.NONE), 2.0 * _NOTHING
    for action in range(actions.GIVE_AT):
        if not mask[action]:
            continue
        if chosen == c.NONE:
            chosen = np.int64(action)
        if not is_worth_it(board, state, np.int64(action)):
            continue
        value = move_value(board, state, np.int64(action), seat, weights, copies)
        if is_better(action, value, best, _SAME):
            chosen, best = np.int64(action), value
    return chosen


@kernel
def greedy_action(board, state, mask, weights, copies):
    """Return the legal action that the greedy player chooses for ``state.seat``."""
    decision = state.decision
    if decision == c.DECIDE_REPLY:
        if mask[actions.ACCEPT] and answer(board, state, weights):
            return np.int64(actions.ACCEPT)
        return np.int64(actions.REFUSE)
    if decision == c.DECIDE_OFFER:
        return go_on_offering(board, state, weights)
    if decision == c.DECIDE_PARTNER:
        return best_partner(state, mask)
    chosen = best_move(board, state, mask, weights, copies)
    if chosen == actions.END:
        gift = first_gift(board, state, weights)
        if gift != c.NONE and mask[gift]:
            return np.int64(gift)
    return chosen


@code_entry(*PLAYER_KINDS, counts_references=True)
def greedy_entry(board, place, mask, num_actions, memory, size, _rng):
    """Return the greedy player's action (``PLAYER_KINDS``); it draws nothing."""
    own, state = memory_at(memory, size), state_at(place)
    weights, copies = own[: 8 * NUM_WEIGHTS].view(np.float64), own[_STATES_AT:_SIZE].view(STATE)
    return np.int64(greedy_action(board_at(board), state, bytes_at(mask, num_actions), weights, copies))
