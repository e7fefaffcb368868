"""Records of games: a strict reader, a writer, and a replay that checks everything, for any game.

A record holds what chance has shown, and a replay draws nothing. A game says by a ``RecordForm`` which fields its
records have.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from endeavor_env.basics.files import read_json_object, write_json
from endeavor_env.basics.inputs import plain_text
from endeavor_env.basics.version import VERSION
from endeavor_env.engine.game import FORMAT, Game, GameConfig, is_game
from endeavor_env.engine.game_rules import GameRules
from endeavor_env.engine.kernels.rules import CHANCE, CHANCE_NAME
from endeavor_env.engine.players_info import PlayersInfo
from endeavor_env.errors import EndeavorError, IllegalActionError, RecordError, named, shown


def _as_given(record: Mapping[str, Any], board: Any) -> Any:
    """Return the board that is given."""
    return board


def _no_check(record: Mapping[str, Any]) -> None:
    """Check nothing."""


def _after_moves(game: Game) -> str:
    """Return where a game stands by the number of its moves."""
    return f"after {len(game.history)} moves"


@dataclass(frozen=True)
class RecordForm:
    """The form of the records of a game, and what is played by their fields.

    Attributes:
        format: Value of the field ``format``.
        types: JSON types that each other field may have.
        config: Returns what is played, given the record and its board; raises EndeavorError for what is not possible.
        optional: Those of the fields that a record may lack.
        board_of: Returns the board of a record, given the one that the caller names; raises RecordError for none.
        check: Raises RecordError for fields of the game's own that do not fit.
        place: Returns where a game stands, for messages.
    """

    format: str
    types: Mapping[str, tuple[type, ...]]
    config: Callable[[Mapping[str, Any], Any], GameConfig]
    optional: tuple[str, ...] = ("result", "played")
    board_of: Callable[[Mapping[str, Any], Any], Any] = _as_given
    check: Callable[[Mapping[str, Any]], object] = _no_check
    place: Callable[[Any], str] = _after_moves

    @property
    def required(self) -> tuple[str, ...]:
        """Fields of every record."""
        return ("format", *(name for name in self.types if name not in self.optional))


def plain_form(rules: GameRules) -> RecordForm:
    """Return the form of the records of a game that has none of its own."""

    def config(record: Mapping[str, Any], board: Any) -> GameConfig:
        if record["game"] != rules.name:
            raise RecordError(f"the record is of the game {shown(record['game'])}, not of {rules.name!r}")
        found = GameConfig(rules, record["players"], record["variant"], board, record["options"])
        if record["board"] != found.to_dict()["board"]:
            raise RecordError(
                f"the record was played on a board with the hash {shown(record['board'])}: give that board"
            )
        return found

    return RecordForm(FORMAT, _PLAIN_FIELDS, config)


_PLAIN_FIELDS: Mapping[str, tuple[type, ...]] = {
    "game": (str,),
    "board": (str,),
    "variant": (str,),
    "players": (int,),
    "options": (list,),
    "seed": (int, type(None)),
    "setup": (dict,),
    "moves": (list,),
    "result": (dict,),
    "played": (dict,),
}
_LONGEST_PATH = 4096  # of Linux; other systems take less
_WRONG_PATH = {
    getattr(errno, name) for name in ("ENOENT", "ENOTDIR", "EISDIR", "ENAMETOOLONG", "ELOOP", "EACCES", "EROFS")
}


# --- files -----------------------------------------------------------------------------------------------------------
def write_record(game: Game, path: str | Path) -> None:
    """Write the record of ``game`` as JSON; a file at ``path`` is replaced in one step, never left half-written.

    Raises:
        RecordError: No game, or ``path`` names no file that can be written.
        OSError: The disk is full, or fails.
    """
    if not is_game(game):
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


def read_fields(source: str | Path | Mapping[str, Any], form: RecordForm) -> dict[str, Any]:
    """Return a record from a JSON file or a mapping after checking which fields it has, and their types.

    Raises:
        RecordError: An unreadable file, not JSON, another format, a missing, unknown or wrongly typed field.
    """
    if isinstance(source, Mapping):
        name, record = "record", dict(source)
    else:
        file = _path(source)
        name, record = f"record {named(str(file))}", read_json_object(file, "record", RecordError)
    if plain_text(record.get("format")) != form.format:
        raise RecordError(f"{name} has the format {shown(record.get('format'))}: this version reads {form.format!r}")
    missing = [key for key in form.required if key not in record]
    if missing:
        raise RecordError(f"{name} lacks {', '.join(missing)}: it needs {', '.join(form.required)}")
    known = (*form.required, *form.optional)
    unknown = [named(key) for key in record if plain_text(key) not in known]
    if unknown:
        raise RecordError(f"{name} has unknown fields {', '.join(unknown[:6])}: known are {', '.join(known)}")
    for key, kinds in form.types.items():
        if key in record and (not isinstance(record[key], kinds) or isinstance(record[key], bool)):
            wanted = " or ".join(kind.__name__ for kind in kinds)
            raise RecordError(f"{name} has {key} of type {type(record[key]).__name__}: it must be {wanted}")
    return record


# --- replaying -------------------------------------------------------------------------------------------------------
@contextmanager
def naming_version(record: Mapping[str, Any]) -> Iterator[None]:
    """Add the version that wrote a record to the errors of its replay: a later ruling may refuse what it allowed.

    Args:
        record: A record whose fields have been checked.

    Raises:
        RecordError: What is raised inside, with one more clause.
    """
    try:
        yield
    except RecordError as error:
        played = record.get("played") or {}
        versions = ", ".join(f"{named(name)} {named(one)}" for name, one in played.get("versions", {}).items())
        wrote = (
            f"the record was written with {versions}" if versions else "the record does not say which version wrote it"
        )
        raise RecordError(f"{error} ({wrote}; this is endeavor-env {VERSION})") from error


def replay_moves(game: Game, record: Mapping[str, Any]) -> None:
    """Make the moves of a record in a game that has begun, and note who played.

    Raises:
        RecordError: A move of another form, of the wrong seat, or illegal; its index and the legal moves are named.
    """
    for index, move in enumerate(record["moves"]):
        _repeat(game, index, move)
    if "played" in record:
        game.played = PlayersInfo.from_dict(record["played"], game.num_players, len(record["moves"]))


def _repeat(game: Game, index: int, move: Any) -> None:
    """Make move ``index`` of a record."""
    if not _is_move(game, move):
        raise RecordError(f"move {index} is {shown(move)}: a move is [seat, text]")
    mover, text = move
    which = f"move {index} ({named(text)})"
    if not game.over and mover != (CHANCE_NAME if game.seat == CHANCE else game.seat):
        by = CHANCE_NAME if mover == CHANCE_NAME else f"seat {shown(mover)}"
        to_move = "it is for chance to decide" if game.seat == CHANCE else f"the decision is seat {game.seat}'s"
        raise RecordError(f"{which} is by {by}: {to_move}")
    try:
        game.play(text, draws=False)
    except IllegalActionError as error:
        legal = ", ".join(game.legal_moves()) or "none, the game is over"
        raise RecordError(f"{which} is illegal: {error}; all legal moves there: {legal}") from error


def _is_move(game: Game, move: Any) -> bool:
    """Return whether a move of a record has the form that it must have."""
    if not isinstance(move, list | tuple) or len(move) != 2 or not isinstance(move[1], str):
        return False
    return type(move[0]) is int or (game.has_chance and plain_text(move[0]) == CHANCE_NAME)


def check_result(game: Game, result: Mapping[str, Any] | None, where: str) -> None:
    """Raise RecordError unless ``result`` is there exactly if the game is over, and right.

    Args:
        game: The game after the moves of the record.
        result: The field of the record.
        where: Where the moves of a game that is not over end, for the message.
    """
    if not game.over:
        if result is not None:
            raise RecordError(f"the record has a result, but its moves end {where}: remove the result")
        return
    expected = game.record()["result"]
    if result is None:
        raise RecordError(f"the record's game is over, but it has no result: add {' and '.join(expected)}")
    for key in expected:
        if key not in result:
            raise RecordError(f"the record's result lacks {key}: it needs {' and '.join(expected)}")
        if not _same(result[key], expected[key]):
            raise RecordError(
                f"the record's result has {key} {shown(result[key])}: the moves lead to {expected[key]!r}"
            )
    unknown = [named(key) for key in result if plain_text(key) not in expected]
    if unknown:
        raise RecordError(
            f"the record's result has unknown fields {', '.join(unknown[:6])}: known are {', '.join(expected)}"
        )


def _same(found: object, expected: object) -> bool:
    """Return whether JSON values are equal, types included: neither 61.0 nor true is a whole number."""
    if isinstance(expected, dict):
        if not isinstance(found, Mapping) or set(found) != set(expected):
            return False
        return all(_same(found[key], value) for key, value in expected.items())
    if isinstance(expected, list):
        if not isinstance(found, list | tuple) or len(found) != len(expected):
            return False
        return all(_same(one, other) for one, other in zip(found, expected, strict=True))
    return type(found) is type(expected) and found == expected


def read_record(source: str | Path | Mapping[str, Any], form: RecordForm) -> dict[str, Any]:
    """Return a record after checking its form; ``replay`` checks the game itself.

    Raises:
        RecordError: An unreadable file, not JSON, another format, a missing, unknown or wrongly typed field, or a field
            ``played`` that does not fit.
    """
    record = read_fields(source, form)
    form.check(record)
    if "played" in record:
        PlayersInfo.from_dict(record["played"], record["players"], len(record["moves"]))
    return record


def replay(source: str | Path | Mapping[str, Any], form: RecordForm, board: Any = None) -> Any:
    """Play a record again, check every move and the result, and return the game where the record ends.

    A game with chance goes on as the one recorded if the record has a seed; otherwise chance draws anew.

    Args:
        source: A record's path, or the record.
        form: The form of the records of the game that was played.
        board: The board, where the record does not say enough of it.

    Raises:
        RecordError: Anything the reader rejects, another game or board, a set-up that does not fit, an illegal move
            (with its index and the legal moves there), a move of the wrong seat, moves that end where chance decides, a
            result that is wrong, missing or too early.
    """
    record = read_record(source, form)
    on = form.board_of(record, board)
    with naming_version(record):
        try:
            config = form.config(record, on)
            game = config.game_class.begin(config, record.get("seed"), record.get("setup"))
        except RecordError:
            raise
        except EndeavorError as error:
            raise RecordError(f"the record's game cannot be set up: {error}") from error
        replay_moves(game, record)
        if game.seat == CHANCE:
            raise RecordError(
                f"the record ends before move {len(game.history)}, which chance makes: add what it showed"
            )
        check_result(game, record.get("result"), form.place(game))
    return game
