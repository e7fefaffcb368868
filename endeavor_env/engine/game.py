"""Game: one game of any rules, in words; and GameConfig, what is played.

A game checks every move and says what is wrong with one. The rules themselves are in the kernels of the game that is
played; the addresses of their entries are looked up when a game begins.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any, Self, TypeGuard, TypeVar

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
from endeavor_env.engine.game_rules import WORD, GameRules, copied, rows_of, zeroed
from endeavor_env.engine.kernels import parts, playouts, single
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.engine.kernels.rules import CHANCE, CHANCE_NAME, MAX_SEATS, NONE
from endeavor_env.engine.players_info import PlayersInfo
from endeavor_env.engine.record_fields import read_json, read_options, to_json
from endeavor_env.errors import (
    GameOverError,
    IllegalActionError,
    InvalidOptionError,
    InvalidSetupError,
    counted,
    shown,
)
from endeavor_env.kernels.loading.once import ensure_parts

FORMAT = "rails-game/1"
DIGITS = 16
"""Digits of the hash of a board in records."""
UNTOLD = "?"
"""Text of a move that a seat was not told."""
MOST_SHOWN = 12
"""Number of legal moves that a line names."""
NOT_LEGAL = single.NOT_LEGAL

K = TypeVar("K")


class GameConfig:
    """What is played, without the random outcomes of a game. It is checked when it is made, and never changes.

    Attributes:
        rules: The game.
        variant: A name of its variants.
        players: Number of seats.
        board: The board; (1,) of the game's boards, read only, unless the game has a class of its own for boards.
        options: (MAX_OPTIONS,) int16, read only: what the game gives a meaning.
    """

    rules: GameRules
    variant: str
    players: int
    board: Any
    options: Any

    @refuses_unknown_options("GameConfig")
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
        self.variant = one_of("variant", names[0] if variant is None else variant, names)
        self.players = self._count_seats(players)
        given = np.zeros(1, rules.board) if board is None else board
        if not isinstance(given, np.ndarray) or given.dtype != rules.board or given.shape != (1,):
            raise InvalidOptionError(f"board={shown(board)} is not possible: give one board of the game {rules.name!r}")
        self.board = self._board_array = copied(given)
        self.options = read_options(options)
        self._board_array.flags.writeable = self.options.flags.writeable = False

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
        return self._board_array

    @property
    def board_rows(self) -> npt.NDArray[np.int64]:
        """(1, words) int64, the board as kernels of the engine take it."""
        return rows_of(self._board_array)

    def option_array(self) -> npt.NDArray[np.int16]:
        """Return a copy of ``options``."""
        return self.options.copy()

    def new_game(self, seed: int | None = None, setup: Mapping[str, Any] | None = None) -> Any:
        """Return a game at its first decision.

        Args:
            seed: Draws the set-up, and what chance decides in the game; None takes one from the operating system.
            setup: Every random outcome of the set-up, as ``Game.setup()`` gives it; then the seed draws the rest.

        Raises:
            InvalidOptionError: The seed is not possible.
            InvalidSetupError: The set-up does not fit.
        """
        game = self.game_class.begin(self, seed, setup)
        game.draw()
        return game

    @property
    def game_class(self) -> type[Game]:
        """The class of the games that begin here."""
        return Game

    def draw_setup(self, seed: int) -> npt.NDArray[np.void]:
        """Return the set-up of a seed, (1,), the same on every machine, compiled or not."""
        drawn = zeroed(self.rules.setup)
        given = self.rules.addresses, self.board_rows, rows_of(drawn)
        single.draw_setup(*given, seeded(seed), self.players, self.code)
        return drawn

    def read_setup(self, setup: object) -> npt.NDArray[np.void]:
        """Return a given set-up as kernels take it, (1,); raise InvalidSetupError unless it fits."""
        drawn = read_json(setup, self.rules.setup, "setup")
        fault = self.rules.setup_fault(self.board_array, drawn, self.players, self.variant, self.options)
        if fault is not None:
            raise InvalidSetupError(f"setup {fault}")
        return drawn

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values; the board is its hash."""
        return {
            "game": self.rules.name,
            "board": hashlib.sha256(self.board_array.tobytes()).hexdigest()[:DIGITS],
            "variant": self.variant,
            "players": self.players,
            "options": self.options.tolist(),
        }

    def with_names(self) -> dict[str, Any]:
        """Return ``to_dict`` with the hash of the board as ``board_hash``, and what a game has names for by name."""
        plain = self.to_dict()
        return {**plain, "board_hash": plain["board"]}


