"""A game of 200 lines on the engine: three seats, a die, and a hand that only its owner sees.

Each seat holds a hidden card of 1 to 6. In each of four rounds it rolls the die, which is a move of chance, or plays
its card, once. Both add to its score.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.engine.game_rules import GameRules
from endeavor_env.engine.kernels import rules
from endeavor_env.engine.kernels.endings import Scale
from endeavor_env.engine.kernels.masks import allow, allow_set
from endeavor_env.engine.kernels.rng import next_below
from endeavor_env.engine.kernels.rules import CHANCE, MAX_SEATS, NONE
from endeavor_env.engine.layouts import Layout, lay_out, layout_hash
from endeavor_env.engine.presenter import Presenter
from endeavor_env.engine.words import ListedWords
from endeavor_env.kernels.entries import code_entry
from endeavor_env.kernels.intrinsics import bytes_at, floats_at, generator_at, record_at, words_at
from endeavor_env.kernels.kernels import kernel
from endeavor_env.kernels.parts import Part, declare_parts

SEATS, ROUNDS, FACES = 3, 4, 6
ROLL, PLAY, FACE_1 = range(3)  # action ids; those from FACE_1 on are what the die shows
NUM_ACTIONS = FACE_1 + FACES
SIZE = 1 + 2 * SEATS + 1  # own card, scores, who still has a card, round
BOARD = np.dtype((np.record, [("unused", np.int64)]))
_FIELDS = [  # of the turn the first is the seat whose turn it is, the others are room
    ("score", np.int64, (SEATS,)), ("hand", np.int64, (SEATS,)), ("round_number", np.int16), ("num_seats", np.int8),
    ("variant", np.int8), ("turn", np.int8, (3,)), ("decision", np.int8), ("seat", np.int8), ("room", np.int8, (7,)),
]  # fmt: skip
POSITION = np.dtype((np.record, _FIELDS))
WORDS = POSITION.itemsize // 8
SETUP = np.dtype((np.record, [("hand", np.int64, (SEATS,)), ("first", np.int64)]))
_position_at, _setup_at = record_at(POSITION), record_at(SETUP)
declare_parts(Part("toy_game", "the toy game", (__name__,)))


@kernel
def _end_turn(position):
    """Hand the turn on, or end the game after the last round."""
    position.turn[0] = (position.turn[0] + 1) % SEATS
    position.decision += 1  # counts turns
    position.round_number = position.decision // SEATS
    position.seat = position.turn[0] if position.round_number < ROUNDS else NONE


@kernel
def _apply(position, action):
    """Carry out a legal action, of a seat or of chance."""
    turn = position.turn[0]
    if action == ROLL:
        position.seat = CHANCE
        return
    if action == PLAY:
        position.score[turn] += position.hand[turn]
        position.hand[turn] = 0
    else:
        position.score[turn] += action - FACE_1 + 1
    _end_turn(position)


@code_entry(*rules.SIGNATURES[rules.MOVES])
def moves_entry(_board, place, what, action, _second, words, size):
    """Carry out an action, write the mask, or both."""
    position = _position_at(place)
    if what != rules.LEGAL:
        _apply(position, action)
    if what != rules.APPLY:
        mask = words_at(words, size)
        mask[:] = 0
        if position.seat == CHANCE:
            allow_set(mask, FACE_1, np.int64((1 << FACES) - 1))
        elif position.seat != NONE:
            allow(mask, ROLL)
            if position.hand[position.seat] > 0:
                allow(mask, PLAY)
    return np.int64(0)


@code_entry(*rules.SIGNATURES[rules.DRAW_SETUP])
def draw_setup_entry(_board, setup, rng, _num_seats, _variant, first):
    """Deal the cards and draw who begins."""
    drawn, generator = _setup_at(setup), generator_at(rng, 1)
    for seat in range(SEATS):
        drawn.hand[seat] = 1 + next_below(generator, FACES)
    drawn.first = next_below(generator, SEATS) if first == NONE else first
    return np.int64(0)


@code_entry(*rules.SIGNATURES[rules.BEGIN])
def begin_entry(_board, place, setup, _options, _num_seats, _variant):
    """Write the first position."""
    words_at(place, WORDS)[:] = 0
    position, given = _position_at(place), _setup_at(setup)
    for seat in range(SEATS):
        position.hand[seat] = given.hand[seat]
    position.turn[0] = position.seat = given.first
    position.num_seats = SEATS
    return np.int64(0)


@code_entry(*rules.SIGNATURES[rules.SCORE])
def score_entry(_board, place, totals):
    """Write the scores."""
    position, out = _position_at(place), words_at(totals, MAX_SEATS)
    out[:] = 0
    for seat in range(SEATS):
        out[seat] = position.score[seat]
    return np.int64(SEATS)


@kernel
def _observe(position, seat, out):
    """Write what ``seat`` sees: all but the cards of the others."""
    out[0], out[SIZE - 1] = position.hand[seat], position.round_number
    for distance in range(SEATS):
        other = (seat + distance) % SEATS
        out[1 + distance] = position.score[other]
        out[1 + SEATS + distance] = position.hand[other] > 0


@code_entry(*rules.SIGNATURES[rules.OBSERVE])
def observe_entry(_board, place, what, seat, _second, out, size):
    """Write an observation."""
    if what == rules.FEATURES:
        _observe(_position_at(place), seat, floats_at(out, size))
    else:
        _observe(_position_at(place), seat, bytes_at(out, size))
    return np.int64(0)


@code_entry(*rules.SIGNATURES[rules.CHANCE_MOVE])
def chance_entry(_board, _place, rng):
    """Roll the die."""
    return FACE_1 + next_below(generator_at(rng, 1), FACES)


@code_entry(*rules.SIGNATURES[rules.RESAMPLE])
def resample_entry(_board, place, seat, rng):
    """Deal the cards that ``seat`` has not seen anew."""
    position, generator = _position_at(place), generator_at(rng, 1)
    for other in range(SEATS):
        if other != seat and position.hand[other] > 0:
            position.hand[other] = 1 + next_below(generator, FACES)
    return np.int64(0)


def toy_actions(_variant):
    """Return the number of action ids."""
    return NUM_ACTIONS


SLICES = lay_out(
    (
        ("card", ("",), 0, FACES, "number", "own card", ""),
        ("score", ("seat",), 0, 24, "number", "score of each seat, the own first", ""),
        ("hidden", ("seat",), 0, 1, "flags", "whether each seat has a card", ""),
        ("round", ("",), 0, ROUNDS, "number", "round", ""),
    ),
    {"": 1, "seat": SEATS},
)


def toy_layout(_variant, observation):
    """Return the layout of a kind of observation."""
    dtype = np.float32 if observation == "features" else np.int8
    return Layout(observation, SLICES, dtype, layout_hash(observation, 1, SLICES))


def setup_fault(_board, setup, *_played):
    """Return what is wrong with a set-up that somebody gives."""
    if not 0 <= setup["first"][0] < SEATS:
        return f"begins with seat {setup['first'][0]}: give 0 to {SEATS - 1}"
    if ((setup["hand"] < 1) | (setup["hand"] > FACES)).any():
        return f"deals {setup['hand'][0].tolist()}: cards are 1 to {FACES}"
    return None


TOY_GAME = GameRules(
    "toy",
    BOARD,
    POSITION,
    SETUP,
    (moves_entry, draw_setup_entry, begin_entry, score_entry, observe_entry, chance_entry, resample_entry),
    toy_actions,
    toy_layout,
    Scale(6.0, 6.0, np.zeros(1, np.int64)),
    {"toy": (SEATS, SEATS)},
    ListedWords(("roll", "card", *(f"die:{face}" for face in range(1, FACES + 1)))),
    setup_fault,
    Presenter("Dice and cards"),
)
