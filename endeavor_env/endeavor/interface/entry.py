"""The kernels that Python calls. They take (1,) arrays, because passing a bare record costs a microsecond a call.

Memory belongs to the caller: ``boards`` (1,) BOARD is read only, ``states`` (1,) STATE and every ``out`` are written in
place. Nothing here checks ranges, and only ``play`` checks legality: ``Game`` and the environments do. In ``kernels``
the same functions stand for compiled loops.
"""

from __future__ import annotations

from endeavor_env.endeavor.flow import decisions, invariants, opening, opposition_turn, scoring
from endeavor_env.endeavor.interface import kernels
from endeavor_env.endeavor.observe import write
from endeavor_env.endeavor.rules.actions import MASK_SIZES, NUM_IDS
from endeavor_env.endeavor.rules.state import BOARDS, SETUPS, SHORT_ROWS, SHORTS, STATES
from endeavor_env.engine.kernels.rng import GENERATOR
from endeavor_env.engine.kernels.rules import BYTES, FLOATS, NUMBERS
from endeavor_env.kernels.entries import quick_entry
from endeavor_env.kernels.kinds import INTEGER, Listed

__all__ = [
    "begin_game",
    "begin_step",
    "choose",
    "legal",
    "legal_ids",
    "new_game",
    "observe_compact",
    "observe_features",
    "opposition_step",
    "play",
    "play_random",
    "random_setup",
    "recount",
    "recount_choices",
    "scores",
    "seat",
    "status",
    "step",
    "total",
]
NOT_LEGAL = kernels.NOT_LEGAL
"""What ``play`` returns if nothing was done."""
OTHER_NUMBERS, NO_MASK = -2, -3
"""What ``choose`` returns for a mask that is not all 0 and 1, and for one of a size that no game has."""


@quick_entry(BOARDS, GENERATOR, INTEGER, INTEGER, SETUPS)
def random_setup(boards, rng, num_seats, variant, setups):
    """Draw every random outcome of a game into ``setups`` (1,) SETUP (R2.1, R2.5, S1); ``variant`` is a VARIANT_*."""
    kernels.random_setup(boards, rng, num_seats, variant, setups)


@quick_entry(BOARDS, STATES, INTEGER, INTEGER, SHORTS, SETUPS)
def new_game(boards, states, num_seats, variant, options, setups):
    """Start a game from a set-up and run to its first decision (R2, R3.1).

    ``options`` (NUM_OPTIONS,) int16, indexed by OPTION_*; ``setups`` (1,) SETUP. Number of seats, options and set-up
    must fit ``variant``.
    """
    kernels.new_game(boards, states, num_seats, variant, options, setups)


@quick_entry(BOARDS, STATES, INTEGER, INTEGER, SHORTS, SETUPS)
def begin_game(boards, states, num_seats, variant, options, setups):
    """Start a solitaire game, but leave the Opposition's first tasks (S1.8) to ``opposition_step``."""
    opening.set_up(boards[0], states, 0, num_seats, variant, options, setups[0])


@quick_entry(BOARDS, STATES, INTEGER)
def begin_step(boards, states, action):
    """Carry out a legal action, but leave what the Opposition does next to ``opposition_step``."""
    decisions.begin(boards[0], states[0], action)


@quick_entry(BOARDS, STATES, NUMBERS)
def opposition_step(boards, states, out):
    """Let the Opposition do one thing or ask the player; return whether it had anything to do.

    ``out`` (4,) int64 receives the offset of the block of action ids that the options belong to, the options as bits,
    the reason (``variants.solo.priority_list``), and the action carried out, -1 if the player is asked or nothing was
    feasible.
    """
    if not opposition_turn.opposition_to_act(states[0]):
        return False
    out[0], out[1], out[2], out[3] = opposition_turn.opposition_step(boards[0], states[0])
    return True


@quick_entry(BOARDS, STATES, SHORT_ROWS)
def scores(boards, states, out):
    """Write all breakdowns, (MAX_SEATS, NUM_PARTS) int16 (R12)."""
    scoring.write_breakdowns(boards[0], states[0], out)


@quick_entry(BOARDS, STATES, STATES)
def status(boards, states, fresh):
    """Return the flags of ``invariants`` for ``states[0]``, 0 if sound; ``fresh`` (1,) STATE is scratch."""
    fresh[0] = states[0]
    return invariants.status(boards[0], states[0], fresh[0])


@quick_entry(BOARDS, STATES)
def recount_choices(boards, states):
    """Recompute what the player is asked to choose from for the Opposition, in place."""
    invariants.recount_choices(boards[0], states[0])


@quick_entry(BOARDS, STATES)
def recount(boards, states):
    """Recompute every derived field in place."""
    invariants.recount(boards[0], states[0])


# --- called at every decision ----------------------------------------------------------------------------------------
@quick_entry(BOARDS, STATES, BYTES)
def legal(boards, states, mask):
    """Write the mask, int8 with one entry for each action of the game, and return how many are legal."""
    return kernels.legal(boards, states, mask)


@quick_entry(BOARDS, STATES, Listed(NUM_IDS))
def legal_ids(boards, states, ids):
    """Return the legal action ids, ascending, as a list; ``ids`` is not given."""
    return kernels.write_legal_ids(boards, states, ids)


@quick_entry(BOARDS, STATES, INTEGER)
def play(boards, states, action):
    """Carry out an action if it is legal and run to the next decision; return the seat that made it, or NOT_LEGAL.

    ``action`` is any integer.
    """
    return kernels.play(boards, states, action)


@quick_entry(BOARDS, STATES, INTEGER)
def step(boards, states, action):
    """Carry out a legal action and run to the next decision; return the seat to move, -1 for none."""
    return kernels.step(boards, states, action)


@quick_entry(STATES)
def seat(states):
    """Return the seat to move, -1 when the game is over."""
    return kernels.seat(states)


@quick_entry(BYTES, GENERATOR)
def choose(mask, rng):
    """Return a random action that ``mask``, int8 or bool, allows; -1, OTHER_NUMBERS or NO_MASK if there is none.

    Raises:
        TypeError: Not a contiguous mask with one axis, or not a generator.
    """
    fits = False
    for size in MASK_SIZES:
        fits |= mask.size == size
    if not fits:
        return NO_MASK
    return kernels.choose(mask, rng)


@quick_entry(BOARDS, STATES, GENERATOR, INTEGER, INTEGER)
def play_random(boards, states, rng, stop_seat, limit):
    """Play random moves, see ``kernels.play_random``; return their number."""
    return kernels.play_random(boards, states, rng, stop_seat, limit)


@quick_entry(BOARDS, STATES, SHORTS)
def total(boards, states, out):
    """Write the total Glory of every seat as if the game ended now, (MAX_SEATS,) int16; absent seats get 0.

    In the solitaire game entry 1 is the Opposition's. Return how many have a mat.
    """
    return kernels.total(boards, states, out)


@quick_entry(BOARDS, STATES, INTEGER, FLOATS)
def observe_features(boards, states, seat, out):
    """Write the ``features`` observation of ``seat``, in the layout of the size of ``out``."""
    write.observe_features(boards, states, seat, out)


@quick_entry(BOARDS, STATES, INTEGER, BYTES)
def observe_compact(boards, states, seat, out):
    """Write the ``compact`` observation of ``seat``, in the layout of the size of ``out``."""
    write.observe_compact(boards, states, seat, out)
