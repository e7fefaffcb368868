"""The order of things: which decision follows which (R3, R7.1, R11; notation 3). Rules stand in the other files."""

from __future__ import annotations

import numpy as np

from endeavor_env.core import constants as c
from endeavor_env.core._jit import inlined, kernel
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
    REMOVE_SPACE_AT,
    SAIL_AT,
    SPEND_AT,
)
from endeavor_env.core.bits import lowest, several
from endeavor_env.core.rules.build import build
from endeavor_env.core.rules.cards import discard, holding_legal, holding_legal_without_slot
from endeavor_env.core.rules.growth import grow
from endeavor_env.core.rules.pay import discs_on_buildings, free_all, pay
from endeavor_env.core.rules.statuses import payments
from endeavor_env.core.rules.targets import carry_out, close_action, has_target, is_open, stop_action
from endeavor_env.core.rules.turn import activate, spend
from endeavor_env.core.variants.neutral.discs import (
    forget_parts,
    neutral_follows,
    note_part,
    place_neutral,
    take_neutral_discs,
)
from endeavor_env.core.variants.neutral.removals import first_remover, remove_token
from endeavor_env.core.variants.solo.grid import refill_grid, rotate_scale
from endeavor_env.core.variants.solo.moves import drop_token
from endeavor_env.core.variants.solo.round_order import (
    begin_actions,
    begin_bonus,
    next_action,
    next_in_europe,
    opposition_opens,
    set_task,
)
from endeavor_env.core.variants.solo.tasks import carry_out_choice, decide


@kernel
def apply(board, state, action):
    """Carries out a legal ``action`` of ``state.seat`` and runs on to the next decision; the caller checks legality."""
    begin(board, state, action)
    while opposition_to_act(state):
        opposition_step(board, state)


@kernel
def begin(board, state, action):
    """Is ``apply`` up to where the Opposition acts, if it does."""
    decision = state.decision
    seat = state.seat
    if decision == c.DECIDE_TURN:
        _take_turn(board, state, seat, action)
    elif decision == c.DECIDE_TARGET:
        _take_target(board, state, seat, action)
    elif decision == c.DECIDE_BUILD:
        build(board, state, seat, action - BUILD_AT)
        state.sweep += 1
        _next_build(board, state)
    elif decision == c.DECIDE_SALARY:
        pay(state, seat, action - PAY_AT)
        state.payments_left -= 1
        if state.payments_left == 0:
            state.sweep += 1
            _next_salary(board, state)
    elif decision == c.DECIDE_DISCARD:
        if action != DONE_AT:
            discard(board, state, seat, action - DISCARD_AT)
        if action == DONE_AT or holding_legal_without_slot(board, state, seat):
            _next_turn(board, state)
    elif decision == c.DECIDE_ROUND_END_DISCARD:
        discard(board, state, seat, action - DISCARD_AT)
        _next_round_end(board, state)
    else:
        _begin_variant(board, state, seat, action)


