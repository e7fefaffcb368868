"""The map: regions with their cities, shipping tracks and piles, and where all of it lies."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.drawing.shapes import Area, Circle, Label, Line, Rect, Shape
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.drawing.scene.pieces import (
    SMALLEST,
    TOKEN,
    barrier,
    card_title,
    chip,
    disc,
    icon_shapes,
    icons_width,
    shortened,
    stars,
    token,
    width_of,
)
from endeavor_env.endeavor.drawing.scene.theme import IN_CITIES, SIDES, Theme
from endeavor_env.endeavor.drawing.view import CityView, ConnectionView, DeckView, RegionView, View

# --- Where regions and cities lie in the picture: chosen places for the board of 2009, others from the graph ---------
# The game has no map data. Regions lie round Europe as on any map of the world.


class Box(NamedTuple):
    """A rectangle in pixels."""

    x: float
    y: float
    width: float
    height: float


REGIONS = {
    "north_america": Box(0.000, 0.000, 0.275, 0.325),
    "caribbean": Box(0.000, 0.340, 0.275, 0.315),
    "south_america": Box(0.000, 0.670, 0.275, 0.330),
    "europe": Box(0.290, 0.000, 0.400, 0.600),
    "africa": Box(0.290, 0.615, 0.400, 0.385),
    "far_east": Box(0.705, 0.000, 0.295, 0.600),
    "india": Box(0.705, 0.615, 0.295, 0.385),
}
"""Parts of the map by region, as fractions of its width and height."""
CITIES = {
    "new_york": (0.90, 0.10), "charleston": (0.18, 0.34), "new_orleans": (0.64, 0.76),
    "saint_domingue": (0.90, 0.16), "port_royal": (0.24, 0.40), "havana": (0.64, 0.66), "cartagena": (0.64, 0.10),
    "salvador": (0.92, 0.44), "rio_de_janeiro": (0.34, 0.62),
    "copenhagen": (0.66, 0.10), "amsterdam": (0.42, 0.17), "london": (0.20, 0.17), "paris": (0.25, 0.36),
    "lisbon": (0.03, 0.70), "tangier": (0.28, 0.94), "rome": (0.40, 0.69), "venice": (0.56, 0.46),
    "constantinople": (0.86, 0.48), "alexandria": (0.64, 0.88),
    "saint_louis": (0.14, 0.34), "elmina": (0.44, 0.44), "luanda": (0.74, 0.56),
    "bombay": (0.26, 0.44), "calcutta": (0.74, 0.30),
    "malacca": (0.74, 0.78), "macau": (0.20, 0.56), "canton": (0.42, 0.34), "formosa": (0.72, 0.44),
    "nagasaki": (0.84, 0.14),
}  # fmt: skip
"""Places within the part of a region where its cities lie, as fractions from the left and from the top."""
HEAD, FOOT, MARGIN = 22.0, 46.0, 24.0
"""Pixels that a region reserves for its name, for its track and piles, and at its sides."""
USUAL = (864.0, 526.0)
"""Width and height of the map for which cities are laid out; other sizes stretch it."""
SWAPS = 1500
"""Number of exchanges of two cities of a region that the layout tries."""
CROSSING, NEAR_CITY, TOO_SHORT = 90.0, 130.0, 200.0
"""Penalties in pixels of length: for two lines that cross, a line that runs into another city, and one too short."""
SHORTEST = 42.0
"""Shortest line, in pixels, on which a token has room between the frames of its cities."""


def region_box(region: str, area: Box) -> Box:
    """Return the rectangle of a region in a map that fills ``area``."""
    part = REGIONS[region]
    return Box(
        area.x + part.x * area.width, area.y + part.y * area.height, part.width * area.width, part.height * area.height
    )


def city_places(board: Board, area: Box) -> dict[str, tuple[float, float]]:
    """Return the place of every city in a map that fills ``area``."""
    places = {}
    for city, (across, down) in zip(board.cities, _fractions(board), strict=True):
        region = board.regions[int(board.array["city_region"][0, board.cities.index(city)])]
        box = region_box(region, area)
        width, height = box.width - 2 * MARGIN, box.height - HEAD - FOOT - MARGIN
        places[city] = (box.x + MARGIN + across * width, box.y + HEAD + MARGIN / 2 + down * height)
    return places


@functools.lru_cache(maxsize=32)
def _fractions(board: Board) -> tuple[tuple[float, float], ...]:
    """Return the place of every city within its region, in the order of the board."""
    if all(city in CITIES for city in board.cities):
        return tuple(CITIES[city] for city in board.cities)
    return tuple((float(x), float(y)) for x, y in laid_out(board))


def laid_out(board: Board) -> npt.NDArray[np.float64]:
    """Return (cities, 2) places from the graph: evenly spread in each region, with short lines that cross little.

    The cities of a region share the places of ``_spread``. Exchanges of two of them are tried, and kept if the lines
    get better; the same board always gets the same places.
    """
    count, rules = len(board.cities), board.array[0]
    region = np.asarray(rules.city_region[:count], np.int64)
    ends = np.asarray(rules.connection_city[: len(board.connections)], np.int64)
    places = np.zeros((count, 2))
    for number in np.unique(region):
        inside = np.flatnonzero(region == number)
        box = _city_box(board.regions[number])
        places[inside] = _spread(inside.size, box.width / box.height)
    pairs = [(one, other) for one in range(count) for other in range(one) if region[one] == region[other]]
    if not pairs:
        return places
    pixels, rng = _in_pixels(board, region), np.random.default_rng(0)
    order, best = np.arange(count), np.inf
    for one, other in [(0, 0), *(pairs[index] for index in rng.integers(len(pairs), size=SWAPS))]:
        order[[one, other]] = order[[other, one]]
        cost = _cost(pixels(places[order]), ends)
        if cost <= best:
            best = cost
        else:
            order[[one, other]] = order[[other, one]]
    return places[order]


def _city_box(region: str) -> Box:
    """Return the part of a region in which its cities lie, in a map of the usual size."""
    box = region_box(region, Box(0.0, 0.0, *USUAL))
    return Box(box.x + MARGIN, box.y + HEAD + MARGIN / 2, box.width - 2 * MARGIN, box.height - HEAD - FOOT - MARGIN)


def _in_pixels(
    board: Board, region: npt.NDArray[np.int64]
) -> Callable[[npt.NDArray[np.float64]], npt.NDArray[np.float64]]:
    """Return a function from (cities, 2) places within regions to places in a map of the usual size."""
    boxes = [_city_box(name) for name in board.regions]
    corners = np.array([(box.x, box.y) for box in boxes])[region]
    sizes = np.array([(box.width, box.height) for box in boxes])[region]
    return lambda places: corners + places * sizes


def _spread(count: int, aspect: float) -> npt.NDArray[np.float64]:
    """Return (count, 2) places that fill a box evenly, in rows that are shifted against each other.

    Args:
        count: The number of places.
        aspect: Width of the box by its height.
    """
    columns = min(count, max(1, round(float(np.sqrt(count * aspect)))))
    rows = -(-count // columns)
    places = []
    for row in range(rows):
        inside = count * (row + 1) // rows - count * row // rows
        for column in range(inside):
            shift = 0.16 * (-1) ** row if rows > 1 else 0.0
            lift = 0.14 * (-1) ** column if inside > 1 else 0.0  # else lines along a row would run through its cities
            places.append(((column + 0.5 + shift) / inside, (row + 0.5 + lift) / rows))
    return np.array(places)


def _cost(points: npt.NDArray[np.float64], ends: npt.NDArray[np.int64]) -> float:
    """Return how bad a layout is: length of the lines, crossings, lines too short or into cities they do not join."""
    first, second = points[ends[:, 0]], points[ends[:, 1]]
    along = second - first
    lengths = np.linalg.norm(along, axis=1)
    to_city = points[None] - first[:, None]
    part = np.clip((to_city * along[:, None]).sum(axis=2) / np.maximum(lengths, 1e-9)[:, None] ** 2, 0.0, 1.0)
    apart = np.linalg.norm(to_city - part[..., None] * along[:, None], axis=2)
    apart[np.arange(len(ends))[:, None], ends] = np.inf
    crossings = _crossings(first, second)
    faults = NEAR_CITY * (apart < 22.0).sum() + TOO_SHORT * (lengths < SHORTEST).sum() + CROSSING * crossings
    return float(lengths.sum() + faults)


def _crossings(first: npt.NDArray[np.float64], second: npt.NDArray[np.float64]) -> float:
    """Return how many pairs of lines cross each other."""

    def side(points: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return on which side of each line (rows) each point (columns) lies; 0 on the line."""
        x, y = (points[None] - first[:, None]).transpose(2, 0, 1)
        across, down = (second - first).T[:, :, None]
        return np.sign(np.round(across * y - down * x, 6))

    apart = side(first) * side(second) < 0
    return float((apart & apart.T).sum()) / 2


