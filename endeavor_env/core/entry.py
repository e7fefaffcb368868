"""The kernels that Python calls. They take (1,) arrays, because passing a bare record costs a microsecond a call.

Memory belongs to the caller: ``boards`` (1,) BOARD is read only, ``states`` (1,) STATE and every ``out`` are written in
place. Nothing here checks ranges, and only ``play`` checks legality: ``Game`` and the environments do. Those that are
called at every decision are direct functions (``core.direct``).
"""

from __future__ import annotations

import numpy as np

from endeavor_env.core import direct as d
from endeavor_env.core import kernels
from endeavor_env.core._jit import kernel
from endeavor_env.core.actions import MASK_SIZES, NUM_IDS
from endeavor_env.core.checks import invariants
from endeavor_env.core.direct import DirectCall, direct_functions
from endeavor_env.core.engine import decisions, late_rules, opening, opposition_turn, scoring
from endeavor_env.core.intrinsics import array_at
from endeavor_env.core.observe import write

__all__ = [
    "advance",
    "begin_game",
    "begin_step",
    "choose",
    "legal",
    "legal_ids",
    "new_bool_mask",
    "new_compact",
    "new_features",
    "new_game",
    "new_mask",
    "observe_compact",
    "observe_features",
    "opposition_step",
    "play",
    "play_random",
    "play_random_on",
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
    late_rules.start(boards[0], states[0])


@kernel
def begin_game(boards, states, num_seats, variant, options, setups):
    """Start a solitaire game, but leave the Opposition's first tasks (S1.8) to ``opposition_step``."""
    opening.set_up(boards[0], states, 0, num_seats, variant, options, setups[0])


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


# --- called at every decision ----------------------------------------------------------------------------------------
# An entry takes pointers and does what the kernel of the same name does. What Python calls is at the end.
@kernel
def _legal_entry(boards, states, mask, size):
    return np.int64(kernels.legal(array_at(boards, 1), array_at(states, 1), array_at(mask, size)))


@kernel
def _legal_ids_entry(boards, states, ids):
    return np.int64(kernels.write_legal_ids(array_at(boards, 1), array_at(states, 1), array_at(ids, NUM_IDS)))


@kernel
def _play_entry(boards, states, action):
    return np.int64(kernels.play(array_at(boards, 1), array_at(states, 1), action))


@kernel
def _step_entry(boards, states, action):
    return np.int64(kernels.step(array_at(boards, 1), array_at(states, 1), action))


@kernel
def _advance_entry(boards, states, action, mask, size):
    return np.int64(kernels.advance(array_at(boards, 1), array_at(states, 1), action, array_at(mask, size)))


@kernel
def _seat_entry(states):
    return np.int64(kernels.seat(array_at(states, 1)))


@kernel
def _choose_entry(mask, size, rng):
    if size not in MASK_SIZES:
        return np.int64(NO_MASK)
    return np.int64(kernels.choose(array_at(mask, size), array_at(rng, 1)))


@kernel
def _new_mask_entry(mask, size, out, out_size):
    given, copied = array_at(mask, size), array_at(out, out_size)
    for action in range(out_size):
        copied[action] = given[action]
    return np.int64(0)


@kernel
def _play_random_entry(boards, states, rng, stop_seat, limit):
    games = array_at(boards, 1), array_at(states, 1)
    return np.int64(kernels.play_random(*games, array_at(rng, 1), stop_seat, limit))


@kernel
def _play_random_on_entry(boards, states, action, rng, stop_seat, limit, mask, size):
    games = array_at(boards, 1), array_at(states, 1)
    return np.int64(kernels.play_random_on(*games, action, array_at(rng, 1), stop_seat, limit, array_at(mask, size)))


@kernel
def _total_entry(boards, states, out, size):
    return np.int64(kernels.total(array_at(boards, 1), array_at(states, 1), array_at(out, size)))


@kernel
def _observe_features_entry(boards, states, seat, out, size):
    write.observe_features(array_at(boards, 1), array_at(states, 1), seat, array_at(out, size))
    return np.int64(0)


@kernel
def _observe_compact_entry(boards, states, seat, out, size):
    write.observe_compact(array_at(boards, 1), array_at(states, 1), seat, array_at(out, size))
    return np.int64(0)


def _choose(mask, rng):
    """Return a random action that ``mask``, int8 or bool, allows; -1, OTHER_NUMBERS or NO_MASK if there is none.

    Raises:
        TypeError: Not a contiguous mask with one axis, or not a generator.
    """
    masks, generators = (np.dtype(np.int8), np.dtype(np.bool_)), (np.dtype(np.uint64),)
    for array, dtypes in ((mask, masks), (rng, generators)):
        if type(array) is not np.ndarray or array.ndim != 1 or array.dtype not in dtypes:
            raise TypeError("choose() takes a mask and a generator")
    if not mask.flags.c_contiguous or rng.size != 1:
        raise TypeError("choose() takes a contiguous mask and one generator")
    if mask.size not in MASK_SIZES:
        return NO_MASK
    return int(kernels.choose(mask.view(np.int8), rng))


def _new_mask(mask, size):
    """Return a copy of ``mask``, which has ``size`` entries."""
    return mask.copy()


def _new_bool_mask(mask, size):
    """Return a copy of ``mask``, which has ``size`` entries, as bools."""
    return mask.astype(np.bool_)


def _new_features(boards, states, seat, size):
    """Return the ``features`` observation of ``seat`` in a new array of ``size`` entries, those of its layout."""
    out = np.empty(size, np.float32)
    write.observe_features(boards, states, seat, out)
    return out


def _new_compact(boards, states, seat, size):
    """Return the ``compact`` observation of ``seat`` in a new array of ``size`` entries, those of its layout."""
    out = np.empty(size, np.int8)
    write.observe_compact(boards, states, seat, out)
    return out


def _legal_ids(boards, states):
    """Return the legal action ids, ascending, as a list."""
    ids = np.empty(NUM_IDS, np.int16)
    return ids[: kernels.write_legal_ids(boards, states, ids)].tolist()


legal, legal_ids, play, step, advance, seat, choose, play_random, play_random_on, total = direct_functions(
    __name__,
    DirectCall(_legal_entry, kernels.legal, (d.BOARDS, d.STATES, d.BYTES), d.INTEGER),
    DirectCall(_legal_ids_entry, _legal_ids, (d.BOARDS, d.STATES), d.IDS),
    DirectCall(_play_entry, kernels.play, (d.BOARDS, d.STATES, d.INTEGER), d.INTEGER),
    DirectCall(_step_entry, kernels.step, (d.BOARDS, d.STATES, d.INTEGER), d.INTEGER),
    DirectCall(_advance_entry, kernels.advance, (d.BOARDS, d.STATES, d.INTEGER, d.BYTES), d.INTEGER),
    DirectCall(_seat_entry, kernels.seat, (d.STATES,), d.INTEGER),
    DirectCall(_choose_entry, _choose, (d.MASK, d.GENERATOR), d.INTEGER),
    DirectCall(
        _play_random_entry, kernels.play_random, (d.BOARDS, d.STATES, d.GENERATOR, d.INTEGER, d.INTEGER), d.INTEGER
    ),
    DirectCall(
        _play_random_on_entry,
        kernels.play_random_on,
        (d.BOARDS, d.STATES, d.INTEGER, d.GENERATOR, d.INTEGER, d.INTEGER, d.BYTES),
        d.INTEGER,
    ),
    DirectCall(_total_entry, kernels.total, (d.BOARDS, d.STATES, d.SHORTS), d.INTEGER),
)
observe_features, observe_compact, new_features, new_compact, new_mask, new_bool_mask = direct_functions(
    __name__,
    DirectCall(_observe_features_entry, write.observe_features, (d.BOARDS, d.STATES, d.INTEGER, d.FLOATS), d.NOTHING),
    DirectCall(_observe_compact_entry, write.observe_compact, (d.BOARDS, d.STATES, d.INTEGER, d.BYTES), d.NOTHING),
    DirectCall(_observe_features_entry, _new_features, (d.BOARDS, d.STATES, d.INTEGER, d.INTEGER), d.NEW_FLOATS),
    DirectCall(_observe_compact_entry, _new_compact, (d.BOARDS, d.STATES, d.INTEGER, d.INTEGER), d.NEW_BYTES),
    DirectCall(_new_mask_entry, _new_mask, (d.BYTES, d.INTEGER), d.NEW_BYTES),
    DirectCall(_new_mask_entry, _new_bool_mask, (d.BYTES, d.INTEGER), d.NEW_BOOLS),
)
