"""The games of a batch: what each row plays, who decides for which seat, and how its next game begins.

All random draws of a row come from its own ``stream``, so that they depend on nothing but the row's seed.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.core import constants as c
from endeavor_env.core.engine.late_rules import start
from endeavor_env.core.engine.opening import random_setup, set_up
from endeavor_env.core.policies.choose import SEAT_LEARNER
from endeavor_env.core.rng import next_below, next_seed, reseed
from endeavor_env.machine.kernels import kernel

# --- how the learner's seat changes from one game to the next (`TABLE.rotates`) --------------------------------------
STAYS = 0  # the same seat in every game
ROTATES = 1  # one seat further each game
IS_DRAWN = 2  # a random seat in each game

SHARES = 1 << 30
"""The sum of the shares by which choices are drawn: the cumulative shares (``until``) end with it."""

KIND = np.dtype(
    (
        np.record,
        [  # a kind of game that rows can play
            ("until", np.int64),  # its share and those before it, added up
            ("board", np.int16),  # row of the boards
            ("players", np.int8),
            ("variant", np.int8),  # VARIANT_*
            ("options", np.int16, (c.NUM_OPTIONS,)),
        ],
    )
)

MIX = np.dtype((np.record, [("until", np.int64), ("policy", np.int16)]))
"""An opponent that can be drawn for a seat: ``until`` as in KIND, ``policy`` SEAT_RANDOM or above."""

TABLE = np.dtype(
    (
        np.record,
        [  # one row of a batch, besides its STATE
            ("stream", np.uint64, (1,)),  # generator of what this row draws from game to game, above all seeds
            ("rng", np.uint64, (1,)),  # generator of the game's compiled opponents
            ("game_seed", np.int64),  # seed of the set-up, as for Game.new
            ("decisions", np.int32),  # made in this game, by all seats
            ("kind", np.int16),  # row of the kinds
            ("draws_kind", np.int8),  # 0/1: each game draws its kind; else the row keeps its own
            ("board", np.int16),  # row of the boards
            ("players", np.int8),
            ("variant", np.int8),  # VARIANT_*
            ("learner", np.int8),  # seat; NONE: the learner decides for every seat
            ("home", np.int8),  # the learner's seat in the next game, unless it is drawn or given by the seed
            ("rotates", np.int8),  # STAYS, ROTATES or IS_DRAWN
            ("seeded", np.int8),  # 0/1: the next game's seed is `game_seed`, not drawn from `stream`
            ("given_setup", np.int8),  # 0/1: the next game's set-up is given
            ("given_first", np.int8),  # first player asked for in the next game, or NONE
            ("given_learner", np.int8),  # the learner's seat in the next game only, or NONE
            ("mover", np.int8),  # seat that decided last, even if its action was illegal
            ("opponents", np.int16, (c.MAX_SEATS - 1,)),  # SEAT_* at distance 1, 2, ... after the learner
            ("policies", np.int16, (c.MAX_SEATS,)),  # SEAT_* by seat, in this game
        ],
    )
)


@kernel
def _draw(choices, rng):
    """Return the index of one of ``choices``, KIND or MIX, drawn by their shares."""
    drawn = next_below(rng, SHARES)
    index = np.int64(0)
    while choices[index].until <= drawn:
        index += 1
    return index


@kernel
def _choose_game(kinds, table):
    """Set what the next game is played with: board, players and variant, drawn from ``kinds`` if the row does so."""
    if table.draws_kind:
        table.kind = _draw(kinds, table.stream)
    kind = kinds[table.kind]
    table.board = kind.board
    table.players = kind.players
    table.variant = kind.variant


@kernel
def _draw_setup(board, table, setups, index):
    """Draw the seed of the next game and its set-up into ``setups[index]``, as far as they are not given."""
    if not table.seeded:
        table.game_seed = next_seed(table.stream)
    if table.given_setup:
        return
    reseed(table.rng, table.game_seed)
    random_setup(board, table.rng, table.players, table.variant, setups, index)
    if table.given_first != c.NONE:
        setups[index].first_player = table.given_first


@kernel
def _seat_learner(table):
    """Set the learner's seat, and with ROTATES the one of the game after."""
    seat = np.int64(table.home)
    if table.given_learner != c.NONE:
        seat = np.int64(table.given_learner)
    elif table.rotates == IS_DRAWN:
        seat = next_below(table.stream, table.players)
    elif table.rotates == ROTATES:
        if table.seeded:
            seat = table.game_seed % table.players
        table.home = (seat + 1) % table.players
    table.learner = seat


@kernel
def _seat_opponents(mix, table):
    """Set who decides for each seat: by distance from the learner, or drawn from ``mix`` if that is not empty."""
    table.policies[:] = SEAT_LEARNER
    if table.learner == c.NONE:
        return
    for distance in range(1, table.players):
        policy = np.int64(table.opponents[distance - 1])
        if mix.size > 0:
            policy = np.int64(mix[_draw(mix, table.stream)].policy)
        table.policies[(table.learner + distance) % table.players] = policy


@kernel
def begin(boards, kinds, mix, tables, states, row, setups, scratch, given):
    """Start the next game of ``row``.

    Args:
        boards: (B,) BOARD, read only.
        kinds: (K,) KIND, read only.
        mix: (M,) MIX, read only; if empty, the opponents are ``TABLE.opponents``.
        tables: (N,) TABLE.
        states: (N,) STATE.
        row: Which row.
        setups: SETUP.
        scratch: Index in ``setups`` where a set-up may be drawn.
        given: Index in ``setups`` of the game's set-up, used if ``TABLE.given_setup`` is 1.
    """
    table = tables[row]
    _choose_game(kinds, table)
    board, index = boards[table.board], given if table.given_setup else scratch
    _draw_setup(board, table, setups, index)
    set_up(board, states, row, table.players, table.variant, kinds[table.kind].options, setups[index])
    start(board, states[row])
    _seat_learner(table)
    _seat_opponents(mix, table)
    table.seeded = table.given_setup = 0
    table.given_first = table.given_learner = c.NONE
    table.decisions = 0
    reseed(table.rng, next_seed(table.stream))