class Game:
    """One game of any rules: its position and the moves that led there.

    Moves of chance stand in the history as (CHANCE, action id). The game draws them after the moves of seats, from a
    generator of its own, and no seat is asked for one.

    Attributes:
        config: What is played.
        history: The moves made, as (seat, action id).
        seed: The seed of the set-up, None if the set-up was given.
        drawn: (1,) set-up, read only: every random outcome before the first decision; ``setup()`` gives it in words.
            None in a copy of ``seen_by`` where seats hide something.
        chance: (1,) uint64, the generator of what is drawn in the game. The seed of the game gives it; without one, the
            operating system. Whoever reads it can foresee the draws.
    """

    config: Any
    history: list[tuple[int, int]]
    seed: int | None
    _moving: bool = False
    """True while a thread makes a move: no other one gets in. A test and a setting next to each other are one for
    threads, as Python changes threads after calls and at jumps back."""
    _copies: int = 0
    """Number of copies that drew anew, so that each draws otherwise."""
    _played: PlayersInfo | None = None
    _state: npt.NDArray[np.void] | None = None
    _UNCOPIED: tuple[str, ...] = ("_moving", "_addresses", "_boards", "_state")
    """Attributes that pickles and deep copies do without."""

    def __init__(
        self, config: Any, drawn: npt.NDArray[np.void], seed: int | None, chance: npt.NDArray[np.uint64]
    ) -> None:
        """Begin a game, and draw nothing. Use ``new_game`` of a config to start one."""
        self.config = config
        self._size = config.rules.num_actions(config.variant)
        self.has_chance = config.rules.has_chance
        """True if chance makes moves after the set-up."""
        self.history = []
        self.seed = seed
        self.drawn = drawn
        drawn.flags.writeable = False
        self.chance = chance
        self._first_chance = chance.copy() if self.has_chance else chance
        self._bind()
        self._positions = np.zeros((1, config.rules.position.itemsize // WORD.itemsize), WORD)
        single.begin(*self.given, rows_of(drawn), config.option_array(), config.players, config.code)

    @classmethod
    def begin(cls, config: Any, seed: int | None = None, setup: Mapping[str, Any] | None = None) -> Self:
        """Return a game of a config at its first decision or draw; as ``new_game`` of the config, without draws."""
        seed, rules = check_seed(seed), config.rules
        ensure_parts(parts.SINGLE, *rules.needs((config.variant,)))
        chance_seed = fresh_seed() if seed is None else seed
        if setup is None:
            seed, drawn = chance_seed, config.draw_setup(chance_seed)
        else:
            drawn = config.read_setup(setup)
        if not rules.has_chance:
            return cls(config, drawn, seed, _NO_CHANCE)
        chance = seeded(chance_seed)
        single.begin_chance(chance)
        return cls(config, drawn, seed, chance)

    @property
    def rules(self) -> GameRules:
        """The game that is played."""
        return self.config.rules

    @property
    def board(self) -> Any:
        """The board played on."""
        return self.config.board

    @property
    def variant(self) -> str:
        """Name of the variant."""
        return self.config.variant

    @property
    def num_players(self) -> int:
        """Number of seats; an opponent that is not at the table has none."""
        return self.config.players

    @property
    def has_secrets(self) -> bool:
        """Whether seats may know something that others may not."""
        return self.rules.has_secrets

    @property
    def seat(self) -> int:
        """The seat whose decision it is, -1 when the game is over, CHANCE where a draw is due (see ``draw``)."""
        return single.seat(self._positions)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return single.seat(self._positions) == NONE

    @property
    def played(self) -> PlayersInfo | None:
        """Who plays, with what, when, and the time for each move; None if nobody said. The record has it, too.

        The rules do not look at it. ``game.played = PlayersInfo.of(["Ada", "greedy", "value"])`` names the seats.
        """
        return self._played

    @played.setter
    def played(self, played: PlayersInfo | None) -> None:
        if not isinstance(played, PlayersInfo | None):
            raise InvalidOptionError(
                f"played={shown(played)} is not possible: give endeavor_env.engine.players_info.PlayersInfo or None"
            )
        if played is not None and len(played.seats) != self.num_players:
            raise InvalidOptionError(
                f"played has {len(played.seats)} seats, and the game {self.num_players}: name each"
            )
        self._played = played

    @property
    def state(self) -> npt.NDArray[np.void]:
        """(1,) position, the live one. Writing to it is for tests and search; moves check nothing then."""
        state = self._state
        if state is None:  # a copy makes it when somebody asks
            state = self._state = np.frombuffer(self._positions, self.rules.position)
        return state

    def take_position(self, state: npt.NDArray[np.void]) -> None:
        """Make ``state``, (1,), the position of the game."""
        self._state, self._positions = state, rows_of(state)

    @property
    def given(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """What kernels of the engine get of the game: addresses, board and position."""
        return self._addresses, self._boards, self._positions

    def _bind(self) -> None:
        """Look up what kernels get besides the position, once for all moves and copies."""
        self._addresses, self._boards = self.rules.addresses, self.config.board_rows

    # --- moves -------------------------------------------------------------------------------------------------------
    def mask(self) -> npt.NDArray[np.bool_]:
        """Return which actions are legal: a fresh bool array with an entry for each action id of the variant.

        All are False when the game is over.
        """
        mask = np.empty(self._size, np.int8)
        single.write_mask(self._addresses, self._boards, self._positions, mask)
        return mask.view(np.bool_)

    def legal_actions(self) -> list[int]:
        """Return the legal action ids, ascending."""
        return single.legal_ids(self._addresses, self._boards, self._size, self._positions)

    def legal_moves(self) -> list[str]:
        """Return the legal moves as text, in action-id order."""
        return [self.describe(action) for action in self.legal_actions()]

    def encode(self, move: str) -> int:
        """Return the action id of a move text, legal now or not; raise IllegalActionError if it is no move."""
        text = plain_text(move)
        action = None if text is None else self.rules.words.action(text, self.seat, self.num_players)
        if action is None or not 0 <= action < self._size:
            raise IllegalActionError(f"{shown(move)} is no move of the game '{self.rules}'")
        return action

    def describe(self, action: int) -> str:
        """Return the move text of an action id; raise IllegalActionError if the id names no move."""
        return self.move_text(self.seat, action)

    def move_text(self, seat: int, action: int) -> str:
        """Return the text of a move that a seat made or makes; errors as ``describe``."""
        number = whole_number(action)
        text = UNTOLD if number == NONE and seat == CHANCE else None
        if number is not None and 0 <= number < self._size:
            text = self.rules.words.text(number, seat, self.num_players)
        if text is None:
            raise IllegalActionError(f"action {shown(action)} names no move of the game '{self.rules}'")
        return text

    def play(self, move: str, draws: bool = True) -> None:
        """Make a move given as text; raise IllegalActionError, changing nothing, if it is not legal.

        ``draws`` is that of ``apply``.
        """
        if self.over:
            raise self._game_over(shown(move))
        self.apply(self.encode(move), draws=draws)

    def apply(self, action: int, draws: bool = True) -> None:
        """Make a move given as an action id, and draw what chance decides after it.

        Args:
            action: The action id.
            draws: Whether chance decides. Without it, moves that are known already are made one by one, those of chance
                among them; the generator then stands where it would if it had drawn them.

        Raises:
            GameOverError: The game has ended.
            IllegalActionError: Not a whole number, out of range, or not legal now; nothing is changed.
            OverlappingCallsError: Another thread makes a move.
        """
        number = action if type(action) is int else whole_number(action)
        if number is None or not 0 <= number < self._size:
            raise self._refusal(action)
        if self._moving:
            raise overlapping("apply", "apply")
        self._moving = True
        try:
            seat = single.play(self._addresses, self._boards, self._size, self._positions, number, self.chance)
            if seat == NOT_LEGAL:
                raise self._refusal(action)
            self.history.append((seat, number))
            if self.has_chance and draws:
                self.draw()
        finally:
            self._moving = False

    def draw(self) -> None:
        """Draw what chance decides, until a seat is to move or the game is over.

        New games and ``apply`` do so; a game from ``at_move`` may stand before a draw.
        """
        while self.seat == CHANCE:
            self.history.append((CHANCE, single.draw(*self.given, self.chance)))

    # --- errors ------------------------------------------------------------------------------------------------------
    def _decision_text(self) -> str:
        """Return what is asked, and whom, for error messages."""
        return f"what {CHANCE_NAME} decides" if self.seat == CHANCE else f"the decision of seat {self.seat}"

    def _no_move_text(self) -> str:
        """Return what an action id without a text is, for error messages."""
        return "no move"

    def _game_over(self, asked: str) -> GameOverError:
        """Return the error for a move in a finished game."""
        return GameOverError(f"{asked} is not possible: the game is over, start another with new_game of its config")

    def _refusal(self, action: object) -> IllegalActionError | GameOverError:
        """Return the error for ``action``, which is not legal now; it says what is."""
        number, size = whole_number(action), self._size
        if self.over:
            return self._game_over(f"action {shown(action)}")
        if number is None or not 0 <= number < size:
            return IllegalActionError(
                f"action {shown(action)} is no action id: those are whole numbers 0..{size - 1}; {self._legal_text()}"
            )
        who = f"seat {self.seat}" if self.seat != CHANCE else CHANCE_NAME
        return IllegalActionError(f"{self._action_text(number)} is illegal for {who}; {self._legal_text()}")

    def _action_text(self, action: int) -> str:
        """Return an action id with its move, for error messages."""
        try:
            return f"action {action} ({self.describe(action)})"
        except IllegalActionError:
            return f"action {action} ({self._no_move_text()})"

    def _legal_text(self) -> str:
        """Return the decision and the first of its legal moves, for error messages."""
        moves = counted(len(self.legal_actions()), "legal move")
        return f"{self._decision_text()} has {moves}: {self.first_moves_text()}"

    def first_moves_text(self) -> str:
        """Return the first legal moves as a line for people, with dots if there are more."""
        legal = self.legal_actions()
        return ", ".join(map(self.describe, legal[:MOST_SHOWN])) + (" ..." if len(legal) > MOST_SHOWN else "")

    # --- copies ------------------------------------------------------------------------------------------------------
    def clone(self, *, same_chance: bool = False) -> Self:
        """Return an independent copy of the game, in which chance draws anew.

        The draws of a copy are independent of those of the game and of its other copies, so that nobody foresees the
        game in one. They follow from the position of the game's generator and the number of copies made, so that a
        program that makes the same copies gets the same draws. A copy of a game with chance has no ``seed``.
        ``copy.deepcopy`` and ``pickle`` keep everything.

        Args:
            same_chance: Whether chance draws the same in the copy, as for taking back moves; it has the seed then.
        """
        twin = self._twin()
        if not self.has_chance:
            return twin
        if same_chance:
            twin.chance, twin._first_chance, twin._copies = self.chance.copy(), self._first_chance.copy(), 0
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
            playouts.resample(*twin.given, np.array([number]), hidden.reshape(1, 1), 0, 1)
        twin.config, twin._played = object.__new__(type(self.config)), None
        vars(twin.config).update(vars(self.config))  # a copy of its own, which nothing is checked for
        twin._draw_anew(chance)
        return twin

    def _twin(self) -> Self:
        """Return a copy of the game that shares its generators of chance; it is quicker than a new game."""
        twin = object.__new__(type(self))
        fields = twin.__dict__ = self.__dict__.copy()
        fields["_positions"], fields["history"] = self._positions.copy(), self.history.copy()
        fields["_state"], fields["_moving"] = None, False
        return twin

    def _draw_anew(self, chance: npt.NDArray[np.uint64]) -> None:
        """Draw by a generator of this copy's own; without the seed, from which the draws of the game follow."""
        self.seed, self.chance, self._first_chance, self._copies = None, chance, chance.copy(), 0

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes that a pickle holds."""
        return {name: value for name, value in vars(self).items() if name not in self._UNCOPIED}

    def __setstate__(self, fields: dict[str, Any]) -> None:
        vars(self).update(fields)
        self._bind()

    def at_move(self, number: int) -> Self:
        """Return a new game with the same set-up in which the first ``number`` moves of this one were made.

        Args:
            number: From 0, the first decision, to the number of moves made.

        Raises:
            InvalidOptionError: Another number.
            IllegalActionError: Somebody wrote to ``state``, so that the moves made are not legal from the set-up.
        """
        made, wanted = len(self.history), whole_number(number)
        if wanted is None or not 0 <= wanted <= made:
            raise InvalidOptionError(f"number={shown(number)} is not possible: give 0 to {made}, the moves made so far")
        game = type(self)(self.config, self._known_setup(), self.seed, self._first_chance.copy())
        game.played = None if self._played is None else self._played.until(wanted)
        for _, action in self.history[:wanted]:
            game.apply(action, draws=False)
        return game

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
        new = single.new_features if kind == OBSERVATIONS[0] else single.new_compact
        return new(*self.given, number, layout.size)

    def scores(self) -> list[int]:
        """Return the score of each mat, before the end as if the game ended now."""
        totals = np.zeros(MAX_SEATS, np.int64)
        return totals[: single.score(*self.given, totals)].tolist()

    def winners(self) -> list[int]:
        """Return the seats with the highest score, several when they share it.

        There are none if an opponent without a seat has more than all of them.
        """
        scores = self.scores()
        best = max(scores)
        return [seat for seat in range(self.num_players) if scores[seat] == best]

    # --- records -----------------------------------------------------------------------------------------------------
    def setup(self) -> dict[str, Any]:
        """Return every random outcome of the set-up as plain JSON values, to be passed as ``setup`` for a new game."""
        return to_json(self._known_setup())

    def record(self) -> dict[str, Any]:
        """Return the game as a record of plain JSON values.

        It has a ``result`` if the game is over, and ``played`` if somebody said who plays.
        """
        record = {**self._heading(), "seed": self.seed, "setup": self.setup(), "moves": self._moves()}
        return self._with_end(record)

    def _heading(self) -> dict[str, Any]:
        """Return the first fields of a record: its format, and what is played."""
        return {"format": FORMAT, **self.config.to_dict()}

    def _with_end(self, record: dict[str, Any]) -> dict[str, Any]:
        """Add to a record who plays, and the result."""
        if self._played is not None:
            record["played"] = self._played.until(len(self.history)).to_dict()
        if self.over:
            record["result"] = self._result()
        return record

    def _moves(self) -> list[list[Any]]:
        """Return the moves made as a record has them."""
        return [
            [CHANCE_NAME if seat == CHANCE else seat, self.move_text(seat, action)] for seat, action in self.history
        ]

    def _result(self) -> dict[str, Any]:
        """Return the result of the finished game as a record has it."""
        return {"scores": self.scores()}

    def moves_seen_by(self, seat: int | None) -> list[list[Any]]:
        """Return the moves as a record has them, as a seat was told of them.

        All are told in full unless a game says otherwise. None stands for an observer who sees everything, NONE for one
        who sees what all may see.
        """
        return self._moves()

    def history_seen_by(self, seat: int) -> list[tuple[int, int]]:
        """Return the moves made as a seat was told of them, NONE for what everybody was told.

        Moves of chance that it was not told have the action NONE. All are told in full unless a game says otherwise.
        """
        return list(self.history)

    def record_seen_by(self, seat: int | None) -> dict[str, Any] | None:
        """Return the record as a seat may read it; None if the game has no such record before its end.

        Before the end it has no seed where the draws to come follow from it.
        """
        if seat is None or self.over:
            return self.record()
        if self.has_secrets:
            return None
        return {**self.record(), "seed": None} if self.has_chance else self.record()

    def __repr__(self) -> str:
        where = "over" if self.over else self._decision_text()
        return f"<{type(self).__name__} {self.rules}, {where}, {len(self.history)} moves>"


def is_game(given: object) -> TypeGuard[Game]:
    """Return whether somebody gave a game, of any rules."""
    return isinstance(given, Game)


_NO_CHANCE = np.zeros(1, np.uint64)
"""The generator of games without chance, from which nothing is drawn."""


def _generators(known: bytes, *numbers: int) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
    """Return two generators, (1,) uint64, that follow from bytes and numbers, which nobody finds from them."""
    digest = hashlib.blake2b(known + repr(numbers).encode(), digest_size=16).digest()
    return seeded(int.from_bytes(digest[:8], "little")), seeded(int.from_bytes(digest[8:], "little"))


# --- What agents get --------------------------------------------------------------------------------------------------

_readers: set[type] = set()
"""Classes of agents of this package that get the game itself."""


def only_reads(kind: type[K]) -> type[K]:
    """Declare that a class of agents neither changes a game nor looks at what its seat cannot know.

    Its agents get the game itself, which saves the time of a copy. It is for classes of this package; a class that
    inherits from one gets copies.
    """
    _readers.add(kind)
    return kind


def game_for(agent: object, game: Game) -> Any:
    """Return what an agent that is to move is handed, wherever agents play: a game that it may change and keep.

    It is ``game.seen_by(game.seat)``: what the seat knows, with the rest drawn anew. An agent with the attribute
    ``sees_everything = True`` gets a full copy, hidden parts and draws to come included. One of a class that is
    declared by ``only_reads`` gets the game itself.
    """
    if type(agent) in _readers:
        return game
    return game.clone(same_chance=True) if sees_everything(agent) else game.seen_by(game.seat)


def sees_everything(agent: object) -> bool:
    """Return whether an agent asks for all of a game, what its seat cannot know included."""
    return getattr(agent, "sees_everything", False) is True


def agent_title(agent: Any, name: str | None = None) -> str:
    """Return the name of an agent in results and records, its own or ``name``; it says so if it sees everything."""
    called = str(agent.name) if name is None else name
    return f"{called} (sees everything)" if sees_everything(agent) else called
