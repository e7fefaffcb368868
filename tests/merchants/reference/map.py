"""The map of a board, read from its TOML (K2): terrains, crossroads, paths and cities with their numbers."""

from __future__ import annotations

import tomllib
from collections import deque
from pathlib import Path
from typing import Any

RESOURCES = ("wood", "wool", "wheat", "ore", "salt")
GOLD = "gold"
PRODUCTS: dict[str, str] = dict(zip(("forest", "meadow", "field", "mountain", "salt_works"), RESOURCES, strict=True))
"""What each kind of terrain gives (K2.2)."""
COLOURS = ("red", "blue", "white", "orange")
"""The colours of the seats in order (K1.2)."""
CARDS = ("safe_conduct", "trade_treaty", "bribe", "lancer")

Cell = tuple[int, int]
Corner = tuple[int, int, str]


def corners_of(cell: Cell) -> list[Corner]:
    """Return the six corners of a cell."""
    q, r = cell
    north = [(q, r, "N"), (q, r + 1, "N"), (q - 1, r + 1, "N")]
    south = [(q, r, "S"), (q, r - 1, "S"), (q + 1, r - 1, "S")]
    return north + south


def edges_of(corner: Corner) -> list[tuple[Corner, Cell, Cell]]:
    """Return for each of the three edges of a corner its other end and the two cells beside it."""
    q, r, which = corner
    if which == "N":
        return [
            ((q, r - 1, "S"), (q, r), (q, r - 1)),
            ((q + 1, r - 1, "S"), (q, r), (q + 1, r - 1)),
            ((q + 1, r - 2, "S"), (q, r - 1), (q + 1, r - 1)),
        ]
    return [
        ((q, r + 1, "N"), (q, r), (q, r + 1)),
        ((q - 1, r + 1, "N"), (q, r), (q - 1, r + 1)),
        ((q - 1, r + 2, "N"), (q, r + 1), (q - 1, r + 1)),
    ]


def place_of(corner: Corner) -> tuple[int, int]:
    """Return (y, x) of a corner, by which crossroads are numbered (K2.4)."""
    q, r, which = corner
    return (3 * r - 2 if which == "N" else 3 * r + 2, 2 * q + r)


class Map:
    """A board; nothing of it changes in a game. Lists are by the numbers of K2.4.

    Attributes:
        kinds: Kind of each terrain.
        printed: Printed number of each terrain; None where it has a place for a token.
        dotted: The terrain with the dotted place of each kind.
        around: Crossroads at the corners of each terrain.
        grounds: Terrains that each crossroads touches.
        ends: The two ends of each path.
        paths_at: Paths that end at each crossroads.
        beside: Neighbours of each path: those that share an end with it.
        arrows: Paths with a double arrow.
        cities: Ids of the cities; crossroads are their places.
        city_at: City id by its crossroads.
        site: Crossroads of each city id.
        violet: Ids of the violet cities.
        coins: Gold that each city shows.
        distance: Fewest paths between two crossroads.
    """

    def __init__(self, data: dict[str, Any]) -> None:
        """Number what the data of a board holds, which is taken to be without faults."""
        self.data = data
        self.id: str = data["id"]
        self.side: str = data["side"]
        self._read_terrains()
        self._read_paths()
        self._read_cities()
        self.distance = [self._distances_from(start) for start in range(len(self.corners))]
        self.names = [self.city_at.get(number, f"c{number}") for number in range(len(self.corners))]
        self.by_name = {name: number for number, name in enumerate(self.names)}

    def _read_terrains(self) -> None:
        listed = sorted(self.data["terrains"], key=lambda terrain: (terrain["at"][1], terrain["at"][0]))
        self.cells: list[Cell] = [(q, r) for q, r in (terrain["at"] for terrain in listed)]
        self.kinds: list[str] = [terrain["kind"] for terrain in listed]
        self.printed: list[int | None] = [terrain.get("number") for terrain in listed]
        self.dotted = {one["kind"]: number for number, one in enumerate(listed) if one.get("token") == "dotted"}
        terrain_at = {cell: number for number, cell in enumerate(self.cells)}
        self.robber = terrain_at[tuple(self.data["robber"])]
        found = {corner for cell in self.cells for corner in corners_of(cell)}
        self.corners = sorted(found, key=place_of)
        self.crossroads_at = {corner: number for number, corner in enumerate(self.corners)}
        self.around = [[self.crossroads_at[corner] for corner in corners_of(cell)] for cell in self.cells]
        self.grounds: list[list[int]] = [[] for _ in self.corners]
        for terrain, crossroads in enumerate(self.around):
            for number in crossroads:
                self.grounds[number].append(terrain)

    def _read_paths(self) -> None:
        land, found = set(self.cells), set()
        for corner, number in self.crossroads_at.items():
            for other, left, right in edges_of(corner):
                if left in land or right in land:  # K2.3
                    found.add(self._ends(number, self.crossroads_at[other]))
        for sea_path in self.data.get("sea_paths", []):
            found.add(self._ends_of(sea_path["ends"]))
        self.ends: list[tuple[int, int]] = sorted(found)
        self.path_of = {ends: number for number, ends in enumerate(self.ends)}
        self.arrows = {self.path_of[self._ends_of(arrow)] for arrow in self.data.get("arrows", [])}
        self.paths_at: list[list[int]] = [[] for _ in self.corners]
        for path, ends in enumerate(self.ends):
            for end in ends:
                self.paths_at[end].append(path)
        self.beside = [
            sorted({other for end in ends for other in self.paths_at[end]} - {path})
            for path, ends in enumerate(self.ends)
        ]

    def _read_cities(self) -> None:
        places = {city["id"]: self.crossroads_at[tuple(city["at"])] for city in self.data["cities"]}
        self.cities = sorted(places, key=lambda city: places[city])
        self.site = places
        self.city_at = {crossroads: city for city, crossroads in places.items()}
        self.violet = {city["id"] for city in self.data["cities"] if city["colour"] == "violet"}
        self.coins = {city["id"]: city["gold"] for city in self.data["cities"]}

    @staticmethod
    def _ends(one: int, other: int) -> tuple[int, int]:
        return (min(one, other), max(one, other))

    def _ends_of(self, corners: list[list[Any]]) -> tuple[int, int]:
        one, other = (self.crossroads_at[tuple(corner)] for corner in corners)
        return self._ends(one, other)

    def path_between(self, one: str, other: str) -> int:
        """Return the path between two named crossroads."""
        return self.path_of[self._ends(self.by_name[one], self.by_name[other])]

    def start_path(self, colour: str) -> int:
        """Return the path of the first route of a colour (K3.6)."""
        return self.path_of[self._ends_of(self.data["start"][colour]["route"])]

    def _distances_from(self, start: int) -> list[int]:
        """Return the fewest paths from a crossroads to each, whatever stands between (K7.1)."""
        far = {start: 0}
        queue = deque([start])
        while queue:
            here = queue.popleft()
            for path in self.paths_at[here]:
                there = sum(self.ends[path]) - here
                if there not in far:
                    far[there] = far[here] + 1
                    queue.append(there)
        return [far[number] for number in range(len(self.corners))]


def read_map(file: Path) -> Map:
    """Return the map of a TOML file."""
    return Map(tomllib.loads(file.read_text(encoding="utf-8")))