# --- Moves names and tokens of the map where the frame of a target would run through letters -------------------------

RING = 16.6
"""Radius of the ring round a city, with its stroke."""
FRAME = (24.2, 24.2)
"""Width and height of the frame round the token of a connection, with its stroke."""
LETTERS = (11.0, 8.0)
"""Width and height of the letters of a token or a disc."""
BESIDE = 2.0
"""Pixels between a ring and a name on its left or right."""
FRAMES_ASIDE = (6.0, -6.0, 12.0, -12.0)
"""Sideways offsets of a name from the middle of its city, in pixels, in the order in which they are tried."""
SWEEPS = 8
"""Largest number of passes over all names and tokens; most boards need two."""


class Thing(NamedTuple):
    """A city, a name or a token of the map; sizes are width and height."""

    letters: Point
    body: Point
    """Size of the whole, without its frame."""
    frame: Point | None = None
    """Size of its frame as a target."""
    ring: float = 0.0
    """Radius of the ring that it gets instead."""
    choices: tuple[Point, ...] = ()
    """Possible places, the best first; empty for what does not move."""


def around(x: float, y: float, width: float, height: float) -> Box:
    """Return the rectangle around a middle."""
    return Box(x - width / 2, y - height / 2, width, height)


def hits(box: Box, others: Iterable[Box]) -> int:
    """Return how many boxes overlap one."""
    return sum(
        abs(box.x + box.width / 2 - other.x - other.width / 2) < (box.width + other.width) / 2
        and abs(box.y + box.height / 2 - other.y - other.height / 2) < (box.height + other.height) / 2
        for other in others
    )


