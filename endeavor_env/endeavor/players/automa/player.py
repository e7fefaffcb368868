"""The automa as a compiled player: it needs no memory."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.players.automa.choice import automa_action
from endeavor_env.endeavor.players.calls import player_entry
from endeavor_env.endeavor.rules.outside_entry import board_at, state_at
from endeavor_env.kernels.intrinsics import bytes_at


@player_entry
def automa_entry(board, state, mask, num_actions, memory, size, rng):
    """Return the automa's action; see ``calls.ENTRY``."""
    return np.int64(automa_action(board_at(board), state_at(state), bytes_at(mask, num_actions)))
