"""What several chapters read from the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.merchants.reference.game import ReferenceGame

MOST_ON_ROUTE = 2
"""Caravans that rest on a route at most (K8.2)."""


def number_of(game: ReferenceGame, terrain: int) -> int | None:
    """Return the number of a terrain, printed or of its token; None without (K2.8)."""
    printed = game.map.printed[terrain]
    return game.table.tokens.get(terrain) if printed is None else printed


def net_of(game: ReferenceGame, crossroads: int) -> set[int]:
    """Return the crossroads that routes of any owners join to one, itself too (K6.5)."""
    ends, paths_at, routes = game.map.ends, game.map.paths_at, game.table.routes
    net, todo = {crossroads}, [crossroads]
    while todo:
        here = todo.pop()
        for path in paths_at[here]:
            if path in routes:
                there = sum(ends[path]) - here
                if there not in net:
                    net.add(there)
                    todo.append(there)
    return net


def cities_of(game: ReferenceGame, crossroads: set[int]) -> list[int]:
    """Return those crossroads that are places of cities, ascending."""
    return sorted(crossroads & game.map.city_at.keys())


def merchants_on(game: ReferenceGame) -> set[int]:
    """Return the crossroads with a merchant of anybody."""
    return {place for seat in game.table.seats for place in seat.merchants if place is not None}


def caravans_on(game: ReferenceGame, path: int, without: tuple[int, int] | None = None) -> int:
    """Return how many caravans rest on a route, one of them (seat and slot) not counted."""
    return sum(
        place == path and (number, slot) != without
        for number, seat in enumerate(game.table.seats)
        for slot, place in enumerate(seat.caravans)
    )