def name_choices(city: Point, apart: float, size: Point, region: Box, chips: bool) -> tuple[Point, ...]:
    """Return where the name of a city may stand within its region, the best place first.

    Args:
        city: The middle of the city.
        apart: How far a name below or above stands from it.
        size: Width and height of the name.
        region: The rectangle of the region.
        chips: Whether pieces may lie on the right of the city, so that the name cannot.
    """
    x, y = city
    found = [(x + aside, y + down) for aside in (0.0, *FRAMES_ASIDE) for down in (apart, -apart)]
    far = RING + BESIDE + size[0] / 2
    found += [(x - far, y)] if chips else [(x + far, y), (x - far, y)]
    return tuple(place for place in found if _is_inside(around(*place, *size), region))


def clear(things: Mapping[str, Thing], places: dict[str, Point], written: Sequence[Box]) -> None:
    """Move things whose frame or letters touch others to where they touch least, until nothing gets better.

    Args:
        things: The cities, names and tokens, by id.
        places: Their middles, changed in place.
        written: What stands on the map besides.
    """

    def faults(key: str, place: Point) -> tuple[int, int]:
        """Return how often frames would run through letters if a thing lay at a place, and how often bodies overlap."""
        thing = things[key]
        touched = sum(_touches(thing, place, box) for box in written)
        covered = 0
        body = around(*place, *thing.body)
        for other_key, other in things.items():
            if other_key != key:
                at = places[other_key]
                touched += _touches(thing, place, around(*at, *other.letters)) or _touches(
                    other, at, around(*place, *thing.letters)
                )
                covered += hits(body, [around(*at, *other.body)])
        return touched, covered

    for _ in range(SWEEPS):
        moved = False
        for key, thing in things.items():
            here = faults(key, places[key])
            if thing.choices and here[0]:
                found = [faults(key, place) for place in thing.choices]
                if min(found) < here:
                    places[key], moved = thing.choices[found.index(min(found))], True
        if not moved:
            return


