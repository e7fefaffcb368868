"""Board files: the two declared boards by name, others from a file or a dictionary, and a board as the text of one."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

from endeavor_env.basics.files import parse_toml, read_board_file
from endeavor_env.errors import InvalidBoardError, named, shown
from endeavor_env.merchants.board import content as v
from endeavor_env.merchants.board.board import Board, build_board
from endeavor_env.merchants.board.checks import find_faults
from endeavor_env.merchants.board.content import Fault
from endeavor_env.merchants.board.geometry import Corner, corner_at
from endeavor_env.merchants.data import DATA

# --- Loading boards; all faults are one error ------------------------------------------------------------------------


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


# --- Writing a board as the text of a board file, one line for each entry, for people to read and edit ---------------

_HEADER = """\
# A board of Merchants of Europe: edit it, then load it with load_board(path). Loading lists every fault at once.
# docs/merchants/boards.md explains the keys. Records name a board by its id: give a changed board an id of its own.
"""
_TOKENS = ("", v.PLACE, v.DOTTED)


def board_data(board: Board) -> dict[str, Any]:
    """Return the board as a fresh dictionary, laid out as a board file, from which an equal board can be read."""
    data: dict[str, Any] = {
        "format": v.FORMAT,
        "id": board.id,
        "side": board.side,
        "facts": board.facts,
        "provenance": board.provenance,
        "robber": board.terrain_cells[board.robber].tolist(),
        "terrains": [_terrain(board, terrain) for terrain in range(board.num_terrains)],
        "cities": [_city(board, city) for city in range(board.num_cities)],
        "sea_paths": [{"ends": _ends(board, path)} for path in board.path_sea.nonzero()[0].tolist()],
        "arrows": [_ends(board, path) for path in board.path_arrow.nonzero()[0].tolist()],
        "tokens": dict(zip(v.KINDS, board.tokens.tolist(), strict=True)),
        "development": dict(zip(v.DEVELOPMENT_KINDS, board.development.tolist(), strict=True)),
    }
    if board.side == "short":
        data["start"] = {colour: _start(board, seat) for seat, colour in enumerate(v.PLAYER_COLOURS)}
    return data


def dump_board(board: Board) -> str:
    """Return the board as the text of a board file; loading it gives an equal board."""
    data = board_data(board)
    lines = [_HEADER]
    for key in ("format", "id", "side", "facts", "provenance", "robber"):
        lines.append(_pair(key, data[key]))
    for key in ("terrains", "cities", "sea_paths", "arrows"):
        lines += [f"{key} = [", *(f"  {_inline(entry)}," for entry in data[key]), "]"]
    tables = {key: data[key] for key in ("tokens", "development")}
    tables |= {f"start.{colour}": start for colour, start in data.get("start", {}).items()}
    for name, table in tables.items():
        lines += ["", f"[{name}]", *(_pair(key, value) for key, value in table.items())]
    return "\n".join(lines) + "\n"


def _terrain(board: Board, terrain: int) -> dict[str, Any]:
    number, place = int(board.terrain_number[terrain]), int(board.terrain_place[terrain])
    kind = v.KINDS[board.terrain_kind[terrain]]
    source: dict[str, Any] = {"number": number} if number else {"token": _TOKENS[place]}
    return {"at": board.terrain_cells[terrain].tolist(), "kind": kind, **source}


def _city(board: Board, city: int) -> dict[str, Any]:
    return {
        "id": board.city_ids[city],
        "at": list(_corner(board, int(board.city_crossroads[city]))),
        "colour": v.CITY_COLOURS[int(board.city_violet[city])],
        "gold": int(board.city_gold[city]),
    }


def _start(board: Board, seat: int) -> dict[str, Any]:
    posts = [board.city_ids[city] for city in board.start_posts[seat]]
    return {"posts": posts, "route": _ends(board, int(board.start_routes[seat]))}


def _corner(board: Board, crossroads: int) -> Corner:
    y, x = board.crossroads_yx[crossroads].tolist()
    return corner_at(y, x)


def _ends(board: Board, path: int) -> list[list[int | str]]:
    return [list(_corner(board, end)) for end in board.path_ends[path].tolist()]


def _pair(key: str, value: object) -> str:
    return f"{key} = {_inline(value)}"


def _inline(value: object) -> str:
    """Return a value as TOML on one line."""
    if isinstance(value, dict):
        return f"{{{', '.join(_pair(key, part) for key, part in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_inline, value))}]"
    # What JSON writes for texts, whole numbers, true and false is also TOML, but for one character.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
