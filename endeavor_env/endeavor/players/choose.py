"""The choice of a compiled player for one game, as Python asks for it."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.flow.late_rules import legal
from endeavor_env.endeavor.rules.actions import NUM_WORDS
from endeavor_env.endeavor.rules.arguments import BOARDS, STATES
from endeavor_env.engine.kernels.arguments import BYTES
from endeavor_env.engine.kernels.masks import new_words
from endeavor_env.engine.kernels.players import PLAYERS, choose
from endeavor_env.engine.kernels.rng import GENERATOR
from endeavor_env.kernels.entries import entry
from endeavor_env.kernels.kinds import INTEGER


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
