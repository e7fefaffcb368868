"""The contract between the engine and a game: constants, fields of a position, code entries."""

from __future__ import annotations

from typing import Any

import numpy as np

from endeavor_env.kernels.calls import indirect_call
from endeavor_env.kernels.intrinsics import no_words, record_at
from endeavor_env.kernels.kernels import inlined
from endeavor_env.kernels.kinds import INTEGER, array, pointer

# --- Numbers that the engine and the games agree on -------------------------------------------------------------------

NONE = -1
"""No seat, no action, nothing; as the seat to move: the game is over."""
CHANCE = -2
"""As the seat to move: what follows is drawn (``rules.draw_chance``)."""
CHANCE_NAME = "chance"
"""Name of the mover of what is drawn, in records."""
MAX_SEATS = 5
"""Most mats with a score: the seats, and an opponent that has none."""
MAX_OPTIONS = 8
"""Most options of the rules of a game."""
MAX_WORDS = 32
"""Most words of a mask: a game has at most 2,048 action ids."""


# --- What the engine knows of a position: four fields of its record ---------------------------------------------------

HEADER_FIELDS = {
    "num_seats": 50,
    "variant": 51,  # a number that the game gives a meaning
    "decision": 55,  # what kind of move is asked for, a number that the game gives a meaning
    "seat": 56,  # whose decision it is; NONE when the game is over, CHANCE before a draw
}
"""The fields, all int8, and the bytes at which they lie in every game. They leave room before them for the widest
fields; positions of Endeavor that were stored before there was an engine have them there."""
HEADER = np.dtype(
    (
        np.record,
        np.dtype(
            {
                "names": list(HEADER_FIELDS),
                "formats": [np.int8] * len(HEADER_FIELDS),
                "offsets": list(HEADER_FIELDS.values()),
                "itemsize": 64,
            }
        ),
    )
)
"""A position as the engine sees it."""
header_of = record_at(HEADER)
"""``header_of(position)``: the HEADER of a position, a row of words or the record of its game."""


@inlined
def copy_words(source, target):
    """Copy a position, given as a row of words."""
    for word in range(source.size):
        target[word] = source[word]


def check_header(record: np.dtype[np.void]) -> None:
    """Raise TypeError unless positions of a game have the fields of HEADER where they belong."""
    fields: Any = record.fields or {}
    for name, place in HEADER_FIELDS.items():
        if name not in fields or fields[name][:2] != (np.int8, place):
            raise TypeError(f"a position must have the field {name}, int8, at byte {place}")
    if record.itemsize % 8 or record.itemsize < HEADER.itemsize:
        raise TypeError(f"a position has {record.itemsize} bytes: give a multiple of 8, at least {HEADER.itemsize}")


# --- The kinds of arguments that entries of the engine take (``kernels.kinds``) ---------------------------------------
# Boards, positions and set-ups are rows of int64 words: only the game knows what they mean, but for the four fields of
# ``position.HEADER``.

FLAGS, FLAG_ROWS = array(np.bool_), array(np.bool_, 2)
BYTES, NUMBERS, FLOATS, REALS = (array(kind) for kind in (np.int8, np.int64, np.float32, np.float64))
MASKS, WORDS, FLOAT_ROWS, REAL_ROWS = (array(kind, 2) for kind in (np.int8, np.int64, np.float32, np.float64))
GENERATORS = array(np.uint64, 2)
MEMORY = array(np.uint8)
BOARDS = POSITIONS = SETUPS = WORDS
RULES = NUMBERS
"""The addresses of a game's code entries, by the numbers of ``rules``."""


# --- The contract between the engine and a game ----------------------------------------------------------------------
# The code entries by which kernels play it, and the calls of them.
# A game is a set of dtypes and of code entries. Kernels get the addresses as ``rules``, (NUM_ENTRIES,) int64. A
# position is a record of fixed size, a multiple of 8 bytes, that has the fields of ``position.HEADER`` and holds no
# pointer and no generator, so that copying it is copying bytes.

MOVES, DRAW_SETUP, BEGIN, SCORE, OBSERVE, CHANCE_MOVE, RESAMPLE = range(7)
NUM_ENTRIES = 7
"""What stands where in ``rules``."""

APPLY, LEGAL, ADVANCE = range(3)
"""What the entry MOVES is asked to do: carry out an action, write the mask, or both."""
FEATURES, COMPACT = range(2)
"""What the entry OBSERVE is asked to write."""

