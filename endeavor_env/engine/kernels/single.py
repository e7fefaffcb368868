"""One game, whatever game it is: what Python calls at every decision, with (1, words) rows for board and position.

Nothing here checks ranges, and only ``play`` checks legality. What chance decides is drawn from a generator that the
caller keeps for the game, ``chance`` (1,) uint64.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.engine.kernels import rules as game
from endeavor_env.engine.kernels.masks import (
    BITS,
    choose_move,
    is_allowed,
    new_words,
    read_bytes,
    write_bytes,
    write_ids,
)
from endeavor_env.engine.kernels.masks import choose as choose_legal
from endeavor_env.engine.kernels.players import PLAYERS
from endeavor_env.engine.kernels.players import choose as let_choose
from endeavor_env.engine.kernels.rng import GENERATOR, branch_off
from endeavor_env.engine.kernels.rules import (
    BOARDS,
    BYTES,
    CHANCE,
    FLOATS,
    MAX_WORDS,
    NONE,
    NUMBERS,
    POSITIONS,
    RULES,
    SETUPS,
    header_of,
)
from endeavor_env.kernels.entries import entry, quick_entry
from endeavor_env.kernels.kinds import INTEGER, Listed, array, new

NOT_LEGAL = -3
"""What ``play`` returns if nothing was done."""
OTHER_NUMBERS = -2
"""What ``choose`` returns for a mask that is not all 0 and 1."""


@quick_entry(RULES, BOARDS, SETUPS, GENERATOR, INTEGER, INTEGER)
def draw_setup(rules, boards, setups, rng, num_seats, variant):
    """Draw every random outcome of a set-up into ``setups`` (1, words); ``variant`` as in ``position.HEADER``."""
    game.draw_setup(rules, boards[0], setups[0], rng, num_seats, variant, NONE)


@quick_entry(GENERATOR)
def begin_chance(chance):
    """Set the generator of a game's seed to that of what is drawn in the game: not that of its set-up."""
    branch_off(chance)


@quick_entry(RULES, BOARDS, POSITIONS, SETUPS, array(np.int16), INTEGER, INTEGER)
def begin(rules, boards, positions, setups, options, num_seats, variant):
    """Write the first position of a set-up: its first decision or draw; ``options`` (MAX_OPTIONS,) int16."""
    game.begin(rules, boards[0], positions[0], setups[0], options, num_seats, variant)


@quick_entry(POSITIONS)
def seat(positions):
    """Return the seat to move; NONE when the game is over, CHANCE where a draw is due."""
    return np.int64(header_of(positions[0]).seat)