def _touches(thing: Thing, place: Point, box: Box) -> bool:
    """Return whether the frame or ring of a thing at a place, or its letters if it has none, touches a box."""
    if thing.ring:
        x, y = place
        across = max(box.x - x, 0.0, x - box.x - box.width)
        down = max(box.y - y, 0.0, y - box.y - box.height)
        return math.hypot(across, down) < thing.ring
    return bool(hits(around(*place, *(thing.frame or thing.letters)), [box]))


def _is_inside(box: Box, outer: Box) -> bool:
    """Return whether a box lies in another one."""
    return (
        outer.x <= box.x
        and outer.y <= box.y
        and box.x + box.width <= outer.x + outer.width
        and box.y + box.height <= outer.y + outer.height
    )


# --- Where cities, their names and the tokens of connections lie -----------------------------------------------------
# On the map, so that they do not cover each other.

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
"""Distance of a name from the middle of its city, so that a frame round the city does not touch it."""
FRACTIONS = (0.5, *(0.5 + sign * 0.03 * step for step in range(1, 11) for sign in (-1, 1)))
"""Places on a line where a token may lie, the middle first."""
ROOM, LITTLE_ROOM = 24.0, 20.5
"""Distances of the middle of a token from that of a city, across or down: clear of its frame, or at least of its
letters."""
BLOCKED = (30.0, 20.0)
"""Width and height of a token with the bars of a blockade."""
CITY = 26.0
"""Width and height of a city."""
ASIDE = (6.0, -6.0, 11.0, -11.0, 15.0, -15.0)
"""Sideways offsets of a token from its line, where there is no room on it."""
PILE = 84.0
"""Width of a pile, with the room beside it."""
FOOT_HEIGHTS = (25.0, 41.0)
"""Height of the letters of a track and the piles, and of their frames."""


class MapPlaces(NamedTuple):
    """The places of everything on the map, by id."""

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
        choices = tuple(_point_on_line(*ends, part, aside) for aside in (0.0, *ASIDE) for part in FRACTIONS)
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


def _point_on_line(first: Point, second: Point, part: float, aside: float = 0.0) -> Point:
    """Return the point at a part of the way from one point to another, or so many pixels beside it."""
    across, down = second[0] - first[0], second[1] - first[1]
    beside = aside / max(math.hypot(across, down), 1.0)
    return first[0] + part * across - beside * down, first[1] + part * down + beside * across


def _token_place(first: Point, second: Point, taken: Sequence[Sequence[Box]], size: Point) -> Point:
    """Return the place on the line between two cities that is free; where none is, fewer boxes count."""
    for boxes in taken:
        for part in FRACTIONS:
            place = _point_on_line(first, second, part)
            if not hits(around(*place, *size), boxes):
                return place
    return (first[0] + second[0]) / 2, (first[1] + second[1]) / 2


# --- The map: regions with their cities, shipping tracks and piles, and the connections between the cities -----------

RADIUS = 11.0
"""Of the disc in a city, pixels."""
SPACE = 8.0
"""Radius of a shipping space."""
CARD = (78.0, 26.0)
"""Width and height of a pile."""


def map_shapes(view: View, area: Box, theme: Theme) -> list[Shape]:
    """Return the whole map, drawn into ``area``."""
    places = map_places(view.board, area, bool(view.exploits))
    shapes: list[Shape] = [Rect(*area, fill=theme.sea, radius=8)]
    for region in view.regions:
        shapes.append(_region_ground(region, region_box(region.id, area), theme))
    for connection in view.connections:
        ends = ends_of(view.board, connection.id, places.cities)
        shapes += connection_line(*ends, connection.space.owner, theme)
    for region in view.regions:
        shapes += _region_name(view.board, region, places, region_box(region.id, area), theme)
        for city in region.cities:
            shapes += _city(view.board, city, places, _ground_of(region, theme), theme)
        shapes += _foot(view.board, region, region_box(region.id, area), theme)
    for connection in view.connections:
        shapes += _on_line(view.board, connection, *places.tokens[connection.id])
    return shapes


