"""Board: everything the rules need to know of a board, as read-only arrays, and the ids that moves and records use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

Int8 = npt.NDArray[np.int8]
Int16 = npt.NDArray[np.int16]
Flags = npt.NDArray[np.bool_]
MOST_DISTANCE = 127
"""The largest distance that is kept; no hand of cards pays for a walk as long."""


@dataclass(frozen=True, eq=False, repr=False)
class Board:
    """One board without faults: immutable, and equal to another board that says the same.

    Terrains (T), crossroads (X), paths (P) and cities (C) are numbered as K2.4 says; -1 fills up rows. Boards come from
    ``load_board``, ``parse_board`` and ``generate_board``.
    """

    id: str
    """The name of the board in records."""
    side: str
    """``short`` or ``expert``."""
    provenance: str
    """Who made the board from what."""
    facts: bool
    """Whether the known facts about the map are checked (K2.10)."""
    robber: int
    """The first terrain of the robber."""
    terrain_cells: Int16
    """(T, 2): q and r of each terrain."""
    terrain_kind: Int8
    """(T,): forest, meadow, field, mountain, salt-works from 0 to 4."""
    terrain_number: Int8
    """(T,): the printed number, 0 without one."""
    terrain_place: Int8
    """(T,): 0 without a token place, 1 with one, 2 with a dotted one."""
    terrain_crossroads: Int16
    """(T, 6): clockwise from the top."""
    crossroads_terrains: Int8
    """(X, 3): the terrains of each crossroads, ascending."""
    path_ends: Int16
    """(P, 2): the lower and the higher crossroads of each path."""
    crossroads_paths: Int16
    """(X, 3): the paths of each crossroads, ascending."""
    path_neighbours: Int16
    """(P, 4): the other paths that share an end with each path, ascending."""
    path_sea: Flags
    """(P,): whether the path lies between two cells of sea."""
    path_arrow: Flags
    """(P,): whether the path carries a double arrow."""
    crossroads_yx: Int16
    """(X, 2): the place of each crossroads in half edge lengths and half hex widths."""
    distances: Int8
    """(X, X): fewest paths between two crossroads; 127 stands for any longer way, too."""
    city_ids: tuple[str, ...]
    city_crossroads: Int16
    """(C,): where each city lies."""
    crossroads_city: Int8
    """(X,): the city of each crossroads, -1 without one."""
    city_violet: Flags
    """(C,): violet, else brown."""
    city_gold: Int8
    """(C,): the gold that founding a post there pays."""
    tokens: Int8
    """(5, 3): the values of the tokens of each kind; the first is the dotted one."""
    development: Int8
    """(4,): how many cards of each kind: safe-conduct, trade treaty, bribe, lancer."""
    start_posts: Int8
    """(4, 3): the cities of the start posts of red, blue, white and orange; -1 on the expert side."""
    start_routes: Int16
    """(4,): the paths of their start routes; -1 on the expert side."""

    def __post_init__(self) -> None:
        """Keep every array over immutable bytes, which cannot be made writable again."""
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray):
                kept = np.frombuffer(value.tobytes(), dtype=value.dtype).reshape(value.shape)
                object.__setattr__(self, field.name, kept)

    @property
    def num_terrains(self) -> int:
        """How many terrains the board has."""
        return len(self.terrain_kind)

    @property
    def num_crossroads(self) -> int:
        """How many crossroads the board has."""
        return len(self.crossroads_yx)

    @property
    def num_paths(self) -> int:
        """How many paths the board has, sea paths included."""
        return len(self.path_ends)

    @property
    def num_cities(self) -> int:
        """How many cities the board has."""
        return len(self.city_ids)

    @cached_property
    def _paths_by_ends(self) -> dict[tuple[int, int], int]:
        """The number of each path by its two ends, lower first."""
        return {(int(low), int(high)): number for number, (low, high) in enumerate(self.path_ends)}

    def path_between(self, first: int, second: int) -> int:
        """Return the path between two crossroads, -1 if none joins them directly."""
        return self._paths_by_ends.get((min(first, second), max(first, second)), -1)

    def crossroads_name(self, crossroads: int) -> str:
        """Return what moves call a crossroads: the id of its city, else ``c<number>`` (K11.2)."""
        city = int(self.crossroads_city[crossroads])
        return f"c{crossroads}" if city < 0 else self.city_ids[city]

    def _values(self) -> tuple[Any, ...]:
        """Return the value of every field, of which a board is made again."""
        return tuple(getattr(self, field.name) for field in fields(self))

    def __eq__(self, other: object) -> bool:
        """Return whether the other board says the same, provenance included."""
        if not isinstance(other, Board):
            return NotImplemented
        return all(np.array_equal(mine, its) for mine, its in zip(self._values(), other._values(), strict=True))

    def __hash__(self) -> int:
        """Return a hash that equal boards share."""
        return hash((self.id, self.side, self.city_ids, self.terrain_number.tobytes()))

    def __repr__(self) -> str:
        """Return the id, the side and the sizes."""
        sizes = f"{self.num_terrains} terrains, {self.num_crossroads} crossroads, {self.num_paths} paths"
        return f"Board({self.id!r}, {self.side!r}, {sizes}, {self.num_cities} cities)"

    def __copy__(self) -> Board:
        """Return the board itself: it never changes."""
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Board:
        """Return the board itself: it never changes."""
        return self

    def __reduce__(self) -> tuple[Callable[..., Board], tuple[Any, ...]]:
        """Pickle the fields, so that the arrays of the copy are read-only, too."""
        return type(self), self._values()
