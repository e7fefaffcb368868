"""Growth phase (R5)."""

from __future__ import annotations

from endeavor_env.endeavor.rules.base.statuses import growth
from endeavor_env.kernels.kernels import kernel


@kernel
def grow(board, state, seat):
    """Move the discs that Culture brings from the supply to the harbor, at most as many as there are (R5.1)."""
    gain_discs(state, seat, growth(board, state, seat))


@kernel
def gain_discs(state, seat, number):
    """Move ``number`` discs from the supply to the harbor, at most as many as there are (R5.1, X1.9)."""
    discs = min(number, state.supply[seat])
    state.supply[seat] -= discs
    state.harbor[seat] += discs
