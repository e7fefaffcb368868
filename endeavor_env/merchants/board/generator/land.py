"""Land: cells grown at random from one cell, and how central each of them is (step 1)."""

from __future__ import annotations

from collections.abc import Mapping

from endeavor_env.merchants.board.generator.draws import Draws
from endeavor_env.merchants.board.geometry import Cell, cell_distance, cell_neighbours

TERRAINS = {"short": 40, "expert": 52}
_RAGGED = (0, 1, 2)
"""The power of its neighbours on land by which a cell is likelier to become land: the lower, the more ragged coasts."""
_ENCLOSED, _FILLED = 5, 8
"""With so many neighbours on land a cell is so many times likelier to become land, so that lakes are seldom."""


def draw_land(side: str, draws: Draws) -> list[Cell]:
    """Return the cells of the land, by place."""
    power = draws.one_of(_RAGGED)
    land = {(0, 0)}
    while len(land) < TERRAINS[side]:
        coast = sorted({beside for cell in land for beside in cell_neighbours(cell)} - land)
        land.add(draws.weighted(coast, [_weight(cell, land, power) for cell in coast]))
    return sorted(land, key=lambda cell: (cell[1], cell[0]))


def _weight(cell: Cell, land: set[Cell], power: int) -> int:
    """Return how likely a cell is the next to become land."""
    beside = sum(other in land for other in cell_neighbours(cell))
    return beside**power * (_FILLED if beside >= _ENCLOSED else 1)


def distances_to_all(land: list[Cell]) -> Mapping[Cell, int]:
    """Return the sum of the distances to all cells: the lower, the more central is a cell."""
    return {cell: sum(cell_distance(cell, other) for other in land) for cell in land}
