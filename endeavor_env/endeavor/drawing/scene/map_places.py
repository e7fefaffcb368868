"""Where cities, their names and the tokens of connections lie on the map, so that they do not cover each other."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import NamedTuple

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.drawing.scene.map_frames import (
    FRAME,
    LETTERS,
    RING,
    Thing,
    around,
    clear,
    hits,
    name_choices,
)
from endeavor_env.endeavor.drawing.scene.pieces import TOKEN, shortened, width_of
from endeavor_env.endeavor.drawing.scene.places import FOOT, Box, city_places, region_box

Point = tuple[float, float]

NAME = 11.0
"""Size of the letters of a city's name."""
REGION = 13.0
"""Size of the letters of a region's name."""
CLOSED = "closed"
"""Stands at the top of a region that is not open."""
CLOSED_ROOM = (36.0, 14.0)
"""Width of this word, and its height with what other words stay away above and below."""
BOLD = 0.66
"""Width of a bold letter, as a part of its size."""
WIDE = 0.62
"""Width of a letter of a wide font, as a part of its size."""
LETTER_WIDTH, LETTER_HEIGHT = 0.6, 0.72
"""Width and height of a letter of a usual font, as parts of its size."""
APART = 24.0
"""How far a name stands from the middle of its city, so that a frame round the city does not touch it."""
FRACTIONS = (0.5, *(0.5 + sign * 0.03 * step for step in range(1, 11) for sign in (-1, 1)))
"""Places on a line where a token may lie, the middle first."""
ROOM, LITTLE_ROOM = 24.0, 20.5
"""How far the middle of a token lies from that of a city, across or down: clear of a frame, or at least its letters."""
BLOCKED = (30.0, 20.0)
"""Width and height of a token with the bars of a blockade."""
CITY = 26.0
"""Width and height of a city."""
ASIDE = (6.0, -6.0, 11.0, -11.0, 15.0, -15.0)
"""How far beside its line a token may lie, where there is no room on it."""
PILE = 84.0
"""Width of a pile, with the room beside it."""
FOOT_HEIGHTS = (25.0, 41.0)
"""Height of the letters of a track and the piles, and of their frames."""


class MapPlaces(NamedTuple):
    """Where things lie, by id."""

    cities: dict[str, Point]
    names: dict[str, Point]
    """The middle of the name of each city."""
    tokens: dict[str, Point]
    """The middle of the token of each connection."""
    closed: dict[str, Point]
    """The middle of the word "closed" of each region."""


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
    names, discs = dict(below), [around(x, y, 24, 24) for x, y in cities.values()]
    in_the_way = [*discs, *(around(x, y, *size) for x, y in tokens.values())]
    for city, (x, y) in cities.items():
        others = [_name_box(board, other, at) for other, at in names.items() if other != city]
        places = [(x, y + APART), (x, y - APART)]
        hit = [hits(_name_box(board, city, place), [*in_the_way, *others]) for place in places]
        names[city] = places[hit.index(min(hit))]
    closed = {region: _closed_choices(board, region, area)[0] for region in board.regions}
    return _cleared(board, area, MapPlaces(cities, names, tokens, closed), blockades)


