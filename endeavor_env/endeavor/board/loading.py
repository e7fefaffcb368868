"""Reading a board file, and writing a checked board as one."""

from __future__ import annotations

import json
from pathlib import Path

from endeavor_env.basics import files
from endeavor_env.endeavor.board.checks import (
    check_buildings,
    check_cities,
    check_connections,
    check_constants,
    check_decks,
    check_ids,
    check_regions,
    check_sizes,
    check_spaces,
    check_status_tracks,
)
from endeavor_env.endeavor.board.format import BOARD_FORMAT, FAULTY, BoardData, shown
from endeavor_env.errors import InvalidBoardError

# --- Reading a board file or dictionary; all of its faults are gathered and reported in one error --------------------

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


# --- Writing a checked board as the text of a board file, one line for each entry, for people to read and edit -------

_HEADER = """\
# A board of Endeavor: edit it, then load it with Board.load(path). Loading lists every fault at once.
# docs/board.md explains the keys. Records name a board by its id: give a changed board an id of its own.
"""


def to_toml(data: BoardData) -> str:
    """Return ``data`` (a checked board, with every optional key) as TOML; reading it gives the same board again."""
    lines = [_HEADER]
    lines += [f"{key} = {_inline(data[key])}" for key in ("format", "id", "name")]
    for key in ("regions", "cities", "connections"):
        lines += ["", f"{key} = [", *(f"    {_inline(entry)}," for entry in data[key]), "]"]
    for deck in data["decks"]:
        lines += ["", "[[decks]]", *(_pair(key, deck[key]) for key in deck if key != "cards"), "cards = ["]
        lines += [*(f"    {_inline(card)}," for card in deck["cards"]), "]"]
    for building in data["buildings"]:
        lines += ["", "[[buildings]]", *(_pair(key, value) for key, value in building.items())]
    for key in ("tokens", "status_tracks", "constants"):
        lines += ["", f"[{key}]", *(_pair(name, value) for name, value in data[key].items())]
    return "\n".join(lines) + "\n"


def _pair(key: str, value: object) -> str:
    """Return one line ``key = value``."""
    if key == "icons" and isinstance(value, dict):  # zeros are left out, as in the shipped file
        value = {status: count for status, count in value.items() if count}
    return f"{key} = {_inline(value)}"


def _inline(value: object) -> str:
    """Return a value as TOML on one line."""
    if isinstance(value, dict):
        pairs = [_pair(key, part) for key, part in value.items()]
        return f"{{ {', '.join(pairs)} }}" if pairs else "{}"
    if isinstance(value, list):
        return f"[{', '.join(_inline(item) for item in value)}]"
    # What JSON writes for a printable text, a whole number, true or false is also what TOML writes.
    return json.dumps(value, ensure_ascii=False)
