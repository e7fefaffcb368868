"""The games of a folder, a file each."""

from __future__ import annotations

import re
import secrets
import threading
from pathlib import Path
from typing import Any

from agents.play.session import Session
from endeavor_env.errors import EndeavorError, RecordError

_IDENT = re.compile(r"[a-z0-9]{6,16}")


class UnknownGameError(EndeavorError):
    """No game has this name."""


class Store:
    """All games of a folder; those that were looked at are in memory."""

    def __init__(self, folder: Path) -> None:
        """Make the folder if there is none."""
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self._sessions: dict[str, Session] = {}
        self._lock = threading.Lock()

    def begin(self, seats: list[str], **new: Any) -> str:
        """Begin a game and return its name; arguments and errors as for ``Session.begin``."""
        ident = secrets.token_hex(4)
        self._sessions[ident] = Session.begin(self._file(ident), seats, **new)
        return ident

    def session(self, ident: str) -> Session:
        """Return a game by its name.

        Raises:
            UnknownGameError: There is none.
            RecordError: Its file is cut off or edited.
        """
        with self._lock:
            if ident not in self._sessions:
                if not _IDENT.fullmatch(ident) or not self._file(ident).is_file():
                    raise UnknownGameError("there is no game of this name: begin one, or choose one of the list")
                self._sessions[ident] = Session.resume(self._file(ident))
            return self._sessions[ident]

    def games(self) -> list[dict[str, Any]]:
        """Return name, seats and how far each game is, the latest first; files that cannot be read say why."""
        files = sorted(self.folder.glob("*.json"), key=lambda file: file.stat().st_mtime, reverse=True)
        found = []
        for file in files:
            try:
                session = self.session(file.stem)
            except (RecordError, UnknownGameError) as error:
                found.append({"name": file.stem, "error": str(error)})
                continue
            game = session.game
            state = "over" if game.over else f"round {game.round}"
            found.append({"name": file.stem, "seats": session.seats, "variant": game.variant, "state": state})
        return found

    def _file(self, ident: str) -> Path:
        return self.folder / f"{ident}.json"
