"""The plane graph of a board: terrains, crossroads and paths, numbered as K2.4 says."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from endeavor_env.merchants.board.geometry import (
    Cell,
    Corner,
    Edge,
    as_edge,
    cell_corners,
    corner_cells,
    corner_neighbours,
    corner_yx,
    edge_cells,
)


@dataclass(frozen=True)
class Graph:
    """Land and paths of one board."""

    cells: tuple[Cell, ...]
    """By number of the terrain."""
    corners: tuple[Corner, ...]
    """By number of the crossroads."""
    edges: tuple[Edge, ...]
    """By number of the path."""
    terrain_numbers: Mapping[Cell, int]
    crossroads_numbers: Mapping[Corner, int]
    path_numbers: Mapping[Edge, int]
    neighbours: tuple[tuple[int, ...], ...]
    """The crossroads one path away from each crossroads."""

    def terrains_at(self, corner: Corner) -> list[int]:
        """Return the terrains that meet in a corner, ascending."""
        return sorted(self.terrain_numbers[cell] for cell in corner_cells(corner) if cell in self.terrain_numbers)

    def distances_from(self, crossroads: int) -> list[int]:
        """Return the fewest paths to each crossroads, -1 for one that cannot be reached."""
        distances = [-1] * len(self.corners)
        distances[crossroads] = 0
        waiting = deque([crossroads])
        while waiting:
            here = waiting.popleft()
            for there in self.neighbours[here]:
                if distances[there] < 0:
                    distances[there] = distances[here] + 1
                    waiting.append(there)
        return distances


def land_corners(land: Iterable[Cell]) -> set[Corner]:
    """Return the corners of at least one terrain, which are the crossroads (K2.3)."""
    return {corner for cell in land for corner in cell_corners(cell)}


def land_edges(land: Iterable[Cell]) -> set[Edge]:
    """Return the edges with a terrain on at least one side (K2.3)."""
    around = ((corners, (*corners[1:], corners[0])) for corners in map(cell_corners, land))
    return {as_edge(*pair) for ends in around for pair in zip(*ends, strict=True)}


def sea_edges(land: set[Cell]) -> list[Edge]:
    """Return every edge that could be a sea path: sea on both sides, crossroads at both ends (K2.3), by place."""
    crossroads = land_corners(land)
    pairs = ((first, second) for first in crossroads for second in corner_neighbours(first) if second in crossroads)
    edges = {as_edge(*pair) for pair in pairs}
    return sorted((edge for edge in edges if not land.intersection(edge_cells(edge))), key=_edge_place)


def build_graph(land: Iterable[Cell], sea_paths: Sequence[Edge]) -> Graph:
    """Return the numbered graph of some land and some sea paths, which are right by themselves."""
    cells = tuple(sorted(land, key=lambda cell: (cell[1], cell[0])))
    corners = tuple(sorted(land_corners(cells), key=corner_yx))
    edges = tuple(sorted({*land_edges(cells), *sea_paths}, key=_edge_place))
    numbers = {corner: number for number, corner in enumerate(corners)}
    neighbours: list[list[int]] = [[] for _ in corners]
    for first, second in edges:
        neighbours[numbers[first]].append(numbers[second])
        neighbours[numbers[second]].append(numbers[first])
    return Graph(
        cells=cells,
        corners=corners,
        edges=edges,
        terrain_numbers={cell: number for number, cell in enumerate(cells)},
        crossroads_numbers=numbers,
        path_numbers={edge: number for number, edge in enumerate(edges)},
        neighbours=tuple(tuple(sorted(beside)) for beside in neighbours),
    )


def _edge_place(edge: Edge) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the places of the ends, by which paths are ordered as by the numbers of their ends."""
    return corner_yx(edge[0]), corner_yx(edge[1])
