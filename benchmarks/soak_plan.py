"""The game of each number of a soak run."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace

import numpy as np

from endeavor_env.benchmarks.measured_games import variations_of
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.game import Game, GameConfig
from endeavor_env.endeavor.options import EXPLOITS
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.testing import open_regions

REDRAWS = (0, 1, 2, 4, -1, -3)
"""Kinds of random play, in turn: uniform, and five that crowd the board (``redraws`` of ``play_audited``)."""
DEFAULT_BOARD = "endeavor_2009"
NUM_BOARDS = 64
ALL_EVERY = 5
"""One game with Exploits in so many has all of them, the others have three at random."""
OPEN_EVERY = 2
"""One game with Exploits in so many begins with all regions open (``endeavor_env.testing``)."""
LEAP = 7919
"""A prime that shares no cycle with anything else that depends on the number of a game."""


@functools.lru_cache(maxsize=NUM_BOARDS + 1)
def board_of(name: str) -> Board:
    """Return the board of this name; each is made only once."""
    return Board.resolve(name)


@dataclass(frozen=True)
class Case:
    """A game of a soak run: seed and kind of random play, or the players."""

    kind: GameConfig
    """The kind of game under which it is counted."""
    config: GameConfig
    """The game to play: the kind with its board, options and Exploits."""
    seed: int
    redraws: int
    agents: tuple[str, ...] = ()
    """The compiled player of each seat; empty for random play."""
    opened: bool = False
    """True to open all regions at the start."""

    def new(self) -> Game:
        """Start the game."""
        game = self.config.new_game(self.seed)
        return open_regions(game, self.seed) if self.opened else game

    def code(self) -> str:
        """Return the Python call that starts the game."""
        call = f"GameConfig.parse({str(self.config)!r}).new_game({self.seed})"
        return f"open_regions({call}, {self.seed})" if self.opened else call


@dataclass(frozen=True)
class SoakPlan:
    """The options of the command line that determine the game of each number."""

    seed: int
    kinds: tuple[GameConfig, ...]
    boards: str
    facade_every: int
    agents: tuple[str, ...] = ()
    """Compiled players that are drawn for each seat; empty for random play."""

    def game(self, number: int) -> Case:
        """Return game ``number``: kinds of game take turns, then kinds of play, boards and options in all mixtures."""
        turn, place = divmod(number, len(self.kinds))
        kind, step = self.kinds[place], turn // len(REDRAWS)
        generated = self.boards == "generated" or (self.boards == "both" and step % 2 == 1)
        board = f"generated_{number % NUM_BOARDS}" if generated else DEFAULT_BOARD
        variations = variations_of(kind)
        # Shifted against the kinds of play, so that a short run has all options, and a long one all mixtures.
        varied = variations[(turn + step // 2) % len(variations)]
        seated = self._seated(number, kind.players) if self.agents else ()
        exploits = c.EXPLOIT_NAMES if kind.variant == EXPLOITS and turn % ALL_EVERY == 0 else kind.exploits
        config = replace(varied, board=board_of(board), exploits=exploits)
        opened = kind.variant == EXPLOITS and step // 2 % OPEN_EVERY == 1
        return Case(kind, config, self.seed + number, REDRAWS[turn % len(REDRAWS)], seated, opened)

    def _seated(self, number: int, seats: int) -> tuple[str, ...]:
        """Return the player of each seat, drawn by the number of the game."""
        return tuple(np.random.default_rng([self.seed, number]).choice(self.agents, seats).tolist())

    def through_facade(self, number: int) -> bool:
        """Return whether game ``number`` is also played through ``Game``, as one of every ``facade_every`` games is."""
        if self.facade_every == 0:
            return False
        block, place = divmod(number, self.facade_every)
        return place == block * LEAP % self.facade_every
