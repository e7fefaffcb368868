"""The turn decision, and the action under way with its parts and targets (R7)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import ACTIVATE_AT, DONE_AT, PASS_AT, SPEND_AT
from endeavor_env.endeavor.rules.base.actions import (
    attack,
    attack_targets,
    blue_mode,
    blue_part,
    draw,
    draw_targets,
    mark_attacks,
    mark_draws,
    mark_occupies,
    mark_pays,
    mark_sails,
    occupy,
    occupy_targets,
    pay,
    pay_targets,
    sail,
    sail_targets,
)
from endeavor_env.endeavor.rules.bits import where_above
from endeavor_env.engine.kernels.masks import allow, allow_set
from endeavor_env.kernels.kernels import kernel

# --- The action under way: its open parts, their targets, and how parts combine (R8.8) -------------------------------

Move = Callable[..., Any]
"""A kernel (board, state, seat, target)."""


@kernel
def open_action(state, source, mode, first, second):
    """Start an action with parts ``first`` and ``second`` (SAIL..PAY or NONE); ``source`` is NONE for a token."""
    state.source = source
    state.mode = mode
    state.parts[0] = first
    state.parts[1] = second
    state.parts_done = 0
    state.lock_region = c.NONE
    state.lock_deck = c.NONE


@kernel
def stop_action(state):
    """Drop the parts still open."""
    state.parts[:] = c.NONE


@kernel
def is_open(state, part):
    """Return whether a part of this kind is still open."""
    return state.parts[0] == part or state.parts[1] == part


@kernel
def close_action(state):
    """Reset the fields of the action under way, which is over."""
    open_action(state, c.NONE, c.MODE_NONE, c.NONE, c.NONE)


@kernel
def mark_targets(board, state, seat, words):
    """Mark the targets of all parts still open together (notation 3.5), without DONE."""
    for index in range(c.MAX_ACTION_PARTS):
        part = state.parts[index]
        if part == c.NONE or (index == 1 and part == state.parts[0]):
            continue  # Sail & Sail, Draw & Draw: both parts have the same targets
        if part == c.SAIL:
            mark_sails(board, state, seat, state.lock_region, words)
        elif part == c.OCCUPY:
            mark_occupies(board, state, seat, state.lock_region, words)
        elif part == c.ATTACK:
            mark_attacks(board, state, seat, state.lock_region, words)
        elif part == c.DRAW:
            mark_draws(board, state, seat, state.lock_deck, state.lock_region, words)
        elif part == c.PAY:
            mark_pays(state, seat, state.source, words)


@kernel
def has_target(board, state, seat):
    """Return whether any part still open has a target under the action's restrictions."""
    for index in range(c.MAX_ACTION_PARTS):
        if has_target_of(board, state, seat, np.int64(state.parts[index])):
            return True
    return False


@kernel
def has_target_of(board, state, seat, part):
    """Return whether ``part`` (SAIL..PAY or NONE) has a target under the restrictions of the action under way."""
    if part == c.SAIL:
        return sail_targets(board, state, seat, state.lock_region) != 0
    if part == c.OCCUPY:
        return occupy_targets(board, state, seat, state.lock_region) != 0
    if part == c.ATTACK:
        return attack_targets(board, state, seat, state.lock_region) != 0
    if part == c.DRAW:
        return draw_targets(board, state, seat, state.lock_deck, state.lock_region) != 0
    return part == c.PAY and pay_targets(state, seat, state.source) != 0


@kernel
def may_stop(state):
    """Return whether DONE is offered: the action is a building's (A4), or a part has been carried out (A5)."""
    return state.source != c.NONE or state.parts_done > 0


@kernel
def mark_target_decision(board, state, seat, words):
    """Mark the targets and, if it is allowed, DONE (notation 3.5)."""
    mark_targets(board, state, seat, words)
    if may_stop(state):
        allow(words, DONE_AT)


def carrying_out(name: str, sail: Move, occupy: Move, attack: Move, draw: Move) -> Callable[..., Any]:
    """Return a kernel of this name that carries out one part by these moves and restricts the rest of the action.

    It takes (board, state, seat, part, target) and returns the region, NONE for Pay.
    """

    def carry_out(board, state, seat, part, target):
        region = np.int64(c.NONE)
        if part == c.SAIL:
            sail(board, state, seat, target)
            region = np.int64(target)
        elif part == c.OCCUPY:
            occupy(board, state, seat, target)
            region = np.int64(board.city_region[target])
        elif part == c.ATTACK:
            attack(board, state, seat, target)
            region = np.int64(board.city_region[target])
        elif part == c.DRAW:
            draw(board, state, seat, target)
            region = np.int64(board.deck_region[target])
        else:
            pay(state, seat, target)
        restrict(state, part, region, target)
        return region

    carry_out.__name__ = carry_out.__qualname__ = name
    return kernel(carry_out)


carry_out = carrying_out("carry_out", sail, occupy, attack, draw)


@kernel
def restrict(state, part, region, target):
    """Close one part, carried out in ``region``, and restrict the rest of the action to this (R8.8, R8.8.1)."""
    use_part(state, part)
    if state.mode == c.MODE_BOTH_SAME_REGION:
        state.lock_region = region
    elif state.mode == c.MODE_BOTH_SAME_DECK:
        state.lock_deck = target


@kernel
def use_part(state, part):
    """Close one part of this kind; a "one" or "either" action has no part left after it."""
    state.parts_done += 1
    if state.mode == c.MODE_ONE or state.mode == c.MODE_EITHER:
        state.parts[0] = c.NONE
        state.parts[1] = c.NONE
    elif state.parts[0] == part:
        state.parts[0] = c.NONE
    else:
        state.parts[1] = c.NONE


# --- The turn decision of the Action phase (R7.1-R7.4): pass, activate a building, or spend a blue token -------------

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
