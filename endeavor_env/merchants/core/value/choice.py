"""The value player's choice: the legal action after which its turn comes to the end that it likes best.

``greedy`` lists the moves that are worth a look, and plays the turn to its end after each of them; the network says
what the ends are worth. It could compare the positions right after the moves, too. But then to build now or in the next
turn is the same but for a little, less than the network errs by, and a player that trusts it puts everything off, again
in every turn. At the end of a turn what could be done is done, whatever came before.

Offers are made by the rule of ``greedy``; whether one is accepted, the network says.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.machine.intrinsics import assign
from endeavor_env.machine.kernels import inlined, kernel
from endeavor_env.merchants.core import actions
from endeavor_env.merchants.core import constants as c
from endeavor_env.merchants.core.greedy.offers import best_partner, first_gift, go_on_offering
from endeavor_env.merchants.core.greedy.player import best_move, is_better, is_worth_it, move_value
from endeavor_env.merchants.core.moving import carry_out, write_legal
from endeavor_env.merchants.core.value.evaluate import liking_there, look_at_position, value_there
from endeavor_env.merchants.core.value.listing import list_moves
from endeavor_env.rails.kernels.rng import gumbel
from endeavor_env.rails.kernels.uniform import choose, count_legal

SAME = 1e-6
MOST_OF_TURN = 40
"""Most moves of a turn that is played to its end."""


@kernel
def _list_by_greedy(board, state, mask, workspace):
    """List the moves that ``greedy`` finds best, offers left out; return how many."""
    seat, values = np.int64(state.seat), workspace.values
    values[:] = -np.inf
    for action in range(actions.GIVE_AT):
        if mask[action] and is_worth_it(board, state, np.int64(action)):
            values[action] = move_value(board, state, np.int64(action), seat, workspace.weights, workspace.copies)
    return list_moves(values, workspace.settings[0].turns, workspace.moves)


@inlined
def goes_on_with_turn(state, seat):
    """Return whether the seat moves on in a turn of its own, after the dice."""
    return state.seat == seat and state.mover == seat and state.decision != c.DECIDE_PRODUCTION


@kernel
def _finish_turn(board, seat, workspace):
    """Play the turn on ``turn`` as ``greedy`` does, without offers, until it is over or something is drawn."""
    state, mask = workspace.turn[0], workspace.mask[: actions.NUM_ACTIONS]
    for _ in range(MOST_OF_TURN):
        if not goes_on_with_turn(state, seat):
            break
        write_legal(board, state, mask)
        action = best_move(board, state, mask, workspace.weights, workspace.copies)
        if action == actions.END or action == c.NONE:
            break
        carry_out(board, state, action)


@kernel
def compare_turns(board, state, mask, workspace, rng):
    """Write how the ends of turns after the listed moves are liked to ``values``, -inf for all other moves.

    Returns:
        The move that is liked best, NONE if there is none, and what the end of its turn is worth.
    """
    settings, seat, chosen, best, worth = workspace.settings[0], np.int64(state.seat), np.int64(c.NONE), -np.inf, np.nan
    look_at_position(board, state, seat, workspace)
    count = _list_by_greedy(board, state, mask, workspace)
    workspace.values[:] = -np.inf
    for index in range(count):
        action = workspace.moves[index]
        assign(workspace.turn, state)
        carry_out(board, workspace.turn[0], action)
        if action != actions.END:
            _finish_turn(board, seat, workspace)
        value = value_there(board, workspace.turn[0], seat, workspace)
        liked = liking_there(board, workspace.turn[0], seat, value, workspace)
        if settings.temperature > 0.0:
            liked += settings.temperature * gumbel(rng)
        workspace.values[action] = liked
        if is_better(action, liked, best, SAME):
            chosen, best, worth = action, liked, value
    return chosen, worth


@kernel
def _after_reply(board, state, accepts, workspace):
    """Carry an offer out to its end on ``turn``, where all who are asked after this seat refuse."""
    after = workspace.turn[0]
    assign(workspace.turn, state)
    after.accepted = 0
    carry_out(board, after, actions.ACCEPT if accepts else actions.REFUSE)
    while after.decision == c.DECIDE_REPLY:
        carry_out(board, after, actions.REFUSE)


@kernel
def answer_offer(board, state, workspace):
    """Return whether the seat that is asked accepts an offer, as an action, and write the value of that."""
    seat, settings = np.int64(state.seat), workspace.settings[0]
    look_at_position(board, state, seat, workspace)
    _after_reply(board, state, False, workspace)
    refused = value_there(board, workspace.turn[0], seat, workspace)
    liked = liking_there(board, workspace.turn[0], seat, refused, workspace)
    _after_reply(board, state, True, workspace)
    accepted = value_there(board, workspace.turn[0], seat, workspace)
    if liking_there(board, workspace.turn[0], seat, accepted, workspace) > liked:
        settings.value = accepted
        return np.int64(actions.ACCEPT)
    settings.value = refused
    return np.int64(actions.REFUSE)


@kernel
def end_or_offer(board, state, mask, chosen, workspace):
    """Return a chosen move; in the place of the end of a turn an offer, if one helps."""
    if chosen == actions.END:
        gift = first_gift(board, state, workspace.weights)
        if gift != c.NONE and mask[gift]:
            return np.int64(gift)
    return np.int64(chosen)


@inlined
def is_compared(state, mask):
    """Return whether ends of turns are compared at a decision: it is a choice, and not about an offer."""
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
        rng: (1,) uint64, advanced with a temperature, or if nothing can be compared.
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
        return answer_offer(board, state, workspace)
    chosen, settings.value = compare_turns(board, state, mask, workspace, rng)
    if chosen == c.NONE:
        return choose(mask, rng)
    return end_or_offer(board, state, mask, chosen, workspace)