@kernel
def _begin_variant(board, state, seat, action):
    """Is ``begin`` for the decisions that only variants ask for."""
    if state.decision == c.DECIDE_NEUTRAL:
        if action != DONE_AT:
            place_neutral(board, state, seat, action)
        forget_parts(state)
        _continue_action(board, state, seat)
    elif state.decision == c.DECIDE_REMOVE:
        space = action - REMOVE_SPACE_AT
        remove_token(board, state, space // c.MAX_TRACK, space % c.MAX_TRACK)
        state.removals_left -= 1
        _ask(state, c.DECIDE_REMOVE, (seat + 1) % state.num_seats)
        if state.removals_left == 0:
            _begin_round(board, state)
    elif state.decision == c.DECIDE_OPPOSITION:
        state.decision = c.DECIDE_NOTHING
        state.choices = state.choices_at = 0
        _finish_task(board, state, action)


@kernel
def start(board, state):
    """Runs from the end of what nobody decides in set-up to the first decision (R3.1, S1.8, V2S.4)."""
    state.round_number = 0
    if state.removals_left > 0:
        _ask(state, c.DECIDE_REMOVE, first_remover(state))
    elif state.task == c.TASK_NONE:
        _begin_round(board, state)
    while opposition_to_act(state):
        opposition_step(board, state)


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
    state.phase = c.PHASE_BUILD
    state.sweep = 0
    state.passed[:] = 0
    _next_build(board, state)


@kernel
def _next_build(board, state):
    """Asks the next seat to build; after the last, Growth happens by itself and Salary begins (R3.2, R5.1)."""
    if state.sweep < state.num_seats:
        _ask(state, c.DECIDE_BUILD, _sweep_seat(state))
        return
    state.phase = c.PHASE_GROWTH
    for seat in range(state.num_seats):
        grow(board, state, seat)
    state.phase = c.PHASE_SALARY
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
            _ask(state, c.DECIDE_SALARY, seat)
            return
        state.sweep += 1
    state.phase = c.PHASE_ACTION
    state.sweep = 0
    _ask(state, c.DECIDE_TURN, state.first_player)
    if state.variant == c.VARIANT_SOLO:
        state.opposition_first = opposition_opens(board, state)
        if state.opposition_first:
            begin_actions(state)
    elif state.variant != c.VARIANT_STANDARD:
        take_neutral_discs(state)


@kernel
def _take_turn(board, state, seat, action):
    """Carries out the turn decision (R7.1)."""
    if action == PASS_AT:
        state.passed[seat] = 1
        if holding_legal_without_slot(board, state, seat):
            _next_turn(board, state)
        else:
            _ask(state, c.DECIDE_DISCARD, seat)
        return
    if action >= SPEND_AT:
        spend(state, seat, c.FIRST_BLUE + action - SPEND_AT)
    else:
        activate(board, state, seat, action - ACTIVATE_AT)
    _continue_action(board, state, seat)


@kernel
def _take_target(board, state, seat, action):
    """Carries out a target of the action under way, or ends it (R8)."""
    if action == DONE_AT:
        stop_action(state)
    elif action >= PAY_AT:
        _carry_out(board, state, seat, c.PAY, action - PAY_AT)
    elif action >= DRAW_AT:
        _carry_out(board, state, seat, c.DRAW, action - DRAW_AT)
    elif action >= ATTACK_AT:
        _carry_out(board, state, seat, c.ATTACK, action - ATTACK_AT)
    elif action >= OCCUPY_AT:
        _carry_out(board, state, seat, c.OCCUPY, action - OCCUPY_AT)
    else:
        _carry_out(board, state, seat, c.SAIL, action - SAIL_AT)
    _continue_action(board, state, seat)


@kernel
def _carry_out(board, state, seat, part, target):
    """Carries out one part; the variants with neutral discs take note of it."""
    region = carry_out(board, state, seat, part, target)
    if state.variant >= c.VARIANT_SOLOPLAY_2:
        note_part(state, part, region)


@kernel
def _continue_action(board, state, seat):
    """Asks for a target if one is left; a lone DONE is never asked (notation 3.5)."""
    going_on = has_target(board, state, seat)
    if state.neutral_regions != 0:
        if state.variant == c.VARIANT_NEUTRAL_2:
            # Before the next part, but only once for two Sails (V2F.4, V2F.5).
            ask = not (going_on and state.neutral_due == c.SAIL and is_open(state, c.SAIL))
        else:
            ask = not going_on  # never between the parts (V2S.7)
        if ask:
            if neutral_follows(board, state, seat):
                if state.variant != c.VARIANT_NEUTRAL_2:
                    stop_action(state)  # it is over, even if the neutral disc makes a target of what was left
                _ask(state, c.DECIDE_NEUTRAL, seat)
                return
            forget_parts(state)
    if going_on:
        _ask(state, c.DECIDE_TARGET, seat)
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
            _ask(state, c.DECIDE_TURN, seat)
            return
    state.sweep = 0
    if state.variant != c.VARIANT_SOLO:
        _next_round_end(board, state)
    elif state.opposition_first:
        _end_solo_actions(board, state)
    else:
        begin_actions(state)


@kernel
def _next_round_end(board, state):
    """Settles card limits exceeded since the pass, in turn order, then moves on to the next round (R11)."""
    while state.sweep < state.num_seats:
        seat = _sweep_seat(state)
        if not holding_legal(board, state, seat):
            _ask(state, c.DECIDE_ROUND_END_DISCARD, seat)
            return
        state.sweep += 1
    if state.variant == c.VARIANT_SOLO:
        set_task(state, c.TASK_END_DISCARD, c.NONE)
    else:
        _end_round(board, state)


@kernel
def _end_round(board, state):
    """Passes the first-player marker on and begins the next round, or ends the game (R11.3)."""
    if state.round_number < board.num_rounds:
        state.first_player = (state.first_player + 1) % state.num_seats
        _begin_round(board, state)
    else:
        state.phase = c.PHASE_OVER
        _ask(state, c.DECIDE_NOTHING, c.NONE)


@inlined
def opposition_to_act(state):
    """Tells whether the Opposition has something to do and nobody is asked about it."""
    return state.task != c.TASK_NONE and state.decision != c.DECIDE_OPPOSITION


@kernel
def opposition_step(board, state):
    """Lets the Opposition do one thing, or asks the player to choose for it (S10, notation 3.11).

    Returns the offset of the options' block of action ids, the options as bits, the reason, and the action carried
    out, NONE if the player is asked or nothing is feasible.
    """
    block, options, reason = decide(board, state)
    if several(options) and not state.ties_first:
        _ask(state, c.DECIDE_OPPOSITION, 0)
        state.choices, state.choices_at = options, block
        return block, options, reason, np.int64(c.NONE)
    action = block + lowest(options) if options != 0 else np.int64(c.NONE)
    _finish_task(board, state, action)
    return block, options, reason, action


@inlined
def _finish_task(board, state, action):
    """Carries out ``action`` (NONE: nothing is feasible) and gives the Opposition its next task, or ends its part."""
    task = state.task
    if task == c.TASK_TOKEN:
        drop_token(state)
    if action != c.NONE:
        carry_out_choice(board, state, action)
        if task in (c.TASK_DISCARD, c.TASK_END_DISCARD):
            return  # until nothing more is to be discarded
    if task == c.TASK_EUROPE:
        if not next_in_europe(state):
            set_task(state, c.TASK_REMOVE, c.NONE)
    elif task == c.TASK_REMOVE:
        set_task(state, c.TASK_NONE, c.NONE)
        _begin_round(board, state)
    elif task == c.TASK_DISCARD:
        _end_opposition_actions(board, state)
    elif task == c.TASK_BONUS:
        set_task(state, c.TASK_NONE, c.NONE)
        _next_round_end(board, state)
    elif task == c.TASK_END_DISCARD:
        set_task(state, c.TASK_NONE, c.NONE)
        refill_grid(state)
        rotate_scale(state)
        _end_round(board, state)
    else:
        next_action(state)


@kernel
def _end_opposition_actions(board, state):
    """Goes on after the Opposition's actions: to the player's, or to the end of the round (S3.1)."""
    if state.opposition_first:
        set_task(state, c.TASK_NONE, c.NONE)
        _ask(state, c.DECIDE_TURN, 0)
    else:
        _end_solo_actions(board, state)


@kernel
def _end_solo_actions(board, state):
    """Goes on after both sides' actions: the bonus draw if it is due, then the card limits (S3.6, S7.1)."""
    if not begin_bonus(state):
        _next_round_end(board, state)
