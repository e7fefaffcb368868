"""The order of things: which decision follows which (R3, R7.1, R11; notation 3). Rules stand in the other files."""

from __future__ import annotations

from endeavor_env.core._jit import kernel
from endeavor_env.core.actions import (
    ACTIVATE_AT,
    ATTACK_AT,
    BUILD_AT,
    DISCARD_AT,
    DONE_AT,
    DRAW_AT,
    OCCUPY_AT,
    PASS_AT,
    PAY_AT,
    SAIL_AT,
    SPEND_AT,
)
from endeavor_env.core.build import build
from endeavor_env.core.cards import discard, holding_legal, holding_legal_without_slot
from endeavor_env.core.constants import (
    ATTACK,
    DECIDE_BUILD,
    DECIDE_DISCARD,
    DECIDE_NOTHING,
    DECIDE_ROUND_END_DISCARD,
    DECIDE_SALARY,
    DECIDE_TARGET,
    DECIDE_TURN,
    DRAW,
    FIRST_BLUE,
    NONE,
    OCCUPY,
    PAY,
    PHASE_ACTION,
    PHASE_BUILD,
    PHASE_GROWTH,
    PHASE_OVER,
    PHASE_SALARY,
    SAIL,
)
from endeavor_env.core.growth import grow
from endeavor_env.core.pay import discs_on_buildings, free_all, pay
from endeavor_env.core.statuses import payments
from endeavor_env.core.targets import carry_out, close_action, has_target
from endeavor_env.core.turn import activate, spend


@kernel
def apply(board, state, action):
    """Carries out a legal ``action`` of ``state.seat`` and runs on to the next decision; the caller checks legality."""
    decision = state.decision
    seat = state.seat
    if decision == DECIDE_TURN:
        _take_turn(board, state, seat, action)
    elif decision == DECIDE_TARGET:
        _take_target(board, state, seat, action)
    elif decision == DECIDE_BUILD:
        build(board, state, seat, action - BUILD_AT)
        state.sweep += 1
        _next_build(board, state)
    elif decision == DECIDE_SALARY:
        pay(state, seat, action - PAY_AT)
        state.payments_left -= 1
        if state.payments_left == 0:
            state.sweep += 1
            _next_salary(board, state)
    elif decision == DECIDE_DISCARD:
        if action != DONE_AT:
            discard(board, state, seat, action - DISCARD_AT)
        if action == DONE_AT or holding_legal_without_slot(board, state, seat):
            _next_turn(board, state)
    elif decision == DECIDE_ROUND_END_DISCARD:
        discard(board, state, seat, action - DISCARD_AT)
        _next_round_end(board, state)


@kernel
def start(board, state):
    """Begins the first round after set-up (R3.1)."""
    state.round_number = 0
    _begin_round(board, state)


@kernel
def _sweep_seat(state):
    """Returns the seat whose turn it is in a phase that goes round once, first player first (R3.2)."""
    return (state.first_player + state.sweep) % state.num_seats


@kernel
def _ask(state, decision, seat):
    """Makes ``decision`` of ``seat`` the one at hand."""
    state.decision = decision
    state.seat = seat


@kernel
def _begin_round(board, state):
    """Starts the next round with its Build phase (R3.1)."""
    state.round_number += 1
    state.phase = PHASE_BUILD
    state.sweep = 0
    state.passed[:] = 0
    _next_build(board, state)


@kernel
def _next_build(board, state):
    """Asks the next seat to build; after the last, Growth happens by itself and Salary begins (R3.2, R5.1)."""
    if state.sweep < state.num_seats:
        _ask(state, DECIDE_BUILD, _sweep_seat(state))
        return
    state.phase = PHASE_GROWTH
    for seat in range(state.num_seats):
        grow(board, state, seat)
    state.phase = PHASE_SALARY
    state.sweep = 0
    _next_salary(board, state)


@kernel
def _next_salary(board, state):
    """Asks the next seat with more discs on buildings than payments; frees all of the others' (R6, notation 3.3)."""
    while state.sweep < state.num_seats:
        seat = _sweep_seat(state)
        left = payments(board, state, seat)
        if left >= discs_on_buildings(board, state, seat):
            free_all(board, state, seat)
        elif left > 0:
            state.payments_left = left
            _ask(state, DECIDE_SALARY, seat)
            return
        state.sweep += 1
    state.phase = PHASE_ACTION
    state.sweep = 0
    _ask(state, DECIDE_TURN, state.first_player)


@kernel
def _take_turn(board, state, seat, action):
    """Carries out the turn decision (R7.1)."""
    if action == PASS_AT:
        state.passed[seat] = 1
        if holding_legal_without_slot(board, state, seat):
            _next_turn(board, state)
        else:
            _ask(state, DECIDE_DISCARD, seat)
        return
    if action >= SPEND_AT:
        spend(state, seat, FIRST_BLUE + action - SPEND_AT)
    else:
        activate(board, state, seat, action - ACTIVATE_AT)
    _continue_action(board, state, seat)


@kernel
def _take_target(board, state, seat, action):
    """Carries out a target of the action under way, or ends it (R8)."""
    if action == DONE_AT:
        close_action(state)
        _next_turn(board, state)
        return
    if action >= PAY_AT:
        carry_out(board, state, seat, PAY, action - PAY_AT)
    elif action >= DRAW_AT:
        carry_out(board, state, seat, DRAW, action - DRAW_AT)
    elif action >= ATTACK_AT:
        carry_out(board, state, seat, ATTACK, action - ATTACK_AT)
    elif action >= OCCUPY_AT:
        carry_out(board, state, seat, OCCUPY, action - OCCUPY_AT)
    else:
        carry_out(board, state, seat, SAIL, action - SAIL_AT)
    _continue_action(board, state, seat)


@kernel
def _continue_action(board, state, seat):
    """Asks for a target if one is left; a lone DONE is never asked (notation 3.5)."""
    if has_target(board, state, seat):
        _ask(state, DECIDE_TARGET, seat)
    else:
        close_action(state)
        _next_turn(board, state)


@kernel
def _next_turn(board, state):
    """Asks the next seat that has not passed; when all have, the round ends (R7.1)."""
    seat = state.seat
    for _ in range(state.num_seats):
        seat = (seat + 1) % state.num_seats
        if not state.passed[seat]:
            _ask(state, DECIDE_TURN, seat)
            return
    state.sweep = 0
    _next_round_end(board, state)


@kernel
def _next_round_end(board, state):
    """Settles card limits exceeded since the pass, in turn order, then moves on to the next round (R11)."""
    while state.sweep < state.num_seats:
        seat = _sweep_seat(state)
        if not holding_legal(board, state, seat):
            _ask(state, DECIDE_ROUND_END_DISCARD, seat)
            return
        state.sweep += 1
    if state.round_number < board.num_rounds:
        state.first_player = (state.first_player + 1) % state.num_seats
        _begin_round(board, state)
    else:
        state.phase = PHASE_OVER
        _ask(state, DECIDE_NOTHING, NONE)
