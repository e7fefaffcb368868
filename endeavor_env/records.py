"""Game records, ``endeavor-game/1``: a strict reader, a writer, and a replay that checks everything (notation 4)."""

from __future__ import annotations

import errno
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from endeavor_env.board import DEFAULT_BOARD_ID, Board
from endeavor_env.errors import EndeavorError, IllegalActionError, RecordError, named, shown
from endeavor_env.files import read_json_object, write_json
from endeavor_env.game import FORMAT, Game
from endeavor_env.game_config import GameConfig
from endeavor_env.inputs import plain_text
from endeavor_env.notes import read_notes
from endeavor_env.played import Played

REQUIRED = ("format", "board", "players", "variant", "exploits", "options", "seed", "setup", "moves")
"""Fields of every record."""
OPTIONAL = ("result", "notes", "played")
"""Fields that a record may have as well: the result of a game that is over, ``notes`` on its positions, who played."""
TYPES: dict[str, tuple[type, ...]] = {
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
}
"""The JSON types that a field may have."""


_LONGEST_PATH = 4096  # of Linux; other systems take less
_WRONG_PATH = {
    getattr(errno, name) for name in ("ENOENT", "ENOTDIR", "EISDIR", "ENAMETOOLONG", "ELOOP", "EACCES", "EROFS")
}


def write_record(game: Game, path: str | Path) -> None:
    """Write the record of ``game`` as JSON; a file at ``path`` is replaced in one step, never left half-written.

    Raises:
        RecordError: No game, or ``path`` names no file that can be written.
        OSError: The disk is full, or fails.
    """
    if not isinstance(game, Game):
        raise RecordError(f"{shown(game)} has no record: give a Game")
    file = _path(path)
    try:
        if file.is_dir():
            raise IsADirectoryError(errno.EISDIR, "it is a folder")
        write_json(file, game.record())
    except (OSError, ValueError) as error:  # ValueError: a path that no file system takes
        if isinstance(error, OSError) and error.errno not in _WRONG_PATH:
            raise
        why = error.strerror if isinstance(error, OSError) else error
        raise RecordError(f"record {named(str(file))} cannot be written: {why}") from error


def _path(path: object) -> Path:
    """Return the path of a record; raise RecordError for anything that cannot name a file."""
    if not isinstance(path, str | Path) or str(path) in ("", ".") or len(str(path)) > _LONGEST_PATH:
        raise RecordError(f"{shown(path)} names no record: give the path of a file, as a str or a pathlib.Path")
    return Path(path)


def read_record(source: str | Path | Mapping[str, Any]) -> dict[str, Any]:
    """Return a record from a JSON file or a mapping after checking its form; ``replay`` checks the game itself.

    Raises:
        RecordError: An unreadable file, not JSON, another format, a missing, unknown or wrongly typed field.
    """
    if isinstance(source, Mapping):
        name, record = "record", dict(source)
    else:
        file = _path(source)
        name, record = f"record {named(str(file))}", read_json_object(file, "record", RecordError)
    if plain_text(record.get("format")) != FORMAT:
        raise RecordError(f"{name} has the format {shown(record.get('format'))}: this version reads {FORMAT!r}")
    missing = [key for key in REQUIRED if key not in record]
    if missing:
        raise RecordError(f"{name} lacks {', '.join(missing)}: it needs {', '.join(REQUIRED)}")
    unknown = [named(key) for key in record if plain_text(key) not in (*REQUIRED, *OPTIONAL)]
    if unknown:
        raise RecordError(
            f"{name} has unknown fields {', '.join(unknown[:6])}: known are {', '.join((*REQUIRED, *OPTIONAL))}"
        )
    for key, kinds in TYPES.items():
        if key in record and (not isinstance(record[key], kinds) or isinstance(record[key], bool)):
            wanted = " or ".join(kind.__name__ for kind in kinds)
            raise RecordError(f"{name} has {key} of type {type(record[key]).__name__}: it must be {wanted}")
    if "notes" in record:
        read_notes(record["notes"], len(record["moves"]))
    if "played" in record:
        Played.from_dict(record["played"], record["players"], len(record["moves"]))
    return record


def replay(source: str | Path | Mapping[str, Any], board: Board | str | Path | None = None) -> Game:
    """Play a record again, check every move and the result, and return the game where the record ends.

    Args:
        source: A record's path, or the record.
        board: The board, needed when the record was played on neither the board of 2009 nor a generated one.

    Raises:
        RecordError: Anything the reader rejects, a set-up that does not fit, an illegal move (with its index and the
            legal moves there), a move of the wrong seat, a result that is wrong, missing or too early.
    """
    record = read_record(source)
    on = _board_of(record, board)
    try:
        config = GameConfig(record["variant"], record["players"], on, record["options"], record["exploits"])
        game = config.new_game(record["seed"], record["setup"])
    except EndeavorError as error:
        raise RecordError(f"the record's game cannot be set up: {error}") from error
    for index, move in enumerate(record["moves"]):
        _replay_move(game, index, move)
    if "played" in record:
        game.played = Played.from_dict(record["played"], game.num_players, len(record["moves"]))
    _check_result(game, record.get("result"))
    return game


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


def _replay_move(game: Game, index: int, move: object) -> None:
    """Make move ``index`` of a record; raise RecordError if it has another form, seat or is illegal."""
    if not (isinstance(move, list | tuple) and len(move) == 2 and type(move[0]) is int and isinstance(move[1], str)):
        raise RecordError(f"move {index} is {shown(move)}: a move is [seat, text]")
    seat, text = move
    which = f"move {index} ({named(text)})"
    if not game.over and seat != game.seat:
        raise RecordError(f"{which} is by seat {shown(seat)}: the decision is seat {game.seat}'s")
    try:
        game.play(text)
    except IllegalActionError as error:
        legal = ", ".join(game.legal_moves()) or "none, the game is over"
        raise RecordError(f"{which} is illegal: {error}; all legal moves there: {legal}") from error


def _same(found: object, expected: object) -> bool:
    """Return whether JSON values are equal, types included: neither 61.0 nor true is a number of Glory."""
    if isinstance(expected, dict):
        if not isinstance(found, Mapping) or set(found) != set(expected):
            return False
        return all(_same(found[key], value) for key, value in expected.items())
    if isinstance(expected, list):
        if not isinstance(found, list | tuple) or len(found) != len(expected):
            return False
        return all(_same(one, other) for one, other in zip(found, expected, strict=True))
    return type(found) is type(expected) and found == expected


def _check_result(game: Game, result: Mapping[str, Any] | None) -> None:
    """Raise RecordError unless ``result`` is there exactly if the game is over, and right."""
    if not game.over:
        if result is not None:
            raise RecordError(f"the record has a result, but its moves end in round {game.round}: remove the result")
        return
    if result is None:
        raise RecordError("the record's game is over, but it has no result: add scores and breakdown")
    expected = game.record()["result"]
    for key in ("scores", "breakdown"):
        if key not in result:
            raise RecordError(f"the record's result lacks {key}: it needs scores and breakdown")
        if not _same(result[key], expected[key]):
            raise RecordError(
                f"the record's result has {key} {shown(result[key])}: the moves lead to {expected[key]!r}"
            )
    unknown = [named(key) for key in result if plain_text(key) not in expected]
    if unknown:
        raise RecordError(
            f"the record's result has unknown fields {', '.join(unknown[:6])}: known are scores, breakdown"
        )
