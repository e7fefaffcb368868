"""The compiled players: what they are called, and the one kernel that lets any of them choose an action.

To register a player: write its kernel in a module of this package, append its name to POLICIES, and add its line to
``choose``. It can then be named wherever ``random``, ``greedy`` and ``automa`` can: as an opponent in batches and
vector environments, and in rollouts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.core._jit import inlined, kernel
from endeavor_env.core.engine.decisions import legal
from endeavor_env.core.policies.automa.choice import automa_action
from endeavor_env.core.policies.greedy.turn_search import DEPTH, greedy_action
from endeavor_env.core.policies.greedy.weights import WEIGHTS
from endeavor_env.core.policies.uniform import choose_move
from endeavor_env.core.state import STATE

POLICIES = ("random", "greedy", "automa")
"""The compiled players, in the order of their codes, which begin with SEAT_RANDOM."""

# --- who decides for a seat: codes of `TABLE.policies` and of rollouts ------------------------------------------------
SEAT_LEARNER = 0  # the caller's actions
SEAT_RANDOM = 1
SEAT_GREEDY = 2
SEAT_AUTOMA = 3
SEAT_CALLABLE = SEAT_RANDOM + len(POLICIES)  # + index of a function of the caller

CODES = {name: SEAT_RANDOM + place for place, name in enumerate(POLICIES)}
"""The code of each compiled player."""


class Memory(NamedTuple):
    """What compiled players need besides the position: their settings and their scratch arrays, one set a thread."""

    weights: npt.NDArray[np.float64]
    """(NUM_WEIGHTS,): the weights of ``greedy``."""
    scratch: npt.NDArray[np.void]
    """(DEPTH,) STATE: positions that ``greedy`` looks ahead at."""
    masks: npt.NDArray[np.int8]
    """(DEPTH, number of actions): their masks."""


def new_memory(num_actions: int) -> Memory:
    """Return the memory of one thread for games with ``num_actions`` action ids."""
    return Memory(WEIGHTS.as_array(), np.zeros(DEPTH, STATE), np.zeros((DEPTH, num_actions), np.int8))


@inlined
def choose(policy, board, state, mask, memory, rng):
    """Return the action that a compiled player chooses for the seat to move.

    Args:
        policy: SEAT_RANDOM to SEAT_CALLABLE - 1.
        board: BOARD record, read only.
        state: STATE record, read only; a decision is asked.
        mask: Int8, the legal actions of ``state``; read only.
        memory: A ``Memory``, overwritten; or None if every player is ``random``. With None Numba leaves the code of
            the other players out, which takes a fraction of the time to compile.
        rng: (1,) uint64, advanced in place.
    """
    if memory is None:
        return choose_move(state, mask, rng)
    if policy == SEAT_GREEDY:
        return np.int64(greedy_action(board, state, memory.weights, memory.scratch, memory.masks, rng))
    if policy == SEAT_AUTOMA:
        return np.int64(automa_action(board, state, mask))
    return choose_move(state, mask, rng)


@kernel
def choose_action(policy, boards, states, mask, memory, rng):
    """Call ``choose`` from Python, for which (1,) arrays are the fastest way to pass records.

    ``mask`` is overwritten with the legal actions first; return -1 if there are none.
    """
    legal(boards[0], states[0], mask)
    return choose(policy, boards[0], states[0], mask, memory, rng)
