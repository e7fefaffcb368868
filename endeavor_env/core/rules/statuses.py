"""Status icons and what a status level gives (R1.8, R7.5, R10)."""

from __future__ import annotations

from endeavor_env.core import constants as c
from endeavor_env.core._jit import kernel


@kernel
def marker(board, state, seat, status):
    """Return the marker position 0..15: the true icon count, stopped at the end of the track (R10.1)."""
    return max(0, min(board.status_max, state.status[seat, status]))


@kernel
def gain_icons(state, seat, icons):
    """Count ``icons`` (4,) for ``seat`` the moment they are acquired (R7.5); the true count is not capped (R10.1)."""
    for status in range(c.NUM_STATUSES):
        state.status[seat, status] += icons[status]


@kernel
def lose_icons(state, seat, icons):
    """Take ``icons`` (4,) off the true counts of ``seat`` (R9.6, R10.2)."""
    for status in range(c.NUM_STATUSES):
        state.status[seat, status] -= icons[status]


@kernel
def build_level(board, state, seat):
    """Return the highest building level Industry allows, 1..5 (R1.8)."""
    return board.build_level[marker(board, state, seat, c.INDUSTRY)]


@kernel
def growth(board, state, seat):
    """Return the discs Culture brings in the Growth phase (R1.8)."""
    return board.growth[marker(board, state, seat, c.CULTURE)]


@kernel
def payments(board, state, seat):
    """Return the payments Finance allows in the Salary phase (R1.8)."""
    return board.payments[marker(board, state, seat, c.FINANCE)]


@kernel
def card_limit(board, state, seat):
    """Return L, the cards Politics allows (R1.8, R9.1)."""
    return board.card_limit[marker(board, state, seat, c.POLITICS)]
