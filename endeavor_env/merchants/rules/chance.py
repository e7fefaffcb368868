"""Chance: what it may show, with which weights, and a draw (K13)."""

from __future__ import annotations

import numpy as np

from endeavor_env.engine.kernels.masks import allow
from endeavor_env.engine.kernels.rng import next_below
from endeavor_env.kernels.intrinsics import words_on_stack
from endeavor_env.kernels.kernels import inlined, kernel
from endeavor_env.merchants.rules import actions
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules.cards import show_drawn
from endeavor_env.merchants.rules.merchants import show_value
from endeavor_env.merchants.rules.production import show_dice, show_stolen, ways_of_sum
from endeavor_env.merchants.rules.setup import show_first

_MOST = c.DICE_SUMS
_new_weights = words_on_stack(_MOST)


@inlined
def _first_outcome(state):
    """Return the action id of the first outcome of the draw."""
    decision = state.decision
    if decision == c.CHANCE_DICE:
        return np.int64(actions.DICE_AT)
    if decision == c.CHANCE_STOLEN:
        return np.int64(actions.STOLEN_AT)
    if decision == c.CHANCE_DRAWN:
        return np.int64(actions.DRAWN_AT)
    if decision == c.CHANCE_VALUE:
        return np.int64(actions.VALUE_AT)
    return np.int64(actions.FIRST_AT)


@kernel
def _write_weights(board, state, weights):
    """Write the weights of the outcomes of the draw; return how many outcomes there are, those of weight 0 too."""
    decision = state.decision
    if decision == c.CHANCE_DICE:
        for index in range(c.DICE_SUMS):
            weights[index] = ways_of_sum(c.LEAST_DICE + index)
        return np.int64(c.DICE_SUMS)
    if decision == c.CHANCE_STOLEN:
        for kind in range(c.NUM_RESOURCES):
            weights[kind] = state.hand[state.victim, kind]
        return np.int64(c.NUM_RESOURCES)
    if decision == c.CHANCE_DRAWN:
        for kind in range(c.NUM_CARDS):
            weights[kind] = state.pile[kind]
        return np.int64(c.NUM_CARDS)
    if decision == c.CHANCE_VALUE:
        for index in range(c.NUM_VALUES):
            weights[index] = state.sea[board.kinds[state.terrain], index]
        return np.int64(c.NUM_VALUES)
    for seat in range(state.num_seats):
        weights[seat] = 1 if state.first == c.NONE or state.first == seat else 0
    return np.int64(state.num_seats)


@kernel
def mark_outcomes(board, state, mask):
    """Mark the outcomes that are possible."""
    weights = _new_weights(_MOST)
    number, first = _write_weights(board, state, weights), _first_outcome(state)
    for index in range(number):
        if weights[index] > 0:
            allow(mask, first + index)


@kernel
def draw(board, state, rng):
    """Return the action id of an outcome, drawn by the weights."""
    weights = _new_weights(_MOST)
    number, total = _write_weights(board, state, weights), np.int64(0)
    for index in range(number):
        total += weights[index]
    left, index = next_below(rng, total), np.int64(0)
    while left >= weights[index]:
        left -= weights[index]
        index += 1
    return _first_outcome(state) + index


@kernel
def show(board, state, action):
    """Let an outcome take effect."""
    decision = state.decision
    if decision == c.CHANCE_DICE:
        show_dice(board, state, action - actions.DICE_AT + c.LEAST_DICE)
    elif decision == c.CHANCE_STOLEN:
        show_stolen(state, action - actions.STOLEN_AT)
    elif decision == c.CHANCE_DRAWN:
        show_drawn(state, action - actions.DRAWN_AT)
    elif decision == c.CHANCE_VALUE:
        show_value(board, state, action - actions.VALUE_AT)
    else:
        show_first(board, state, action - actions.FIRST_AT)
