"""Board: everything the rules need to know of a board, as read-only arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.merchants.board import content as v
from endeavor_env.merchants.board.content import City, Content
from endeavor_env.merchants.board.geometry import Graph, build_graph, cell_corners, corner_yx

# --- Board -----------------------------------------------------------------------------------------------------------
# Everything the rules need to know of a board, as read-only arrays, and the ids that moves and records use.

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
    """Authors and sources of the board."""
    facts: bool
    """True to check the known facts about the map (K2.10)."""
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
        """Number of terrains."""
        return len(self.terrain_kind)

    @property
    def num_crossroads(self) -> int:
        """Number of crossroads."""
        return len(self.crossroads_yx)

    @property
    def num_paths(self) -> int:
        """Number of paths, sea paths included."""
        return len(self.path_ends)

    @property
    def num_cities(self) -> int:
        """Number of cities."""
        return len(self.city_ids)

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


# --- The board of a content without faults: every part numbered, every table filled ----------------------------------

_PLACES = ("", v.PLACE, v.DOTTED)


def build_board(content: Content) -> Board:
    """Return the board that ``content``, which has no fault, describes."""
    graph = build_graph((terrain.at for terrain in content.terrains), content.sea_paths)
    cities = sorted(content.cities, key=lambda city: corner_yx(city.at))
    return Board(
        id=content.id,
        side=content.side,
        provenance=content.provenance,
        facts=content.facts,
        robber=graph.terrain_numbers[content.robber],
        city_ids=tuple(city.id for city in cities),
        tokens=np.array([content.tokens[kind] for kind in v.KINDS], np.int8),
        development=np.array([content.development[kind] for kind in v.DEVELOPMENT_KINDS], np.int8),
        **_terrain_tables(content, graph),
        **_path_tables(content, graph),
        **_city_tables(cities, graph),
        **_start_tables(content, cities, graph),
    )


def _terrain_tables(content: Content, graph: Graph) -> dict[str, Any]:
    """Return what is known of each terrain, and the terrains of each crossroads."""
    terrains = sorted(content.terrains, key=lambda terrain: graph.terrain_numbers[terrain.at])
    numbers = graph.crossroads_numbers
    return {
        "terrain_cells": np.array(graph.cells, np.int16),
        "terrain_kind": np.array([v.KINDS.index(terrain.kind) for terrain in terrains], np.int8),
        "terrain_number": np.array([terrain.number for terrain in terrains], np.int8),
        "terrain_place": np.array([_PLACES.index(terrain.token) for terrain in terrains], np.int8),
        "terrain_crossroads": np.array(
            [[numbers[corner] for corner in cell_corners(cell)] for cell in graph.cells], np.int16
        ),
        "crossroads_terrains": _padded([graph.terrains_at(corner) for corner in graph.corners], 3).astype(np.int8),
        "crossroads_yx": np.array([corner_yx(corner) for corner in graph.corners], np.int16),
    }


def _path_tables(content: Content, graph: Graph) -> dict[str, Any]:
    """Return what is known of each path, the paths of each crossroads, and all distances."""
    ends = [(graph.crossroads_numbers[low], graph.crossroads_numbers[high]) for low, high in graph.edges]
    paths: list[list[int]] = [[] for _ in graph.corners]
    for number, pair in enumerate(ends):
        for crossroads in pair:
            paths[crossroads].append(number)
    beside = [sorted({*paths[low], *paths[high]} - {number}) for number, (low, high) in enumerate(ends)]
    distances = np.array([graph.distances_from(crossroads) for crossroads in range(len(graph.corners))])
    return {
        "path_ends": np.array(ends, np.int16),
        "crossroads_paths": _padded(paths, 3),
        "path_neighbours": _padded(beside, 4),
        "path_sea": np.isin(range(len(ends)), [graph.path_numbers[edge] for edge in content.sea_paths]),
        "path_arrow": np.isin(range(len(ends)), [graph.path_numbers[edge] for edge in content.arrows]),
        "distances": np.minimum(distances, MOST_DISTANCE).astype(np.int8),
    }


def _city_tables(cities: Sequence[City], graph: Graph) -> dict[str, Any]:
    """Return what is known of each city, and the city of each crossroads."""
    places = [graph.crossroads_numbers[city.at] for city in cities]
    city_of = np.full(len(graph.corners), -1, np.int8)
    city_of[places] = np.arange(len(cities))
    return {
        "city_crossroads": np.array(places, np.int16),
        "crossroads_city": city_of,
        "city_violet": np.array([city.colour == "violet" for city in cities], bool),
        "city_gold": np.array([city.gold for city in cities], np.int8),
    }


def _start_tables(content: Content, cities: Sequence[City], graph: Graph) -> dict[str, Any]:
    """Return the start posts and routes by colour, -1 on the expert side."""
    posts, routes = np.full((4, v.START_POSTS), -1, np.int8), np.full(4, -1, np.int16)
    numbers = {city.id: number for number, city in enumerate(cities)}
    for colour, start in content.start.items():
        seat = v.PLAYER_COLOURS.index(colour)
        posts[seat] = [numbers[city] for city in start.posts]
        routes[seat] = graph.path_numbers[start.route]
    return {"start_posts": posts, "start_routes": routes}


def _padded(rows: Iterable[Sequence[int]], width: int) -> Int16:
    """Return rows of up to ``width`` numbers as one table, filled up with -1."""
    return np.array([[*row, *[-1] * (width - len(row))] for row in rows], np.int16)
