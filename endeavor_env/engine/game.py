"""RailsGame: one game of any rules on the engine, in words; and RailsConfig, what is played."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.inputs import (
    OBSERVATIONS,
    check_seed,
    fresh_seed,
    one_of,
    plain_text,
    refuses_unknown_options,
    seat_number,
    whole_number,
)
from endeavor_env.basics.thread_guard import overlapping
from endeavor_env.engine.base_game import CHANCE_NAME, BaseGame
from endeavor_env.engine.game_rules import GameRules, copied, rows_of
from endeavor_env.engine.kernels import parts as parts  # which declares them
from endeavor_env.engine.kernels import ranges, single
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.engine.kernels.rules import CHANCE, CHANCE_MOVE, MAX_SEATS, NONE, RESAMPLE
from endeavor_env.engine.record_fields import read_json, read_options, to_json
from endeavor_env.errors import IllegalActionError, InvalidOptionError, InvalidSetupError, shown

FORMAT = "rails-game/1"
DIGITS = 16
"""Digits of the hash of a board in records."""
UNTOLD = "?"
"""The text of a move that a seat was not told."""


class RailsConfig:
    """What is played on the engine, without the random outcomes of a game. It is checked when it is made.

    Attributes:
        rules: The game.
        variant: A name of its variants.
        players: Number of seats.
        board: (1,) of the game's boards, read only.
        options: (MAX_OPTIONS,) int16, read only: what the game gives a meaning.
    """

    @refuses_unknown_options("RailsConfig")
    def __init__(
        self,
        rules: GameRules,
        players: int | None = None,
        variant: str | None = None,
        board: npt.NDArray[np.void] | None = None,
        options: Sequence[int] = (),
    ) -> None:
        """Check what is to be played.

        Args:
            rules: The game.
            players: Number of seats; None for the fewest of the variant.
            variant: A name of its variants; None for the first.
            board: (1,) of the game's boards; None for one of zeros, which a game without boards takes.
            options: Numbers of which the game knows what they mean; those that are left out are 0.

        Raises:
            InvalidOptionError: One of them is not possible.
        """
        self.rules = rules
        names = tuple(rules.variants)
        self.variant: str = one_of("variant", names[0] if variant is None else variant, names)
        self.players = self._count_seats(players)
        given = np.zeros(1, rules.board) if board is None else board
        if not isinstance(given, np.ndarray) or given.dtype != rules.board or given.shape != (1,):
            raise InvalidOptionError(f"board={shown(board)} is not possible: give one board of the game {rules.name!r}")
        self.board = copied(given)
        self.options = read_options(options)
        self.board.flags.writeable = self.options.flags.writeable = False

    def _count_seats(self, players: int | None) -> int:
        """Return the number of seats."""
        least, most = self.rules.variants[self.variant]
        number = least if players is None else whole_number(players)
        if number is None or not least <= number <= most:
            takes = f"{least} to {most}" if least < most else f"{least}"
            raise InvalidOptionError(
                f"players={shown(players)} does not fit variant {self.variant!r}: it takes {takes}"
            )
        return number

    @property
    def code(self) -> int:
        """The variant as kernels take it."""
        return list(self.rules.variants).index(self.variant)

    def with_players(self, players: int) -> Self:
        """Return the same with another number of seats; raise InvalidOptionError if the variant does not have it."""
        other = copy(self)
        other.players = self._count_seats(players)
        return other

    @property
    def num_scores(self) -> int:
        """Number of scores, one for each seat."""
        return self.players

    @property
    def board_array(self) -> npt.NDArray[np.void]:
        """(1,) board, read only."""
        return self.board

    def option_array(self) -> npt.NDArray[np.int16]:
        """Return a copy of ``options``."""
        return self.options.copy()

    def new_game(self, seed: int | None = None, setup: Mapping[str, Any] | None = None) -> RailsGame:
        """Return a game at its first decision; see ``RailsGame.new``."""
        game = self.begin(seed, setup)
        game.draw()
        return game

    def begin(self, seed: int | None = None, setup: Mapping[str, Any] | None = None) -> RailsGame:
        """Return a game at its first decision or draw; see ``RailsGame.new``."""
        seed = check_seed(seed)
        chance_seed = fresh_seed() if seed is None else seed
        drawn = np.zeros(1, self.rules.setup)
        if setup is None:
            seed, given = chance_seed, (self.rules.addresses, rows_of(self.board), rows_of(drawn))
            single.draw_setup(*given, seeded(seed), self.players, self.code)
        else:
            drawn = self.read_setup(setup)
        chance = seeded(chance_seed)
        single.begin_chance(chance)
        return self._game_class(self, drawn, seed, chance)

    @property
    def _game_class(self) -> type[RailsGame]:
        """The class of the games that begin here."""
        return RailsGame

    def read_setup(self, setup: object) -> npt.NDArray[np.void]:
        """Return a given set-up as kernels take it, (1,); raise InvalidSetupError unless it fits."""
        drawn = read_json(setup, self.rules.setup, "setup")
        fault = self.rules.setup_fault(self.board, drawn, self.players, self.variant, self.options)
        if fault is not None:
            raise InvalidSetupError(f"setup {fault}")
        return drawn

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values; the board is its hash."""
        return {
            "game": self.rules.name,
            "board": hashlib.sha256(self.board.tobytes()).hexdigest()[:DIGITS],
            "variant": self.variant,
            "players": self.players,
            "options": self.options.tolist(),
        }

    def with_names(self) -> dict[str, Any]:
        """Return ``to_dict`` with the hash of the board as ``board_hash``, and what a game has names for by name."""
        plain = self.to_dict()
        return {**plain, "board_hash": plain["board"]}


