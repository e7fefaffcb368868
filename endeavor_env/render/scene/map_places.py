"""Where cities, their names and the tokens of connections lie on the map, so that they do not cover each other."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from endeavor_env.board import Board
from endeavor_env.render.scene.pieces import TOKEN
from endeavor_env.render.scene.places import FOOT, Box, city_places, region_box

Point = tuple[float, float]

NAME = 11.0
"""Size of the letters of a city's name."""
WIDE = 0.62
"""Width of a letter of a wide font, as a part of its size."""
APART = 24.0
"""How far a name stands from the middle of its city, so that a frame round the city does not touch it."""
FRACTIONS = (0.5, *(0.5 + sign * 0.03 * step for step in range(1, 11) for sign in (-1, 1)))
"""Places on a line where a token may lie, the middle first."""
ROOM, LITTLE_ROOM = 24.0, 20.5
"""How far the middle of a token lies from that of a city, across or down: clear of a frame, or at least its letters."""
BLOCKED = (30.0, 20.0)
"""Width and height of a token with the bars of a blockade."""


class MapPlaces(NamedTuple):
    """Where things lie, by id."""

    cities: dict[str, Point]
    names: dict[str, Point]
    """The middle of the name of each city."""
    tokens: dict[str, Point]
    """The middle of the token of each connection."""


@functools.lru_cache(maxsize=64)
def map_places(board: Board, area: Box, blockades: bool) -> MapPlaces:
    """Return where things lie on the map of a board.

    Args:
        board: The board.
        area: The rectangle of the map.
        blockades: Whether tokens need room for the bars of a blockade.
    """
    cities, size = city_places(board, area), BLOCKED if blockades else (TOKEN, TOKEN)
    below = {city: (x, y + APART) for city, (x, y) in cities.items()}
    tokens = _token_places(board, area, cities, below, size)
    names, discs = dict(below), [_around(x, y, 24, 24) for x, y in cities.values()]
    in_the_way = [*discs, *(_around(x, y, *size) for x, y in tokens.values())]
    for city, (x, y) in cities.items():
        others = [_name_box(board, other, at) for other, at in names.items() if other != city]
        places = [(x, y + APART), (x, y - APART)]
        hit = [_hits(_name_box(board, city, place), [*in_the_way, *others]) for place in places]
        names[city] = places[hit.index(min(hit))]
    return MapPlaces(cities, names, tokens)


def ends_of(board: Board, connection: str, cities: dict[str, Point]) -> tuple[Point, Point]:
    """Return the places of the two cities of a connection."""
    first, second = board.array["connection_city"][0, board.connections.index(connection)]
    return cities[board.cities[first]], cities[board.cities[second]]


def name_of_city(board: Board, city: str) -> str:
    """Return what stands beside a city: its name, without that of its region."""
    region = board.regions[int(board.array["city_region"][0, board.cities.index(city)])]
    return board.names[city].removeprefix(f"{board.names[region]} ")


def _name_box(board: Board, city: str, place: Point) -> Box:
    """Return the rectangle of a name around its middle."""
    return _around(*place, WIDE * NAME * len(name_of_city(board, city)), 0.8 * NAME)


def _around(x: float, y: float, width: float, height: float) -> Box:
    return Box(x - width / 2, y - height / 2, width, height)


def _hits(box: Box, others: Iterable[Box]) -> int:
    """Return how many boxes overlap one."""
    return sum(
        abs(box.x + box.width / 2 - other.x - other.width / 2) < (box.width + other.width) / 2
        and abs(box.y + box.height / 2 - other.y - other.height / 2) < (box.height + other.height) / 2
        for other in others
    )


def _token_places(
    board: Board, area: Box, cities: dict[str, Point], names: dict[str, Point], size: Point
) -> dict[str, Point]:
    """Return the place of each token, as near the middle of its line as there is room."""
    regions = [(region, region_box(region, area)) for region in board.regions]
    feet = [Box(box.x, box.y + box.height - FOOT, box.width, FOOT) for _, box in regions]
    heads = [Box(box.x + 8, box.y, min(box.width - 90, 9 * len(board.names[name])), 22) for name, box in regions]
    heads += [Box(box.x + box.width - 50, box.y, 50, 22) for _, box in regions]
    written = [_name_box(board, city, place) for city, place in names.items()]
    wide, near = (
        [_around(x, y, room, room) for x, y in cities.values()] for room in (2 * ROOM - TOKEN, 2 * LITTLE_ROOM - TOKEN)
    )
    found: dict[str, Point] = {}
    for connection in board.connections:
        others = [_around(x, y, *size) for x, y in found.values()]
        taken = [
            [*wide, *written, *others, *feet, *heads],
            [*near, *written, *others, *feet, *heads],
            [*near, *others, *feet, *heads],
            [*near, *others],
            near,
        ]
        found[connection] = _token_place(*ends_of(board, connection, cities), taken, size)
    return found


def _token_place(first: Point, second: Point, taken: Sequence[Sequence[Box]], size: Point) -> Point:
    """Return the place on the line between two cities that is free; where none is, fewer boxes count."""
    for boxes in taken:
        for part in FRACTIONS:
            x, y = (one + part * (other - one) for one, other in zip(first, second, strict=True))
            if not _hits(_around(x, y, *size), boxes):
                return x, y
    return (first[0] + second[0]) / 2, (first[1] + second[1]) / 2
