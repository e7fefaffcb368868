"""Names of the places of a map: cities by their own, all others by where they lie from a city."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from endeavor_env.merchants.board.board import Board
from endeavor_env.merchants.rules import constants as c

_WINDS = ("east", "north-east", "north", "north-west", "west", "south-west", "south", "south-east")
_ORDINALS = ("", "second ", "third ", "fourth ", "fifth ")
_EDGE = (0.5, math.sqrt(3) / 2)
"""Half the length of an edge and half the width of a hex, in lengths of an edge: the units of ``crossroads_yx``."""
_BOARDS = 8
Points = npt.NDArray[np.float64]
"""(n, 2): y to the south and x to the east."""


def city_name(city: str) -> str:
    """Return the name of a city, given its id."""
    return city.replace("_", " ").title()


@lru_cache(maxsize=_BOARDS)
def place_names(board: Board) -> Mapping[str, str]:
    """Return the name of each terrain, path and crossroads by the text that moves have for it, each another one.

    A name is "Vienna", "the forest north of Vienna" or "the second path east of Rome": counted from a city into a
    direction, from the one that gives the lowest number, and from the nearest of those.
    """
    at: Points = board.crossroads_yx.astype(np.float64) * np.array(_EDGE)
    cities, names = at[board.city_crossroads], {city: city_name(city) for city in board.city_ids}
    free = (board.crossroads_city < 0).nonzero()[0]
    kinds = [c.KIND_NAMES[kind].replace("_", "-") for kind in board.terrain_kind]
    paths = ["sea path" if sea else "path" for sea in board.path_sea]
    terrain_names = _named(kinds, at[board.terrain_crossroads].mean(axis=1), board.city_ids, cities)
    path_names = _named(paths, at[board.path_ends].mean(axis=1), board.city_ids, cities)
    free_names = _named(["crossroads"] * len(free), at[free], board.city_ids, cities)
    names |= {f"t{terrain}": name for terrain, name in enumerate(terrain_names)}
    names |= {f"p{path}": name for path, name in enumerate(path_names)}
    return names | {f"c{crossroads}": name for crossroads, name in zip(free.tolist(), free_names, strict=True)}


def _named(nouns: list[str], places: Points, city_ids: Sequence[str], cities: Points) -> Iterable[str]:
    """Return the name of each place."""
    lines = defaultdict[tuple[str, int, int], list[tuple[float, int]]](list)
    for place, noun in enumerate(nouns):
        for city, (south, east) in enumerate((places[place] - cities).tolist()):
            wind = round(math.atan2(-south, east) / (math.pi / 4)) % len(_WINDS)
            lines[noun, city, wind].append((round(math.hypot(south, east), 3), place))
    names = defaultdict[int, list[tuple[bool, int, float, str]]](list)
    for (noun, city, wind), line in lines.items():
        distances = [distance for distance, _ in line]
        for order, (distance, place) in enumerate(sorted(line)):
            name = f"the {_ordinal(order)}{noun} {_WINDS[wind]} of {city_name(city_ids[city])}"
            names[place].append((distances.count(distance) > 1, order, distance, name))
    return (min(names[place])[-1] for place in range(len(nouns)))


def _ordinal(order: int) -> str:
    """Return how places of one direction are counted; the first one needs no number."""
    return _ORDINALS[order] if order < len(_ORDINALS) else f"{order + 1}th "
