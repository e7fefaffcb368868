"""The planner: it follows a plan for its turn, and answers all else by simple rules; nothing is drawn."""

from __future__ import annotations

import numpy as np

from endeavor_env.kernels.entries import code_entry
from endeavor_env.kernels.intrinsics import bytes_at
from endeavor_env.kernels.kernels import kernel
from endeavor_env.kernels.kinds import INTEGER, pointer
from endeavor_env.merchants.players.planner import answers, plan
from endeavor_env.merchants.rules import actions
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules.board_record import board_at
from endeavor_env.merchants.rules.state import state_at


@kernel
def choose(board, state, mask):
    """Return the move of the seat to move."""
    decision = state.decision
    if decision == c.DECIDE_ACTION:
        return plan.act(board, state, mask)
    if decision == c.DECIDE_PRODUCTION:
        return np.int64(actions.ROLL)
    if decision == c.DECIDE_REPLY:
        return answers.reply(state, mask)
    if decision == c.DECIDE_DISCARD:
        return answers.discard(state, mask)
    if decision == c.DECIDE_ROBBER:
        return answers.move_robber(board, state, mask)
    if decision == c.DECIDE_STEAL:
        return answers.rob(state, mask)
    if decision == c.DECIDE_DRIVE:
        return answers.drive(board, state, mask)
    return _choose_other(board, state, decision, mask)


@kernel
def _choose_other(board, state, decision, mask):
    """Return the move of a decision that is met less often."""
    if decision == c.DECIDE_DESTINATION:
        return answers.end_walk(board, state, mask)
    if decision in (c.DECIDE_FREE_ROUTE, c.DECIDE_START_ROUTE):
        return answers.place_route(board, state, mask)
    if decision == c.DECIDE_POST:
        return answers.place_post(board, state, mask)
    if decision == c.DECIDE_NEUTRAL:
        return answers.place_neutral(board, mask)
    if decision == c.DECIDE_LIFT_MERCHANT:
        return answers.lift_merchant(board, state)
    if decision == c.DECIDE_TAKE:
        return answers.take_token(board, state, mask)
    if decision == c.DECIDE_BRIBE:
        return answers.choose_caravan(board, state, mask)
    if decision == c.DECIDE_TREATY:
        return _use_treaty(board, state, mask)
    return answers.first_legal(mask)


@kernel
def _use_treaty(board, state, mask):
    """Return the walk that brings a merchant to a city, else the gold."""
    slot, nearest = plan.nearest_merchant(board, state, np.int64(state.mover))
    if slot != c.NONE and nearest <= c.TREATY_STEPS and mask[actions.WALK_AT + slot]:
        return np.int64(actions.WALK_AT) + slot
    return np.int64(actions.TAKE_GOLD) if mask[actions.TAKE_GOLD] else answers.first_legal(mask)


@code_entry(pointer(), pointer(), pointer(np.int8), INTEGER, pointer(np.uint8), INTEGER, pointer(np.uint64))
def planner_entry(board, place, mask, num_actions, _memory, _size, _rng):
    """Return the move of the seat to move."""
    return choose(board_at(board), state_at(place), bytes_at(mask, num_actions))