def _ground_of(region: RegionView, theme: Theme) -> str:
    """Return the colour of the ground of a region."""
    return theme.land if region.open else theme.closed


def _region_ground(region: RegionView, box: Box, theme: Theme) -> Shape:
    """Return the ground of a region."""
    edge = theme.muted if region.open else theme.faint
    return Rect(*box, fill=_ground_of(region, theme), stroke=edge, line=1.2, radius=8)


def _region_name(board: Board, region: RegionView, places: MapPlaces, box: Box, theme: Theme) -> list[Shape]:
    """Return the name of a region, and whether it is closed, on top of the lines that cross it."""
    name, halo = region_name(board, region.id, box), _ground_of(region, theme)
    ink = theme.ink if region.open else theme.muted
    shapes: list[Shape] = [Label(box.x + 10, box.y + 13, name, REGION, ink, bold=True, halo=halo)]
    if not region.open:
        shapes.append(Label(*places.closed[region.id], CLOSED, 11, theme.muted, "middle", halo=halo))
    title = f"{board.names[region.id]}: {'open' if region.open else 'closed'}"
    shapes.append(Area(box.x + 4, box.y + 2, box.width - 8, 22, f"region:{region.id}", title))
    return shapes


def connection_line(
    first: tuple[float, float], second: tuple[float, float], owner: str | None, theme: Theme
) -> list[Shape]:
    """Return the line between two places, thick and in the colour of the side that controls it."""
    if owner is None:
        return [Line(*first, *second, theme.muted, 1.6, dashed=True)]
    return [Line(*first, *second, theme.ink, 6.0), Line(*first, *second, SIDES[owner].fill, 4.0)]


def _on_line(board: Board, connection: ConnectionView, x: float, y: float) -> list[Shape]:
    """Return the token of a connection, with bars beside it if it is blocked."""
    shapes: list[Shape] = []
    if connection.blocked:
        shapes += barrier(x, y)
    if connection.space.token is not None:
        shapes += token(x, y, TOKEN, connection.space.token)
    return [*shapes, Area(x - 9, y - 9, 18, 18, f"connection:{connection.id}", _connection_title(board, connection))]


def _connection_title(board: Board, connection: ConnectionView) -> str:
    space = connection.space
    lies = f"{space.token.replace('_', ' or ')} token" if space.token else "no token"
    whose = f", controlled by {space.owner}" if space.owner else ""
    return f"{board.names[connection.id]}: {lies}{whose}{', blocked' if connection.blocked else ''}"


def _city(board: Board, city: CityView, places: MapPlaces, ground: str, theme: Theme) -> list[Shape]:
    """Return a city with its disc or its token, its name and its Glory."""
    x, y = places.cities[city.id]
    owner, kind = city.space.owner, city.space.token
    shapes: list[Shape] = []
    if city.glory > 1:
        shapes.append(Circle(x, y, RADIUS + 3.5, theme.ring, None))
    if owner is not None:
        shapes += disc(x, y, RADIUS, owner)
    else:
        shapes.append(Circle(x, y, RADIUS, theme.panel, theme.ink, 1.2))
        if kind is not None:
            shapes += token(x, y, TOKEN, kind)
    name = name_of_city(board, city.id)
    shapes.append(Label(*places.names[city.id], name, NAME, theme.ink, "middle", halo=ground))
    for index, piece in enumerate(city.pieces):
        shapes += chip(x + RADIUS + 8, y - 12 + 13 * index, 14, 12, IN_CITIES[piece])
    whose = f"disc of {owner}" if owner is not None else f"{kind.replace('_', ' or ')} token" if kind else "empty"
    pieces = "".join(f", {piece}" for piece in city.pieces)
    title = f"{board.names[city.id]}: {whose}, {city.glory} Glory{pieces}"
    shapes.append(Area(x - 13.5, y - 13.5, 27, 27, f"city:{city.id}", title))
    return shapes


