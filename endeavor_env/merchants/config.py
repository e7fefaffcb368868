"""MerchantsConfig: what is played of Merchants of Europe, as one value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from endeavor_env.basics.inputs import check_names, one_of, refuses_unknown_options, whole_number
from endeavor_env.engine.game import RailsConfig, RailsGame
from endeavor_env.errors import InvalidOptionError, shown
from endeavor_env.merchants.board.board import Board
from endeavor_env.merchants.board.generator import generate_board
from endeavor_env.merchants.board.loading import load_board
from endeavor_env.merchants.game_rules import rules_for
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules.board_record import board_record

BoardGiven = Board | str | Path | None
"""A board, "short" or "expert" for the declared one of that side, the path of a board file, or None for "short"."""
STARTS, TRADES = ("fixed", "free"), ("offers", "bank", "none")
"""The values of the options ``start`` and ``trade``, in the order of their numbers (K15.2)."""
MOST_ROLLS = 32_767
_NAMES = ("variant", "players", "board", "start", "trade", "max_rolls")


class MerchantsConfig(RailsConfig):
    """What is played, without what chance decides. It is checked when it is made, and never changes.

    Attributes:
        map: The board.
        start: "fixed" or "free" (K3.5).
        trade: "offers", "bank" or "none" (K5.5).
        max_rolls: Rolls after which the game ends with the turn (K10.3).
    """

    @refuses_unknown_options("MerchantsConfig")
    def __init__(
        self,
        players: int | None = None,
        board: BoardGiven = None,
        start: str | None = None,
        trade: str = TRADES[0],
        max_rolls: int = c.USUAL_ROLLS,
    ) -> None:
        """Check what is to be played.

        Args:
            players: 3 or 4; None for 4.
            board: As ``BoardGiven`` says; its side is the variant that is played.
            start: "fixed" or "free"; None for the first that the side has.
            trade: "offers", "bank" or "none".
            max_rolls: 1 to 32,767.

        Raises:
            InvalidOptionError: One of them is not possible.
            InvalidBoardError: The board file cannot be read or has faults.
        """
        self.map = board if isinstance(board, Board) else load_board("short" if board is None else board)
        self.start = _check_start(start, self.map.side)
        self.trade = one_of("trade", trade, TRADES)
        self.max_rolls = _check_rolls(max_rolls)
        options = (STARTS.index(self.start), TRADES.index(self.trade), self.max_rolls)
        rules = rules_for(self.map)
        super().__init__(
            rules, c.MAX_SEATS if players is None else players, self.map.side, board_record(self.map), options
        )

    @classmethod
    def parse(cls, text: str, besides: Mapping[str, str] | None = None) -> MerchantsConfig:
        """Return the game of a text such as "merchants:variant=expert,players=3,trade=bank".

        Args:
            text: The word merchants, and after a colon any of ``variant``, the side of the board; ``players``;
                ``board``, a file or generated_<number>; ``start``, ``trade`` and ``max_rolls``.
            besides: Values for what the text leaves open, by the same names.

        Raises:
            InvalidOptionError: Something of another form, a name twice, or what the constructor raises.
            InvalidBoardError: The board file cannot be read or has faults.
        """
        values: dict[str, str] = {}
        for part in filter(None, text.partition(":")[2].split(",")):
            name, equals, value = part.partition("=")
            if not equals or name not in _NAMES or name in values:
                raise InvalidOptionError(
                    f"{shown(part)} in {shown(text)} is not possible: give name=value, once for each of "
                    f"{', '.join(_NAMES)}"
                )
            values[name] = value
        check_names("Merchants of Europe", besides or {}, _NAMES)
        for name, value in (besides or {}).items():
            if values.setdefault(name, value) != value:
                raise InvalidOptionError(f"{name} is given twice: give it once")
        given: dict[str, Any] = {
            name: int(value) if re.fullmatch("[0-9]{1,5}", value) else value for name, value in values.items()
        }
        return cls(board=_board_of(given.pop("variant", None), given.pop("board", None)), **given)

    def named_options(self) -> dict[str, Any]:
        """Return the options by name, as records have them."""
        return {"start": self.start, "trade": self.trade, "max_rolls": self.max_rolls}

    def with_names(self) -> dict[str, Any]:
        """Return everything as plain JSON values, with the id of the board and the options by name."""
        return {**super().with_names(), "board": self.map.id, "options": self.named_options()}

    @property
    def _game_class(self) -> type[RailsGame]:
        from endeavor_env.merchants.game import MerchantsGame  # which has such a value, and so imports this module

        return MerchantsGame

    def __reduce__(self) -> tuple[type[MerchantsConfig], tuple[Any, ...]]:
        """Pickle the arguments: the rules are found again."""
        return type(self), (self.players, self.map, self.start, self.trade, self.max_rolls)


def _board_of(side: object, name: object) -> Board:
    """Return the board of a text: that of a side, generated_<number> of a side, or of a file that has the side."""
    variant = None if side is None else one_of("variant", side, c.SIDE_NAMES)
    if name is None or name == variant:
        return load_board(variant or c.SIDE_NAMES[c.SHORT])
    generated = re.fullmatch("generated_([0-9]{1,15})", str(name))
    if generated:
        return generate_board(int(generated[1]), variant or c.SIDE_NAMES[c.SHORT])
    board = load_board(str(name))
    if variant not in (None, board.side):
        raise InvalidOptionError(f"board {shown(board.id)} has the side {board.side}: leave out variant={variant}")
    return board


def _check_start(start: str | None, side: str) -> str:
    """Return how the game starts; raise InvalidOptionError for a start that the side does not have (K3.5)."""
    possible = STARTS if side == c.SIDE_NAMES[c.SHORT] else STARTS[1:]
    return possible[0] if start is None else one_of("start", start, possible)


def _check_rolls(value: object) -> int:
    """Return the limit of rolls."""
    number = whole_number(value)
    if number is None or not 1 <= number <= MOST_ROLLS:
        raise InvalidOptionError(f"max_rolls={shown(value)} is not possible: give 1 to {MOST_ROLLS}")
    return number


def read_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a record as arguments; raise InvalidOptionError for one that there is not."""
    check_names("Merchants of Europe", options, ("start", "trade", "max_rolls"))
    return dict(options)
