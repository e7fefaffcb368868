"""Where cities lie: those of the known facts at their known distances, the others anywhere (step 2)."""

from __future__ import annotations

from collections.abc import Callable

from endeavor_env.merchants.board import vocabulary as v
from endeavor_env.merchants.board.generator.draws import Draws
from endeavor_env.merchants.board.geometry import Corner
from endeavor_env.merchants.board.graph import Graph

WEST = (
    "paris",
    "brussels",
    "lyon",
    "edinburgh",
    "london",
    "nantes",
    "bordeaux",
    "marseille",
    "barcelona",
    "lisbon",
    "madrid",
    "seville",
)
"""The cities of western Europe, on the expert side only; the first three are facts."""
_EAST = (
    "cologne",
    "nuremberg",
    "stockholm",
    "riga",
    "novgorod",
    "copenhagen",
    "moscow",
    "vilnius",
    "hamburg",
    "warsaw",
    "krakow",
    "kiev",
    "vienna",
    "budapest",
    "odessa",
    "bucharest",
    "rome",
    "ragusa",
    "sofia",
    "constantinople",
    "athens",
)
"""The other cities that no distance binds, on both sides."""
_BELGRADE_TERRAINS = 2
_PRAGUE_KALININGRAD = 3


class CityPlaces:
    """The crossroads of the cities, placed one after the other."""

    def __init__(self, graph: Graph, draws: Draws) -> None:
        """Begin without a city."""
        self._graph, self._draws = graph, draws
        self.placed: dict[str, int] = {}

    def place(self, name: str, fits: Callable[[int], bool] = lambda _: True, beside: str = "") -> None:
        """Put a city on any crossroads that fits and is no neighbour of a city other than ``beside``."""
        taken = set(self.placed.values())
        others = [crossroads for city, crossroads in self.placed.items() if city != beside]
        taken.update(there for crossroads in others for there in self._graph.neighbours[crossroads])
        free = [here for here in range(len(self._graph.corners)) if here not in taken and fits(here)]
        self.placed[name] = self._draws.one_of(free)

    def at(self, name: str, paths: int) -> Callable[[int], bool]:
        """Return whether a crossroads lies ``paths`` paths from a city that is placed."""
        distances = self.distances(name)
        return lambda crossroads: distances[crossroads] == paths

    def distances(self, name: str) -> list[int]:
        """Return the fewest paths from a city that is placed to each crossroads."""
        return self._graph.distances_from(self.placed[name])

    def terrains(self, crossroads: int) -> int:
        """Return how many terrains touch a crossroads."""
        return len(self._graph.terrains_at(self._graph.corners[crossroads]))


def draw_places(graph: Graph, side: str, draws: Draws) -> dict[str, Corner]:
    """Return the corner of each city; raise NoBoardError if one finds no place."""
    cities = CityPlaces(graph, draws)
    cities.place("turin")
    cities.place("berne", cities.at("turin", 2))
    cities.place("venice", cities.at("turin", 3))
    if side == "expert":
        cities.place("paris", cities.at("berne", 2))
        cities.place("brussels", cities.at("paris", 1), beside="paris")
        cities.place("cologne", cities.at("brussels", 1), beside="brussels")
        cities.place("lyon")
    cities.place("nuremberg")
    cities.place("prague")
    cities.place("wroclaw", cities.at("prague", 3))
    near, from_prague = cities.at("wroclaw", 3), cities.distances("prague")
    cities.place("kaliningrad", lambda here: near(here) and from_prague[here] > _PRAGUE_KALININGRAD)
    cities.place("budapest")
    cities.place("belgrade", lambda here: cities.terrains(here) >= _BELGRADE_TERRAINS)
    names = [name for name in (*_EAST, *(WEST if side == "expert" else ())) if name not in cities.placed]
    for name in draws.shuffled(names):
        cities.place(name)
    assert len(cities.placed) == v.MIN_CITIES[side]
    return {name: graph.corners[crossroads] for name, crossroads in cities.placed.items()}
