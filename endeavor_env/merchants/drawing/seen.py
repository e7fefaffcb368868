"""The pieces of a position as a seat sees it (K14.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from endeavor_env.merchants.board.board import Board
from endeavor_env.merchants.drawing.palette import NEUTRAL
from endeavor_env.merchants.drawing.pieces import Pieces


def pieces_seen(board: Board, seen: Mapping[str, Any]) -> Pieces:
    """Return the pieces of a position on ``board``; ``seen`` is what ``MerchantsGame.view`` returns of it."""
    cities = {name: city for city, name in enumerate(board.city_ids)}
    crossroads = {board.crossroads_name(number): number for number in range(board.num_crossroads)}
    seats = list(enumerate(seen["seats"]))
    return Pieces(
        robber=_number(seen["robber"]),
        tokens={_number(terrain): value for terrain, value in seen["tokens"].items()},
        routes={_number(path): owner for path, owner in seen["routes"].items()},
        posts={cities[city]: NEUTRAL if owner == "neutral" else owner for city, owner in seen["posts"].items()},
        goods={cities[city] for city in seen["goods"]},
        merchants={crossroads[place]: seat for seat, has in seats for place in has["merchants"] if place is not None},
        caravans=[(_number(path), seat) for seat, has in seats for path in has["caravans"] if path is not None],
    )


def _number(name: str) -> int:
    """Return the number in the name of a terrain or a path."""
    return int(name[1:])
