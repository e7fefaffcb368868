"""The order of phases and seats within a round, and of rounds (R3, R11; notation 3)."""

from __future__ import annotations

from endeavor_env.endeavor.exploits import dispatch
from endeavor_env.endeavor.exploits.shared_follow_ups import nothing_pending
from endeavor_env.endeavor.exploits.tiles import decider
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.base.actions import discs_on_buildings, free_all
from endeavor_env.endeavor.rules.base.cards import holding_legal
from endeavor_env.endeavor.rules.base.phases import grow, payments
from endeavor_env.endeavor.rules.sides import has_exploits, has_neutral_discs, is_solo
from endeavor_env.endeavor.variants.neutral import take_neutral_discs
from endeavor_env.endeavor.variants.solo.grid import begin_actions, begin_bonus, opposition_opens, set_task
from endeavor_env.engine.kernels.masks import only_asks
from endeavor_env.kernels.kernels import kernel


@kernel
def ask(state, decision, seat):
    """Make ``decision`` of ``seat`` the one at hand."""
    state.decision = decision
    state.seat = seat


@kernel
def _sweep_seat(state):
    """Return the seat whose turn it is in a phase that goes round once, first player first (R3.2)."""
    return (state.first_player + state.sweep) % state.num_seats


@kernel
def begin_round(board, state):
    """Start the next round with its Build phase (R3.1)."""
    state.round_number += 1
    state.phase = c.PHASE_BUILD
    state.sweep = 0
    state.passed[:] = 0
    if has_exploits(state):
        dispatch.begin_round(board, state)
    next_build(board, state)


@kernel
def next_build(board, state):
    """Ask the next seat to build; after the last, carry out Growth and go on to Salary (R3.2, R5.1)."""
    if state.sweep < state.num_seats:
        ask(state, c.DECIDE_BUILD, _sweep_seat(state))
        return
    state.phase = c.PHASE_GROWTH
    for seat in range(state.num_seats):
        grow(board, state, seat)
    state.phase = c.PHASE_SALARY
    state.sweep = 0
    next_salary(board, state)


@kernel
def next_salary(board, state):
    """Ask the next seat with more discs on buildings than payments; free those of all others (R6, notation 3.3)."""
    while state.sweep < state.num_seats:
        seat = _sweep_seat(state)
        if has_exploits(state):
            dispatch.begin_salary(board, state, seat)
        left = payments(board, state, seat)
        if left >= discs_on_buildings(board, state, seat):
            free_all(board, state, seat)
        elif left > 0:
            state.payments_left = left
            ask(state, c.DECIDE_SALARY, seat)
            return
        if asks_after_salary(board, state, seat):
            return
        state.sweep += 1
    _begin_action_phase(board, state)


@kernel
def asks_after_salary(board, state, seat):
    """Ask ``seat`` what Exploits leave to be decided after its payments; return False if it is nothing (E8)."""
    if not has_exploits(state):
        return False
    dispatch.end_salary(board, state, seat)
    return state.follow_up != c.NONE and ask_follow_up(board, state, seat)


@kernel
def end_salary(board, state, seat):
    """Go on with what is decided after the payments, or with the next seat if nothing is left of it."""
    if state.follow_up != c.NONE and ask_follow_up(board, state, seat):
        return
    forget_abilities(state)
    state.sweep += 1
    next_salary(board, state)


@kernel
def forget_abilities(state):
    """Reset what the abilities of an action, or of a Salary phase, have left behind."""
    nothing_pending(state)
    state.turn_seat = c.NONE
    state.with_cannon = 0


@kernel
def ask_follow_up(board, state, seat):
    """Ask what the ability of ``seat`` leaves to be decided; if it is nothing, forget it and return False (X1.7)."""
    asked = decider(state, seat)
    if not dispatch.mark_follow_up(board, state, asked, only_asks()):
        nothing_pending(state)
        return False
    state.turn_seat = seat
    ask(state, c.DECIDE_FOLLOW_UP, asked)
    return True


@kernel
def _begin_action_phase(board, state):
    """Ask the first player for the first turn, unless a variant lets something happen before (S3.2, V2S.6)."""
    state.phase = c.PHASE_ACTION
    state.sweep = 0
    ask(state, c.DECIDE_TURN, state.first_player)
    if is_solo(state):
        state.opposition_first = opposition_opens(board, state)
        if state.opposition_first:
            begin_actions(state)
    elif has_neutral_discs(state):
        take_neutral_discs(state)


@kernel
def end_action_phase(board, state):
    """Go on once all seats have passed: to the Opposition's actions if they are still due, else to the card limits."""
    state.sweep = 0
    if not is_solo(state):
        next_round_end(board, state)
    elif state.opposition_first:
        end_solo_actions(board, state)
    else:
        begin_actions(state)


@kernel
def end_solo_actions(board, state):
    """Go on once both sides have acted: to the bonus draw if it is due, then to the card limits (S3.6, S7.1)."""
    if not begin_bonus(state):
        next_round_end(board, state)


@kernel
def next_round_end(board, state):
    """Settle card limits exceeded since the pass, in turn order, then end the round (R11)."""
    while state.sweep < state.num_seats:
        seat = _sweep_seat(state)
        if not holding_legal(board, state, seat):
            ask(state, c.DECIDE_ROUND_END_DISCARD, seat)
            return
        state.sweep += 1
    if is_solo(state):
        set_task(state, c.TASK_END_DISCARD, c.NONE)
    else:
        end_round(board, state)


@kernel
def end_round(board, state):
    """Pass the first-player marker on and begin the next round, or end the game (R11.3)."""
    if state.round_number < board.num_rounds:
        state.first_player = (state.first_player + 1) % state.num_seats
        begin_round(board, state)
    else:
        state.phase = c.PHASE_OVER
        ask(state, c.DECIDE_NOTHING, c.NONE)
