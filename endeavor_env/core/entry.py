"""The kernels Python calls. They take length-1 arrays (a bare record costs a microsecond a call) and no Python objects.

Memory belongs to the caller: ``boards`` (1,) BOARD is read only, ``states`` (1,) STATE and every ``out`` are written in
place. Nothing here checks legality or ranges: ``Game`` and the environments do.
"""

from __future__ import annotations

from endeavor_env.core._jit import kernel
from endeavor_env.core.checks import invariants
from endeavor_env.core.engine import apply as engine
from endeavor_env.core.engine import setup
from endeavor_env.core.engine.legal import legal as legal_mask
from endeavor_env.core.policies.uniform import choose, count_legal, play_random
from endeavor_env.core.rules import scoring
from endeavor_env.core.sides import num_mats

__all__ = [  # `choose` and `play_random` stand in `rollout`: a kernel around one would compile it all over again
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
    """Draws every random outcome of a game into ``setups`` (1,) SETUP (R2.1, R2.5, S1); ``variant`` is a VARIANT_*."""
    setup.random_setup(boards[0], rng, num_seats, variant, setups[0])


@kernel
def new_game(boards, states, num_seats, variant, options, setups):
    """Starts a game from a set-up and runs to its first decision (R2, R3.1).

    ``options`` (NUM_OPTIONS,) int8, indexed by OPTION_*; ``setups`` (1,) SETUP. Number of seats, options and set-up
    must fit ``variant``.
    """
    setup.set_up(boards[0], states[0], num_seats, variant, options, setups[0])
    engine.start(boards[0], states[0])


@kernel
def begin_game(boards, states, num_seats, variant, options, setups):
    """Is ``new_game`` of the solitaire game, but lets the Opposition wait for ``opposition_step`` (S1.8)."""
    setup.set_up(boards[0], states[0], num_seats, variant, options, setups[0])


@kernel
def legal(boards, states, mask):
    """Writes the mask, int8 of the variant's number of actions, and returns how many are legal."""
    legal_mask(boards[0], states[0], mask)
    return count_legal(mask)


@kernel
def step(boards, states, action):
    """Carries out a legal action and runs to the next decision."""
    engine.apply(boards[0], states[0], action)


@kernel
def begin_step(boards, states, action):
    """Carries out a legal action, but lets the Opposition wait for ``opposition_step``."""
    engine.begin(boards[0], states[0], action)


@kernel
def opposition_step(boards, states, out):
    """Lets the Opposition do one thing or ask the player; tells whether there was anything to do.

    ``out`` (4,) int64 receives the offset of the options' block of action ids, the options as bits, the reason
    (``opposition_reasons``), and the action carried out, -1 if the player is asked or nothing was feasible.
    """
    if not engine.opposition_to_act(states[0]):
        return False
    out[0], out[1], out[2], out[3] = engine.opposition_step(boards[0], states[0])
    return True


@kernel
def scores(boards, states, out):
    """Writes all breakdowns, (MAX_SEATS, NUM_BREAKDOWN) int16 (R12)."""
    scoring.scores(boards[0], states[0], out)


@kernel
def total(boards, states, out):
    """Writes the total Glory of every seat as if the game ended now, (MAX_SEATS,) int16; absent seats get 0.

    In the solitaire game entry 1 is the Opposition's.
    """
    out[:] = 0
    glory = scoring.map_and_cards(boards[0], states[0])
    for seat in range(num_mats(states[0])):
        out[seat] = scoring.total_from(boards[0], states[0], seat, glory)


@kernel
def status(boards, states, fresh):
    """Returns the flags of ``invariants`` for ``states[0]``, 0 if sound; ``fresh`` (1,) STATE is scratch."""
    fresh[0] = states[0]
    return invariants.status(boards[0], states[0], fresh[0])


@kernel
def recount_choices(boards, states):
    """Works out anew what the player is asked to choose from for the Opposition, in place."""
    invariants.recount_choices(boards[0], states[0])


@kernel
def recount(boards, states):
    """Recomputes every derived field in place."""
    invariants.recount(boards[0], states[0])
