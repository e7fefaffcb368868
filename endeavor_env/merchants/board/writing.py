"""Writing a board as the text of a board file, one line for each entry, for people to read and edit."""

from __future__ import annotations

import json
from typing import Any

from endeavor_env.merchants.board import content as v
from endeavor_env.merchants.board.board import Board
from endeavor_env.merchants.board.geometry import Corner, corner_at

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
