"""The file of a game that is played in the browser, ``endeavor-session/1``: seats, board and record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from endeavor_env.agents.play.seats import is_person, titles_of
from endeavor_env.agents.play.tables import table_in
from endeavor_env.basics.files import read_json_object, write_json
from endeavor_env.basics.inputs import is_list_of_texts, is_list_of_whole_numbers, plain_text
from endeavor_env.endeavor.game import FORMAT as RECORD_FORMAT
from endeavor_env.engine.game import Game
from endeavor_env.engine.games import declaration_of, game_of_record
from endeavor_env.engine.players_info import PlayersInfo
from endeavor_env.errors import EndeavorError, InvalidBoardError, RecordError, shown

FORMAT = "endeavor-session/1"


class Kept(NamedTuple):
    """A game as a file holds it."""

    game: Game
    seats: tuple[str, ...] | None
    """Player of each seat; None if the file is a plain record."""
    key: str | None = None
    """Secret of the session; None if the file has none."""


def write_session(file: Path, game: Game, seats: Sequence[str], key: str) -> None:
    """Write a game to its file in one step: readers see the old game or the new one.

    Raises:
        OSError: The file cannot be written; the old content is still there.
    """
    kept: dict[str, Any] = {"format": FORMAT, "seats": list(seats), "turn": None if game.over else game.seat}
    kept["key"] = key
    board = declaration_of(game).kept_board(game)
    if board is not None:
        kept["board"] = board  # a record only names its board
    write_json(file, {**kept, "record": game.record()})


def read_session(file: Path) -> Kept:
    """Return the game of a file, a session or a plain record, after playing it again.

    Raises:
        RecordError: The file is missing, cut off or edited.
    """
    return session_of(read_json_object(file, "game", RecordError), str(file))


def session_of(kept: Mapping[str, Any], source: str) -> Kept:
    """Return the game of the fields of a session or record, after playing it again.

    Args:
        kept: The fields.
        source: The name of the file, for messages.

    Raises:
        RecordError: Anything is missing, of another type, or does not replay.
    """
    if game_of_record(kept).is_record(kept):
        return Kept(_replay(kept, None, source), None)
    record, seats = kept.get("record"), kept.get("seats")
    if kept.get("format") != FORMAT or not isinstance(record, dict) or not is_list_of_texts(seats):
        raise RecordError(
            f"{source} is no game: its format must be {RECORD_FORMAT!r}, or {FORMAT!r} with seats and a record"
        )
    game = _replay(record, kept.get("board"), source)
    if len(seats) != game.num_players:
        raise RecordError(f"{source} names {len(seats)} seats, and its game has {game.num_players}: {shown(seats)}")
    return Kept(game, tuple(seats), plain_text(kept.get("key")))


def _replay(record: Mapping[str, Any], board: Any, source: str) -> Game:
    """Return the game of a record on the board that was kept, None if none was; raise RecordError for any fault."""
    try:
        game: Game = game_of_record(record).replay(record, board)
    except RecordError:
        raise
    except EndeavorError as error:
        fault = error.faults[0] if isinstance(error, InvalidBoardError) else error
        raise RecordError(f"{source} has a board with faults: {fault}") from error
    return game


def summary_of(file: Path) -> dict[str, Any]:
    """Return what a file says of its game, without playing it again.

    Returns:
        Variant, seats, what they are called and which of them people play, number of moves, scores, the seat to move.

    Raises:
        RecordError: The file cannot be read, or is no session.
    """
    kept = read_json_object(file, "game", RecordError)
    try:
        record, seats = kept["record"], kept["seats"]
        scores = record["result"]["scores"] if "result" in record else None
        declared = game_of_record(record)
        variant = declared.variant_of(record)
        turn = kept.get("turn") if scores is None else None
        found = {"variant": variant, "seats": seats, "moves": len(record["moves"]), "scores": scores, "turn": turn}
        played = record.get("played")
    except (KeyError, TypeError) as error:
        raise RecordError(f"{file.name} is no session: it lacks seats or a record") from error
    if kept.get("format") != FORMAT or not is_list_of_texts(seats):
        raise RecordError(f"{file.name} is no session: its format must be {FORMAT!r}")
    if not isinstance(variant, str) or not (scores is None or is_list_of_whole_numbers(scores)):
        raise RecordError(f"{file.name} is no session: its record has another variant or other scores than games have")
    known = None if played is None else PlayersInfo.from_dict(played, len(seats), found["moves"])
    table = table_in(declared)
    found["unit"], found["game"] = table.unit, table.name
    found["titles"], found["people"] = titles_of(seats, variant, known), list(map(is_person, seats))
    if type(turn) is not int or not 0 <= turn < len(seats):  # files of before do not say it
        found["turn"] = None
    return found
