"""The plane of hexes: cells, corners and edges, and the graph of a board on it."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

# --- Cells, corners and edges of the plane of hexes (colons board format, section 1) ---------------------------------
# Coordinates are axial with a pointy top: q grows to the east, r to the south-east. Every corner is the top or the
# bottom of exactly one cell, so that it has one name.

Cell = tuple[int, int]
"""(q, r)."""
Corner = tuple[int, int, str]
"""(q, r, "N") is the top of a cell, (q, r, "S") its bottom."""
Edge = tuple[Corner, Corner]
"""Two corners, the lower one first (``corner_yx``); a file may name two that are not beside each other."""
TOP, BOTTOM = "N", "S"


def cell_corners(cell: Cell) -> tuple[Corner, ...]:
    """Return the six corners of a cell, clockwise from its top."""
    q, r = cell
    return (
        (q, r, TOP),
        (q + 1, r - 1, BOTTOM),
        (q, r + 1, TOP),
        (q, r, BOTTOM),
        (q - 1, r + 1, TOP),
        (q, r - 1, BOTTOM),
    )


def cell_neighbours(cell: Cell) -> tuple[Cell, ...]:
    """Return the six cells beside a cell."""
    q, r = cell
    return (q + 1, r), (q - 1, r), (q, r + 1), (q, r - 1), (q + 1, r - 1), (q - 1, r + 1)


def cell_distance(first: Cell, second: Cell) -> int:
    """Return the fewest steps from cell to cell."""
    q, r = first[0] - second[0], first[1] - second[1]
    return (abs(q) + abs(r) + abs(q + r)) // 2


def corner_cells(corner: Corner) -> tuple[Cell, Cell, Cell]:
    """Return the three cells that meet in a corner."""
    q, r, end = corner
    if end == TOP:
        return (q, r), (q, r - 1), (q + 1, r - 1)
    return (q, r), (q, r + 1), (q - 1, r + 1)


def corner_neighbours(corner: Corner) -> tuple[Corner, Corner, Corner]:
    """Return the other ends of the three edges of a corner."""
    q, r, end = corner
    if end == TOP:
        return (q, r - 1, BOTTOM), (q + 1, r - 1, BOTTOM), (q + 1, r - 2, BOTTOM)
    return (q, r + 1, TOP), (q - 1, r + 1, TOP), (q - 1, r + 2, TOP)


def corner_yx(corner: Corner) -> tuple[int, int]:
    """Return the place (y, x) of a corner in half edge lengths and half hex widths, which orders corners (K2.4)."""
    q, r, end = corner
    return 3 * r + (-2 if end == TOP else 2), 2 * q + r


def corner_at(y: int, x: int) -> Corner:
    """Return the corner at a place that ``corner_yx`` returns."""
    end = TOP if y % 3 == 1 else BOTTOM
    r = (y + 2) // 3 if end == TOP else (y - 2) // 3
    return (x - r) // 2, r, end


def as_edge(first: Corner, second: Corner) -> Edge:
    """Return two corners as an edge is written, the lower one first; they need not be beside each other."""
    return (first, second) if corner_yx(first) <= corner_yx(second) else (second, first)


def is_edge(edge: Edge) -> bool:
    """Return whether the two corners are beside each other."""
    return edge[1] in corner_neighbours(edge[0])


def edge_cells(edge: Edge) -> tuple[Cell, Cell]:
    """Return the two cells on the sides of an edge."""
    first, second = (cell for cell in corner_cells(edge[0]) if cell in corner_cells(edge[1]))
    return first, second


def written(place: Cell | Corner) -> str:
    """Return a cell or a corner as a board file writes it."""
    return json.dumps(place)


def written_edge(edge: Edge) -> str:
    """Return the two corners of an edge as a board file writes them."""
    return json.dumps(edge)


# --- The plane graph of a board: terrains, crossroads and paths, numbered as K2.4 says -------------------------------


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
