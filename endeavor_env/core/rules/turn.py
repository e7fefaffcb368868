"""The turn decision of the Action phase (R7.1-R7.4): pass, activate a building, or spend a blue token."""

from __future__ import annotations

from endeavor_env.core import constants as c
from endeavor_env.core._jit import kernel
from endeavor_env.core.actions import ACTIVATE_AT, PASS_AT, SPEND_AT
from endeavor_env.core.rules.attack import any_attack
from endeavor_env.core.rules.draw import any_draw
from endeavor_env.core.rules.occupy import any_occupy
from endeavor_env.core.rules.pay import any_pay
from endeavor_env.core.rules.sail import any_sail
from endeavor_env.core.rules.targets import open_action
from endeavor_env.core.rules.tokens import blue_mode, blue_part


@kernel
def mark_turn(board, state, seat, out):
    """Mark PASS, and the ACTIVATE and SPEND moves that are allowed (notation 3.4)."""
    out[PASS_AT] = 1
    if state.harbor[seat] > 0:
        for building in range(board.num_building_types):
            empty = state.buildings[seat, building] > state.occupied[seat, building]
            if empty and board.building_mode[building] != c.MODE_NONE:
                out[ACTIVATE_AT + building] = 1
    for blue in range(c.NUM_BLUE):
        if state.tokens[seat, c.FIRST_BLUE + blue] > 0 and _usable(board, state, seat, c.FIRST_BLUE + blue):
            out[SPEND_AT + blue] = 1


@kernel
def _usable(board, state, seat, kind):
    """Return whether a token of ``kind`` would have a target: it may not be spent without effect (A5)."""
    return _has_target(board, state, seat, blue_part(kind, 0)) or _has_target(board, state, seat, blue_part(kind, 1))


@kernel
def _has_target(board, state, seat, part):
    """Return whether ``part`` (SAIL..PAY or NONE) of a token has a target."""
    if part == c.SAIL:
        return any_sail(board, state, seat, c.NONE)
    if part == c.OCCUPY:
        return any_occupy(board, state, seat, c.NONE)
    if part == c.ATTACK:
        return any_attack(board, state, seat, c.NONE)
    if part == c.DRAW:
        return any_draw(board, state, seat, c.NONE, c.NONE)
    return part == c.PAY and any_pay(board, state, seat, c.NONE)


@kernel
def activate(board, state, seat, building):
    """Pay the activation disc and open the building's action (R7.2)."""
    state.harbor[seat] -= 1
    state.occupied[seat, building] += 1
    open_building(board, state, building)


@kernel
def open_building(board, state, building):
    """Open the action of a building."""
    first = board.building_action[building, 0]
    second = board.building_action[building, 1]
    open_action(state, building, board.building_mode[building], first, second)


@kernel
def spend(state, seat, kind):
    """Discard a blue token and open its action (R7.3)."""
    state.tokens[seat, kind] -= 1
    open_action(state, c.NONE, blue_mode(kind), blue_part(kind, 0), blue_part(kind, 1))
