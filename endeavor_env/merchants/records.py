"""Records of Merchants of Europe: a strict reader, and a replay that checks everything (K15.1).

``engine.records.write_record`` writes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from endeavor_env.engine.kernels.rules import CHANCE
from endeavor_env.engine.played import Played
from endeavor_env.engine.records import RecordForm, check_result, naming_version, read_fields, replay_moves
from endeavor_env.errors import EndeavorError, InvalidOptionError, RecordError, shown
from endeavor_env.merchants.board.board import Board
from endeavor_env.merchants.board.loading import load_board
from endeavor_env.merchants.config import BoardGiven, MerchantsConfig, read_options
from endeavor_env.merchants.game import FORMAT, MerchantsGame
from endeavor_env.merchants.rules.constants import SIDE_NAMES

FORM = RecordForm(
    FORMAT,
    {
        "board": (str,),
        "side": (str,),
        "players": (int,),
        "options": (dict,),
        "moves": (list,),
        "result": (dict,),
        "played": (dict,),
    },
)
"""The form of the records."""


def read_record(source: str | Path | Mapping[str, Any]) -> dict[str, Any]:
    """Return a record after checking its form; ``replay`` checks the game itself.

    Raises:
        RecordError: An unreadable file, not JSON, another format, a missing, unknown or wrongly typed field, or a field
            ``played`` that does not fit.
    """
    record = read_fields(source, FORM)
    if "played" in record:
        Played.from_dict(record["played"], record["players"], len(record["moves"]))
    return record


def replay(source: str | Path | Mapping[str, Any], board: BoardGiven = None) -> MerchantsGame:
    """Play a record again, check every move and the result, and return the game where the record ends.

    What chance decides after the end of the record is drawn anew: a record holds no seed.

    Args:
        source: A record's path, or the record.
        board: The board of a record that names none of the declared ones.

    Raises:
        RecordError: Anything the reader rejects, another board, an illegal move (with its index and the legal moves
            there), a move of the wrong seat, moves that end where chance decides, a result that is wrong, missing or
            too early.
    """
    record = read_record(source)
    with naming_version(record):
        try:
            on = _board_of(record, board)
            config = MerchantsConfig(record["players"], on, **read_options(record["options"]))
        except EndeavorError as error:
            raise RecordError(f"the record's game cannot be set up: {error}") from error
        game = cast(MerchantsGame, config.begin())
        replay_moves(game, record)
        if game.seat == CHANCE:
            raise RecordError(
                f"the record ends before move {len(game.history)}, which chance makes: add what it showed"
            )
        check_result(game, record.get("result"), f"after {len(game.history)} moves")
    return game


def _board_of(record: Mapping[str, Any], board: BoardGiven) -> Board:
    """Return the board of a record: the one that is given, or the declared one that it names."""
    given = [board] if board is not None else list(SIDE_NAMES)
    boards = [one if isinstance(one, Board) else load_board(one) for one in given]
    found = next((one for one in boards if one.id == record["board"]), None)
    if found is None:
        known = ", ".join(one.id for one in boards)
        raise InvalidOptionError(
            f"it was played on the board {shown(record['board'])}: known is {known}; give its board"
        )
    if found.side != record["side"]:
        raise InvalidOptionError(f"side {shown(record['side'])} is not possible: the board {found.id} has {found.side}")
    return found