def _cleared(board: Board, area: Box, places: MapPlaces, blockades: bool) -> MapPlaces:
    """Return the places with names and tokens moved so that frames of targets run through no letters."""
    cities = places.cities
    things = {  # what moves first stands first: a name should stay near its city
        f"closed:{region}": Thing(CLOSED_ROOM, CLOSED_ROOM, choices=_closed_choices(board, region, area))
        for region in board.regions
    }
    things |= {f"city:{city}": Thing(LETTERS, (CITY, CITY), ring=RING) for city in cities}
    for connection in places.tokens:
        ends = ends_of(board, connection, cities)
        choices = tuple(_on_line(*ends, part, aside) for aside in (0.0, *ASIDE) for part in FRACTIONS)
        frame = FRAME if blockades else None  # connections are targets of Exploits only
        things[f"token:{connection}"] = Thing(LETTERS, BLOCKED if blockades else (TOKEN, TOKEN), frame, choices=choices)
    for city in places.names:
        region = board.regions[int(board.array["city_region"][0, board.cities.index(city)])]
        size = (LETTER_WIDTH * NAME * len(name_of_city(board, city)), LETTER_HEIGHT * NAME)
        choices = name_choices(cities[city], APART, size, region_box(region, area), blockades)
        things[f"name:{city}"] = Thing(size, size, choices=choices)
    kinds = {"city": places.cities, "name": places.names, "token": places.tokens, "closed": places.closed}
    middles = {f"{kind}:{key}": place for kind, found in kinds.items() for key, place in found.items()}
    for region in board.regions:
        things[f"foot:{region}"], middles[f"foot:{region}"] = _foot_of(board, region, area)
    clear(things, middles, [_name_at_top(board, region, area) for region in board.regions])
    return MapPlaces(
        cities,
        {city: middles[f"name:{city}"] for city in places.names},
        {connection: middles[f"token:{connection}"] for connection in places.tokens},
        {region: middles[f"closed:{region}"] for region in board.regions},
    )


def region_name(board: Board, region: str, box: Box) -> str:
    """Return the name of a region as it is written at its top."""
    return shortened(board.names[region], REGION, box.width - 90)


def _name_at_top(board: Board, region: str, area: Box) -> Box:
    """Return the rectangle of the name of a region."""
    box = region_box(region, area)
    return Box(box.x + 10, box.y + 8.3, width_of(region_name(board, region, box), REGION, BOLD), 9.4)


def _closed_choices(board: Board, region: str, area: Box) -> tuple[Point, Point]:
    """Return where the word "closed" may stand: at the right end of the region, or beside its name."""
    box, name = region_box(region, area), _name_at_top(board, region, area)
    half, y = CLOSED_ROOM[0] / 2, box.y + 13
    return (box.x + box.width - 10 - half, y), (name.x + name.width + 6 + half, y)


def _foot_of(board: Board, region: str, area: Box) -> tuple[Thing, Point]:
    """Return track and piles of a region as one thing with a frame, and their middle."""
    box, number = region_box(region, area), board.regions.index(region)
    left, right = box.x + 2, box.x + box.width - 5
    if not board.array["track_length"][0, number]:
        right -= 52  # a line leaves Europe in its corner
        left = right - PILE * int((board.array["deck_region"][0, : len(board.decks)] == number).sum())
    width, (letters, frame) = right - left, FOOT_HEIGHTS
    return Thing((width, letters), (width, frame), (width, frame)), (left + width / 2, box.y + box.height - 20.5)


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
    return around(*place, WIDE * NAME * len(name_of_city(board, city)), 0.8 * NAME)


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
        [around(x, y, room, room) for x, y in cities.values()] for room in (2 * ROOM - TOKEN, 2 * LITTLE_ROOM - TOKEN)
    )
    found: dict[str, Point] = {}
    for connection in board.connections:
        others = [around(x, y, *size) for x, y in found.values()]
        taken = [
            [*wide, *written, *others, *feet, *heads],
            [*near, *written, *others, *feet, *heads],
            [*near, *others, *feet, *heads],
            [*near, *others],
            near,
        ]
        found[connection] = _token_place(*ends_of(board, connection, cities), taken, size)
    return found


def _on_line(first: Point, second: Point, part: float, aside: float = 0.0) -> Point:
    """Return the point at a part of the way from one point to another, or so many pixels beside it."""
    across, down = second[0] - first[0], second[1] - first[1]
    beside = aside / max(math.hypot(across, down), 1.0)
    return first[0] + part * across - beside * down, first[1] + part * down + beside * across


def _token_place(first: Point, second: Point, taken: Sequence[Sequence[Box]], size: Point) -> Point:
    """Return the place on the line between two cities that is free; where none is, fewer boxes count."""
    for boxes in taken:
        for part in FRACTIONS:
            place = _on_line(first, second, part)
            if not hits(around(*place, *size), boxes):
                return place
    return (first[0] + second[0]) / 2, (first[1] + second[1]) / 2
