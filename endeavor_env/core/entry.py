"""The kernels that Python calls. They take (1,) arrays, because passing a bare record costs a microsecond a call.

Memory belongs to the caller: ``boards`` (1,) BOARD is read only, ``states`` (1,) STATE and every ``out`` are written in
place. Nothing here checks legality or ranges: ``Game`` and the environments do.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.core._jit import kernel
from endeavor_env.core.batch.playouts import play_random
from endeavor_env.core.checks import invariants
from endeavor_env.core.engine import apply as engine
from endeavor_env.core.engine import decisions, opening, opposition_turn, scoring
from endeavor_env.core.policies.uniform import choose, count_legal

__all__ = [  # `choose` and `play_random` are imported: a kernel around them would be compiled with all of their code
    "advance",
    "begin_game",
    "begin_step",
    "choose",
    "legal",
    "new_game",
    "opposition_step",
    "play_random",
    "random_setup",
    "recount",
    "recount_choices",
    "scores",
    "status",
    "step",
    "total",
]


@kernel
def random_setup(boards, rng, num_seats, variant, setups):
    """Draw every random outcome of a game into ``setups`` (1,) SETUP (R2.1, R2.5, S1); ``variant`` is a VARIANT_*."""
    opening.random_setup(boards[0], rng, num_seats, variant, setups, 0)


@kernel
def new_game(boards, states, num_seats, variant, options, setups):
    """Start a game from a set-up and run to its first decision (R2, R3.1).

    ``options`` (NUM_OPTIONS,) int16, indexed by OPTION_*; ``setups`` (1,) SETUP. Number of seats, options and set-up
    must fit ``variant``.
    """
    opening.set_up(boards[0], states, 0, num_seats, variant, options, setups[0])
    engine.start(boards[0], states[0])


@kernel
def begin_game(boards, states, num_seats, variant, options, setups):
    """Start a solitaire game, but leave the Opposition's first tasks (S1.8) to ``opposition_step``."""
    opening.set_up(boards[0], states, 0, num_seats, variant, options, setups[0])


@kernel
def legal(boards, states, mask):
    """Write the mask, int8 with one entry for each action of the game, and return how many are legal."""
    decisions.legal(boards[0], states[0], mask)
    return count_legal(mask)


@kernel
def step(boards, states, action):
    """Carry out a legal action and run to the next decision."""
    engine.apply(boards[0], states[0], action)


@kernel
def advance(boards, states, action, mask):
    """Carry out a legal action, run to the next decision, write its mask, and return the seat to move, -1 for none.

    It is ``step`` and ``legal`` in one call, because a call costs Python as much as a decision costs the rules.
    """
    engine.apply(boards[0], states[0], action)
    decisions.legal(boards[0], states[0], mask)
    return np.int64(states[0].seat)


@kernel
def begin_step(boards, states, action):
    """Carry out a legal action, but leave what the Opposition does next to ``opposition_step``."""
    decisions.begin(boards[0], states[0], action)


@kernel
def opposition_step(boards, states, out):
    """Let the Opposition do one thing or ask the player; return whether it had anything to do.

    ``out`` (4,) int64 receives the offset of the block of action ids that the options belong to, the options as bits,
    the reason (``variants.solo.reasons``), and the action carried out, -1 if the player is asked or nothing was
    feasible.
    """
    if not opposition_turn.opposition_to_act(states[0]):
        return False
    out[0], out[1], out[2], out[3] = opposition_turn.opposition_step(boards[0], states[0])
    return True


@kernel
def scores(boards, states, out):
    """Write all breakdowns, (MAX_SEATS, NUM_PARTS) int16 (R12)."""
    scoring.write_breakdowns(boards[0], states[0], out)


@kernel
def total(boards, states, out):
    """Write the total Glory of every seat as if the game ended now, (MAX_SEATS,) int16; absent seats get 0.

    In the solitaire game entry 1 is the Opposition's.
    """
    scoring.write_totals(boards[0], states[0], out)


@kernel
def status(boards, states, fresh):
    """Return the flags of ``invariants`` for ``states[0]``, 0 if sound; ``fresh`` (1,) STATE is scratch."""
    fresh[0] = states[0]
    return invariants.status(boards[0], states[0], fresh[0])


@kernel
def recount_choices(boards, states):
    """Recompute what the player is asked to choose from for the Opposition, in place."""
    invariants.recount_choices(boards[0], states[0])


@kernel
def recount(boards, states):
    """Recompute every derived field in place."""
    invariants.recount(boards[0], states[0])
