"""The kinds of game a vector environment plays: their checks, and how kernels take them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.batch.seats import cumulative_shares
from endeavor_env.board import Board
from endeavor_env.core import constants as c
from endeavor_env.core.batch import rows as kernels
from endeavor_env.envs.options import one_of
from endeavor_env.envs.table import Table
from endeavor_env.errors import InvalidOptionError
from endeavor_env.options import check_options
from endeavor_env.setups import SOLO, STANDARD

GAME_CHOICES = ("row", "draw")
BoardGiven = Board | str | Path | None
"""None stands for the board of 2009."""
MAX_KINDS = 1 << 15


class Kind(NamedTuple):
    """One kind of game that rows of a vector environment play."""

    players: int
    variant: str
    options: dict[str, Any]
    """Those that were given."""
    board: Board
    weight: float
    """How often it is drawn, in proportion to the others'."""

    @property
    def scores(self) -> int:
        """Number of scores at the end: one a seat, and the Opposition's."""
        return self.players + (self.variant == SOLO)


_KEYS = Kind._fields


class Kinds:
    """All kinds of one vector environment.

    Attributes:
        games: (K,) Kind.
        drawn: Whether each game draws its kind.
        layout_variant: The variant whose masks and observations every row has: standard if that is all there is.
        variant: The variant of all, or None if they differ.
        least: Fewest seats of a table.
        most: Most seats of a table.
        scores: Most scores of a game.
    """

    def __init__(self, games: Sequence[Kind], choice: Any) -> None:
        """Takes checked games, at least one; raises InvalidOptionError for another ``choice`` than there are."""
        self.games = tuple(games)
        drawn = one_of("game_choice", choice, GAME_CHOICES) == "draw"
        if len(games) >= MAX_KINDS:
            raise InvalidOptionError(f"{len(games)} kinds of game are too many: give fewer than {MAX_KINDS}")
        self.drawn = drawn and len(games) > 1
        variants = [game.variant for game in games]
        self.layout_variant = next((variant for variant in variants if variant != STANDARD), STANDARD)
        self.variant = variants[0] if len(set(variants)) == 1 else None
        self.least, self.most = min(game.players for game in games), max(game.players for game in games)
        self.scores = max(game.scores for game in games)

    def boards(self) -> list[Board]:
        """Returns each board once."""
        return list({id(game.board): game.board for game in self.games}.values())

    def array(self) -> npt.NDArray[np.void]:
        """Returns (K,) KIND; ``board`` counts those of ``boards``."""
        boards, kinds = [id(board) for board in self.boards()], np.zeros(len(self.games), kernels.KIND)
        for row, game in zip(kinds, self.games, strict=True):
            row["players"], row["variant"] = game.players, c.VARIANT_NAMES.index(game.variant)
            row["options"], row["board"] = check_options(game.options, game.variant), boards.index(id(game.board))
        kinds["until"] = cumulative_shares([game.weight for game in self.games])
        return kinds


def one_kind(players: Any, variant: Any, options: Any, board: Any, weight: float = 1.0) -> Kind:
    """Returns a checked kind of game; raises InvalidOptionError or InvalidBoardError as ``Game.new`` does."""
    table = Table(board, players, variant, "compact", options)
    return Kind(table.players, variant, dict(options or {}), table.board, weight)


def read_boards(board: Any) -> list[Any]:
    """Returns the boards in turn: one for all games, or those of a list."""
    boards = list(board) if isinstance(board, list | tuple) else [board]
    if not boards:
        raise InvalidOptionError("board=[] is not possible: give at least one board")
    return boards


def solo_kinds(difficulty: Any, board: Any, options: Mapping[str, Any], choice: Any) -> list[Kind]:
    """Returns the solitaire games of one or several difficulties and boards.

    By row, row i has the difficulty i and the board i modulo their numbers; drawn, each goes with each.
    """
    difficulties = list(difficulty) if isinstance(difficulty, list | tuple) else [difficulty]
    if not difficulties:
        raise InvalidOptionError("difficulty=[] is not possible: give at least one difficulty")
    boards = read_boards(board)
    if choice == "row":
        length = math.lcm(len(difficulties), len(boards))
        pairs = [(difficulties[row % len(difficulties)], boards[row % len(boards)]) for row in range(length)]
    else:
        pairs = [(one, other) for one in difficulties for other in boards]
    return [one_kind(None, SOLO, {"difficulty": one, **options}, other) for one, other in pairs]


def read_games(games: Any, choice: Any, **others: Any) -> list[Kind]:
    """Returns the kinds of game that the option ``games`` lists.

    Args:
        games: A list of mappings with any of the keys players, variant, options, board and weight.
        choice: The option ``game_choice``: weights are for "draw".
        others: The options that ``games`` takes the place of, as name=(value, value when it is not given).

    Raises:
        InvalidOptionError: Another type, an empty list, an unknown key, a weight that is none, one of the others given
            beside it, or what ``one_kind`` raises.
    """
    for name, (value, default) in others.items():
        if value is not default and value != default:
            raise InvalidOptionError(
                f"{name}={value!r} is not possible beside games: its entries say players, variant, options and board"
            )
    if not isinstance(games, list | tuple) or not games:
        raise InvalidOptionError(
            f"games={games!r} is not possible: give a list of at least one mapping, a kind of game each"
        )
    return [_read_game(game, choice) for game in games]


def _read_game(game: Any, choice: Any) -> Kind:
    """Returns one entry of ``games``."""
    if not isinstance(game, Mapping):
        raise InvalidOptionError(f"games has an entry {game!r}: give a mapping with any of {', '.join(_KEYS)}")
    unknown = [key for key in game if key not in _KEYS]
    if unknown:
        raise InvalidOptionError(f"an entry of games has the key {unknown[0]!r}: keys are {', '.join(_KEYS)}")
    weight = positive_weight("weight of a game", game.get("weight", 1.0))
    if "weight" in game and choice == "row":
        raise InvalidOptionError("the weight of a game is not possible with game_choice='row': it is for 'draw'")
    return one_kind(game.get("players"), game.get("variant", STANDARD), game.get("options"), game.get("board"), weight)


def positive_weight(name: str, value: Any) -> float:
    """Returns ``value`` as a float; raises InvalidOptionError unless it is a finite number above 0."""
    number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    if not number or not 0 < value < math.inf:
        raise InvalidOptionError(f"{name} {value!r} is not possible: give a finite number above 0")
    return float(value)
