"""Every kind of decision: which moves are legal, what a move does, and playing on to the next one."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.exploits import dispatch
from endeavor_env.endeavor.exploits.any_game import build_level
from endeavor_env.endeavor.flow.opposition_turn import opposition_step, opposition_to_act, take_choice
from endeavor_env.endeavor.flow.rounds import (
    ask,
    asks_after_salary,
    begin_round,
    next_build,
    next_round_end,
    next_salary,
)
from endeavor_env.endeavor.flow.turns import continue_action, next_turn, take_choice_of_ability, take_target, take_turn
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import BUILD_AT, DISCARD_AT, DONE_AT, PAY_AT, REMOVE_SPACE_AT
from endeavor_env.endeavor.rules.base import cards
from endeavor_env.endeavor.rules.base.actions import mark_pays, pay
from endeavor_env.endeavor.rules.base.cards import holding_legal, holding_legal_without_slot, mark_discards
from endeavor_env.endeavor.rules.base.phases import (
    TOP_LEVEL,
    mark_builds,
    put_on_mat,
    take_from_supply,
    types_in_supply,
)
from endeavor_env.endeavor.rules.base.turn import mark_target_decision, mark_turn
from endeavor_env.endeavor.rules.sides import has_exploits, is_solo
from endeavor_env.endeavor.variants.neutral import (
    first_remover,
    forget_parts,
    mark_neutral,
    mark_removals,
    place_neutral,
    remove_token,
)
from endeavor_env.endeavor.variants.solo.grid import take_tile, types_on_grid
from endeavor_env.engine.kernels.masks import allow, allow_set
from endeavor_env.kernels.kernels import inlined, kernel

# --- Every kind of decision ------------------------------------------------------------------------------------------
# Which moves are legal, and what a move does. Only dispatch; the rules stand elsewhere.


@kernel
def legal(board, state, words):
    """Write the whole mask as ``words``, as many as ``masks.NUM_WORDS`` says; all 0 when the game is over."""
    words[:] = 0
    seat = state.seat
    if state.decision == c.DECIDE_TARGET:
        mark_target_decision(board, state, seat, words)
    elif state.decision == c.DECIDE_TURN:
        mark_turn(board, state, seat, words)
    elif state.decision == c.DECIDE_BUILD:
        _mark_build_decision(board, state, seat, words)
    elif state.decision == c.DECIDE_SALARY:
        mark_pays(state, seat, c.NONE, words)
    elif state.decision == c.DECIDE_DISCARD:
        mark_discards(state, seat, words)
        if holding_legal(board, state, seat):
            allow(words, DONE_AT)  # the rest is optional (R9.8)
    elif state.decision == c.DECIDE_ROUND_END_DISCARD:
        mark_discards(state, seat, words)
    elif state.decision == c.DECIDE_NEUTRAL:
        mark_neutral(board, state, seat, words)
    elif state.decision == c.DECIDE_REMOVE:
        mark_removals(board, state, words)
    elif state.decision == c.DECIDE_OPPOSITION:
        allow_set(words, np.int64(state.choices_at), np.int64(state.choices))
    if has_exploits(state):
        dispatch.mark_with_exploits(board, state, seat, words)


@inlined
def begin(board, state, action):
    """Carry out a legal ``action`` of ``state.seat`` and ask the next decision; the Opposition's part may follow."""
    decision = state.decision
    seat = state.seat
    if decision == c.DECIDE_TURN:
        take_turn(board, state, seat, action)
    elif decision == c.DECIDE_TARGET:
        take_target(board, state, seat, action)
    elif decision == c.DECIDE_BUILD:
        _build(board, state, seat, action - BUILD_AT)
    elif decision == c.DECIDE_SALARY:
        _pay_salary(board, state, seat, action - PAY_AT)
    elif decision == c.DECIDE_DISCARD:
        _discard_at_pass(board, state, seat, action)
    elif decision == c.DECIDE_ROUND_END_DISCARD:
        _discard(board, state, seat, action - DISCARD_AT)
        next_round_end(board, state)
    elif decision == c.DECIDE_NEUTRAL:
        if action != DONE_AT:
            place_neutral(board, state, seat, action)
        forget_parts(state)
        continue_action(board, state, seat)
    elif decision == c.DECIDE_REMOVE:
        _remove(board, state, seat, action - REMOVE_SPACE_AT)
    elif decision == c.DECIDE_OPPOSITION:
        take_choice(board, state, action)
    elif decision == c.DECIDE_FOLLOW_UP:
        take_choice_of_ability(board, state, seat, action)


@kernel
def _mark_build_decision(board, state, seat, words):
    """Mark the building types ``seat`` may take: of the supply (R4.2), in solo of the grid (S6.1, C10)."""
    offered = types_on_grid(state) if is_solo(state) else types_in_supply(state)
    level = TOP_LEVEL if state.ignore_industry else build_level(board, state, seat)  # S6.2
    mark_builds(board, state, seat, offered, level, words)


@kernel
def _build(board, state, seat, building):
    """Take a building from the supply, in solo from the grid, and ask the next seat (R4.1, S6.3)."""
    if is_solo(state):
        take_tile(state, building)
    else:
        take_from_supply(state, building)
    put_on_mat(board, state, seat, building)
    state.sweep += 1
    next_build(board, state)


@kernel
def _pay_salary(board, state, seat, building):
    """Free one building by a Salary payment; after the last payment go on to the next seat (R6.1)."""
    pay(state, seat, building)
    state.payments_left -= 1
    if state.payments_left == 0 and not asks_after_salary(board, state, seat):
        state.sweep += 1
        next_salary(board, state)


@kernel
def _discard(board, state, seat, card):
    """Discard a card of ``seat`` (R9.7)."""
    if has_exploits(state):
        dispatch.discard(board, state, seat, card)
    else:
        cards.discard(board, state, seat, card)


@kernel
def _discard_at_pass(board, state, seat, action):
    """Discard one card, or keep the rest; go on once no further discard can be asked for (R9.8)."""
    if action != DONE_AT:
        _discard(board, state, seat, action - DISCARD_AT)
    if action == DONE_AT or holding_legal_without_slot(board, state, seat):
        next_turn(board, state, seat)


@kernel
def _remove(board, state, seat, space):
    """Remove a token from the tracks in set-up; after the last the first round begins (V2S.4)."""
    remove_token(board, state, space // c.MAX_TRACK, space % c.MAX_TRACK)
    state.removals_left -= 1
    ask(state, c.DECIDE_REMOVE, (seat + 1) % state.num_seats)
    if state.removals_left == 0:
        begin_round(board, state)


# --- Playing on: from a decision to the next one, and from set-up to the first (notation 3) --------------------------


@kernel
def apply(board, state, action):
    """Carry out a legal ``action`` of ``state.seat`` and run on to the next decision; the caller checks legality."""
    begin(board, state, action)
    while opposition_to_act(state):
        opposition_step(board, state)


@kernel
def start(board, state):
    """Run from the end of what nobody decides in set-up to the first decision (R3.1, S1.8, V2S.4)."""
    if state.removals_left > 0:
        ask(state, c.DECIDE_REMOVE, first_remover(state))
    elif state.task == c.TASK_NONE:
        begin_round(board, state)
    while opposition_to_act(state):
        opposition_step(board, state)
