"""The kinds of game that are played: seats, variant, options and board, checked, and as kernels take them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.batch.seats import cumulative_shares
from endeavor_env.board import Board
from endeavor_env.board.variant_needs import check_board
from endeavor_env.compilation import ensure_exploits_compiled
from endeavor_env.core import constants as c
from endeavor_env.core.actions import num_actions, ruleset_of
from endeavor_env.core.batch.tables import KIND
from endeavor_env.errors import InvalidOptionError
from endeavor_env.game import Game
from endeavor_env.inputs import one_of
from endeavor_env.options import EXPLOITS, RANDOM, check_exploits, check_options, exploits_of
from endeavor_env.setups import SOLO, STANDARD, check_players

GAME_CHOICES = ("row", "draw")
BoardGiven = Board | str | Path | None
"""A board, the path of a board file, or None for the board of 2009."""
MAX_KINDS = 1 << 15


class Kind(NamedTuple):
    """One kind of game. A new option of ``Game.new`` belongs here, in ``new_game`` and in ``check_kind``."""

    players: int
    variant: str
    options: dict[str, Any]
    """The options that were given."""
    board: Board
    weight: float = 1.0
    """How often games of this kind are drawn, in proportion to the weights of the others."""
    exploits: tuple[str, ...] | str = ()
    """The Exploits in play, or "random" for three that each game draws."""

    @property
    def scores(self) -> int:
        """Number of scores at the end: one for each seat, and one for the Opposition in ``solo``."""
        return self.players + (self.variant == SOLO)

    def new_game(self, seed: int | None, setup: Mapping[str, Any] | None = None) -> Game:
        """Return a game of this kind at its first decision; arguments are those of ``Game.new``."""
        return Game.new(
            self.players,
            self.variant,
            seed,
            setup=setup,
            board=self.board,
            exploits=self.exploits,
            options=self.options,
        )


def check_kind(
    players: Any = None,
    variant: Any = STANDARD,
    options: Any = None,
    board: Any = None,
    weight: float = 1.0,
    exploits: Any = None,
) -> Kind:
    """Return a checked kind of game; arguments are those of ``Game.new``, and a checked weight.

    Raises:
        InvalidOptionError: An unknown variant, player count, Exploit or option.
        InvalidBoardError: A board file with faults, or a board on which the variant cannot be played.
    """
    number = check_players(players, variant)
    tiles, variant = check_exploits(exploits, variant)
    check_options(options, variant)
    on = Board.resolve(board)
    check_board(on, variant)
    return Kind(number, variant, dict(options or {}), on, weight, RANDOM if tiles is None else exploits_of(tiles))


class Kinds:
    """All kinds of game of one environment.

    Attributes:
        games: (K,) Kind.
        drawn: Whether each game draws its kind; otherwise row i has kind i modulo their number.
        layout_variant: The variant whose masks and observations every row has: the one with most action ids.
        variants: The variants of all kinds, each once.
        variant: The variant of all kinds, None if they differ.
        least: Fewest seats of a kind.
        most: Most seats of a kind.
        scores: Most scores of a kind.
    """

    def __init__(self, games: Sequence[Kind], choice: Any = "row") -> None:
        """Take at least one checked kind, and one of GAME_CHOICES; raise InvalidOptionError for another choice."""
        self.games = tuple(games)
        drawn = one_of("game_choice", choice, GAME_CHOICES) == "draw"
        if len(games) >= MAX_KINDS:
            raise InvalidOptionError(f"{len(games)} kinds of game are too many: give fewer than {MAX_KINDS}")
        self.drawn = drawn and len(games) > 1
        variants = [game.variant for game in games]
        if len({ruleset_of(variant).name for variant in variants} - {"base"}) > 1:
            raise InvalidOptionError(
                "games with Exploits and games of other variants are not possible side by side: their observations "
                "differ; games of the base game go with both"
            )
        self.layout_variant = max(variants, key=num_actions)
        self.variants = tuple(dict.fromkeys(variants))
        self.variant = variants[0] if len(self.variants) == 1 else None
        self.least, self.most = min(game.players for game in games), max(game.players for game in games)
        self.scores = max(game.scores for game in games)

    def boards(self) -> list[Board]:
        """Return each board once."""
        return list({id(game.board): game.board for game in self.games}.values())

    def array(self) -> npt.NDArray[np.void]:
        """Return (K,) KIND, in which ``board`` is an index into ``boards()``."""
        if EXPLOITS in self.variants:
            ensure_exploits_compiled()
        boards, kinds = [id(board) for board in self.boards()], np.zeros(len(self.games), KIND)
        for row, game in zip(kinds, self.games, strict=True):
            row["players"], row["variant"] = game.players, c.VARIANT_NAMES.index(game.variant)
            row["options"], row["board"] = check_options(game.options, game.variant), boards.index(id(game.board))
            if game.exploits != RANDOM:
                row["options"][c.OPTION_EXPLOITS] = check_exploits(game.exploits, game.variant)[0]
        kinds["until"] = cumulative_shares([game.weight for game in self.games])
        return kinds
