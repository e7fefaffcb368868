"""Boards on which random games are compared: the declared ones, and some where rare things are frequent."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from typing import Any

from tests.merchants.reference.boards import declared
from tests.merchants.reference.map import Map

NAMES = ("short", "expert", "short_bare", "expert_bare", "short_arrows", "expert_arrows")
SUMS = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)
BROWN_CITIES = 12


@cache
def board_named(name: str) -> Map:
    """Return the map of one of the boards."""
    side, _, change = name.partition("_")
    if not change:
        return declared(side)
    data: dict[str, Any] = deepcopy(declared(side).data) | {"id": name, "facts": False, "provenance": "For tests."}
    return Map(_bare(data) if change == "bare" else _with_arrows(data, declared(side)))


def _bare(data: dict[str, Any]) -> dict[str, Any]:
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
