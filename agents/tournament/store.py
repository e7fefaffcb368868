"""The folder of a tournament: its settings, and a line for each unit played, so that it can be continued."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from endeavor_env.agents.forfeits import Forfeit
from endeavor_env.agents.lines_file import append_line, whole_lines
from endeavor_env.agents.matches.recording import make_folder
from endeavor_env.agents.tournament.settings import TournamentSettings
from endeavor_env.agents.tournament.work_items import WorkItem, WorkItemResult, all_work_items
from endeavor_env.basics.file_lock import file_lock
from endeavor_env.basics.files import parse_json, read_json_object, write_json
from endeavor_env.basics.inputs import real_number, whole_number
from endeavor_env.errors import EndeavorError, InvalidOptionError

SETTINGS_FILE = "tournament.json"
UNITS_FILE = "units.jsonl"
LOCK_FILE = "tournament.lock"


@contextmanager
def open_store(folder: Path | None, settings: TournamentSettings) -> Iterator[TournamentStore]:
    """Hold the folder of a tournament, which is created, or continued if it has these settings.

    Args:
        folder: The folder; None keeps the units in memory only.
        settings: Those of the tournament.

    Raises:
        InvalidOptionError: The folder is of a tournament with other settings, has other files, is in use by another
            process, or cannot be written.
        EndeavorError: Its files were edited.
    """
    if folder is None:
        yield TournamentStore(None, settings)
        return
    _check_settings(folder, settings)
    make_folder(folder)

    def refuse(_: float) -> None:
        raise InvalidOptionError(f"another process plays the tournament in {folder}: wait for it, or stop it")

    with file_lock(folder / LOCK_FILE, refuse):
        if not (folder / SETTINGS_FILE).exists():
            write_json(folder / SETTINGS_FILE, settings.to_dict())
        yield TournamentStore(folder / UNITS_FILE, settings)


def _check_settings(folder: Path, settings: TournamentSettings) -> None:
    """Raise InvalidOptionError if a folder holds something else than a tournament with these settings."""
    file = folder / SETTINGS_FILE
    try:
        if not file.exists():
            others = [path.name for path in folder.iterdir() if path.name != LOCK_FILE] if folder.is_dir() else []
            if others:
                raise InvalidOptionError(f"{folder} holds {others[0]} but no tournament: give an empty or new folder")
            return
    except OSError as error:
        raise InvalidOptionError(f"{folder} cannot be the folder of a tournament: {error.strerror}") from error
    stored, wanted = read_json_object(file, "tournament", InvalidOptionError), settings.to_dict()
    other = [key for key in wanted if stored.get(key) != wanted[key]]
    if other:
        key = other[0]
        raise InvalidOptionError(
            f"{folder} holds a tournament with {key} {json.dumps(stored.get(key))}, not {json.dumps(wanted[key])}: "
            f"give the same settings to go on with it, or another folder"
        )


class TournamentStore:
    """The units of a tournament that are done.

    Attributes:
        units: Each unit done, by its key.
    """

    def __init__(self, file: Path | None, settings: TournamentSettings) -> None:
        """Read the units of a file, which need not exist; cut off a last line that was not written completely.

        Raises:
            EndeavorError: The file was edited, or cannot be read or written.
        """
        self._file = file
        self._settings = settings
        self.units: dict[str, WorkItemResult] = {}
        if file is not None and file.exists():
            known = {unit.key: unit for unit in all_work_items(settings)}
            for number, line in enumerate(whole_lines(file), 1):
                played = _read_line(line, known, settings)
                if played is None or played.unit.key in self.units:
                    raise EndeavorError(f"line {number} of {file} was edited: it is no unit of this tournament")
                self.units[played.unit.key] = played

    def add(self, played: WorkItemResult) -> None:
        """Keep a unit, and append it to the file as one line, which is on the disk when this returns."""
        if self._file is not None:
            fields: dict[str, Any] = {
                "unit": played.unit.key,
                "scores": played.scores,
                "rounds": played.rounds,
                "decisions": played.decisions,
                "seconds": played.seconds,
            }
            if played.forfeits:
                fields["forfeits"] = [one.to_dict() for one in played.forfeits]
            line = json.dumps(fields, separators=(",", ":"))
            append_line(self._file, line)
        self.units[played.unit.key] = played

    def missing(self) -> list[WorkItem]:
        """Return the units that are still to be played, in order."""
        return [unit for unit in all_work_items(self._settings) if unit.key not in self.units]


def _read_line(line: bytes, known: dict[str, WorkItem], settings: TournamentSettings) -> WorkItemResult | None:
    """Return the unit of a line; None if it is none of this tournament."""
    try:
        stored: dict[str, Any] = parse_json(line)
        unit = known[stored["unit"]]
        scores, rounds = np.array(stored["scores"]), np.array(stored["rounds"])
        decisions, seconds = whole_number(stored["decisions"]), real_number(stored["seconds"])
        forfeits = tuple(map(Forfeit.from_dict, stored.get("forfeits", ())))
    except (ValueError, KeyError, TypeError):
        return None
    if decisions is None or seconds is None or decisions < 0 or seconds < 0:
        return None
    players = settings.tables[unit.table].players
    columns = 2 if settings.solo else players
    whole = scores.dtype.kind == rounds.dtype.kind == "i"
    fits = scores.shape == (unit.count, players, columns)
    fits = fits and rounds.shape == (unit.count, players, settings.rounds, columns)
    if not whole or not fits or not (rounds[:, :, -1] == scores).all():
        return None
    return WorkItemResult(unit, scores.tolist(), rounds.tolist(), decisions, seconds, forfeits)
