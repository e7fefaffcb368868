"""MerchantsGame: one game of Merchants of Europe in words, as each seat sees it; MerchantsConfig: what is played."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from endeavor_env.basics.inputs import one_of, refuses_unknown_options, seat_number, whole_number
from endeavor_env.engine.game import Game, GameConfig
from endeavor_env.engine.kernels.rules import CHANCE, CHANCE_NAME, NONE
from endeavor_env.errors import InvalidOptionError, shown
from endeavor_env.merchants import views
from endeavor_env.merchants.board.board import Board
from endeavor_env.merchants.board.files import load_board
from endeavor_env.merchants.board.generator import generate_board
from endeavor_env.merchants.game_rules import rules_for
from endeavor_env.merchants.presenter import HIDDEN
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules.actions import STEAL_AT, STOLEN_AT, TOKEN_AT, VALUE_AT
from endeavor_env.merchants.rules.board_record import board_record

FORMAT = "merchants-game/1"
BoardGiven = Board | str | Path | None
"""A board, "short" or "expert" for the declared one of that side, the path of a board file, or None for "short"."""
STARTS, TRADES = ("fixed", "free"), ("offers", "bank", "none")
"""The values of the options ``start`` and ``trade``, in the order of their numbers (K15.2)."""
MOST_ROLLS = 32_767
OPTIONS = ("start", "trade", "max_rolls")
"""The names of the options."""
_GENERATED = re.compile("generated_([0-9]{1,18})")


class MerchantsConfig(GameConfig):
    """What is played, without what chance decides. It is checked when it is made, and never changes.

    Attributes:
        board: The board.
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
        on = board if isinstance(board, Board) else load_board("short" if board is None else board)
        self.start = _check_start(start, on.side)
        self.trade = one_of("trade", trade, TRADES)
        self.max_rolls = _check_rolls(max_rolls)
        options = (STARTS.index(self.start), TRADES.index(self.trade), self.max_rolls)
        seats = c.MAX_SEATS if players is None else players
        super().__init__(rules_for(on), seats, on.side, board_record(on), options)
        self.board = on

    def named_options(self) -> dict[str, Any]:
        """Return the options by name, as records have them."""
        return {name: getattr(self, name) for name in OPTIONS}

    def with_names(self) -> dict[str, Any]:
        """Return everything as plain JSON values, with the id of the board and the options by name."""
        return {**super().with_names(), "board": self.board.id, "options": self.named_options()}

    @property
    def game_class(self) -> type[MerchantsGame]:
        """``MerchantsGame``."""
        return MerchantsGame

    def __reduce__(self) -> tuple[type[MerchantsConfig], tuple[Any, ...]]:
        """Pickle the arguments: the rules are found again."""
        return type(self), (self.players, self.board, self.start, self.trade, self.max_rolls)


