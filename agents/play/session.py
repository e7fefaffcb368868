"""A game that people and agents play: agents think in a thread of their own, and every move is kept in a file."""

from __future__ import annotations

import contextlib
import os
import secrets
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from endeavor_env.agents.base import AgentOf
from endeavor_env.agents.play.advice import Hint
from endeavor_env.agents.play.seats import check_seats, is_person
from endeavor_env.agents.play.session_file import read_session, write_session
from endeavor_env.agents.play.snapshot import SessionSnapshot
from endeavor_env.agents.play.tables import table_of
from endeavor_env.basics.inputs import derived_seed, fresh_seed
from endeavor_env.engine.game import Game, game_for
from endeavor_env.errors import EndeavorError, InvalidOptionError, RecordError, Unpicklable, shown


class StaleMoveError(EndeavorError):
    """A request about a position that is no longer the last one, as from a second tab."""


class NotKeptError(EndeavorError):
    """The file of the game cannot be written; the move was not made."""


class Session(Unpicklable):
    """A game with a text for each seat: "human", "human:<name>", or an agent that moves by itself.

    All methods can be called from any thread. No lock is held while an agent thinks: a game can be looked at and moves
    can be taken back meanwhile, and a thought about a position that is gone is thrown away.

    Attributes:
        file: Where the game is kept.
        game: The game so far; a new object for every position, which nobody changes.
        seats: What plays each seat.
        table: What the server knows of this kind of game.
        people: The seats that people play.
        trouble: Why the agent to move cannot move; None if it can.
    """

    def __init__(self, file: Path, game: Game, seats: Sequence[str], key: str | None = None) -> None:
        """Seat the agents; nothing is written and no agent moves before ``start``.

        Args:
            file: Where the game is kept.
            game: The game so far.
            seats: What plays each seat.
            key: The secret of the session; None for a new one.

        Raises:
            InvalidOptionError: There is another number of seats, a name that cannot be shown, or no such agent.
        """
        if len(seats) != game.num_players:
            raise InvalidOptionError(f"{len(seats)} seats are named, and the game has {game.num_players}")
        check_seats(seats)
        self.file, self.game, self.seats = file, game, tuple(seats)
        self.table = table_of(game)
        self.people = frozenset(seat for seat, name in enumerate(seats) if is_person(name))
        self.trouble: str | None = None
        self._key = secrets.token_hex(16) if key is None else key
        self._deleted = False
        self._lock = threading.RLock()
        self._settled = threading.Condition(self._lock)  # told when no agent is to move any more
        self._hinting = threading.Lock()
        self._mover: threading.Thread | None = None
        self._agents = self._fresh_agents()
        game.played = self.table.played(game, seats, self._agents)
        self._since: float | None = None  # when the position arose; None if that was before this process

    def _fresh_agents(self) -> dict[int, AgentOf[Any]]:
        """Return new agents by seat, which take memory at their first move."""
        agents, game = dict[int, AgentOf[Any]](), self.game
        seed = fresh_seed() if game.seed is None else game.seed
        for seat, name in enumerate(self.seats):
            if seat not in self.people:
                agents[seat] = self.table.agent(game, name)
                agents[seat].reset(derived_seed(seed, seat, len(game.history)))
        return agents

    @property
    def nbytes(self) -> int:
        """Bytes of memory that its agents take since they moved."""
        return sum(getattr(agent, "nbytes", 0) for agent in self._agents.values())

    def rest(self) -> None:
        """Give back the memory of its agents, unless one is thinking; they take it again when it is their turn."""
        with self._lock, contextlib.suppress(EndeavorError):  # a file that is gone: they stay as they are
            if self._mover is None and not self._deleted:
                self._agents = self._fresh_agents()

    @classmethod
    def resume(cls, file: Path) -> Session:
        """Return the session of a file, started.

        Raises:
            RecordError: The file is missing, cut off or edited.
        """
        kept = read_session(file)
        if kept.seats is None:
            raise RecordError(f"{file.name} is a record and names no seats: open it as a new game")
        session = cls(file, kept.game, kept.seats, kept.key)
        session._wake()
        return session

    def start(self) -> None:
        """Keep the game for the first time and let agents begin; raise NotKeptError if it cannot be kept."""
        with self._lock:
            self._change_to(self.game)

    def snapshot(self) -> SessionSnapshot:
        """Return the game as it is now."""
        with self._lock:
            return SessionSnapshot(self.game, self.seats, self.people, self.trouble, self._key)

    def settle(self, seconds: float) -> None:
        """Wait until no agent is to move, at most so long."""
        with self._settled:
            self._settled.wait_for(lambda: self._mover is None, seconds)

    def play(self, position: str, move: str) -> None:
        """Make a move of a person; agents that are to move next do so in their own thread.

        Args:
            position: The ``position`` that the person saw.
            move: The move in words.

        Raises:
            StaleMoveError: The game has gone on since, or an agent is to move.
            IllegalActionError: The move is illegal.
            NotKeptError: The file cannot be written. After any error nothing has changed.
        """
        with self._lock:
            snapshot = self._current(position)
            if not snapshot.game.over and not snapshot.asked:
                raise StaleMoveError(f"{snapshot.title} is to move: wait for it")
            after = snapshot.game.clone(same_chance=True)
            after.play(move)
            _note_time(after, None if self._since is None else time.monotonic() - self._since)
            self._change_to(after)

    def undo(self, position: str) -> None:
        """Go back as far as the game allows: in Endeavor to the beginning of a person's turn, or of the turn before.

        While an agent thinks, its thought is thrown away.

        Raises:
            StaleMoveError: The game has gone on since.
            InvalidOptionError: No person has moved yet, or what was seen since cannot be forgotten.
            NotKeptError: The file cannot be written; nothing has changed.
        """
        with self._lock:
            game = self._current(position).game
            at = self.table.undo_to(game, self.people)
            if at is None:
                raise InvalidOptionError("there is no move to take back")
            self._change_to(game.at_move(at))

    def rename(self, file: Path) -> None:
        """Keep the game in another file from now on.

        Raises:
            NotKeptError: There is such a file already, or this one cannot be renamed; nothing has changed.
        """
        with self._lock:
            self._check_there()
            try:
                os.link(self.file, file)
                self.file.unlink()
            except OSError as error:
                raise NotKeptError(f"the game cannot be called {file.stem}: {error.strerror or error}") from error
            self.file = file

    def delete(self) -> None:
        """Remove the file of the game; agents stop thinking about it, and nothing can be done in it any more.

        Raises:
            NotKeptError: The file cannot be removed; nothing has changed.
        """
        with self._lock:
            try:
                self.file.unlink(missing_ok=True)
            except OSError as error:
                raise NotKeptError(f"the game cannot be deleted: {error.strerror or error}") from error
            self._deleted = True
            self.game = self.game.clone(same_chance=True)  # a thought about the position of before is thrown away
            self._agents = {}

    def _check_there(self) -> None:
        """Raise StaleMoveError if the game was deleted."""
        if self._deleted:
            raise StaleMoveError("this game was deleted")

    def hint(self, position: str, name: str) -> list[Hint]:
        """Return the moves that an agent likes best and what they are expected to bring; the game can go on meanwhile.

        Raises:
            StaleMoveError: The game went on before or during the thought.
            InvalidOptionError: No person is asked, another hint is being thought of, there is no such agent, or it
                fails or does not play this variant.
        """
        with self._lock:
            snapshot = self._current(position)
            if not snapshot.asked:
                raise InvalidOptionError("no person is asked: there is no move to hint at")
        if not self._hinting.acquire(blocking=False):
            raise InvalidOptionError("a hint is being thought of: wait for it")
        try:
            found = self.table.hints(snapshot.game, self.table.agent(snapshot.game, name))
        except EndeavorError:
            raise
        except Exception as error:  # an agent is anybody's code
            raise InvalidOptionError(
                f"agent {shown(name)} gives no hint: {type(error).__name__}: {error}; choose another"
            ) from error
        finally:
            self._hinting.release()
        self._current(position)
        return found

    def _current(self, position: str) -> SessionSnapshot:
        """Return the present snapshot; raise StaleMoveError if it has another position."""
        snapshot = self.snapshot()
        if position != snapshot.position:
            raise StaleMoveError("the game has gone on, perhaps in another tab: look at the board and choose again")
        return snapshot

    def _change_to(self, game: Game) -> None:
        """Keep ``game`` and make it the current position; raise NotKeptError, changing nothing, if it is not kept."""
        self._check_there()
        try:
            write_session(self.file, game, self.seats, self._key)
        except OSError as error:
            raise NotKeptError(
                f"the game cannot be kept in {self.file}: {error.strerror or error}; nothing was changed"
            ) from error
        self.game, self.trouble, self._since = game, None, time.monotonic()
        self._wake()

    def _wake(self) -> None:
        """Start the thread of the agents if one of them is to move."""
        with self._lock:
            if self._mover is None and self.game.seat in self._agents:
                self._mover = threading.Thread(target=self._let_agents_move, daemon=True)
                self._mover.start()

    def _let_agents_move(self) -> None:
        """Let agents move until none is to move or the one to move cannot."""
        while True:
            with self._lock:
                game, trouble = self.game, self.trouble
                if trouble or game.seat not in self._agents:
                    self._mover = None
                    self._settled.notify_all()
                    return
            try:
                self._let_one_move(game, self._agents[game.seat])
            except Exception as error:  # an agent is anybody's code; the page tells what it raised
                self._give_up(game, error)

    def _let_one_move(self, game: Game, agent: AgentOf[Any]) -> None:
        """Make the move of an agent, unless the game has changed while it thought."""
        after, seen = game.clone(same_chance=True), game_for(agent, game)
        start = time.monotonic()
        action = agent.act(seen)
        spent = time.monotonic() - start
        with self._lock:
            if self.game is game:
                after.apply(action)
                _note_time(after, spent)
                self._change_to(after)

    def _give_up(self, game: Game, error: Exception) -> None:
        """Remember why the agent to move cannot."""
        with self._lock:
            if self.game is game:
                why = str(error) if isinstance(error, EndeavorError) else f"{type(error).__name__}: {error}"
                self.trouble = f"{self.snapshot().title} cannot move: {why}"


def _note_time(game: Game, seconds: float | None) -> None:
    """Write down how long the last move took; None if nobody knows."""
    if game.played is not None:
        game.played = game.played.timed(len(game.history) - 1, seconds)
