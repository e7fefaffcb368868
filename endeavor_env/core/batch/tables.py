"""One game of a batch: what it is played with, who sits where, and how it begins.

Everything a row of a batch draws comes from its own ``stream``, so that it depends on nothing but the row's seed.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.core import constants as c
from endeavor_env.core._jit import kernel
from endeavor_env.core.engine.apply import start
from endeavor_env.core.engine.setup import random_setup, set_up
from endeavor_env.core.policies.choose import SEAT_LEARNER
from endeavor_env.core.rng import next_below, next_seed, reseed

# --- how the learner's seat follows from one game to the next (`TABLE.rotates`) --------------------------------------
STAYS = 0
ROTATES = 1  # one seat further each game
IS_DRAWN = 2

SHARES = 1 << 30
"""Choices are drawn by their share of this; the cumulative shares (``until``) end with it."""

KIND = np.dtype(
    (
        np.record,
        [  # a kind of game that rows may play
            ("until", np.int64),
            ("board", np.int16),  # row of the boards
            ("players", np.int8),
            ("variant", np.int8),  # VARIANT_*
            ("options", np.int8, (c.NUM_OPTIONS,)),
        ],
    )
)

MIX = np.dtype((np.record, [("until", np.int64), ("policy", np.int16)]))
"""An opponent that may sit down: SEAT_RANDOM and above."""

TABLE = np.dtype(
    (
        np.record,
        [  # one game of a batch beside its STATE
            ("stream", np.uint64, (1,)),  # generator of what this row draws from game to game, their seeds above all
            ("rng", np.uint64, (1,)),  # generator of the game's compiled opponents
            ("game_seed", np.int64),  # seed of the set-up, as for Game.new
            ("kind", np.int16),  # row of the kinds
            ("draws_kind", np.int8),  # 0/1: each game draws its kind; else the row keeps its own
            ("board", np.int16),  # row of the boards
            ("players", np.int8),
            ("variant", np.int8),  # VARIANT_*
            ("learner", np.int8),  # seat; NONE: the learner decides for every seat
            ("home", np.int8),  # the learner's seat in the next game, unless that is drawn or follows from the seed
            ("rotates", np.int8),  # STAYS, ROTATES or IS_DRAWN
            ("seeded", np.int8),  # 0/1: the next game's seed is `game_seed`, not drawn from `stream`
            ("given_setup", np.int8),  # 0/1: the next game's set-up is given
            ("given_first", np.int8),  # first player asked for in the next game, or NONE
            ("given_learner", np.int8),  # the learner's seat in the next game alone, or NONE
            ("mover", np.int8),  # seat whose action was last tried
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
    """Settle what is played."""
    if table.draws_kind:
        table.kind = _draw(kinds, table.stream)
    kind = kinds[table.kind]
    table.board = kind.board
    table.players = kind.players
    table.variant = kind.variant


@kernel
def _draw_setup(board, table, setups, index):
    """Draw what the next game begins with into ``setups[index]``, and its seed unless that is given."""
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
    """Settle where the learner sits."""
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
    """Settle who decides for each seat: by distance from the learner, or drawn from ``mix`` if that is not empty."""
    table.policies[:] = SEAT_LEARNER
    if table.learner == c.NONE:
        return
    for distance in range(1, table.players):
        policy = np.int64(table.opponents[distance - 1])
        if mix.size > 0:
            policy = np.int64(mix[_draw(mix, table.stream)].policy)
        table.policies[(table.learner + distance) % table.players] = policy


@kernel
def begin(boards, kinds, mix, tables, states, row, setups, given):
    """Start the next game of ``row``.

    Args:
        boards: (B,) BOARD, read only.
        kinds: (K,) KIND, read only.
        mix: (M,) MIX, read only; empty: ``TABLE.opponents`` sit down.
        tables: (N,) TABLE.
        states: (N,) STATE.
        row: The game.
        setups: SETUP; ``setups[0]`` is scratch.
        given: Where in ``setups`` the game's set-up stands, if ``TABLE.given_setup`` says that there is one.
    """
    table = tables[row]
    _choose_game(kinds, table)
    board, index = boards[table.board], given if table.given_setup else 0
    _draw_setup(board, table, setups, index)
    set_up(board, states, row, table.players, table.variant, kinds[table.kind].options, setups[index])
    start(board, states[row])
    _seat_learner(table)
    _seat_opponents(mix, table)
    table.seeded = table.given_setup = 0
    table.given_first = table.given_learner = c.NONE
    reseed(table.rng, next_seed(table.stream))
