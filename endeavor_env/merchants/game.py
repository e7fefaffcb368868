"""MerchantsGame: one game of Merchants of Europe in words, with what each seat may see."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from endeavor_env.basics.inputs import refuses_unknown_options, seat_number
from endeavor_env.merchants import views
from endeavor_env.merchants.config import BoardGiven, MerchantsConfig
from endeavor_env.merchants.core import constants as c
from endeavor_env.merchants.faces import HIDDEN
from endeavor_env.rails.base_game import CHANCE_NAME
from endeavor_env.rails.game import RailsGame
from endeavor_env.rails.kernels.constants import CHANCE, NONE

FORMAT = "merchants-game/1"


class MerchantsGame(RailsGame):
    """One game: its position and the moves that led there, those of chance among them.

    Attributes:
        config: What is played.
    """

    config: MerchantsConfig

    @classmethod
    @refuses_unknown_options("MerchantsGame.new")
    def new(  # type: ignore[override]  # it plays one game only
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
        config = MerchantsConfig(players, board, start, trade, max_rolls)
        return cast(MerchantsGame, config.new_game(seed, setup))

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
        alone.

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
        moves, mover, victim = self._moves(), NONE, NONE
        for move in moves:
            who, text = move
            verb, _, outcome = text.partition(":")
            if who != CHANCE_NAME:
                mover = who
                victim = int(outcome) if verb == "steal" else victim
            elif seat is not None and (
                (verb == "stolen" and seat not in (mover, victim)) or (verb == "drawn" and seat != mover)
            ):
                move[1] = f"{verb}:{HIDDEN}"
        return moves

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
            "board": self.config.map.id,
            "side": self.variant,
            "players": self.num_players,
            "options": self.config.named_options(),
            "moves": self.moves_seen_by(observer),
        }
        if self._played is not None:
            record["played"] = self._played.until(len(self.history)).to_dict()
        if self.over:
            record["result"] = self._result()
        return record

    def record_seen_by(self, seat: int | None) -> dict[str, Any]:
        """Return the record as a seat may read it: all of it when the game is over."""
        return self.record(None if self.over else seat)

    def _observer(self, seat: object) -> int | None:
        """Return who looks at the game: a seat, None, or NONE; raise InvalidOptionError for anything else."""
        return None if seat is None else NONE if seat == NONE else seat_number("seat", seat, self.num_players)

    def _result(self) -> dict[str, Any]:
        """Return the result of the finished game as a record has it."""
        return {"scores": self.scores(), "winners": self.winners(), "truncated": self.truncated}
