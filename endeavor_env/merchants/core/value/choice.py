"""The value player's choice: the legal action after which, and after what goes on with it, the network likes it best.

A move is worth what the position after it is worth if the turn ended there; one that only begins something, what the
best move after it is worth. Offers are made by the rule of ``greedy``; whether one is accepted, the network says.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.machine.intrinsics import no_words
from endeavor_env.machine.kernels import inlined, kernel
from endeavor_env.machine.outside import called_outside
from endeavor_env.merchants.core import actions, sets
from endeavor_env.merchants.core import constants as c
from endeavor_env.merchants.core.greedy.offers import best_partner, first_gift, go_on_offering
from endeavor_env.merchants.core.greedy.player import ends_something, goes_on, is_worth_it
from endeavor_env.merchants.core.rules_entries import moves_entry
from endeavor_env.merchants.core.value.evaluate import look_at_position, value_there
from endeavor_env.rails.kernels import rules
from endeavor_env.rails.kernels.masks import BITS, new_words
from endeavor_env.rails.kernels.rng import gumbel
from endeavor_env.rails.kernels.uniform import choose, count_legal

_WORDS = actions.MASK_WORDS
_SAME = 1e-6
_moves = called_outside(moves_entry)


@inlined
def _apply(board, state, action):
    """Carry out a move."""
    _moves(board, state, rules.APPLY, action, 0, no_words(), 0)


@kernel
def _value_of_last(board, seat, workspace):
    """Return the best value after any move that goes on with ``states[1]``."""
    words, best, states = new_words(_WORDS), -np.inf, workspace.states
    _moves(board, states[1], rules.LEGAL, 0, 0, words, _WORDS)
    for word in range(_WORDS):
        bits = words[word]
        while bits != 0:
            lowest = sets.lowest(bits)
            action, bits = np.int64(word * BITS) + lowest, bits ^ (np.int64(1) << lowest)
            if is_worth_it(board, states[1], action):
                states[2] = states[1]
                _apply(board, states[2], action)
                best = max(best, value_there(board, states[2], seat, workspace))
    return best


@kernel
def _value_of_next(board, seat, workspace):
    """Return the best value after any move that goes on with ``states[0]``, and the move after it."""
    words, best, states = new_words(_WORDS), -np.inf, workspace.states
    _moves(board, states[0], rules.LEGAL, 0, 0, words, _WORDS)
    for word in range(_WORDS):
        bits = words[word]
        while bits != 0:
            lowest = sets.lowest(bits)
            action, bits = np.int64(word * BITS) + lowest, bits ^ (np.int64(1) << lowest)
            if is_worth_it(board, states[0], action):
                states[1] = states[0]
                _apply(board, states[1], action)
                if goes_on(states[1], seat):
                    best = max(best, _value_of_last(board, seat, workspace))
                else:
                    best = max(best, value_there(board, states[1], seat, workspace))
    return best


@kernel
def value_moves(board, state, mask, workspace):
    """Write the values of the legal moves but offers; return the best of them, and its value."""
    seat, chosen, best = np.int64(state.seat), np.int64(c.NONE), -np.inf
    values, states = workspace.values, workspace.states
    values[:] = -np.inf
    look_at_position(board, state, seat, workspace)
    for action in range(actions.GIVE_AT):
        if not mask[action] or not is_worth_it(board, state, np.int64(action)):
            continue
        states[0] = state
        _apply(board, states[0], action)
        if goes_on(states[0], seat):
            values[action] = _value_of_next(board, seat, workspace)
        else:
            values[action] = value_there(board, states[0], seat, workspace)
        if (
            chosen == c.NONE
            or values[action] > best + _SAME
            or (ends_something(action) and values[action] > best - _SAME)
        ):
            chosen, best = np.int64(action), values[action]
    return chosen, best


@kernel
def _value_after_reply(board, state, accepts, workspace):
    """Return what the end of an offer is worth to the seat that is asked, if all who are asked after it refuse."""
    seat, after = np.int64(state.seat), workspace.states[0]
    workspace.states[0] = state
    after.accepted = 0
    _apply(board, after, actions.ACCEPT if accepts else actions.REFUSE)
    while after.decision == c.DECIDE_REPLY:
        _apply(board, after, actions.REFUSE)
    return value_there(board, after, seat, workspace)


@kernel
def _answer(board, state, workspace):
    """Return whether the seat that is asked accepts an offer, and write the value of that."""
    look_at_position(board, state, np.int64(state.seat), workspace)
    refused = _value_after_reply(board, state, False, workspace)
    accepted = _value_after_reply(board, state, True, workspace)
    workspace.settings[0].value = max(refused, accepted)
    return np.int64(actions.ACCEPT) if accepted > refused else np.int64(actions.REFUSE)


@kernel
def _noisy_best(values, temperature, rng):
    """Return the action of the highest value plus Gumbel noise: a draw from a softmax of the values."""
    chosen, best = np.int64(c.NONE), -np.inf
    for action in range(actions.GIVE_AT):
        if values[action] > -np.inf:
            noisy = values[action] + temperature * gumbel(rng)
            if noisy > best:
                chosen, best = np.int64(action), noisy
    return chosen


@kernel
def _choose_move(board, state, mask, workspace, rng):
    """Return the chosen move of a decision that is not about an offer; at the end of a turn an offer, if one helps."""
    settings = workspace.settings[0]
    chosen, best = value_moves(board, state, mask, workspace)
    settings.value = best
    if settings.temperature > 0.0 and chosen != c.NONE:
        chosen = _noisy_best(workspace.values, settings.temperature, rng)
    if chosen == c.NONE:
        return choose(mask, rng)
    return end_or_offer(board, state, mask, chosen, workspace)


@kernel
def end_or_offer(board, state, mask, chosen, workspace):
    """Return a chosen move; in the place of the end of a turn an offer, if one helps."""
    if chosen == actions.END:
        gift = first_gift(board, state, workspace.weights)
        if gift != c.NONE and mask[gift]:
            return np.int64(gift)
    return np.int64(chosen)


@inlined
def is_valued(state, mask):
    """Return whether the moves of a decision are compared by their values: it is not about an offer, and a choice."""
    if state.decision in (c.DECIDE_OFFER, c.DECIDE_PARTNER, c.DECIDE_REPLY):
        return False
    return count_legal(mask) > 1


@kernel
def value_action(board, state, mask, workspace, rng):
    """Return the legal action that the value player chooses for ``state.seat``.

    Args:
        board: BOARD record, read only.
        state: STATE record, read only; a decision is asked.
        mask: Int8, the legal actions; read only.
        workspace: ``Workspace``, overwritten.
        rng: (1,) uint64, advanced with a temperature, or if nothing can be valued.
    """
    settings, decision = workspace.settings[0], state.decision
    settings.value = np.nan
    if decision == c.DECIDE_OFFER:
        return go_on_offering(board, state, workspace.weights)
    if decision == c.DECIDE_PARTNER:
        return best_partner(state, mask)
    if count_legal(mask) == 1 and not mask[actions.END]:
        return choose(mask, rng)
    if decision == c.DECIDE_REPLY:
        return _answer(board, state, workspace)
    return _choose_move(board, state, mask, workspace, rng)
