"""Violet cities and, on the short side, posts and routes of the start (step 5)."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

from endeavor_env.merchants.board import vocabulary as v
from endeavor_env.merchants.board.content import Start, Terrain
from endeavor_env.merchants.board.generator.draws import Draws
from endeavor_env.merchants.board.generator.kinds import NEVER_VIOLET
from endeavor_env.merchants.board.generator.places import WEST
from endeavor_env.merchants.board.geometry import Corner, Edge, as_edge, corner_cells
from endeavor_env.merchants.board.graph import Graph

VIOLET = 12
_MOST_TRIES = 20

TOKENS: Mapping[str, tuple[int, ...]] = {
    "forest": (9, 4, 11),
    "meadow": (5, 10, 3),
    "field": (5, 10, 11),
    "mountain": (9, 4, 3),
    "salt_works": (9, 10, 11),
}
"""The values of the tokens of every generated board; the first is the dotted one (K-R5)."""


def chances(corner: Corner, terrains: Sequence[Terrain]) -> int:
    """Return how many of 36 rolls pay a post there, counted for each terrain, by printed and by dotted numbers."""
    around = [terrain for terrain in terrains if terrain.at in corner_cells(corner)]
    numbers = [terrain.number or _dotted_number(terrain) for terrain in around]
    return sum(6 - abs(7 - number) for number in numbers if number)


def _dotted_number(terrain: Terrain) -> int:
    return TOKENS[terrain.kind][0] if terrain.token == v.DOTTED else 0


def draw_violet(
    cities: Mapping[str, Corner], third_posts: Mapping[str, str], terrains: Sequence[Terrain], draws: Draws
) -> list[str]:
    """Return the violet cities but for the third posts; they leave enough brown ones at printed numbers if possible."""
    printed = {terrain.at for terrain in terrains if terrain.number}
    at_number = {name for name, corner in cities.items() if printed.intersection(corner_cells(corner))}
    free = [name for name in cities if name not in (*NEVER_VIOLET, *WEST, *third_posts.values())]
    violet: list[str] = []
    for _ in range(_MOST_TRIES):
        violet = draws.shuffled(free)[: VIOLET - len(third_posts)]
        if len(at_number.difference(violet, third_posts.values())) >= v.MIN_BROWN_AT_NUMBER:
            break
    return violet


def draw_posts(
    cities: Mapping[str, Corner], third_posts: Mapping[str, str], terrains: Sequence[Terrain], draws: Draws
) -> dict[str, list[str]]:
    """Return three violet cities of each colour: the chances of the colours differ by one at most if possible."""
    worth = {name: chances(corner, terrains) for name, corner in cities.items()}
    found: list[tuple[int, dict[str, list[str]]]] = []
    while not found or (found[-1][0] > 1 and len(found) < _MOST_TRIES):
        found.append(deal_posts(third_posts, draw_violet(cities, third_posts, terrains, draws), worth))
    return min(found, key=lambda deal: deal[0])[1]


def deal_posts(
    third_posts: Mapping[str, str], others: Sequence[str], worth: Mapping[str, int]
) -> tuple[int, dict[str, list[str]]]:
    """Return by how much the sums differ in the most even deal of eight cities to four third posts, and the deal."""
    third = np.array([worth[third_posts[colour]] for colour in v.PLAYER_COLOURS])
    sums = np.array([worth[name] for name in others])[_deals()].sum(axis=2) + third
    spread = sums.max(axis=1) - sums.min(axis=1)
    best = int(spread.argmin())
    pairs = [[others[number] for number in pair] for pair in _deals()[best]]
    posts = {colour: [*pair, third_posts[colour]] for colour, pair in zip(v.PLAYER_COLOURS, pairs, strict=True)}
    return int(spread[best]), posts


@functools.cache
def _deals() -> npt.NDArray[np.int64]:
    """Return every way to deal eight numbers in pairs to four, (2520, 4, 2)."""

    def deal(numbers: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], ...]]:
        if not numbers:
            yield ()
        for pair in combinations(numbers, 2):
            for rest in deal(tuple(number for number in numbers if number not in pair)):
                yield pair, *rest

    return np.array(list(deal(tuple(range(VIOLET - len(v.PLAYER_COLOURS))))), np.int64)


def draw_start(
    posts: Mapping[str, list[str]], cities: Mapping[str, Corner], graph: Graph, draws: Draws
) -> dict[str, Start]:
    """Return posts and route of each colour; every route leads to a crossroads that no city and no route has."""
    taken = set(cities.values())
    start: dict[str, Start] = {}
    for colour, names in posts.items():
        ways = [
            as_edge(cities[name], graph.corners[there])
            for name in names
            for there in graph.neighbours[graph.crossroads_numbers[cities[name]]]
            if graph.corners[there] not in taken
        ]
        route: Edge = draws.one_of(ways)
        taken.update(route)
        start[colour] = Start(tuple(names), route)
    return start
