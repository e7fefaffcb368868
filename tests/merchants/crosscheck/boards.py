"""Boards on which random games are compared: the declared ones, and some where rare things are frequent."""

from __future__ import annotations

import tomllib
from copy import deepcopy
from functools import cache
from typing import Any

from endeavor_env.merchants.board import dump_board, generate_board
from tests.merchants.reference.boards import declared
from tests.merchants.reference.map import COLOURS, Map

NAMES = ("short", "expert", "short_bare", "expert_bare", "short_arrows", "expert_arrows", "short_near")
NEAR = NAMES[-1]
MOST_CITIES = 48
SUMS = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)
BROWN_CITIES = 12


@cache
def board_named(name: str) -> Map:
    """Return the map of one of the boards, or of a generated one: ``short_7`` is that of seed 7."""
    side, _, change = name.partition("_")
    if not change:
        return declared(side)
    if change.isdigit():
        return Map(tomllib.loads(dump_board(generate_board(int(change), side))))
    data: dict[str, Any] = deepcopy(declared(side).data) | {"id": name, "facts": False, "provenance": "For tests."}
    changes = {"bare": _bare, "arrows": _with_arrows, "near": _with_near_cities}
    return Map(changes[change](data, declared(side)))


def _bare(data: dict[str, Any], _board: Map) -> dict[str, Any]:
    """Replace as many printed numbers as a board may lack by places for tokens."""
    for index, terrain in enumerate(data["terrains"]):
        if "number" in terrain:
            place = {"at": terrain["at"], "kind": terrain["kind"], "token": "place"}
            fewer = {**data, "terrains": [*data["terrains"][:index], place, *data["terrains"][index + 1 :]]}
            data = fewer if _has_economy(Map(fewer)) else data
    return data


def _has_economy(board: Map) -> bool:
    """Return whether all kinds and sums are printed, and enough brown cities touch a printed number."""
    kinds = {kind for kind, number in zip(board.kinds, board.printed, strict=True) if number}
    brown = [board.grounds[board.site[city]] for city in board.cities if city not in board.violet]
    touching = sum(any(board.printed[terrain] for terrain in terrains) for terrains in brown)
    return len(kinds) == 5 and {*board.printed, None} == {None, *SUMS} and touching >= BROWN_CITIES


def _with_arrows(data: dict[str, Any], board: Map) -> dict[str, Any]:
    """Give a double arrow to every other path."""
    paths = set(range(0, len(board.ends), 2)) | board.arrows
    return {**data, "arrows": [[list(board.corners[end]) for end in board.ends[path]] for path in sorted(paths)]}


def _with_near_cities(data: dict[str, Any], board: Map) -> dict[str, Any]:
    """Put brown cities on all crossroads around one, so that posts may have no path for a first route (K3.9)."""
    near = sorted(range(len(board.corners)), key=lambda crossroads: board.distance[board.site["belgrade"]][crossroads])
    taken = {end for colour in COLOURS for end in board.ends[board.start_path(colour)]} | board.city_at.keys()
    free = [crossroads for crossroads in near if crossroads not in taken][: MOST_CITIES - len(board.cities)]
    more = [
        {"id": f"near_{chr(ord('a') + number)}", "at": list(board.corners[crossroads]), "colour": "brown", "gold": 0}
        for number, crossroads in enumerate(free)
    ]
    return {**data, "cities": [*data["cities"], *more]}
