"""Game records, ``endeavor-game/1``: a strict reader, a writer, and a replay that checks everything (notation 4)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from endeavor_env.endeavor.board import DEFAULT_BOARD_ID, Board
from endeavor_env.endeavor.game import FORMAT, Game, GameConfig
from endeavor_env.endeavor.notes import read_notes
from endeavor_env.engine import records
from endeavor_env.errors import EndeavorError, RecordError, shown


def _board_of(record: Mapping[str, Any], board: Board | str | Path | None) -> Board:
    """Return the board that a record was played on; raise RecordError if it is not at hand or not the one given."""
    if board is None and re.fullmatch(r"generated_\d+", record["board"]):
        board = record["board"]  # a generated board is its seed; any other name could be a path, and is not followed
    if board is None and record["board"] != DEFAULT_BOARD_ID:
        raise RecordError(f"the record was played on board {shown(record['board'])}: pass it as replay(..., board=...)")
    try:
        on = Board.resolve(board)
    except EndeavorError as error:
        raise RecordError(f"the record's board {shown(record['board'])} is not to be had: {error}") from error
    if on.id != record["board"]:
        raise RecordError(f"the record was played on board {shown(record['board'])}, not on {on.id!r}")
    return on


def _config_of(record: Mapping[str, Any], board: Board) -> GameConfig:
    """Return what a record says is played, on its board."""
    return GameConfig(record["variant"], record["players"], board, record["options"], record["exploits"])


def _check_notes(record: Mapping[str, Any]) -> None:
    """Raise RecordError for notes that do not fit the moves."""
    if "notes" in record:
        read_notes(record["notes"], len(record["moves"]))


FORM = records.RecordForm(
    FORMAT,
    {
        "board": (str,),
        "players": (int,),
        "variant": (str,),
        "exploits": (list,),
        "options": (dict,),
        "seed": (int, type(None)),
        "setup": (dict,),
        "moves": (list,),
        "result": (dict,),
        "notes": (dict,),
        "played": (dict,),
    },
    _config_of,
    optional=("result", "notes", "played"),
    board_of=_board_of,
    check=_check_notes,
    place=lambda game: f"in round {game.round}",
)
"""The fields of a record; those that it may lack are the result of a game that is over, ``notes``, and who played."""


def write_record(game: Game, path: str | Path) -> None:
    """Write the record of ``game`` as JSON; a file at ``path`` is replaced in one step, never left half-written.

    Raises:
        RecordError: No game, or ``path`` names no file that can be written.
        OSError: The disk is full, or fails.
    """
    records.write_record(game, path)


def read_record(source: str | Path | Mapping[str, Any]) -> dict[str, Any]:
    """Return a record from a JSON file or a mapping after checking its form; ``replay`` checks the game itself.

    Raises:
        RecordError: An unreadable file, not JSON, another format, a missing, unknown or wrongly typed field.
    """
    return records.read_record(source, FORM)


def replay(source: str | Path | Mapping[str, Any], board: Board | str | Path | None = None) -> Game:
    """Play a record again, check every move and the result, and return the game where the record ends.

    Args:
        source: A record's path, or the record.
        board: The board, needed when the record was played on neither the board of 2009 nor a generated one.

    Raises:
        RecordError: Anything the reader rejects, a set-up that does not fit, an illegal move (with its index and the
            legal moves there), a move of the wrong seat, a result that is wrong, missing or too early.
    """
    game: Game = records.replay(source, FORM, board)
    return game
