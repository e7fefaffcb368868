"""The turn decision of the Action phase (R7.1-R7.4): pass, activate a building, or spend a blue token."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import ACTIVATE_AT, PASS_AT, SPEND_AT
from endeavor_env.endeavor.rules.base.targets import has_target_of, open_action
from endeavor_env.endeavor.rules.base.tokens import blue_mode, blue_part
from endeavor_env.endeavor.rules.bits import where_above
from endeavor_env.engine.kernels.masks import allow, allow_set
from endeavor_env.kernels.kernels import kernel

_buildings_above = where_above(c.MAX_BUILDING_TYPES)


@kernel
def mark_turn(board, state, seat, words):
    """Mark PASS, and the ACTIVATE and SPEND moves that are allowed (notation 3.4)."""
    allow(words, PASS_AT)
    if state.harbor[seat] > 0:
        empty = _buildings_above(state.buildings[seat], state.occupied[seat])
        allow_set(words, ACTIVATE_AT, empty & _buildings_above(board.building_mode, c.MODE_NONE))
    for blue in range(c.NUM_BLUE):
        if state.tokens[seat, c.FIRST_BLUE + blue] > 0 and _usable(board, state, seat, c.FIRST_BLUE + blue):
            allow(words, SPEND_AT + blue)


@kernel
def _usable(board, state, seat, kind):
    """Return whether a token of ``kind`` would have a target: it may not be spent without effect (A5).

    No action is under way, so nothing restricts its targets.
    """
    first, second = np.int64(blue_part(kind, 0)), np.int64(blue_part(kind, 1))
    return has_target_of(board, state, seat, first) or has_target_of(board, state, seat, second)


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
