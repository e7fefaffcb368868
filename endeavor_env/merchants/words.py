"""Names of moves and places: the texts of the action ids on a board (K11.2), and what people call its places."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from endeavor_env.merchants.board.board import Board
from endeavor_env.merchants.rules import actions
from endeavor_env.merchants.rules import constants as c

# --- Names of the places of a map: cities by their own, all others by where they lie from a city ---------------------

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


# --- Moves in words (K11.2): the texts of the action ids on a board --------------------------------------------------

_RELATIVE = {"steal": actions.STEAL_AT, "partner": actions.PARTNER_AT}
"""The moves whose index counts opponents clockwise from the mover, with their first ids."""


def move_texts(board: Board) -> tuple[str | None, ...]:
    """Return the text of every action id on a board; None for those that name nothing there, or a seat."""
    texts: list[str | None] = []
    for block in actions.BLOCKS:
        names = _names(board, block.counts)
        known = [f"{block.verb}:{name}" for name in names] if block.counts else [block.verb]
        texts += [*known, *[None] * (block.size - len(known))]
    _strike_empty_exchanges(texts)
    return tuple(texts)


def _names(board: Board, counts: str) -> list[str]:
    """Return the names of what the indices of a block count, as far as the board has it."""
    names = {
        "": [],
        "card": list(c.CARD_NAMES),
        "resource": list(c.RESOURCE_NAMES),
        "item": list(c.ITEM_NAMES),
        "exchange": [f"{give}:{get}" for give in c.RESOURCE_NAMES for get in c.ITEM_NAMES],
        "city": list(board.city_ids),
        "path": [f"p{path}" for path in range(board.num_paths)],
        "crossroads": [board.crossroads_name(where) for where in range(board.num_crossroads)],
        "terrain": [f"t{terrain}" for terrain in range(board.num_terrains)],
        "slot": [str(slot) for slot in range(c.SLOTS)],
        "opponent": [],  # depends on the mover
        "choice": [str(choice) for choice in range(c.MOST_INCOMES)],
        "seat": [str(seat) for seat in range(c.MAX_SEATS)],
        "sum": [str(c.LEAST_DICE + index) for index in range(c.DICE_SUMS)],
        "value": [str(value) for value in c.VALUES],
    }
    return names[counts]


def _strike_empty_exchanges(texts: list[str | None]) -> None:
    """Take out the exchanges of a resource for itself."""
    for kind in range(c.NUM_RESOURCES):
        texts[actions.BANK_AT + c.NUM_ITEMS * kind + kind] = None


class BoardWords:
    """The texts of the moves on a board, as the engine asks for them."""

    def __init__(self, board: Board) -> None:
        """Write all texts."""
        self._texts = move_texts(board)
        self._actions = {text: action for action, text in enumerate(self._texts) if text is not None}

    def text(self, action: int, seat: int = c.NONE, seats: int = 0) -> str | None:
        """Return the text of an action id as a move of ``seat``; None if the id names no move on this board."""
        for verb, first in _RELATIVE.items():
            if first <= action < first + c.MAX_SEATS - 1:
                distance = action - first + 1
                return f"{verb}:{(seat + distance) % seats}" if seat >= 0 and distance < seats else None
        return self._texts[action] if action < len(self._texts) else None

    def action(self, text: str, seat: int = c.NONE, seats: int = 0) -> int | None:
        """Return the action id of a text as a move of ``seat``; None if the text names no move on this board."""
        for verb, first in _RELATIVE.items():
            for distance in range(1, seats if seat >= 0 else 0):
                if text == f"{verb}:{(seat + distance) % seats}":
                    return first + distance - 1
        return self._actions.get(text)
