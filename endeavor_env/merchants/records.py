"""Records of Merchants of Europe: their form, and a replay that checks everything (K15.1).

``engine.records.write_record`` writes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from endeavor_env.basics.inputs import check_names
from endeavor_env.engine import records
from endeavor_env.errors import InvalidOptionError, shown
from endeavor_env.merchants.board.board import Board
from endeavor_env.merchants.board.files import load_board
from endeavor_env.merchants.game import FORMAT, OPTIONS, BoardGiven, MerchantsConfig, MerchantsGame
from endeavor_env.merchants.rules.constants import SIDE_NAMES


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


def _config_of(record: Mapping[str, Any], board: BoardGiven) -> MerchantsConfig:
    """Return what a record says is played."""
    check_names("Merchants of Europe", record["options"], OPTIONS)
    return MerchantsConfig(record["players"], _board_of(record, board), **record["options"])


FORM = records.RecordForm(
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
    _config_of,
)
"""The form of the records."""


def replay(source: str | Path | Mapping[str, Any], board: BoardGiven = None) -> MerchantsGame:
    """Play a record again, check every move and the result, and return the game where the record ends.

    What chance decides after the end of the record is drawn anew: a record holds no seed.

    Args:
        source: A record's path, or the record.
        board: The board of a record that names none of the declared ones.

    Raises:
        RecordError: What ``engine.records.replay`` raises.
    """
    game: MerchantsGame = records.replay(source, FORM, board)
    return game
