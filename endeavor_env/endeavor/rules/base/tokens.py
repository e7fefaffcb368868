"""Taking trade tokens from the board, and the actions of the blue ones (R1.2, R7.3, R7.5)."""

from __future__ import annotations

from endeavor_env.endeavor.rules import constants as c
from endeavor_env.kernels.kernels import kernel


@kernel
def take_token(state, seat, space):
    """Move the token lying on ``space``, if any, to ``seat``; a brown one counts at once (R7.5)."""
    kind = state.token[space]
    if kind == c.NONE:
        return
    state.token[space] = c.NONE
    state.tokens[seat, kind] += 1
    if kind < c.FIRST_BLUE:
        state.status[seat, kind] += 1


@kernel
def blue_mode(kind):
    """Return how the blue token ``kind`` combines its actions: MODE_ONE or MODE_EITHER (R8.8)."""
    return c.MODE_EITHER if kind in (c.TOKEN_OCCUPY_DRAW, c.TOKEN_SAIL_DRAW) else c.MODE_ONE


@kernel
def blue_part(kind, index):
    """Return action ``index`` (0 or 1) of the blue token ``kind``, or NONE (R1.2)."""
    if index == 1:
        return c.DRAW if blue_mode(kind) == c.MODE_EITHER else c.NONE
    if kind == c.TOKEN_ATTACK:
        return c.ATTACK
    if kind == c.TOKEN_OCCUPY_DRAW:
        return c.OCCUPY
    if kind == c.TOKEN_SAIL_DRAW:
        return c.SAIL
    return c.PAY if kind == c.TOKEN_PAY else c.NONE
