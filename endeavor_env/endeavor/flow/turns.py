"""Turns of the Action phase: opening an action, its parts one after the other, and whose turn is next (R7, R8)."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.exploits import dispatch
from endeavor_env.endeavor.exploits.dispatch import has_any_target, take_follow_up, take_turn_move, use_ability
from endeavor_env.endeavor.flow.rounds import ask, ask_follow_up, end_action_phase, end_salary, forget_abilities
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import ACTIVATE_AT, DONE_AT, OFFSET_OF, PART_OF, PASS_AT, SPEND_AT
from endeavor_env.endeavor.rules.base.cards import holding_legal_without_slot
from endeavor_env.endeavor.rules.base.turn import activate, carry_out, close_action, has_target, spend, stop_action
from endeavor_env.endeavor.rules.sides import has_exploits, has_neutral_discs, is_solo
from endeavor_env.endeavor.variants.neutral import asks_for_disc, note_part
from endeavor_env.endeavor.variants.solo.grid import note_draw
from endeavor_env.kernels.kernels import inlined, kernel


@inlined
def take_turn(board, state, seat, action):
    """Carry out the turn decision: pass, spend a blue token, or activate a building (R7.1)."""
    block = OFFSET_OF[action]
    if block == PASS_AT:
        state.passed[seat] = 1
        if holding_legal_without_slot(board, state, seat):
            next_turn(board, state, seat)
        else:
            ask(state, c.DECIDE_DISCARD, seat)
        return
    if block == SPEND_AT:
        spend(state, seat, c.FIRST_BLUE + action - SPEND_AT)
    elif block == ACTIVATE_AT:
        activate(board, state, seat, action - ACTIVATE_AT)
    else:
        take_turn_move(board, state, seat, action)
    continue_action(board, state, seat)


@inlined
def take_target(board, state, seat, action):
    """Carry out a target of the action under way, or end the action (R8)."""
    if action == DONE_AT:
        stop_action(state)
    elif PART_OF[action] == c.NONE:
        use_ability(board, state, seat, action)
    else:
        _take_part(board, state, seat, action)
    continue_action(board, state, seat)


@inlined
def _take_part(board, state, seat, action):
    """Carry out one part, and note what follows from it in a variant."""
    if has_exploits(state):
        dispatch.carry_out(board, state, seat, action)
        return
    part = PART_OF[action]
    region = carry_out(board, state, seat, part, action - OFFSET_OF[action])
    if has_neutral_discs(state):
        note_part(state, part, region)
    elif is_solo(state) and part == c.DRAW:
        note_draw(state)


@kernel
def continue_action(board, state, seat):
    """Ask for a target if one is left, else for the next turn; a lone DONE is never asked (notation 3.5).

    What an ability of an Exploit leaves to be decided comes first.
    """
    exploits = has_exploits(state)
    if exploits and state.follow_up != c.NONE and ask_follow_up(board, state, seat):
        return
    going_on = has_any_target(board, state, seat) if exploits else has_target(board, state, seat)
    if state.neutral_regions != 0 and asks_for_disc(board, state, seat, going_on):
        ask(state, c.DECIDE_NEUTRAL, seat)
    elif going_on:
        ask(state, c.DECIDE_TARGET, seat)
    else:
        close_action(state)
        if exploits:
            forget_abilities(state)
        next_turn(board, state, seat)


@kernel
def next_turn(board, state, seat):
    """Ask the next seat after ``seat`` that has not passed; when all have, the Action phase ends (R7.1)."""
    for _ in range(state.num_seats):
        seat = (seat + 1) % state.num_seats
        if not state.passed[seat]:
            ask(state, c.DECIDE_TURN, seat)
            return
    end_action_phase(board, state)


@kernel
def take_choice_of_ability(board, state, seat, action):
    """Carry out a follow-up of an ability, and go on with the Salary phase or the action it belongs to."""
    take_follow_up(board, state, seat, action)
    if state.phase == c.PHASE_SALARY:
        end_salary(board, state, seat)
    else:
        continue_action(board, state, np.int64(state.turn_seat))
