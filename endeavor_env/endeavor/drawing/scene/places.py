"""Where regions and cities lie in the picture: chosen places for the board of 2009, others from the graph.

The game has no map data. Regions lie round Europe as on any map of the world.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.board import Board


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
"""Pixels that a region keeps for its name, for its track and piles, and at its sides."""
USUAL = (864.0, 526.0)
"""Width and height of the map for which cities are laid out; other sizes stretch it."""
SWAPS = 1500
"""Exchanges of two cities of a region that the layout tries."""
CROSSING, NEAR_CITY, TOO_SHORT = 90.0, 130.0, 200.0
"""How many pixels of length two crossing lines are worth, a line that runs into another city, and one too short."""
SHORTEST = 42.0
"""Pixels of a line on which a token has room between the frames of its cities."""


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
