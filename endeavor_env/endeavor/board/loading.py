"""Reading a board file or dictionary; all of its faults are gathered and reported in one error."""

from __future__ import annotations

from pathlib import Path

from endeavor_env.basics import files
from endeavor_env.endeavor.board.check_components import (
    check_buildings,
    check_constants,
    check_decks,
    check_status_tracks,
)
from endeavor_env.endeavor.board.check_map import (
    check_cities,
    check_connections,
    check_ids,
    check_regions,
    check_sizes,
    check_spaces,
)
from endeavor_env.endeavor.board.format import BOARD_FORMAT
from endeavor_env.endeavor.board.schema import FAULTY, BoardData
from endeavor_env.endeavor.board.wording import shown
from endeavor_env.errors import InvalidBoardError

MOST_TEXT = 400
_CHECKS = (
    check_sizes,
    check_ids,
    check_regions,
    check_cities,
    check_connections,
    check_spaces,
    check_decks,
    check_buildings,
    check_status_tracks,
    check_constants,
)


def find_faults(data: object) -> tuple[BoardData, list[str]]:
    """Return a fresh copy of ``data`` with all optional keys filled in, and its faults; with faults, do not use it."""
    faults: list[str] = []
    checked = BOARD_FORMAT.read(data, "", faults)
    if checked is FAULTY:
        return {}, faults
    for check in _CHECKS:
        check(checked, faults)
    return checked, faults


def read_board(data: object, source: str) -> BoardData:
    """Return a fresh, valid copy of ``data`` with all optional keys filled in.

    Args:
        data: A board as ``tomllib`` reads it from a file; anything else is reported as a fault.
        source: The name of the board in the error, e.g. its file name.

    Raises:
        InvalidBoardError: ``data`` is not a valid board; the error lists every fault.
    """
    checked, faults = find_faults(data)
    if faults:
        raise InvalidBoardError(source, faults)
    return checked


def parse_toml(content: bytes, source: str) -> object:
    """Return the content of a board file as a dictionary.

    Raises:
        InvalidBoardError: ``content`` is not UTF-8 text or not TOML.
    """
    try:
        return files.parse_toml(content)
    except ValueError as error:
        raise InvalidBoardError(source, [str(error)]) from None


def read_file(path: object) -> bytes:
    """Return the bytes of a board file.

    Raises:
        InvalidBoardError: ``path`` is neither str nor Path, or names no file that can be read.
    """
    if not isinstance(path, (str, Path)):
        raise InvalidBoardError(shown(path), ["a board file is given by its path, as a str or a pathlib.Path"])
    try:
        return files.read_board_file(path)
    except ValueError as error:
        raise InvalidBoardError(path_text(path), [str(error)]) from None


def path_text(path: str | Path) -> str:
    """Return a path for messages: as it is, but short and printable."""
    text = str(path)
    return text if len(text) <= MOST_TEXT and text.isprintable() else shown(text)
