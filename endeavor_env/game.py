"""Game: one game in readable words. Checks every move, then leaves the rules to the core."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env import notation
from endeavor_env.board import Board
from endeavor_env.board.variant_needs import check_board
from endeavor_env.compilation import ensure_compiled
from endeavor_env.core import constants as c
from endeavor_env.core import entry
from endeavor_env.core.actions import num_actions
from endeavor_env.core.state import STATE, copy_states
from endeavor_env.errors import GameOverError, IllegalActionError, InvalidOptionError
from endeavor_env.inputs import check_seed, whole_number
from endeavor_env.ladder import Ladder, ladder_of
from endeavor_env.options import check_options, options_of_state, without_defaults
from endeavor_env.setups import Setup, check_players, draw_setup, fresh_seed, read_setup

FORMAT = "endeavor-game/1"
OPPOSITION_NAME = "opposition"
WITH_NEUTRAL_KEY = (c.VARIANT_SOLOPLAY_2, c.VARIANT_SOLOPLAY_3)


class Game:
    """One game: its board, its state and the moves that led there.

    Attributes:
        board: The board played on.
        state: (1,) STATE array, the live position. Writing to it is for tests and search; moves check nothing then.
        history: The moves made, as (seat, action id).
        drawn: Every random outcome, as kernels take it; ``setup()`` gives it in words.
        seed: The seed of the set-up, None if the set-up was given.
    """

    def __init__(self, board: Board, state: npt.NDArray[np.void], drawn: Setup, seed: int | None) -> None:
        """Wraps a position. Use ``Game.new`` to start a game."""
        self.board = board
        self.state = state
        self.history: list[tuple[int, int]] = []
        self.seed = seed
        self.drawn = drawn

    @classmethod
    def new(
        cls,
        players: int | None = None,
        variant: str = "standard",
        seed: int | None = None,
        *,
        setup: Mapping[str, Any] | None = None,
        board: Board | str | Path | None = None,
        exploits: Sequence[str] = (),
        options: Mapping[str, Any] | None = None,
    ) -> Game:
        """Starts a game at its first decision.

        Args:
            players: 3 to 5 in the base game, 4 if left out; a variant has one number: 1 in "solo", 2 in "soloplay_2"
                and "neutral_2", 3 in "soloplay_3".
            variant: "standard", "solo", "soloplay_2", "soloplay_3" or "neutral_2".
            seed: Draws the set-up (R2.1, R2.5, S1); None takes one from the operating system and remembers it.
            setup: Every random outcome, as in a game record; then nothing is drawn.
            board: A Board, the path of a board file, or None for the board of 2009.
            exploits: None are played in this version.
            options: Options of the variant by name, see ``endeavor_env.options``; the base game has none.

        Raises:
            InvalidOptionError: An unknown variant, player count, seed, exploit or option.
            InvalidSetupError: A set-up that does not fit board, players or variant.
            InvalidBoardError: A board file with faults, or a board on which the variant cannot be played.
        """
        players = check_players(players, variant)
        seed = check_seed(seed)
        if exploits:
            raise InvalidOptionError(f"exploits={exploits!r}: this version plays without exploits")
        chosen = check_options(options, variant)
        on = Board.resolve(board)
        check_board(on, variant)
        ensure_compiled()
        if setup is None:
            seed = fresh_seed() if seed is None else seed
            drawn = draw_setup(on, players, seed, variant)
        else:
            drawn = read_setup(on, players, setup, variant)
        state = np.zeros(1, STATE)
        entry.new_game(on.array, state, players, c.VARIANT_NAMES.index(variant), chosen, drawn.array)
        return cls(on, state, drawn, seed)

    @property
    def num_players(self) -> int:
        """Number of seats, 1 to 5; the Opposition of a solitaire game has none."""
        return int(self.state["num_seats"][0])

    @property
    def variant(self) -> str:
        """Name of the variant."""
        return c.VARIANT_NAMES[self.state["variant"][0]]

    @property
    def options(self) -> dict[str, Any]:
        """The value of each option that the variant has (``endeavor_env.options``), as a fresh dictionary."""
        return options_of_state(self.state)

    @property
    def seat(self) -> int:
        """The seat whose decision it is, -1 when the game is over."""
        return int(self.state["seat"][0])

    @property
    def round(self) -> int:
        """The round, 1 to 7; 0 while decisions of the set-up are made."""
        return int(self.state["round_number"][0])

    @property
    def phase(self) -> str:
        """setup, build, growth, salary, action or over."""
        return c.PHASE_NAMES[self.state["phase"][0]]

    @property
    def decision(self) -> str:
        """What kind of move is asked for: a name of DECISION_NAMES, "nothing" when the game is over.

        Everywhere: build, salary, turn, target, discard, round_end_discard. In variants: remove and neutral (V2S, V2F)
        and opposition, which is what the rules leave to the player of a solitaire game (S10).
        """
        return c.DECISION_NAMES[self.state["decision"][0]]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.state["phase"][0] == c.PHASE_OVER)

    def mask(self) -> npt.NDArray[np.bool_]:
        """Returns a fresh bool array, True = legal, one entry an action id; all False when the game is over.

        It has NUM_ACTIONS entries in the base game and NUM_VARIANT_ACTIONS in every variant.
        """
        mask = np.empty(num_actions(self.variant), np.int8)
        entry.legal(self.board.array, self.state, mask)
        return mask.view(np.bool_)

    def legal_actions(self) -> list[int]:
        """Returns the legal action ids, ascending."""
        return np.flatnonzero(self.mask()).tolist()

    def legal_moves(self) -> list[str]:
        """Returns the legal moves as text, in action-id order."""
        return [self.describe(action) for action in self.legal_actions()]

    def encode(self, move: str) -> int:
        """Returns the action id of a move text, legal now or not; raises IllegalActionError for no move at all."""
        return notation.to_action(self.board, move, self.variant)

    def describe(self, action: int) -> str:
        """Returns the move text of an action id; raises IllegalActionError for one that names nothing."""
        return notation.to_text(self.board, action, self.variant)

    def play(self, move: str) -> None:
        """Makes a move given as text; raises IllegalActionError, changing nothing, if it is not legal."""
        if self.over:
            raise self._ended(repr(move))
        self.apply(self.encode(move))

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
        number, size = whole_number(action), num_actions(self.variant)
        if number is not None and 0 <= number < size and self.mask()[number]:
            return number
        if self.over:
            raise self._ended(f"action {action!r}")
        if number is None or not 0 <= number < size:
            raise IllegalActionError(
                f"action {action!r} is no action id: those are whole numbers 0..{size - 1}; {self._what_is_legal()}"
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
        copy = Game(self.board, copy_states(self.state), self.drawn, self.seed)
        copy.history = list(self.history)
        return copy

    def _all_breakdowns(self) -> npt.NDArray[np.int16]:
        """Returns a row of Glory by source for each score there is, (seats or 2 in solo, NUM_BREAKDOWN)."""
        out = np.empty((c.MAX_SEATS, c.NUM_BREAKDOWN), np.int16)
        entry.scores(self.board.array, self.state, out)
        return out[: c.OPPOSITION + 1 if self._solo else self.num_players]

    @property
    def _solo(self) -> bool:
        return self.state["variant"][0] == c.VARIANT_SOLO

    def scores(self) -> list[int]:
        """Returns each seat's total Glory, in ``solo`` the player's and the Opposition's.

        Before the end, as if the game ended now (R12, S8.1, S8.2).
        """
        return self._all_breakdowns().sum(axis=1, dtype=np.int64).tolist()

    def breakdown(self, seat: int | str) -> dict[str, int]:
        """Returns the Glory of ``seat`` by source; the values sum to its score (R12).

        Args:
            seat: A seat, or "opposition" in ``solo`` (S8.2).

        Raises:
            InvalidOptionError: Somebody who is not at the table.
        """
        number = whole_number(seat)
        if self._solo and isinstance(seat, str) and seat == OPPOSITION_NAME:
            number = c.OPPOSITION
        elif number is None or not 0 <= number < self.num_players:
            seats = (
                f"the seat is 0, the other side {OPPOSITION_NAME!r}"
                if self._solo
                else f"seats are 0 to {self.num_players - 1}"
            )
            raise InvalidOptionError(f"seat {seat!r} is not at the table: {seats}")
        keys = (*c.BREAKDOWN_KEYS, c.NEUTRAL_KEY) if self.state["variant"][0] in WITH_NEUTRAL_KEY else c.BREAKDOWN_KEYS
        return dict(zip(keys, self._all_breakdowns()[number, : len(keys)].tolist(), strict=True))

    def winners(self) -> list[int]:
        """Returns the seats with the highest total, several when they share it (R12.10).

        In ``solo`` the player for a victory of any kind, which is any lead from 0 on, and nobody for a defeat (S8.3).
        """
        scores = self.scores()
        if self._solo:
            return [0] if scores[0] >= scores[c.OPPOSITION] else []
        return [seat for seat, score in enumerate(scores) if score == max(scores)]

    def ladder(self) -> Ladder:
        """Returns the result of a solitaire game, before its end as if it ended now (S8.3, S8.4).

        Raises:
            InvalidOptionError: Another variant.
        """
        if not self._solo:
            raise InvalidOptionError(
                f"variant {self.variant!r} has no ladder of results: only a solo game has; ask winners() or scores()"
            )
        own, other = self.scores()
        levels = self.board.array["building_level"][0]
        return ladder_of(own - other, bool(self.state["buildings"][0, 0, levels == c.GRID_LEVELS].any()))

    def setup(self) -> dict[str, Any]:
        """Returns every random outcome of this game, to be passed to ``Game.new(setup=...)``."""
        return self.drawn.to_dict(self.board)

    def record(self) -> dict[str, Any]:
        """Returns the game as an ``endeavor-game/1`` record of plain JSON values, with a ``result`` iff it is over."""
        record: dict[str, Any] = {
            "format": FORMAT,
            "board": self.board.id,
            "players": self.num_players,
            "variant": self.variant,
            "exploits": [],
            "options": without_defaults(self.options),
            "seed": self.seed,
            "setup": self.setup(),
            "moves": [[seat, self.describe(action)] for seat, action in self.history],
        }
        if self.over:
            names = [0, OPPOSITION_NAME] if self._solo else range(self.num_players)
            record["result"] = {"scores": self.scores(), "breakdown": [self.breakdown(name) for name in names]}
        return record

    def __str__(self) -> str:
        """Returns the text board."""
        from endeavor_env.render import ansi  # the drawing layer lies above this one

        return ansi.render(self)

    def __repr__(self) -> str:
        where = "over" if self.over else f"round {self.round}, {self.decision} of seat {self.seat}"
        who = f"{self.num_players} players" if self.variant == c.VARIANT_NAMES[0] else self.variant
        return f"<Game {who} on {self.board.id}, {where}, {len(self.history)} moves>"