class MerchantsGame(Game):
    """One game: its position and the moves that led there, those of chance among them.

    Attributes:
        config: What is played.
    """

    config: MerchantsConfig
    _looked: tuple[int, tuple[tuple[int, int, int], ...]] = (0, ())
    """Number of moves that were looked at, and the secret draws among them."""

    @classmethod
    @refuses_unknown_options("MerchantsGame.new")
    def new(
        cls,
        players: int | None = None,
        board: BoardGiven = None,
        seed: int | None = None,
        *,
        start: str | None = None,
        trade: str = "offers",
        max_rolls: int = c.USUAL_ROLLS,
        setup: Mapping[str, Any] | None = None,
    ) -> MerchantsGame:
        """Start a game at its first decision.

        Args:
            players: 3 or 4; None for 4.
            board: A ``Board``, "short" or "expert" for the declared one of that side, the path of a board file, or None
                for "short".
            seed: Draws all that chance decides; None takes one from the operating system.
            start: "fixed" or "free" (K3.5); None for the first that the side has.
            trade: "offers", "bank" or "none" (K5.5).
            max_rolls: Rolls after which the game ends with the turn (K10.3), 1 to 32,767.
            setup: ``{"first": seat}``: who begins; then the seed draws the rest.

        Raises:
            InvalidOptionError: One of the arguments is not possible.
            InvalidSetupError: The set-up does not fit.
            InvalidBoardError: The board file cannot be read or has faults.
        """
        return MerchantsConfig(players, board, start, trade, max_rolls).new_game(seed, setup)

    @property
    def mover_name(self) -> int | str | None:
        """The seat to move, "chance" where a draw is due, None when the game is over."""
        return None if self.seat == NONE else CHANCE_NAME if self.seat == CHANCE else self.seat

    @property
    def start_stock(self) -> int:
        """Posts of each seat that lay on goods at the start (K3.4)."""
        return c.GOODS[self.config.code][self.num_players - c.MIN_SEATS] - 1

    @property
    def truncated(self) -> bool:
        """Whether the limit of rolls ended the game (K10.3)."""
        return bool(self.state["ending"][0] == c.OUT_OF_ROLLS)

    def view(self, seat: int | None) -> dict[str, Any]:
        """Return the position as plain JSON values: what a seat may see (K14.1), all of it for None.

        NONE is an observer who sees what everybody may see. Hands and development cards of others and the pile are
        numbers, what the seat was not told is "?" among the moves, and the legal moves are there for the seat to move
        alone. All else is there: positions of one view have the same legal moves. Names that do not say all:

        - ``goods``: whose good lies under the post of a city.
        - ``tolls``: for each caravan of the mover the seats whose toll it has paid this turn (K8.3).
        - ``slot``, ``steps``, ``has_stepped``: the merchant or caravan that moves, the steps of a drive that are paid
          for and left, and whether it has had its first one.
        - ``card``, ``free_routes``: the development card that is carried out, and free routes that it still gives.
        - ``arrow``: the path whose double arrow still gives a free route (K6.7).
        - ``place``: where a new piece waits for another to be lifted, a post was founded or an income begins.
        - ``terrain``: the terrain that gets a token (K7.5).
        - ``victim``: who is robbed; ``discards`` of a seat: cards that it must still discard (K4.3).
        - ``placed``: decisions of the set-up that are made.

        Raises:
            InvalidOptionError: There is no such seat.
        """
        return views.view(self, self._observer(seat))

    def view_position(self, seat: int | None) -> dict[str, Any]:
        """Return ``view(seat)`` without the moves made and the legal ones, as pictures and texts of it need it."""
        return views.view_position(self, self._observer(seat))

    def moves_seen_by(self, seat: int | None) -> list[list[Any]]:
        """Return the moves as a record has them, as a seat was told of them (K14).

        All are told in full for None; for NONE what everybody was told.
        """
        moves = self._moves()
        if seat is not None:
            for number, (_, action) in enumerate(self.history_seen_by(seat)):
                if action == NONE:  # what came of the move before
                    stolen = STEAL_AT <= self.history[number - 1][1] < TOKEN_AT
                    moves[number][1] = f"{'stolen' if stolen else 'drawn'}:{HIDDEN}"
        return moves

    def history_seen_by(self, seat: int) -> list[tuple[int, int]]:
        """Return the moves made as a seat was told of them (K14), with the action NONE where it was not.

        A stolen card is told to the thief and its victim, a development card to its buyer; to NONE neither.
        """
        told = list(self.history)
        for number, mover, victim in self._secret_draws():
            if seat not in (mover, victim):
                told[number] = CHANCE, NONE
        return told

    def _secret_draws(self) -> tuple[tuple[int, int, int], ...]:
        """Return the numbers of the draws that not all are told, each with the two seats that are, or one twice."""
        looked, found = self._looked
        if looked > len(self.history):  # moves were removed
            looked, found = 0, ()
        if looked < len(self.history):
            found += tuple(
                (number, *self._told_of(number))
                for number, (who, action) in enumerate(self.history[looked:], looked)
                if who == CHANCE and STOLEN_AT <= action < VALUE_AT
            )
            self._looked = len(self.history), found
        return found

    def _told_of(self, number: int) -> tuple[int, int]:
        """Return who is told what a secret draw brought: the seat that made the move before, and whom it stole from."""
        mover, action = self.history[number - 1]
        stolen = STEAL_AT <= action < TOKEN_AT
        return mover, int(self.move_text(mover, action).partition(":")[2]) if stolen else mover

    def record(self, seat: int | None = None) -> dict[str, Any]:
        """Return the game as a ``merchants-game/1`` record of plain JSON values (K15.1).

        It has a ``result`` if the game is over, and ``played`` if somebody said who plays.

        Args:
            seat: Whose record it is: what this seat was not told is "?". Such a record cannot be replayed. None for a
                record of everything, NONE for one of what everybody was told.

        Raises:
            InvalidOptionError: There is no such seat.
        """
        observer = self._observer(seat)
        record: dict[str, Any] = {
            "format": FORMAT,
            "board": self.config.board.id,
            "side": self.variant,
            "players": self.num_players,
            "options": self.config.named_options(),
            "moves": self.moves_seen_by(observer),
        }
        return self._with_end(record)

    def record_seen_by(self, seat: int | None) -> dict[str, Any]:
        """Return the record as a seat may read it: all of it when the game is over."""
        return self.record(None if self.over else seat)

    def _observer(self, seat: object) -> int | None:
        """Return who looks at the game: a seat, None, or NONE; raise InvalidOptionError for anything else."""
        return None if seat is None else NONE if seat == NONE else seat_number("seat", seat, self.num_players)

    def _result(self) -> dict[str, Any]:
        """Return the result of the finished game as a record has it."""
        return {"scores": self.scores(), "winners": self.winners(), "truncated": self.truncated}


def board_of(side: str | None, name: str | None) -> Board:
    """Return a board by name: the declared one of its side, ``generated_<number>`` of a side, or that of a file.

    Args:
        side: The side that it must have; None for that of a file, else "short".
        name: The name; None or the side itself for the declared one.

    Raises:
        InvalidOptionError: There is no such side, or the board has another.
        InvalidBoardError: The file cannot be read or has faults.
    """
    wanted = None if side is None else one_of("variant", side, c.SIDE_NAMES)
    if name is None or name == wanted:
        return load_board(wanted or c.SIDE_NAMES[c.SHORT])
    generated = _GENERATED.fullmatch(name)
    if generated:
        return generate_board(int(generated[1]), wanted or c.SIDE_NAMES[c.SHORT])
    board = load_board(name)
    if wanted not in (None, board.side):
        raise InvalidOptionError(
            f"board {shown(board.id)} has the side {board.side}: leave out variant={wanted}, or give another board"
        )
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
