"""The automa as a compiled player: it needs no memory."""

from __future__ import annotations

import numpy as np

from endeavor_env.core.policies.automa.choice import automa_action
from endeavor_env.core.policies.calls import arguments, player_entry


@player_entry
def automa_entry(board, state, mask, num_actions, memory, size, rng):
    """Return the automa's action; see ``calls.ENTRY``."""
    boards, states, allowed, _, _ = arguments(board, state, mask, num_actions, memory, size, rng)
    return np.int64(automa_action(boards[0], states[0], allowed))