def _foot(board: Board, region: RegionView, box: Box, theme: Theme) -> list[Shape]:
    """Return the shipping track, which fills from the far end towards the pile, and the piles."""
    y = box.y + box.height - FOOT / 2 + 2
    width, height = CARD
    shapes: list[Shape] = []
    right = box.x + box.width - (8 if region.track else 60)  # a line leaves Europe in its corner
    for deck in reversed(region.decks):
        right -= width
        shapes += _deck(board, deck, Box(right, y - height / 2 - 4, width, height + 8), theme)
        right -= 6
    if not region.track:
        return shapes
    left, step = box.x + 8 + SPACE, (right - box.x - 12 - 2 * SPACE) / max(1, len(region.track) - 1)
    step = min(step, 2 * SPACE + 6)
    far_end = left
    shapes.append(Line(far_end, y, far_end + step * (len(region.track) - 1), y, theme.muted, 1.2))
    for index, space in enumerate(region.track):
        x = far_end + step * index
        if space.owner is not None:
            shapes += disc(x, y, SPACE, space.owner)
        elif space.closed:
            shapes += closed_space(x, y, theme)
        else:
            shapes.append(Circle(x, y, SPACE, theme.panel, theme.muted))
            if space.token is not None:
                shapes += token(x, y, TOKEN, space.token)
    taken = sum(space.owner is not None for space in region.track)
    title = f"{board.names[region.id]}: {taken} of {len(region.track)} shipping spaces taken"
    shapes.append(Area(box.x + 4, y - SPACE - 3, right - box.x - 4, 2 * SPACE + 6, f"track:{region.id}", title))
    return shapes + _beside(region, far_end, y - SPACE - 9, theme)


def closed_space(x: float, y: float, theme: Theme) -> list[Shape]:
    """Return a shipping space that takes no disc."""
    return [Circle(x, y, SPACE, theme.closed, theme.muted), Line(x - 5, y - 5, x + 5, y + 5, theme.muted)]


def _beside(region: RegionView, x: float, y: float, theme: Theme) -> list[Shape]:
    """Return the discs beside a full track, as a disc and a number for each side."""
    shapes: list[Shape] = []
    for index, (side, count) in enumerate(region.beside.items()):
        shapes += disc(x + 30 * index, y, 7, side)
        shapes.append(Label(x + 9 + 30 * index, y, f"x{count}", 10, theme.ink))
    return shapes


def _deck(board: Board, deck: DeckView, box: Box, theme: Theme) -> list[Shape]:
    """Return a pile with the number of cards left, and value and icons of the one on top."""
    left = len(deck.cards)
    shapes: list[Shape] = []
    for back in range(min(2, max(0, left - 1)), 0, -1):
        shapes.append(Rect(box.x + 2 * back, box.y - 2 * back, box.width, box.height, theme.panel, theme.muted, 0.8, 4))
    shapes.append(Rect(*box, fill=theme.panel if left else None, stroke=theme.muted, line=1, radius=4))
    if left:
        card = deck.cards[0]
        name, _, value = card.partition(".")
        right = box.x + box.width - 5
        crowded = icons_width(board, card, 9) > box.width - 18  # the icons need the place of the value
        named = f"{name} {value}" if crowded else name.replace("_", " ")
        shapes.append(Label(box.x + 5, box.y + 9, shortened(named, SMALLEST, box.width - 28), SMALLEST, theme.muted))
        shapes.append(Label(right, box.y + 9, f"{left}x", SMALLEST, theme.muted, "end"))
        said, size, ink = ("Gov", 10, theme.gold) if value == "governor" else (value, 14, theme.ink)
        if not crowded:
            shapes.append(Label(box.x + 4, box.y + 25, said, size, ink, bold=True))
        shapes += icon_shapes(board, card, right + 2, box.y + 25, 9, theme)
    else:
        shapes.append(Label(box.x + box.width / 2, box.y + box.height / 2, "empty", 10, theme.muted, "middle"))
    title = f"pile {deck.id}, " + (f"{left} cards left, on top {card_title(board, deck.cards[0])}" if left else "empty")
    if deck.governor_apart:
        shapes += stars(box.x + box.width - 10, box.y + 4, 1, theme)
        title += ", Governor beside it"
    shapes.append(Area(*box, f"deck:{deck.id}", title))
    return shapes
