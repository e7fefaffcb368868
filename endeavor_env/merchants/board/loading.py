"""Loading boards: the two declared ones by name, others from a file or a dictionary; all faults are one error."""

from __future__ import annotations

import functools
from pathlib import Path

from endeavor_env.basics.files import parse_toml, read_board_file
from endeavor_env.errors import InvalidBoardError, named, shown
from endeavor_env.merchants.board import content as v
from endeavor_env.merchants.board.board import Board, build_board
from endeavor_env.merchants.board.checks import find_faults
from endeavor_env.merchants.board.content import Fault
from endeavor_env.merchants.data import DATA


def load_board(source: str | Path) -> Board:
    """Return a board.

    Args:
        source: ``short`` or ``expert`` for the declared board of that side, which is read once; else the path of a file
            (docs/merchants/boards.md).

    Raises:
        InvalidBoardError: The file cannot be read or is not a board without faults; ``faults`` lists every fault.
    """
    if isinstance(source, str) and source in v.SIDES:
        return _declared(str(source))
    if not isinstance(source, str | Path):
        words = " or ".join(v.SIDES)
        raise InvalidBoardError(shown(source), [f"a board is given as {words}, or as the path of a file"])
    return _load_file(source)


def parse_board(data: object, source: str = "from a dictionary") -> Board:
    """Return the board that a dictionary laid out as a board file describes.

    Args:
        data: A board as ``tomllib`` reads it from a file; it is copied.
        source: The name of the board in the error.

    Raises:
        InvalidBoardError: ``data`` is not a board without faults; ``faults`` lists every fault.
    """
    content, faults = find_faults(data)
    if content is None or faults:
        raise InvalidBoardError(source, [f"{detail} ({name})" for name, detail in faults])
    return build_board(content)


def check_board(data: object) -> list[Fault]:
    """Return every fault of a dictionary laid out as a board file: its name, and a sentence about it.

    Faults of single entries come first; those of the whole board are looked for only without them, and what contradicts
    known facts only if nothing else is wrong.
    """
    return find_faults(data)[1]


@functools.cache
def _declared(side: str) -> Board:
    """Return the declared board of a side."""
    return _load_file(DATA / f"merchants_{side}.toml")


def _load_file(path: str | Path) -> Board:
    """Return the board of a file."""
    try:
        data = parse_toml(read_board_file(path))
    except ValueError as error:
        raise InvalidBoardError(named(str(path)), [str(error)]) from None
    return parse_board(data, named(str(path)))
