"""Status icons, and what a status gives at its level (R1.8, R7.5, R10)."""

from __future__ import annotations

from endeavor_env.endeavor.rules import constants as c
from endeavor_env.kernels.kernels import kernel


@kernel
def marker(board, state, seat, status):
    """Return the marker position 0..15: the true icon count, limited to the ends of the track (R10.1)."""
    return max(0, min(board.status_max, state.status[seat, status]))


@kernel
def gain_icons(state, seat, icons):
    """Add ``icons`` (4,) to the true counts of ``seat`` as soon as it gains them (R7.5); no cap applies (R10.1)."""
    for status in range(c.NUM_STATUSES):
        state.status[seat, status] += icons[status]


@kernel
def lose_icons(state, seat, icons):
    """Subtract ``icons`` (4,) from the true counts of ``seat`` (R9.6, R10.2)."""
    for status in range(c.NUM_STATUSES):
        state.status[seat, status] -= icons[status]


@kernel
def build_level(board, state, seat):
    """Return the highest building level that Industry allows, 1..5 (R1.8)."""
    return board.build_level[marker(board, state, seat, c.INDUSTRY)]


@kernel
def growth(board, state, seat):
    """Return the number of discs that Culture brings in the Growth phase (R1.8)."""
    return board.growth[marker(board, state, seat, c.CULTURE)]


@kernel
def payments(board, state, seat):
    """Return the number of payments that Finance allows in the Salary phase (R1.8)."""
    return board.payments[marker(board, state, seat, c.FINANCE)]


@kernel
def card_limit(board, state, seat):
    """Return the card limit, the number of cards that Politics allows (R1.8; L in R9.1)."""
    return board.card_limit[marker(board, state, seat, c.POLITICS)]
