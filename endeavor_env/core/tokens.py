"""Taking trade tokens from the board, and what the blue ones do (R1.2, R7.3, R7.5)."""

from __future__ import annotations

from endeavor_env.core._jit import kernel
from endeavor_env.core.constants import (
    ATTACK,
    DRAW,
    FIRST_BLUE,
    MODE_EITHER,
    MODE_ONE,
    NONE,
    OCCUPY,
    PAY,
    SAIL,
    TOKEN_ATTACK,
    TOKEN_OCCUPY_DRAW,
    TOKEN_PAY,
    TOKEN_SAIL_DRAW,
)


@kernel
def take_token(state, seat, space):
    """Moves the token lying on ``space``, if any, to ``seat``; a brown one counts at once (R7.5)."""
    kind = state.token[space]
    if kind == NONE:
        return
    state.token[space] = NONE
    state.tokens[seat, kind] += 1
    if kind < FIRST_BLUE:
        state.status[seat, kind] += 1


@kernel
def blue_mode(kind):
    """Returns how the blue token ``kind`` combines its actions: one, or either of two (R8.8)."""
    return MODE_EITHER if kind in (TOKEN_OCCUPY_DRAW, TOKEN_SAIL_DRAW) else MODE_ONE


@kernel
def blue_part(kind, index):
    """Returns action ``index`` (0 or 1) of the blue token ``kind``, or NONE (R1.2)."""
    if index == 1:
        return DRAW if blue_mode(kind) == MODE_EITHER else NONE
    if kind == TOKEN_ATTACK:
        return ATTACK
    if kind == TOKEN_OCCUPY_DRAW:
        return OCCUPY
    if kind == TOKEN_SAIL_DRAW:
        return SAIL
    return PAY if kind == TOKEN_PAY else NONE
