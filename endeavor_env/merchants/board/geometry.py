"""Cells, corners and edges of the plane of hexes (colons board format, section 1).

Coordinates are axial with a pointy top: q grows to the east, r to the south-east. Every corner is the top or the bottom
of exactly one cell, so that it has one name.
"""

from __future__ import annotations

import json

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
