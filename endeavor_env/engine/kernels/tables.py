"""The games of a batch as arrays: what each row plays, who decides for which seat, and how its next game begins.

All random draws of a row come from its own ``stream``, so that they depend on nothing but the row's seed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from endeavor_env.engine.kernels import rules as c
from endeavor_env.engine.kernels import rules as game
from endeavor_env.engine.kernels.players import SEAT_LEARNER
from endeavor_env.engine.kernels.rng import branch_off, next_below, next_seed, reseed
from endeavor_env.engine.kernels.rules import BOARDS, BYTES, POSITIONS, RULES, WORDS
from endeavor_env.kernels.kernels import kernel
from endeavor_env.kernels.kinds import Fields, array

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
            ("variant", np.int8),  # as in `position.HEADER`
            ("options", np.int16, (c.MAX_OPTIONS,)),  # of the rules, which the game gives a meaning
        ],
    )
)

MIX = np.dtype((np.record, [("until", np.int64), ("policy", np.int16)]))
"""An opponent that can be drawn for a seat: ``until`` as in KIND, ``policy`` SEAT_RANDOM or above."""

TABLE = np.dtype(
    (
        np.record,
        [  # one row of a batch, besides its position
            ("stream", np.uint64, (1,)),  # generator of what this row draws from game to game, above all seeds
            ("rng", np.uint64, (1,)),  # generator of the game's compiled opponents
            ("chance", np.uint64, (1,)),  # generator of what is drawn in the game
            ("game_seed", np.int64),  # seed of the set-up, as for Game.new
            ("decisions", np.int32),  # made in this game, by all seats
            ("kind", np.int16),  # row of the kinds
            ("draws_kind", np.int8),  # 0/1: each game draws its kind; else the row keeps its own
            ("board", np.int16),  # row of the boards
            ("players", np.int8),
            ("variant", np.int8),  # as in `position.HEADER`
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


class Games(NamedTuple):
    """The games of a batch."""

    rules: Any
    """(NUM_ENTRIES,) int64: the addresses of the game's entries, see ``rules``; read only."""
    boards: Any
    """(B, words of a board) int64, read only."""
    kinds: Any
    """(K,) KIND, read only: what may be played."""
    mix: Any
    """(M,) MIX, read only: who may sit down in new games; empty for ``TABLE.opponents``."""
    tables: Any
    """(N,) TABLE."""
    positions: Any
    """(N, words of a position) int64."""
    words: Any
    """(N, words of a mask) int64, see ``masks``: the legal actions of the next decisions."""
    status: Any
    """(N,) int8: RUNNING, WAITING, OVER, ILLEGAL or TRUNCATED of ``rows``."""


GAMES = Fields(Games, (RULES, BOARDS, array(KIND), array(MIX), array(TABLE), POSITIONS, WORDS, BYTES))
"""The kind of an argument for them."""


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
def _draw_setup(rules, board, table, setup):
    """Draw the seed of the next game, and its set-up unless that is given."""
    if not table.seeded:
        table.game_seed = next_seed(table.stream)
    if not table.given_setup:
        reseed(table.rng, table.game_seed)
        game.draw_setup(rules, board, setup, table.rng, table.players, table.variant, table.given_first)


@kernel
def seed_chance(chance, game_seed):
    """Set a generator, (1,) uint64, to the one of what is drawn in the game of a seed: not that of its set-up."""
    reseed(chance, game_seed)
    branch_off(chance)


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
def begin(games, row, setups, scratch, given):
    """Start the next game of ``row``, and stop at its first decision or draw.

    Args:
        games: ``Games``.
        row: Which row.
        setups: (M, words of a set-up) int64.
        scratch: Index in ``setups`` where a set-up may be drawn.
        given: Index in ``setups`` of the game's set-up, used if ``TABLE.given_setup`` is 1.
    """
    table = games.tables[row]
    _choose_game(games.kinds, table)
    board, setup = games.boards[table.board], setups[given if table.given_setup else scratch]
    _draw_setup(games.rules, board, table, setup)
    seed_chance(table.chance, table.game_seed)
    options = games.kinds[table.kind].options
    game.begin(games.rules, board, games.positions[row], setup, options, table.players, table.variant)
    _seat_learner(table)
    _seat_opponents(games.mix, table)
    table.seeded = table.given_setup = 0
    table.given_first = table.given_learner = c.NONE
    table.decisions = 0
    reseed(table.rng, next_seed(table.stream))
