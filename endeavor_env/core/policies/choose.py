"""The choice of a compiled player for one game, as Python asks for it."""

from __future__ import annotations

import numpy as np

from endeavor_env.core.actions import NUM_WORDS
from endeavor_env.core.arguments import BOARDS, STATES
from endeavor_env.core.engine.late_rules import legal
from endeavor_env.machine.entries import entry
from endeavor_env.machine.kinds import INTEGER
from endeavor_env.rails.kernels.arguments import BYTES
from endeavor_env.rails.kernels.masks import new_words
from endeavor_env.rails.kernels.players import PLAYERS, choose
from endeavor_env.rails.kernels.rng import GENERATOR


@entry(INTEGER, PLAYERS, BOARDS, STATES, BYTES, GENERATOR)
def choose_action(policy, players, boards, states, mask, rng):
    """Call ``players.choose``, given one board and one state, (1,) arrays.

    ``mask`` is overwritten, as scratch; return -1 if there is no legal action.
    """
    words = new_words(NUM_WORDS[states[0].variant])
    legal(boards[0], states[0], words)
    if states[0].seat < 0:
        return np.int64(-1)
    return choose(policy, players, boards[0], states[0], words, mask, rng)
