"""The moves that are worth a closer look: those that a first comparison likes best."""

from __future__ import annotations

import numpy as np

from endeavor_env.kernels.kernels import kernel
from endeavor_env.merchants.rules import actions
from endeavor_env.merchants.rules import constants as c


@kernel
def list_moves(liked, most, moves):
    """Write the actions that are liked best to ``moves``, the best first; return how many.

    Args:
        liked: (actions,) float64, how each is liked; -inf for those that are not looked at.
        most: Most moves; room for so many is in ``moves``.
        moves: Int64, written.
    """
    count = np.int64(0)
    while count < most:
        chosen = np.int64(c.NONE)
        for action in range(actions.GIVE_AT):
            if liked[action] == -np.inf:
                continue
            listed = False
            for index in range(count):
                listed = listed or moves[index] == action
            if not listed and (chosen == c.NONE or liked[action] > liked[chosen]):
                chosen = np.int64(action)
        if chosen == c.NONE:
            break
        moves[count] = chosen
        count += 1
    return count
