"""Game: one game in readable words. It checks every move; the rules themselves are in the core.

What draws it is imported when it is drawn: programs that only play start without it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.inputs import check_seed, fresh_seed, refuses_unknown_options, whole_number
from endeavor_env.basics.thread_guard import overlapping
from endeavor_env.endeavor import notation, results
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.config import BoardGiven, GameConfig, given_config
from endeavor_env.endeavor.ensure import ensure_compiled, ensure_exploits_compiled
from endeavor_env.endeavor.interface import entry
from endeavor_env.endeavor.ladder import Ladder
from endeavor_env.endeavor.options import EXPLOITS, check_options, exploits_of, options_of_state, without_defaults
from endeavor_env.endeavor.results import OPPOSITION_NAME
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import NUM_IDS, num_actions
from endeavor_env.endeavor.rules.state import copy_states, new_state
from endeavor_env.endeavor.setups import STANDARD, Setup, draw_setup, read_setup
from endeavor_env.engine.base_game import BaseGame
from endeavor_env.errors import InvalidOptionError, shown

FORMAT = "endeavor-game/1"


class Game(BaseGame):
    """One game: its board, its state and the moves that led there.

    Attributes:
        board: The board played on.
        state: (1,) STATE array, the live position. Writing to it is for tests and search; moves check nothing then.
        history: The moves made, as (seat, action id).
        drawn: Every random outcome, as kernels take it; ``setup()`` gives it in words.
        seed: The seed of the set-up, None if the set-up was given.
    """

    def __init__(self, board: Board, state: npt.NDArray[np.void], drawn: Setup, seed: int | None) -> None:
        """Wrap a position. Use ``Game.new`` to start a game."""
        self.board = board
        self.state = state
        self.history = []
        self.seed = seed
        self.drawn = drawn
        self._played = None

    @classmethod
    @refuses_unknown_options("Game.new")
    def new(
        cls,
        players: int | None = None,
        variant: str = "standard",
        seed: int | None = None,
        *,
        setup: Mapping[str, Any] | None = None,
        board: BoardGiven = None,
        exploits: Sequence[str] | str | None = None,
        options: Mapping[str, Any] | None = None,
        config: GameConfig | None = None,
    ) -> Game:
        """Start a game at its first decision.

        Args:
            players: 3 to 5 in the base game, 4 if left out; a variant has one number: 1 in "solo", 2 in "soloplay_2"
                and "neutral_2", 3 in "soloplay_3".
            variant: "standard", "solo", "soloplay_2", "soloplay_3", "neutral_2", or "exploits" for the base game with
                Exploits.
            seed: Draws the set-up (R2.1, R2.5, S1); None takes one from the operating system and remembers it.
            setup: Every random outcome, as in a game record; then nothing is drawn.
            board: A Board, the path of a board file, or None for the board of 2009.
            exploits: The Exploits in play, names of EXPLOIT_NAMES in any order, or "random" for three drawn with the
                set-up (X1.1). None means none in the base game, and "random" in the variant "exploits".
            options: Options of the variant by name, see ``endeavor_env.endeavor.options``; the base game has none.
            config: What is played as one value, in place of players, variant, board, exploits and options.

        Raises:
            InvalidOptionError: The variant, player count, seed, exploits or an option is not possible, or one of them
                stands beside ``config``.
            InvalidSetupError: The set-up does not fit board, players or variant.
            InvalidBoardError: The board file has faults, or the variant cannot be played on the board.
        """
        config = given_config(config, variant, players, board, options, exploits)
        seed = check_seed(seed)
        if config.variant == EXPLOITS:
            ensure_exploits_compiled()
        ensure_compiled()
        played = config.board, config.players
        if setup is None:
            seed = fresh_seed() if seed is None else seed
            drawn = draw_setup(*played, seed, config.variant, config.exploit_bits)
        else:
            drawn = read_setup(*played, setup, config.variant, config.exploit_bits)
        chosen, state = check_options(config.options, config.variant), new_state()
        entry.new_game(config.board.array, state, config.players, config.code, chosen, drawn.array)
        return cls(config.board, state, drawn, seed)

    @property
    def config(self) -> GameConfig:
        """What is played, as one value; Exploits that were drawn stand in it by name."""
        return GameConfig(self.variant, self.num_players, self.board, self.options, self.exploits)

    @property
    def num_players(self) -> int:
        """Number of seats, 1 to 5; the Opposition of a solitaire game has none."""
        return int(self.state["num_seats"][0])

    @property
    def variant(self) -> str:
        """Name of the variant."""
        return c.VARIANT_NAMES[self.state["variant"][0]]

    @property
    def exploits(self) -> tuple[str, ...]:
        """Names of the Exploits in play, in the order of EXPLOIT_NAMES."""
        return exploits_of(int(self.state["exploits"][0]))

    @property
    def options(self) -> dict[str, Any]:
        """The value of each option that the variant has (``endeavor_env.endeavor.options``), as a fresh dictionary."""
        return options_of_state(self.state)

    @property
    def seat(self) -> int:
        """The seat whose decision it is, -1 when the game is over."""
        return int(entry.seat(self.state))

    @property
    def round(self) -> int:
        """The round, 1 to 7; 0 while decisions of the set-up are made."""
        return int(self.state["round_number"][0])

    @property
    def phase(self) -> str:
        """The phase: setup, build, growth, salary, action or over."""
        return c.PHASE_NAMES[self.state["phase"][0]]

    @property
    def decision(self) -> str:
        """The kind of decision that is due: a name of DECISION_NAMES, "nothing" when the game is over.

        Every game has build, salary, turn, target, discard and round_end_discard. Some variants have remove and neutral
        (V2S, V2F). ``solo`` has opposition: a choice that the rules of the Opposition leave to the player (S10).
        """
        return c.DECISION_NAMES[self.state["decision"][0]]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(entry.seat(self.state) < 0)

    def mask(self) -> npt.NDArray[np.bool_]:
        """Return which actions are legal: a fresh bool array of ``num_actions(variant)`` entries, one for each id.

        All are False when the game is over.
        """
        mask = np.empty(num_actions(self.variant), np.int8)
        entry.legal(self.board.array, self.state, mask)
        return mask.view(np.bool_)

    def legal_actions(self) -> list[int]:
        """Return the legal action ids, ascending."""
        found: list[int] = entry.legal_ids(self.board.array, self.state)
        return found

    def encode(self, move: str) -> int:
        """Return the action id of a move text, legal now or not; raise IllegalActionError if it is no move."""
        return notation.to_action(self.board, move, self.variant)

    def describe(self, action: int) -> str:
        """Return the move text of an action id; raise IllegalActionError if the id names no move."""
        return notation.to_text(self.board, action, self.variant)

    def apply(self, action: int) -> None:
        """Make a move given as an action id.

        Raises:
            GameOverError: The game has ended.
            IllegalActionError: Not a whole number, out of range, or not legal now; nothing is changed.
            OverlappingCallsError: Another thread makes a move.
        """
        number = action if type(action) is int else whole_number(action)
        if number is None or not 0 <= number < NUM_IDS:
            raise self._refusal(action)
        if self._moving:
            raise overlapping("apply", "apply")
        self._moving = True
        try:
            seat = entry.play(self.board.array, self.state, number)
            if seat == entry.NOT_LEGAL:
                raise self._refusal(action)
            self.history.append((seat, number))
        finally:
            self._moving = False

    @property
    def _num_actions(self) -> int:
        return num_actions(self.variant)

    def _decision_text(self) -> str:
        return f"decision {self.decision!r} of seat {self.seat}"

    def _no_move_text(self) -> str:
        return f"no move on board {self.board.id}"

    def clone(self, *, same_chance: bool = False) -> Self:
        """Return an independent copy of the game, the same with ``same_chance``: nothing is drawn after the set-up."""
        copy = type(self)(self.board, copy_states(self.state), self.drawn, self.seed)
        copy.history = list(self.history)
        copy._played = self._played
        return copy

    def _begun_again(self) -> Game:
        return self.config.new_game(setup=self.setup())

    def scores(self) -> list[int]:
        """Return each seat's total Glory, in ``solo`` the player's and the Opposition's.

        Before the end, as if the game ended now (R12, S8.1, S8.2).
        """
        return results.scores(self.board, self.state)

    def breakdown(self, seat: int | str) -> dict[str, int]:
        """Return the Glory of ``seat`` by source; the values sum to its score (R12).

        Args:
            seat: A seat, or "opposition" in ``solo`` (S8.2).

        Raises:
            InvalidOptionError: There is no such seat.
        """
        return results.breakdown(self.board, self.state, self._score_row(seat))

    def _score_row(self, seat: int | str) -> int:
        """Return the row of ``seat`` among the scores; raise InvalidOptionError if it is not at the table."""
        number, solo = whole_number(seat), results.is_solo(self.state)
        if number is not None and 0 <= number < self.num_players:
            return number
        if solo and isinstance(seat, str) and seat == OPPOSITION_NAME:
            return c.OPPOSITION
        seats = f"the seat is 0, the other side {OPPOSITION_NAME!r}"
        if not solo:
            seats = f"seats are 0 to {self.num_players - 1}"
        raise InvalidOptionError(f"seat {shown(seat)} is not at the table: {seats}")

    def winners(self) -> list[int]:
        """Return the seats with the highest total, several when they share it (R12.10).

        In ``solo`` this is seat 0 for a victory of any kind, which is any lead from 0 on, and no seat for a defeat
        (S8.3).
        """
        return results.winners(self.board, self.state)

    def ladder(self) -> Ladder:
        """Return the result of a solitaire game, before its end as if it ended now (S8.3, S8.4).

        Raises:
            InvalidOptionError: The game is of another variant.
        """
        if not results.is_solo(self.state):
            raise InvalidOptionError(
                f"variant {self.variant!r} has no ladder of results: only a solo game has; ask winners() or scores()"
            )
        return results.ladder(self.board, self.state)

    def setup(self) -> dict[str, Any]:
        """Return every random outcome of this game, to be passed to ``Game.new(setup=...)``."""
        return self.drawn.to_dict(self.board)

    def record(self) -> dict[str, Any]:
        """Return the game as an ``endeavor-game/1`` record of plain JSON values.

        It has a ``result`` if the game is over, and ``played`` if somebody said who plays.
        """
        return self._record_of(
            {
                "format": FORMAT,
                "board": self.board.id,
                "players": self.num_players,
                "variant": STANDARD if self.variant == EXPLOITS else self.variant,
                "exploits": list(self.exploits),
                "options": without_defaults(self.options),
            }
        )

    def _result(self) -> dict[str, Any]:
        breakdowns = [self.breakdown(seat) for seat in results.scorers(self.state)]
        return {"scores": self.scores(), "breakdown": breakdowns}

    def svg(self, *, theme: str = "light", targets: bool = False) -> str:
        """Return a picture of the position and the last moves as SVG, 1280 x 800 pixels.

        Args:
            theme: "light" or "dark".
            targets: Whether the targets of the legal moves get a frame.

        Raises:
            InvalidOptionError: A wrong argument.
        """
        from endeavor_env.drawing import svg
        from endeavor_env.endeavor.drawing import scene

        moves = self.legal_moves() if targets else ()
        return svg.to_svg(scene.draw_game(self, theme, moves))

    def _repr_html_(self) -> str:
        """Return the picture, which notebooks show by themselves."""
        return self.svg()

    def __str__(self) -> str:
        """Return the text board."""
        from endeavor_env.endeavor.drawing import ansi

        return ansi.render(self)

    def __repr__(self) -> str:
        where = "over" if self.over else f"round {self.round}, {self.decision} of seat {self.seat}"
        who = f"{self.num_players} players" if self.variant == c.VARIANT_NAMES[0] else self.variant
        return f"<Game {who} on {self.board.id}, {where}, {len(self.history)} moves>"
