"""BaseGame: what one game has, whatever game it is: the moves made, checks with sentences, who plays."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Self, TypeVar, cast

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.inputs import whole_number
from endeavor_env.engine.kernels.rules import CHANCE, NONE
from endeavor_env.engine.played import Played
from endeavor_env.errors import GameOverError, IllegalActionError, InvalidOptionError, counted, shown

CHANCE_NAME = "chance"
"""Who makes the moves of chance, in records."""
MOST_SHOWN = 12
"""Legal moves that a line names."""

K = TypeVar("K")


class BaseGame(ABC):
    """One game: its position and the moves that led there. What the rules are, a subclass says.

    Attributes:
        state: (1,) positions, the live one.
        history: The moves made, as (seat, action id).
        seed: The seed of the set-up, None if the set-up was given.
    """

    state: npt.NDArray[np.void]
    history: list[tuple[int, int]]
    seed: int | None
    _played: Played | None
    _moving: bool = False
    """Whether a thread makes a move: no other one gets in. A test and a setting next to each other are one for threads,
    as Python changes threads after calls and at jumps back."""
    _UNCOPIED: tuple[str, ...] = ("_moving",)
    """Attributes that copies and pickles do without."""

    @property
    def num_players(self) -> int:
        """Number of seats."""
        return int(self.state["num_seats"][0])

    @property
    def has_chance(self) -> bool:
        """Whether chance makes moves after the set-up."""
        return False

    @property
    def has_secrets(self) -> bool:
        """Whether seats may know something that others may not."""
        return False

    @property
    @abstractmethod
    def seat(self) -> int:
        """The seat whose decision it is, -1 when the game is over."""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.seat == NONE

    @property
    def played(self) -> Played | None:
        """Who plays, with what, when, and the time for each move; None if nobody said. The record has it, too.

        The rules do not look at it. ``game.played = Played.of(["Ada", "greedy", "value"])`` names the seats.
        """
        return self._played

    @played.setter
    def played(self, played: Played | None) -> None:
        if not isinstance(played, Played | None):
            raise InvalidOptionError(
                f"played={shown(played)} is not possible: give endeavor_env.engine.played.Played or None"
            )
        if played is not None and len(played.seats) != self.num_players:
            raise InvalidOptionError(
                f"played has {len(played.seats)} seats, and the game {self.num_players}: name each"
            )
        self._played = played

    # --- moves -------------------------------------------------------------------------------------------------------
    @abstractmethod
    def mask(self) -> npt.NDArray[np.bool_]:
        """Return which actions are legal: a fresh bool array with an entry for each action id.

        All are False when the game is over.
        """

    @abstractmethod
    def legal_actions(self) -> list[int]:
        """Return the legal action ids, ascending."""

    def legal_moves(self) -> list[str]:
        """Return the legal moves as text, in action-id order."""
        return [self.describe(action) for action in self.legal_actions()]

    @abstractmethod
    def encode(self, move: str) -> int:
        """Return the action id of a move text, legal now or not; raise IllegalActionError if it is no move."""

    @abstractmethod
    def describe(self, action: int) -> str:
        """Return the move text of an action id; raise IllegalActionError if the id names no move."""

    def play(self, move: str) -> None:
        """Make a move given as text; raise IllegalActionError, changing nothing, if it is not legal."""
        self.apply(self._asked_for(move))

    @abstractmethod
    def apply(self, action: int) -> None:
        """Make a move given as an action id, and draw what chance decides after it.

        Raises:
            GameOverError: The game has ended.
            IllegalActionError: Not a whole number, out of range, or not legal now; nothing is changed.
        """

    def make_move(self, action: int) -> None:
        """Make the next move that is known already, of a seat or of chance: nothing is drawn; errors as ``apply``."""
        self.apply(action)  # of a game without chance

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes that a copy takes over."""
        return {name: value for name, value in vars(self).items() if name not in self._UNCOPIED}

    def repeat(self, move: str) -> None:
        """Do ``make_move`` with a move given as text."""
        self.make_move(self._asked_for(move))

    def _asked_for(self, move: str) -> int:
        """Return the action id of a move text that is to be made now."""
        if self.over:
            raise self._game_over(shown(move))
        return self.encode(move)

    # --- errors ------------------------------------------------------------------------------------------------------
    @property
    @abstractmethod
    def _num_actions(self) -> int:
        """Number of action ids."""

    @abstractmethod
    def _decision_text(self) -> str:
        """Return what is asked, and whom, for error messages."""

    def _no_move_text(self) -> str:
        """Return what an action id without a text is, for error messages."""
        return "no move"

    def _game_over(self, asked: str) -> GameOverError:
        """Return the error for a move in a finished game."""
        return GameOverError(f"{asked} is not possible: the game is over, start another with {type(self).__name__}.new")

    def _refusal(self, action: object) -> IllegalActionError | GameOverError:
        """Return the error for ``action``, which is not legal now; it says what is."""
        number, size = whole_number(action), self._num_actions
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
    @abstractmethod
    def clone(self, *, same_chance: bool = False) -> Self:
        """Return an independent copy of the game, in which chance draws anew, or with ``same_chance`` the same."""

    def seen_by(self, seat: int) -> Self:
        """Return a copy of the game as a seat knows it: the rest is drawn anew, hidden parts and the draws to come."""
        return self.clone()  # of a game in which all is known

    @abstractmethod
    def _begun_again(self) -> BaseGame:
        """Return a new game of the same class with the same set-up, in which nothing was moved or drawn."""

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
        game = cast(Self, self._begun_again())
        game.seed = self.seed
        game.played = None if self._played is None else self._played.until(wanted)
        for _, action in self.history[:wanted]:
            game.make_move(action)
        return game

    # --- results and records -----------------------------------------------------------------------------------------
    @abstractmethod
    def scores(self) -> list[int]:
        """Return the score of each mat, before the end as if the game ended now."""

    def winners(self) -> list[int]:
        """Return the seats with the highest score, several when they share it.

        There are none if an opponent without a seat has more than all of them.
        """
        scores = self.scores()
        best = max(scores)
        return [seat for seat in range(self.num_players) if scores[seat] == best]

    @abstractmethod
    def setup(self) -> dict[str, Any]:
        """Return every random outcome of the set-up as plain JSON values."""

    @abstractmethod
    def record(self) -> dict[str, Any]:
        """Return the game as a record of plain JSON values.

        It has a ``result`` if the game is over, and ``played`` if somebody said who plays.
        """

    def _record_of(self, heading: dict[str, Any]) -> dict[str, Any]:
        """Return a record that begins with ``heading``: the format, and what is played."""
        record = {**heading, "seed": self.seed, "setup": self.setup(), "moves": self._moves()}
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

    def move_text(self, seat: int, action: int) -> str:
        """Return the text of a move that a seat made or makes; errors as ``describe``."""
        return self.describe(action)  # of a game whose texts do not depend on the seat

    def _result(self) -> dict[str, Any]:
        """Return the result of the finished game as a record has it."""
        return {"scores": self.scores()}


_readers: set[type] = set()
"""Classes of agents of this package that get the game itself."""


def only_reads(kind: type[K]) -> type[K]:
    """Declare that a class of agents neither changes a game nor looks at what its seat cannot know.

    Its agents get the game itself, which saves the time of a copy. It is for classes of this package; a class that
    inherits from one gets copies.
    """
    _readers.add(kind)
    return kind


def game_for(agent: object, game: BaseGame) -> Any:
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
