"""A game that people and agents play, kept in a file after every move."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agents.base import Agent
from agents.registry import make_agent
from endeavor_env.errors import EndeavorError, InvalidOptionError, RecordError, shown
from endeavor_env.files import read_json_object, write_json
from endeavor_env.game import Game
from endeavor_env.records import replay

HUMAN = "human"
FORMAT = "endeavor-session/1"
IN_A_TURN = ("target", "follow_up", "neutral", "discard")
"""Kinds of decisions that belong to a turn which has begun."""


class StaleMoveError(EndeavorError):
    """A move for a position that is no longer the last one, as from a second tab."""


class Session:
    """A game with a seat for each name: "human", or an agent that moves by itself."""

    def __init__(self, file: Path, game: Game, seats: Sequence[str]) -> None:
        """Seat the agents.

        Args:
            file: Where the session is kept.
            game: The game as far as it has come.
            seats: A name for each seat.

        Raises:
            InvalidOptionError: There is another number of seats, or no such agent.
        """
        if len(seats) != game.num_players:
            raise InvalidOptionError(f"{len(seats)} seats are named, and the game has {game.num_players}")
        self.file, self.game, self.seats = file, game, tuple(seats)
        self.lock = threading.RLock()
        self._agents: dict[int, Agent] = {}
        for seat, name in enumerate(seats):
            if name != HUMAN:
                self._agents[seat] = make_agent(name)
                self._agents[seat].reset(seat)

    @classmethod
    def begin(cls, file: Path, seats: Sequence[str], seed: int | None = None, **new: Any) -> Session:
        """Begin a game, let agents move until somebody is asked, and keep it; arguments as for ``Game.new``."""
        session = cls(file, Game.new(len(seats), seed=seed, **new), seats)
        session.let_agents_move()
        return session

    @classmethod
    def resume(cls, file: Path) -> Session:
        """Go on with a game that was kept.

        Raises:
            RecordError: The file is missing, cut off or edited.
        """
        kept = read_json_object(file, "session", RecordError)
        if kept.get("format") != FORMAT or not isinstance(kept.get("seats"), list) or "record" not in kept:
            raise RecordError(f"{file} is no session: its format must be {FORMAT!r}, with seats and a record")
        session = cls(file, replay(kept["record"]), kept["seats"])
        session.let_agents_move()
        return session

    def keep(self) -> None:
        """Write the game to its file in one step."""
        write_json(self.file, {"format": FORMAT, "seats": list(self.seats), "record": self.game.record()})

    @property
    def asks_human(self) -> bool:
        """Whether a person is to decide."""
        return not self.game.over and self.game.seat not in self._agents

    def play(self, number: int, move: str) -> None:
        """Make a move of a person, and those of the agents after it.

        Args:
            number: How many moves had been made in the position that the person saw.
            move: The move in words.

        Raises:
            StaleMoveError: The game has gone on since.
            EndeavorError: The move is illegal; nothing has changed.
        """
        with self.lock:
            self._check_current(number)
            self.game.play(move)
            self.let_agents_move()

    def let_agents_move(self) -> None:
        """Let the agents move until a person is asked or the game is over, and keep the game."""
        with self.lock:
            self.keep()
            while not self.game.over and self.game.seat in self._agents:
                self.game.apply(self._agents[self.game.seat].act(self.game))
            self.keep()

    def undo(self, number: int) -> None:
        """Go back to the beginning of the person's turn, or of the one before if this one has just begun.

        Raises:
            StaleMoveError: The game has gone on since.
            InvalidOptionError: No person has moved yet.
        """
        with self.lock:
            self._check_current(number)
            at = self._turn_before(number)
            if at is None:
                raise InvalidOptionError("there is no move to take back")
            self.game = self.game.at_move(at)
            self.keep()

    def hint(self, name: str) -> str:
        """Return the move that an agent would make here, in words; raise InvalidOptionError without such an agent."""
        with self.lock:
            if self.game.over:
                raise InvalidOptionError("the game is over: there is no move to hint at")
            agent = make_agent(name)
            agent.reset(0)
            return self.game.describe(agent.act(self.game))

    def _check_current(self, number: int) -> None:
        made = len(self.game.history)
        if number != made:
            raise StaleMoveError(
                f"the game has gone on: {made} moves were made, and this is about move {shown(number)}"
            )

    def _turn_before(self, number: int) -> int | None:
        """Return how many moves were made when the last turn of a person began before ``number`` moves."""
        game, found = self.game.at_move(0), None
        for index, (seat, action) in enumerate(self.game.history[:number]):
            if seat not in self._agents and game.decision not in IN_A_TURN:
                found = index
            game.apply(action)
        return found
