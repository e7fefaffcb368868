"""Where regions and cities lie in the picture: chosen places for the board of 2009, others from the graph.

The game has no map data. Regions lie round Europe as on any map of the world.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.board import Board


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
    "copenhagen": (0.66, 0.10), "amsterdam": (0.42, 0.17), "london": (0.16, 0.20), "paris": (0.24, 0.42),
    "lisbon": (0.10, 0.64), "tangier": (0.25, 0.86), "rome": (0.45, 0.68), "venice": (0.54, 0.44),
    "constantinople": (0.86, 0.48), "alexandria": (0.64, 0.88),
    "saint_louis": (0.14, 0.34), "elmina": (0.44, 0.44), "luanda": (0.74, 0.56),
    "bombay": (0.26, 0.44), "calcutta": (0.74, 0.30),
    "malacca": (0.74, 0.78), "macau": (0.20, 0.56), "canton": (0.42, 0.34), "formosa": (0.72, 0.44),
    "nagasaki": (0.84, 0.14),
}  # fmt: skip
"""Places within the part of a region where its cities lie, as fractions from the left and from the top."""
HEAD, FOOT, MARGIN = 22.0, 46.0, 24.0
"""Pixels that a region keeps for its name, for its track and piles, and at its sides."""
ROUNDS = 300
"""Steps of the layout from the graph."""


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
    found = _laid_out(board)
    return tuple((float(x), float(y)) for x, y in found)


def _laid_out(board: Board) -> npt.NDArray[np.float64]:
    """Return (cities, 2) places from the graph: connected cities near each other, all of a region well apart.

    Cities repel each other and are pulled to what they are connected with, in another region towards its side.
    """
    count, rules = len(board.cities), board.array[0]
    region = rules.city_region[:count]
    ends = rules.connection_city[: len(board.connections)]
    centres = np.array([(b.x + b.width / 2, b.y + b.height / 2) for b in (REGIONS[name] for name in board.regions)])
    places = _start(region)
    for step in range(ROUNDS):
        pull = np.zeros_like(places)
        for first, second in ends:
            if region[first] == region[second]:
                apart = places[second] - places[first]
                pull[first] += 0.5 * apart
                pull[second] -= 0.5 * apart
            else:
                towards = centres[region[second]] - centres[region[first]]
                pull[first] += 0.3 * np.sign(towards)
                pull[second] -= 0.3 * np.sign(towards)
        apart = places[:, None] - places[None]
        near = (region[:, None] == region[None]) & ~np.eye(count, dtype=bool)
        distance = np.maximum(np.linalg.norm(apart, axis=2), 0.02)
        push = np.where(near[..., None], apart / distance[..., None] ** 3, 0.0).sum(axis=1)
        places = np.clip(places + 0.02 * (1 - step / ROUNDS) * (pull + 0.03 * push + 0.4 * (0.5 - places)), 0.0, 1.0)
    return places


def _start(region: npt.NDArray[np.int8]) -> npt.NDArray[np.float64]:
    """Return (cities, 2) places on a circle in each region, from which the layout starts."""
    places = np.zeros((region.size, 2))
    for number in np.unique(region):
        inside = np.flatnonzero(region == number)
        angles = 2 * np.pi * (np.arange(inside.size) + 0.25) / inside.size
        places[inside] = 0.5 + 0.4 * np.column_stack([np.cos(angles), np.sin(angles)])
    return places
