"""Cities with their discs."""

from __future__ import annotations

from endeavor_env.endeavor.rules import constants as c
from endeavor_env.kernels.kernels import kernel


@kernel
def hold_city(board, state, side, city):
    """Make ``side`` the owner of ``city``; its disc counts for presence (R8.3.2)."""
    state.city_owner[city] = side
    state.presence[side, board.city_region[city]] += 1


@kernel
def leave_city(board, state, city):
    """Move the disc in ``city`` to its owner's supply (R8.5.3)."""
    owner = state.city_owner[city]
    state.supply[owner] += 1
    state.presence[owner, board.city_region[city]] -= 1
    state.city_owner[city] = c.NONE
