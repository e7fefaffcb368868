"""The games of a folder, a file each; one process at a time plays in it."""

from __future__ import annotations

import re
import secrets
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from endeavor_env.agents.play.session import NotKeptError, Session
from endeavor_env.agents.play.session_file import session_of, summary_of
from endeavor_env.basics.file_lock import file_lock
from endeavor_env.engine.players_info import HUMAN
from endeavor_env.errors import EndeavorError, InvalidOptionError, RecordError, Unpicklable

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
"""Names that a game may have: its file is this name with ".json"."""
LOCK = "play.lock"
MOST_BYTES = 1 << 30
"""Memory that the agents of all games may take: beyond it those of games unused for longest give theirs back."""


class UnknownGameError(EndeavorError):
    """No game has this name."""


@contextmanager
def sole_use(folder: Path) -> Iterator[None]:
    """Make a folder if it is missing and hold its lock; the system releases it when the process ends.

    Raises:
        InvalidOptionError: The folder cannot be made, or another process plays in it.
    """

    def refuse(_: float) -> None:
        raise InvalidOptionError(
            f"another process plays the games of {folder}: use its page, stop it, or give another --folder"
        )

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidOptionError(
            f"{folder} cannot be the folder of the games: {error.strerror or error}; give another --folder"
        ) from error
    with file_lock(folder / LOCK, refuse):
        yield


def new_session(seats: Sequence[str], config: Any, seed: int | None = None) -> Session:
    """Return a new game that is kept nowhere yet: ``GameStore.add`` does.

    Args:
        seats: "human" or an agent for each seat.
        config: What is played, with a method ``new_game(seed)``.
        seed: Draws the set-up; a fresh one if left out.

    Raises:
        EndeavorError: The game or an agent is not possible.
    """
    return Session(Path(), config.new_game(seed), seats)


def opened_session(kept: Mapping[str, Any], source: str, seats: Sequence[str] | None = None) -> Session:
    """Return the game of a record or session that goes on, kept nowhere yet: ``GameStore.add`` does.

    Args:
        kept: The fields of the file.
        source: The name of the file, for messages.
        seats: What plays each seat; None for what the session says, and for people in all seats of a record.

    Raises:
        EndeavorError: The file does not replay, or the seats do not fit.
    """
    found = session_of(kept, source)
    return Session(Path(), found.game, seats or found.seats or (HUMAN,) * found.game.num_players)


class GameStore(Unpicklable):
    """All games of a folder; those that were looked at are in memory, where their agents think."""

    def __init__(self, folder: Path) -> None:
        """Serve the games of a folder that exists, of which this process has the sole use."""
        self.folder = folder
        self._sessions: dict[str, Session] = {}
        self._lock = threading.Lock()

    def add(self, session: Session) -> str:
        """Keep a new game in the folder, let its agents begin, and return its name.

        Raises:
            NotKeptError: The file cannot be written.
        """
        kind = session.snapshot().game.variant
        name = f"{kind}-{secrets.token_hex(3)}"
        while self._file(name).exists():
            name = f"{kind}-{secrets.token_hex(3)}"
        session.file = self._file(name)
        session.start()
        with self._lock:
            self._sessions[name] = session
            self._make_room(session)
        return name

    def session(self, name: str) -> Session:
        """Return a game by its name.

        Raises:
            UnknownGameError: There is none.
            RecordError: Its file is cut off or edited.
        """
        with self._lock:
            there = NAME.fullmatch(name) is not None and self._file(name).is_file()
            if not there and name in self._sessions:  # somebody has deleted the file
                self._sessions.pop(name).delete()
            if not there:
                raise UnknownGameError("there is no game of this name: begin one, or choose one of the list")
            session = self._sessions.pop(name, None) or Session.resume(self._file(name))
            self._sessions[name] = session  # behind those at which nobody has looked since
            self._make_room(session)
            return session

    def _make_room(self, used: Session) -> None:
        """Let the agents of other games give their memory back, the longest unused first, if all take too much."""
        taken = {session: session.nbytes for session in self._sessions.values()}
        too_much = sum(taken.values()) - MOST_BYTES
        for session in taken if too_much > 0 else ():
            if too_much > 0 and taken[session] and session is not used:
                session.rest()
                too_much -= taken[session] - session.nbytes

    def rename(self, name: str, wished: object) -> str:
        """Give a game, and its file, another name, and return it.

        Raises:
            UnknownGameError: There is no game of the name.
            InvalidOptionError: The wished name is no name, or another game has it.
            RecordError, NotKeptError: The file cannot be read or renamed.
        """
        if not isinstance(wished, str) or not NAME.fullmatch(wished):
            raise InvalidOptionError(
                "a game cannot have this name: give 1 to 40 lower-case letters, digits, - and _, the first no - or _"
            )
        session = self.session(name)
        with self._lock:
            if wished in self._sessions or self._file(wished).exists():
                raise InvalidOptionError(f"another game is called {wished}: give a name that none has")
            session.rename(self._file(wished))
            self._sessions[wished] = self._sessions.pop(name)
        return wished

    def delete(self, name: str) -> None:
        """Forget a game and remove its file, also one that cannot be read.

        Raises:
            UnknownGameError: There is no game of the name.
            NotKeptError: The file cannot be removed.
        """
        with self._lock:
            session = self._sessions.get(name)
            if session is not None:
                session.delete()
                del self._sessions[name]
                return
            if not NAME.fullmatch(name) or not self._file(name).is_file():
                raise UnknownGameError("there is no game of this name: it may have been deleted already")
            try:
                self._file(name).unlink()
            except OSError as error:
                raise NotKeptError(f"the game cannot be deleted: {error.strerror or error}") from error

    def games(self) -> list[dict[str, Any]]:
        """Return what each game is and how far it has come, the last played first; files that cannot be read say why.

        No game is played again and no agent begins to think for the list.
        """
        files = [file for file in self.folder.glob("*.json") if NAME.fullmatch(file.stem)]
        found = []
        for file in sorted(files, key=_last_change, reverse=True):
            try:
                found.append({"name": file.stem, "date": _date(file), **summary_of(file)})
            except RecordError as error:
                found.append({"name": file.stem, "date": _date(file), "error": str(error)})
        return found

    def _file(self, name: str) -> Path:
        return self.folder / f"{name}.json"


def _date(file: Path) -> str:
    """Return when a file was written last, as the clock of this machine shows it."""
    return datetime.fromtimestamp(_last_change(file)).strftime("%Y-%m-%d %H:%M")


def _last_change(file: Path) -> float:
    """Return when a file was written last; 0 if it has just been removed."""
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0
