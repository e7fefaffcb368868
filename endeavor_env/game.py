"""Game: one game in readable words. Checks every move, then leaves the rules to the core."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env import notation
from endeavor_env.board import Board
from endeavor_env.compilation import ensure_compiled
from endeavor_env.core import entry
from endeavor_env.core.actions import NUM_ACTIONS
from endeavor_env.core.constants import (
    BREAKDOWN_KEYS,
    DECISION_NAMES,
    MAX_SEATS,
    NUM_BREAKDOWN,
    PHASE_NAMES,
    PHASE_OVER,
    VARIANT_NAMES,
)
from endeavor_env.core.state import STATE, copy_states
from endeavor_env.errors import GameOverError, IllegalActionError, InvalidOptionError
from endeavor_env.setups import Setup, check_players, check_seed, draw_setup, fresh_seed, read_setup
from endeavor_env.whole_numbers import whole_number

FORMAT = "endeavor-game/1"


class Game:
    """One game: its board, its state and the moves that led there.

    Attributes:
        board: The board played on.
        state: (1,) STATE array, the live position. Writing to it is for tests and search; moves check nothing then.
        history: The moves made, as (seat, action id).
        seed: The seed of the set-up, None if the set-up was given.
    """

    def __init__(self, board: Board, state: npt.NDArray[np.void], setup: Setup, seed: int | None) -> None:
        """Wraps a position. Use ``Game.new`` to start a game."""
        self.board = board
        self.state = state
        self.history: list[tuple[int, int]] = []
        self.seed = seed
        self._setup = setup

    @classmethod
    def new(
        cls,
        players: int = 4,
        variant: str = "standard",
        seed: int | None = None,
        *,
        setup: Mapping[str, Any] | None = None,
        board: Board | str | Path | None = None,
        exploits: Sequence[str] = (),
        options: Mapping[str, Any] | None = None,
    ) -> Game:
        """Starts a game at its first Build decision.

        Args:
            players: 3 to 5.
            variant: "standard".
            seed: Draws the set-up (R2.1, R2.5); None takes one from the operating system and remembers it.
            setup: Every random outcome, as in a game record; then nothing is drawn.
            board: A Board, the path of a board file, or None for the board of 2009.
            exploits: None are played in this version.
            options: The standard game has none.

        Raises:
            InvalidOptionError: An unknown variant, player count, seed, exploit or option.
            InvalidSetupError: A set-up that does not fit board or players.
            InvalidBoardError: A board file with faults.
        """
        players = check_players(players, variant)
        seed = check_seed(seed)
        if exploits:
            raise InvalidOptionError(f"exploits={exploits!r}: this version plays the base game, without exploits")
        if options:
            raise InvalidOptionError(f"options={options!r}: variant {variant!r} has no options")
        on = Board.resolve(board)
        ensure_compiled()
        if setup is None:
            seed = fresh_seed() if seed is None else seed
            drawn = draw_setup(on, players, seed)
        else:
            drawn = read_setup(on, players, setup)
        state = np.zeros(1, STATE)
        entry.new_game(on.array, state, players, drawn.first_player, drawn.tokens)
        return cls(on, state, drawn, seed)

    @property
    def num_players(self) -> int:
        """Number of seats, 3 to 5."""
        return int(self.state["num_seats"][0])

    @property
    def variant(self) -> str:
        """Name of the variant."""
        return VARIANT_NAMES[self.state["variant"][0]]

    @property
    def seat(self) -> int:
        """The seat whose decision it is, -1 when the game is over."""
        return int(self.state["seat"][0])

    @property
    def round(self) -> int:
        """The round, 1 to 7."""
        return int(self.state["round_number"][0])

    @property
    def phase(self) -> str:
        """setup, build, growth, salary, action or over."""
        return PHASE_NAMES[self.state["phase"][0]]

    @property
    def decision(self) -> str:
        """What kind of move is asked for: build, salary, turn, target, discard, round_end_discard or nothing."""
        return DECISION_NAMES[self.state["decision"][0]]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.state["phase"][0] == PHASE_OVER)

    def mask(self) -> npt.NDArray[np.bool_]:
        """Returns a fresh (NUM_ACTIONS,) bool array, True = legal; all False when the game is over."""
        mask = np.empty(NUM_ACTIONS, np.int8)
        entry.legal(self.board.array, self.state, mask)
        return mask.view(np.bool_)

    def legal_actions(self) -> list[int]:
        """Returns the legal action ids, ascending."""
        return np.flatnonzero(self.mask()).tolist()

    def legal_moves(self) -> list[str]:
        """Returns the legal moves as text, in action-id order."""
        return [notation.to_text(self.board, action) for action in self.legal_actions()]

    def encode(self, move: str) -> int:
        """Returns the action id of a move text, legal now or not; raises IllegalActionError for no move at all."""
        return notation.to_action(self.board, move)

    def describe(self, action: int) -> str:
        """Returns the move text of an action id; raises IllegalActionError for one that names nothing."""
        return notation.to_text(self.board, action)

    def play(self, move: str) -> None:
        """Makes a move given as text; raises IllegalActionError, changing nothing, if it is not legal."""
        if self.over:
            raise self._ended(repr(move))
        self.apply(notation.to_action(self.board, move))

    def apply(self, action: int) -> None:
        """Makes a move given as an action id.

        Raises:
            GameOverError: The game has ended.
            IllegalActionError: Not a whole number, out of range, or not legal now; nothing is changed.
        """
        number = self._checked(action)
        seat = self.seat
        entry.step(self.board.array, self.state, number)
        self.history.append((seat, number))

    def _ended(self, asked: str) -> GameOverError:
        return GameOverError(f"{asked} is not possible: the game is over, start another with Game.new")

    def _checked(self, action: object) -> int:
        """Returns ``action`` as a legal int or raises one clear sentence."""
        number = whole_number(action)
        if number is not None and 0 <= number < NUM_ACTIONS and self.mask()[number]:
            return number
        if self.over:
            raise self._ended(f"action {action!r}")
        if number is None or not 0 <= number < NUM_ACTIONS:
            raise IllegalActionError(
                f"action {action!r} is no action id: those are whole numbers 0..{NUM_ACTIONS - 1}; "
                f"{self._what_is_legal()}"
            )
        raise IllegalActionError(f"{self._name(number)} is illegal for seat {self.seat}; {self._what_is_legal()}")

    def _name(self, action: int) -> str:
        """Returns the action with its text, for messages."""
        try:
            return f"action {action} ({self.describe(action)})"
        except IllegalActionError:
            return f"action {action} (no move on board {self.board.id})"

    def _what_is_legal(self) -> str:
        moves = self.legal_moves()
        shown = ", ".join(moves[:12]) + (" ..." if len(moves) > 12 else "")
        return f"decision {self.decision!r} of seat {self.seat} has {len(moves)} legal moves: {shown}"

    def clone(self) -> Game:
        """Returns an independent copy of the game."""
        copy = Game(self.board, copy_states(self.state), self._setup, self.seed)
        copy.history = list(self.history)
        return copy

    def _all_breakdowns(self) -> npt.NDArray[np.int16]:
        out = np.empty((MAX_SEATS, NUM_BREAKDOWN), np.int16)
        entry.scores(self.board.array, self.state, out)
        return out[: self.num_players]

    def scores(self) -> list[int]:
        """Returns each seat's total Glory; before the end, as if the game ended now (R12)."""
        return self._all_breakdowns().sum(axis=1, dtype=np.int64).tolist()

    def breakdown(self, seat: int) -> dict[str, int]:
        """Returns the Glory of ``seat`` by source; the values sum to its score (R12)."""
        number = whole_number(seat)
        if number is None or not 0 <= number < self.num_players:
            raise InvalidOptionError(f"seat {seat!r} is not at the table: seats are 0 to {self.num_players - 1}")
        return dict(zip(BREAKDOWN_KEYS, self._all_breakdowns()[number].tolist(), strict=True))

    def winners(self) -> list[int]:
        """Returns the seats with the highest total, several when they share it (R12.10)."""
        scores = self.scores()
        return [seat for seat, score in enumerate(scores) if score == max(scores)]

    def setup(self) -> dict[str, Any]:
        """Returns every random outcome of this game, to be passed to ``Game.new(setup=...)``."""
        return self._setup.to_dict(self.board)

    def record(self) -> dict[str, Any]:
        """Returns the game as an ``endeavor-game/1`` record of plain JSON values, with a ``result`` iff it is over."""
        record: dict[str, Any] = {
            "format": FORMAT,
            "board": self.board.id,
            "players": self.num_players,
            "variant": self.variant,
            "exploits": [],
            "options": {},
            "seed": self.seed,
            "setup": self.setup(),
            "moves": [[seat, self.describe(action)] for seat, action in self.history],
        }
        if self.over:
            breakdown = [self.breakdown(seat) for seat in range(self.num_players)]
            record["result"] = {"scores": self.scores(), "breakdown": breakdown}
        return record

    def __str__(self) -> str:
        """Returns the text board."""
        from endeavor_env.render import ansi  # the drawing layer lies above this one

        return ansi.render(self)

    def __repr__(self) -> str:
        where = "over" if self.over else f"round {self.round}, {self.decision} of seat {self.seat}"
        return f"<Game {self.num_players} players on {self.board.id}, {where}, {len(self.history)} moves>"
