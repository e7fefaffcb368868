"""What the checks of a whole board ask: which terrains meet where, and how far cities lie from each other."""

from __future__ import annotations

from functools import cache

from endeavor_env.merchants.board.content import City, Content, Terrain
from endeavor_env.merchants.board.geometry import Corner, corner_cells
from endeavor_env.merchants.board.graph import build_graph


class Survey:
    """A board whose entries have no fault, and its graph."""

    def __init__(self, content: Content) -> None:
        """Number the graph of a content without faults of form."""
        self.content = content
        self.graph = build_graph((terrain.at for terrain in content.terrains), content.sea_paths)
        self.cities = {city.id: city for city in content.cities}
        self._terrains = {terrain.at: terrain for terrain in content.terrains}
        self._distances_from = cache(self.graph.distances_from)

    def touching(self, corner: Corner) -> list[Terrain]:
        """Return the terrains that meet in a corner."""
        return [self._terrains[cell] for cell in corner_cells(corner) if cell in self._terrains]

    def crossroads(self, corner: Corner) -> int:
        """Return the number of the crossroads at a corner."""
        return self.graph.crossroads_numbers[corner]

    def between(self, first: Corner, second: Corner) -> int:
        """Return the fewest paths between two crossroads, -1 if none lead there."""
        return self._distances_from(self.crossroads(first))[self.crossroads(second)]

    def violet(self) -> list[City]:
        """Return the violet cities."""
        return [city for city in self.content.cities if city.colour == "violet"]
