"""Which Exploits are in play and active, and who has a shield on them (X1.2-X1.5).

None of it is stored: keys and shields follow from open regions and from presence (X8 N5). This file is among the rules
because some rules of every game ask it, such as the cost of an Attack.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.core import constants as c
from endeavor_env.core.bits import has
from endeavor_env.machine.kernels import kernel


@kernel
def has_exploits(state):
    """Return whether this is a game with Exploits."""
    return state.variant == c.VARIANT_EXPLOITS


@kernel
def in_play(state, exploit):
    """Return whether ``exploit`` is one of the tiles of this game (X1.1)."""
    return has(np.int64(state.exploits), exploit)


@kernel
def is_active(board, state, exploit):
    """Return whether ``exploit`` is in play and both its keys are on its tile: both regions are open (X1.3)."""
    first, second = board.exploit_region[exploit, 0], board.exploit_region[exploit, 1]
    return in_play(state, exploit) and state.open[first] == 1 and state.open[second] == 1


@kernel
def has_shield(board, state, seat, exploit):
    """Return whether ``seat`` is present in both regions of the active ``exploit`` (X1.4, X1.5)."""
    first, second = board.exploit_region[exploit, 0], board.exploit_region[exploit, 1]
    present = state.presence[seat, first] > 0 and state.presence[seat, second] > 0
    return present and is_active(board, state, exploit)
