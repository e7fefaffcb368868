"""Where the places of a board lie in the picture."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from endeavor_env.merchants.board.board import Board

Point = tuple[float, float]
WIDTH = 1280
MARGIN = 36
LARGEST_EDGE = 64.0
"""Pixels of the edge of a hex on boards that leave room for more."""
_ROW = 3**0.5 / 2
"""Half the width of a hex, as a part of its edge."""


@dataclass(frozen=True)
class Plane:
    """The scale of a map of a board, and where it begins."""

    board: Board
    edge: float
    """Pixels of the edge of a hex."""
    left: float
    top: float

    @classmethod
    @lru_cache(maxsize=8)  # a film has hundreds of pictures of one board
    def of(cls, board: Board, top: float) -> Plane:
        """Return the plane of a board below ``top``: as large as the width allows, in the middle."""
        rows, columns = board.crossroads_yx[:, 0], board.crossroads_yx[:, 1]
        first, across = int(columns.min()), int(columns.max() - columns.min())
        edge = min(LARGEST_EDGE, (WIDTH - 2 * MARGIN) / (across * _ROW))
        left = (WIDTH - across * _ROW * edge) / 2 - first * _ROW * edge
        return cls(board, edge, left, top - int(rows.min()) * edge / 2)

    def at(self, y: float, x: float) -> Point:
        """Return the pixels of a place in half edge lengths and half hex widths."""
        return self.left + x * _ROW * self.edge, self.top + y * self.edge / 2

    @cached_property
    def _crossroads(self) -> list[Point]:
        """The pixels of all crossroads."""
        return [self.at(y, x) for y, x in self.board.crossroads_yx.tolist()]

    @cached_property
    def _terrains(self) -> list[Point]:
        """The pixels of the middles of all terrains."""
        return [self.at(3 * r, 2 * q + r) for q, r in self.board.terrain_cells.tolist()]

    def crossroads(self, crossroads: int) -> Point:
        """Return the pixels of a crossroads."""
        return self._crossroads[crossroads]

    def terrain(self, terrain: int) -> Point:
        """Return the pixels of the middle of a terrain."""
        return self._terrains[terrain]

    def path(self, path: int, part: float = 0.5) -> Point:
        """Return the pixels of a place on a path, which lies ``part`` of the way from its lower to its higher end."""
        (x1, y1), (x2, y2) = map(self.crossroads, self.board.path_ends[path].tolist())
        return x1 + part * (x2 - x1), y1 + part * (y2 - y1)

    def outward(self, crossroads: int) -> int:
        """Return 1 if the cell of a crossroads lies below it, as that of a top does, -1 if it lies above."""
        return 1 if int(self.board.crossroads_yx[crossroads, 0]) % 3 == 1 else -1

    @property
    def bottom(self) -> float:
        """The lowest pixels of the map."""
        return self.at(int(self.board.crossroads_yx[:, 0].max()), 0)[1]
