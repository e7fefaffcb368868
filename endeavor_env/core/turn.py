"""The turn decision of the Action phase (R7.1-R7.4): pass, activate a building, or spend a blue token."""

from __future__ import annotations

from endeavor_env.core._jit import kernel
from endeavor_env.core.actions import ACTIVATE_AT, PASS_AT, SPEND_AT
from endeavor_env.core.attack import any_attack
from endeavor_env.core.constants import (
    ATTACK,
    DRAW,
    FIRST_BLUE,
    MODE_NONE,
    NONE,
    NUM_BLUE,
    OCCUPY,
    PAY,
    SAIL,
)
from endeavor_env.core.draw import any_draw
from endeavor_env.core.occupy import any_occupy
from endeavor_env.core.pay import any_pay
from endeavor_env.core.sail import any_sail
from endeavor_env.core.targets import open_action
from endeavor_env.core.tokens import blue_mode, blue_part


@kernel
def mark_turn(board, state, seat, out):
    """Marks PASS, ACTIVATE and SPEND (notation 3.4)."""
    out[PASS_AT] = 1
    if state.harbor[seat] > 0:
        for building in range(board.num_building_types):
            empty = state.buildings[seat, building] > state.occupied[seat, building]
            if empty and board.building_mode[building] != MODE_NONE:
                out[ACTIVATE_AT + building] = 1
    for blue in range(NUM_BLUE):
        if state.tokens[seat, FIRST_BLUE + blue] > 0 and _usable(board, state, seat, FIRST_BLUE + blue):
            out[SPEND_AT + blue] = 1


@kernel
def _usable(board, state, seat, kind):
    """Tells whether a token of ``kind`` would have a target: it may not be spent without effect (A5)."""
    return _has_target(board, state, seat, blue_part(kind, 0)) or _has_target(board, state, seat, blue_part(kind, 1))


@kernel
def _has_target(board, state, seat, part):
    """Tells whether ``part`` (SAIL..PAY or NONE) has a target from a token."""
    if part == SAIL:
        return any_sail(board, state, seat, NONE)
    if part == OCCUPY:
        return any_occupy(board, state, seat, NONE)
    if part == ATTACK:
        return any_attack(board, state, seat, NONE)
    if part == DRAW:
        return any_draw(board, state, seat, NONE, NONE)
    return part == PAY and any_pay(board, state, seat, NONE)


@kernel
def activate(board, state, seat, building):
    """Pays the activation disc and opens the building's action (R7.2)."""
    state.harbor[seat] -= 1
    state.occupied[seat, building] += 1
    first = board.building_action[building, 0]
    second = board.building_action[building, 1]
    open_action(state, building, board.building_mode[building], first, second)


@kernel
def spend(state, seat, kind):
    """Discards a blue token and opens its action (R7.3)."""
    state.tokens[seat, kind] -= 1
    open_action(state, NONE, blue_mode(kind), blue_part(kind, 0), blue_part(kind, 1))