class RailsGame(BaseGame):
    """One game of any rules on the engine: its position and the moves that led there.

    Moves of chance stand in the history as (CHANCE, action id). The game draws them after the moves of seats, from a
    generator of its own, and no seat is asked for one.

    Attributes:
        config: What is played.
        state: (1,) position; another one is given by ``take_position``.
        drawn: (1,) set-up, read only: every random outcome before the first decision; ``setup()`` gives it in words.
            None in a copy of ``seen_by`` where seats hide something.
        chance: (1,) uint64, the generator of what is drawn in the game. The seed of the game gives it; without one, the
            operating system. Whoever reads it can foresee the draws.
    """

    _UNCOPIED = (*BaseGame._UNCOPIED, "_given", "_seat_in_state")

    def __init__(
        self,
        config: RailsConfig,
        drawn: npt.NDArray[np.void],
        seed: int | None,
        chance: npt.NDArray[np.uint64],
    ) -> None:
        """Begin a game, and draw nothing. Use ``RailsGame.new`` to start one."""
        self.config = config
        self._size = config.rules.num_actions(config.variant)
        self.take_position(np.zeros(1, config.rules.position))
        self.history = []
        self.seed = seed
        self.drawn = drawn
        self.drawn.flags.writeable = False
        self.chance = chance
        self._first_chance = chance.copy()
        self._copies = 0  # that drew anew, so that each draws otherwise
        self._played = None
        single.begin(*self._given, rows_of(drawn), config.options, config.players, config.code)

    @classmethod
    @refuses_unknown_options("RailsGame.new")
    def new(
        cls,
        rules: GameRules,
        players: int | None = None,
        variant: str | None = None,
        seed: int | None = None,
        *,
        setup: Mapping[str, Any] | None = None,
        board: npt.NDArray[np.void] | None = None,
        options: Sequence[int] = (),
    ) -> RailsGame:
        """Start a game at its first decision.

        Args:
            rules: The game.
            players: Number of seats; None for the fewest of the variant.
            variant: A name of its variants; None for the first.
            seed: Draws the set-up, and what chance decides in the game; None takes one from the operating system.
            setup: Every random outcome of the set-up, as ``setup()`` gives it; then the seed draws the rest.
            board: (1,) of the game's boards; None for one of zeros.
            options: Numbers of which the game knows what they mean.

        Raises:
            InvalidOptionError: One of the arguments is not possible.
            InvalidSetupError: The set-up does not fit.
        """
        return RailsConfig(rules, players, variant, board, options).new_game(seed, setup)

    @property
    def rules(self) -> GameRules:
        """The game that is played."""
        return self.config.rules

    @property
    def board(self) -> npt.NDArray[np.void]:
        """(1,) board, read only."""
        return self.config.board

    @property
    def variant(self) -> str:
        """Name of the variant."""
        return self.config.variant

    def take_position(self, state: npt.NDArray[np.void]) -> None:
        """Make ``state``, (1,), the position of the game: what kernels get of it is made here, once for all moves."""
        self.state = state
        self._seat_in_state = state["seat"]
        self._given = self.config.rules.given(self.config.board, state)

    @property
    def _num_actions(self) -> int:
        return self._size

    @property
    def seat(self) -> int:
        """The seat whose decision it is, -1 when the game is over, CHANCE where a draw is due (see ``draw``)."""
        return self._seat_in_state.item()

    @property
    def has_chance(self) -> bool:
        """Whether chance makes moves after the set-up."""
        return self.rules.entries[CHANCE_MOVE] is not None

    @property
    def has_secrets(self) -> bool:
        """Whether seats may know something that others may not."""
        return self.rules.entries[RESAMPLE] is not None

    # --- moves -------------------------------------------------------------------------------------------------------
    def mask(self) -> npt.NDArray[np.bool_]:
        """Return which actions are legal: a fresh bool array with an entry for each action id.

        All are False when the game is over.
        """
        mask = np.empty(self._size, np.int8)
        single.write_mask(*self._given, mask)
        return mask.view(np.bool_)

    def legal_actions(self) -> list[int]:
        """Return the legal action ids, ascending."""
        found: list[int] = single.legal_ids(*self._given, self._size)
        return found

    def encode(self, move: str) -> int:
        """Return the action id of a move text, legal now or not; raise IllegalActionError if it is no move."""
        text = plain_text(move)
        action = None if text is None else self.rules.words.action(text, self.seat, self.num_players)
        if action is None or not 0 <= action < self._num_actions:
            raise IllegalActionError(f"{shown(move)} is no move of the game {self.rules.name!r}")
        return action

    def describe(self, action: int) -> str:
        """Return the move text of an action id; raise IllegalActionError if the id names no move."""
        return self.move_text(self.seat, action)

    def move_text(self, seat: int, action: int) -> str:
        """Return the text of a move that a seat made or makes; errors as ``describe``."""
        number, size = whole_number(action), self._size
        text = UNTOLD if number == NONE and seat == CHANCE else None
        if number is not None and 0 <= number < size:
            text = self.rules.words.text(number, seat, self.num_players)
        if text is None:
            raise IllegalActionError(f"action {shown(action)} names no move of the game {self.rules.name!r}")
        return text

    def apply(self, action: int) -> None:
        """Make a move given as an action id, and draw what chance decides after it.

        Raises:
            GameOverError: The game has ended.
            IllegalActionError: Not a whole number, out of range, or not legal now; nothing is changed.
        """
        self._move(action, draws=True)

    def make_move(self, action: int) -> None:
        """Make the next move that is known already, of a seat or of chance: nothing is drawn; errors as ``apply``.

        After a move of chance the generator stands where it would if it had drawn that.
        """
        self._move(action, draws=False)

    def _move(self, action: int, draws: bool) -> None:
        """Make a move; ``draws`` says whether what chance decides after it is drawn."""
        if self._moving:
            raise overlapping("apply", "apply")
        self._moving = True
        try:
            number, size = whole_number(action), self._size
            if number is None or not 0 <= number < size:
                raise self._refusal(action)
            seat = single.play(*self._given, size, number, self.chance)
            if seat == single.NOT_LEGAL:
                raise self._refusal(action)
            self.history.append((seat, number))
            if draws:
                self.draw()
        finally:
            self._moving = False

    def draw(self) -> None:
        """Draw what chance decides, until a seat is to move or the game is over.

        New games and ``apply`` do so; a game from ``at_move`` may stand before a draw.
        """
        while self.seat == CHANCE:
            self.history.append((CHANCE, single.draw(*self._given, self.chance)))

    def _decision_text(self) -> str:
        return f"what {CHANCE_NAME} decides" if self.seat == CHANCE else f"the decision of seat {self.seat}"

    # --- copies ------------------------------------------------------------------------------------------------------
    def clone(self, *, same_chance: bool = False) -> Self:
        """Return an independent copy of the game, in which chance draws anew.

        The draws of a copy are independent of those of the game and of its other copies, so that nobody foresees the
        game in one. They follow from the position of the game's generator and the number of copies made, so that a
        program that makes the same copies gets the same draws. A copy has no ``seed``. ``copy.deepcopy`` and ``pickle``
        keep everything.

        Args:
            same_chance: Whether chance draws the same in the copy, as for taking back moves; it has the seed then.
        """
        twin = self._twin()
        if same_chance or not self.has_chance:
            twin.chance, twin._first_chance = self.chance.copy(), self._first_chance.copy()
            return twin
        self._copies += 1
        twin._draw_anew(_generators(self.chance.tobytes(), self._copies)[0])
        return twin

    def seen_by(self, seat: int) -> Self:
        """Return a copy of the game as a seat knows it: the rest is drawn anew, hidden parts and the draws to come.

        It follows from what the seat knows alone: where a seat knows the same, it gets the same copy. ``history`` is
        that of ``history_seen_by``, in which moves that the seat was not told have the text "?". Where seats hide
        something the copy has no beginning: ``at_move``, ``setup``, and a ``record`` with a set-up are refused.

        Raises:
            InvalidOptionError: There is no such seat.
        """
        number = seat_number("seat", seat, self.num_players)
        if not self.has_chance and not self.has_secrets:
            return self.clone()
        known = self.observe(number, OBSERVATIONS[1]).tobytes()
        twin, (hidden, chance) = self._twin(), _generators(known, len(self.history), number)
        if self.has_secrets:
            twin.history, twin.drawn = self.history_seen_by(number), None
            ranges.resample(*twin._given, np.array([number]), hidden.reshape(1, 1), 0, 1)
        twin.config, twin._played = object.__new__(type(self.config)), None
        vars(twin.config).update(vars(self.config))  # a copy of its own, which nothing is checked for
        twin._draw_anew(chance)
        return twin

    def _twin(self) -> Self:
        """Return a copy of the game that shares its generators of chance; it is quicker than a new game."""
        twin = object.__new__(type(self))
        vars(twin).update(self.__getstate__())
        twin.take_position(copied(self.state))
        twin.history, twin._copies = list(self.history), 0
        return twin

    def _draw_anew(self, chance: npt.NDArray[np.uint64]) -> None:
        """Draw by a generator of this copy's own; without the seed, from which the draws of the game follow."""
        self.seed, self.chance, self._first_chance = None, chance, chance.copy()

    def __setstate__(self, fields: dict[str, Any]) -> None:
        vars(self).update(fields)
        self.take_position(self.state)

    def _begun_again(self) -> Self:
        return type(self)(self.config, self._known_setup(), self.seed, self._first_chance.copy())

    def _known_setup(self) -> npt.NDArray[np.void]:
        """Return the set-up; raise InvalidOptionError in a copy of ``seen_by``, which may not know it."""
        if self.drawn is None:
            raise InvalidOptionError("the game as a seat sees it has no beginning: the set-up may hide something")
        return self.drawn

    # --- reading -----------------------------------------------------------------------------------------------------
    def observe(self, seat: int, observation: str = "features") -> npt.NDArray[Any]:
        """Return what ``seat`` may see, in the layout of the kind of observation, "features" or "compact".

        Raises:
            InvalidOptionError: There is no such seat, or no such kind.
        """
        kind = one_of("observation", observation, OBSERVATIONS)
        layout, number = self.rules.layout_for(self.variant, kind), seat_number("seat", seat, self.num_players)
        out = np.zeros(layout.size, layout.dtype)
        write = single.write_features if kind == OBSERVATIONS[0] else single.write_compact
        write(*self._given, number, out)
        return out

    def scores(self) -> list[int]:
        """Return the score of each mat, before the end as if the game ended now."""
        totals = np.zeros(MAX_SEATS, np.int64)
        return totals[: single.score(*self._given, totals)].tolist()

    def setup(self) -> dict[str, Any]:
        """Return every random outcome of the set-up, to be passed to ``RailsGame.new(setup=...)``."""
        return to_json(self._known_setup())

    def record(self) -> dict[str, Any]:
        """Return the game as a ``rails-game/1`` record of plain JSON values.

        It has a ``result`` if the game is over, and ``played`` if somebody said who plays.
        """
        return self._record_of({"format": FORMAT, **self.config.to_dict()})

    def __repr__(self) -> str:
        where = "over" if self.over else self._decision_text()
        return f"<{type(self).__name__} {self.rules.name}, {where}, {len(self.history)} moves>"


def _generators(known: bytes, *numbers: int) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
    """Return two generators, (1,) uint64, that follow from bytes and numbers, which nobody finds from them."""
    digest = hashlib.blake2b(known + repr(numbers).encode(), digest_size=16).digest()
    return seeded(int.from_bytes(digest[:8], "little")), seeded(int.from_bytes(digest[8:], "little"))