_BOARD = _POSITION = _SETUP = _OUT = pointer()
SIGNATURES = (
    (_BOARD, _POSITION, INTEGER, INTEGER, INTEGER, _OUT, INTEGER),  # what, action, -, words of the mask, their number
    (_BOARD, _SETUP, pointer(), INTEGER, INTEGER, INTEGER),  # generator, seats, variant, first player or NONE
    (_BOARD, _POSITION, _SETUP, pointer(), INTEGER, INTEGER),  # options, seats, variant
    (_BOARD, _POSITION, _OUT),  # (MAX_SEATS,) int64
    (_BOARD, _POSITION, INTEGER, INTEGER, INTEGER, _OUT, INTEGER),  # what, seat, -, entries, their number
    (_BOARD, _POSITION, pointer()),  # generator
    (_BOARD, _POSITION, INTEGER, pointer()),  # seat, generator
)
"""The kinds of the arguments of each entry, which returns int64."""
NOTE_SHIFT = 8
"""SCORE returns the number of mats, and from this bit on a note about the end that the game gives a meaning."""

(
    _call_moves,
    _call_draw,
    _call_begin,
    _call_score,
    _call_observe,
    _call_chance,
    _call_resample,
) = map(indirect_call, map(len, SIGNATURES))
INPUTS_SIGNATURE = SIGNATURES[OBSERVE]
"""The kinds of the arguments of a code entry that writes what a value network of a game sees, int8, in the place of
``OBSERVE``: it returns 1 for a position that such networks are asked about, and 0 for others."""


@inlined
def apply(rules, board, position, action):
    """Carry out a legal ``action`` of the seat to move and run on to the next decision or draw."""
    _call_moves(rules[MOVES], board, position, APPLY, action, 0, no_words(), 0)


@inlined
def legal(rules, board, position, words):
    """Write the mask of the decision, all 0 when the game is over."""
    _call_moves(rules[MOVES], board, position, LEGAL, 0, 0, words, words.size)


@inlined
def advance(rules, board, position, action, words):
    """Do ``apply``, and write the mask of the next decision."""
    _call_moves(rules[MOVES], board, position, ADVANCE, action, 0, words, words.size)


@inlined
def draw_chance(rules, board, position, rng):
    """Return an action that chance makes, drawn with its probability, where the seat to move is CHANCE."""
    return _call_chance(rules[CHANCE_MOVE], board, position, rng)


@inlined
def settle(rules, board, position, words, rng):
    """Draw what chance decides, until a seat is to move or the game is over; ``words`` is the mask, before and after.

    ``rng`` (1,) uint64 is the generator of what is drawn in the
    """
    while header_of(position).seat == CHANCE:
        advance(rules, board, position, draw_chance(rules, board, position, rng), words)


@inlined
def make_move(rules, board, position, action, words, rng):
    """Carry out a legal ``action``, draw what chance decides after it, and write the mask of the next decision."""
    advance(rules, board, position, action, words)
    settle(rules, board, position, words, rng)


@inlined
def draw_setup(rules, board, setup, rng, num_seats, variant, first):
    """Draw every random outcome of a set-up, with the first player ``first`` unless that is NONE."""
    _call_draw(rules[DRAW_SETUP], board, setup, rng, num_seats, variant, first)


@inlined
def begin(rules, board, position, setup, options, num_seats, variant):
    """Write the first position of a game: its first decision or draw."""
    _call_begin(rules[BEGIN], board, position, setup, options, num_seats, variant)


@inlined
def score(rules, board, position, totals):
    """Write the score of each mat as if the game ended now, (MAX_SEATS,) int64, 0 beyond; return mats and note."""
    found = _call_score(rules[SCORE], board, position, totals)
    return found & np.int64((1 << NOTE_SHIFT) - 1), found >> np.int64(NOTE_SHIFT)


@inlined
def write_features(rules, board, position, seat, out):
    """Write what ``seat`` sees as float32, in the layout of the size of ``out``."""
    _call_observe(rules[OBSERVE], board, position, FEATURES, seat, 0, out, out.size)


@inlined
def write_compact(rules, board, position, seat, out):
    """Write what ``seat`` sees as int8, in the layout of the size of ``out``."""
    _call_observe(rules[OBSERVE], board, position, COMPACT, seat, 0, out, out.size)


@inlined
def write_inputs(address, board, position, seat, out):
    """Write what a value network sees of a position as ``seat``, int8; return whether it is one to learn from."""
    return _call_observe(address, board, position, 0, seat, 0, out, out.size)


@inlined
def resample(rules, board, position, seat, rng):
    """Draw anew, in place, what ``seat`` cannot know of a position; only in games with hidden parts."""
    _call_resample(rules[RESAMPLE], board, position, seat, rng)