@quick_entry(RULES, BOARDS, POSITIONS, BYTES)
def write_mask(rules, boards, positions, mask):
    """Write the mask, int8 with one entry for each action, all 0 when the game is over; return who is to move."""
    words = new_words(-(-mask.size // BITS))
    game.legal(rules, boards[0], positions[0], words)
    write_bytes(words, mask)
    return np.int64(header_of(positions[0]).seat)


@quick_entry(RULES, BOARDS, INTEGER, POSITIONS, Listed(MAX_WORDS * BITS))
def legal_ids(rules, boards, num_actions, positions, ids):
    """Return the legal action ids, ascending, as a list; ``ids`` is not given."""
    words = new_words(-(-num_actions // BITS))
    game.legal(rules, boards[0], positions[0], words)
    return write_ids(words, ids)


@quick_entry(RULES, BOARDS, INTEGER, POSITIONS, INTEGER, GENERATOR)
def play(rules, boards, num_actions, positions, action, chance):
    """Carry out an action if it is legal, and draw nothing after it; return the seat that made it, or NOT_LEGAL.

    ``action`` is any integer. Where chance is to move, ``chance`` goes on as if it had drawn the action.
    """
    board, position = boards[0], positions[0]
    mover, words = np.int64(header_of(position).seat), new_words(-(-num_actions // BITS))
    game.legal(rules, board, position, words)
    if not (0 <= action < num_actions and is_allowed(words, action)):
        return np.int64(NOT_LEGAL)
    if mover == CHANCE:
        game.draw_chance(rules, board, position, chance)
    game.apply(rules, board, position, action)
    return mover


@quick_entry(RULES, BOARDS, POSITIONS, GENERATOR)
def draw(rules, boards, positions, chance):
    """Let chance, which is to move, draw its move and carry it out; return the action."""
    action = game.draw_chance(rules, boards[0], positions[0], chance)
    game.apply(rules, boards[0], positions[0], action)
    return action


@quick_entry(RULES, BOARDS, POSITIONS, INTEGER, BYTES)
def advance(rules, boards, positions, action, mask):
    """Carry out a legal action, draw nothing after it, write the mask of what follows, and return who is to move."""
    words = new_words(-(-mask.size // BITS))
    game.advance(rules, boards[0], positions[0], action, words)
    write_bytes(words, mask)
    return np.int64(header_of(positions[0]).seat)


@quick_entry(BYTES, GENERATOR)
def choose(mask, rng):
    """Return a random action that ``mask`` allows, each as likely as the others; -1 or OTHER_NUMBERS for none."""
    return choose_legal(mask, rng)


@quick_entry(RULES, BOARDS, POSITIONS, INTEGER, GENERATOR, INTEGER, INTEGER, GENERATOR, BYTES)
def play_random_on(rules, boards, positions, action, rng, stop_seat, limit, chance, mask):
    """Carry out a legal action, NONE for none, then random moves, and write the mask of the next decision.

    There are as many random moves as it takes until ``stop_seat`` is to move or the game is over, at most ``limit``.
    What chance decides after each move is drawn. Return their number.
    """
    board, position, words = boards[0], positions[0], new_words(-(-mask.size // BITS))
    if action == NONE:
        game.legal(rules, board, position, words)
    else:
        game.make_move(rules, board, position, action, words, chance)
    made, header = np.int64(0), header_of(position)
    while made < limit and header.seat != NONE and header.seat != stop_seat:
        game.make_move(rules, board, position, choose_move(words, rng), words, chance)
        made += 1
    write_bytes(words, mask)
    return made


@entry(INTEGER, PLAYERS, BOARDS, POSITIONS, BYTES, GENERATOR)
def choose_compiled(policy, players, boards, positions, mask, rng):
    """Return what a compiled player chooses (``players.choose``) where ``mask``, int8, says what is legal."""
    words = new_words(-(-mask.size // BITS))
    read_bytes(mask, words)
    return let_choose(policy, players, boards[0], positions[0], words, mask, rng)


@entry(INTEGER, PLAYERS, RULES, BOARDS, POSITIONS, BYTES, GENERATOR)
def choose_action(policy, players, rules, boards, positions, mask, rng):
    """Return what a compiled player chooses; NONE if no action is legal. ``mask`` is overwritten, as scratch."""
    words = new_words(-(-mask.size // BITS))
    game.legal(rules, boards[0], positions[0], words)
    if header_of(positions[0]).seat < 0:
        return np.int64(NONE)
    return let_choose(policy, players, boards[0], positions[0], words, mask, rng)


@quick_entry(RULES, BOARDS, POSITIONS, NUMBERS)
def score(rules, boards, positions, totals):
    """Write the score of each mat as if the game ended now, (MAX_SEATS,) int64; return how many mats there are."""
    mats, _ = game.score(rules, boards[0], positions[0], totals)
    return mats


@quick_entry(RULES, BOARDS, POSITIONS, INTEGER, FLOATS)
def write_features(rules, boards, positions, seat, out):
    """Write the features observation of ``seat``, in the layout of the size of ``out``."""
    game.write_features(rules, boards[0], positions[0], seat, out)


@quick_entry(RULES, BOARDS, POSITIONS, INTEGER, BYTES)
def write_compact(rules, boards, positions, seat, out):
    """Write the compact observation of ``seat``, in the layout of the size of ``out``."""
    game.write_compact(rules, boards[0], positions[0], seat, out)


@quick_entry(RULES, BOARDS, POSITIONS, INTEGER, new(np.float32))
def new_features(rules, boards, positions, seat, out):
    """Return the features observation of ``seat`` in a new array; the last argument is its size."""
    game.write_features(rules, boards[0], positions[0], seat, out)


@quick_entry(RULES, BOARDS, POSITIONS, INTEGER, new(np.int8))
def new_compact(rules, boards, positions, seat, out):
    """Return the compact observation of ``seat`` in a new array; the last argument is its size."""
    game.write_compact(rules, boards[0], positions[0], seat, out)


@quick_entry(BYTES, new(np.int8))
def new_mask(mask, out):
    """Return a copy of ``mask``; the last argument is its size."""
    for action in range(out.size):
        out[action] = mask[action]


@quick_entry(BYTES, new(np.bool_))
def new_bool_mask(mask, out):
    """Return a copy of ``mask`` as bools; the last argument is its size."""
    for action in range(out.size):
        out[action] = mask[action] != 0
