"""Random boards without faults, step by step (colons board format, section 4)."""

from __future__ import annotations

import functools
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, combinations, permutations
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.inputs import SEED_LIMIT, one_of, whole_number
from endeavor_env.errors import InvalidOptionError, shown
from endeavor_env.merchants.board import content as v
from endeavor_env.merchants.board.board import Board, build_board
from endeavor_env.merchants.board.checks import ARROW_WAY, DISTANCES, MORE_THAN, find_faults_of_content
from endeavor_env.merchants.board.content import City, Content, Start, Terrain
from endeavor_env.merchants.board.geometry import (
    Cell,
    Corner,
    Edge,
    Graph,
    as_edge,
    build_graph,
    cell_distance,
    cell_neighbours,
    corner_cells,
    sea_edges,
)

# --- Draws of whole numbers only, so that a seed gives the same board on every machine -------------------------------

_Item = TypeVar("_Item")


class NoBoardError(Exception):
    """An attempt has come to a place where nothing fits; the generator tries again."""


class Draws:
    """One stream of chance."""

    def __init__(self, *seed: int) -> None:
        """Begin the stream of a seed."""
        self._rng = np.random.Generator(np.random.PCG64(seed))

    def below(self, limit: int) -> int:
        """Return a whole number from 0 up to but not including ``limit``."""
        return int(self._rng.integers(limit))

    def between(self, low: int, high: int) -> int:
        """Return a whole number from ``low`` to ``high``, both included."""
        return low + self.below(high - low + 1)

    def one_of(self, items: Sequence[_Item]) -> _Item:
        """Return an item, each alike; raise NoBoardError if there is none."""
        if not items:
            raise NoBoardError
        return items[self.below(len(items))]

    def weighted(self, items: Sequence[_Item], weights: Iterable[int]) -> _Item:
        """Return an item by weight; raise NoBoardError if all weights are 0."""
        limits = list(accumulate(weights))
        if not limits or not limits[-1]:
            raise NoBoardError
        return items[bisect_right(limits, self.below(limits[-1]))]

    def shuffled(self, items: Iterable[_Item]) -> list[_Item]:
        """Return the items in any order, each alike."""
        rest = list(items)
        for end in range(len(rest) - 1, 0, -1):
            other = self.below(end + 1)
            rest[end], rest[other] = rest[other], rest[end]
        return rest


# --- Land: cells grown at random from one cell, and how central each of them is (step 1) -----------------------------

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


# --- Where cities lie: those of the known facts at their known distances, the others anywhere (step 2) ---------------

WEST = (
    "paris",
    "brussels",
    "lyon",
    "edinburgh",
    "london",
    "nantes",
    "bordeaux",
    "marseille",
    "barcelona",
    "lisbon",
    "madrid",
    "seville",
)
"""The cities of western Europe, on the expert side only; the first three are facts."""
_EAST = (
    "cologne",
    "nuremberg",
    "stockholm",
    "riga",
    "novgorod",
    "copenhagen",
    "moscow",
    "vilnius",
    "hamburg",
    "warsaw",
    "krakow",
    "kiev",
    "vienna",
    "budapest",
    "odessa",
    "bucharest",
    "rome",
    "ragusa",
    "sofia",
    "constantinople",
    "athens",
)
"""The other cities that no distance binds, on both sides."""
_BELGRADE_TERRAINS = 2
_PRAGUE_KALININGRAD = 3


class CityPlaces:
    """The crossroads of the cities, placed one after the other."""

    def __init__(self, graph: Graph, draws: Draws) -> None:
        """Begin without a city."""
        self._graph, self._draws = graph, draws
        self.placed: dict[str, int] = {}

    def place(self, name: str, fits: Callable[[int], bool] = lambda _: True, beside: str = "") -> None:
        """Put a city on any crossroads that fits and is no neighbour of a city other than ``beside``."""
        taken = set(self.placed.values())
        others = [crossroads for city, crossroads in self.placed.items() if city != beside]
        taken.update(there for crossroads in others for there in self._graph.neighbours[crossroads])
        free = [here for here in range(len(self._graph.corners)) if here not in taken and fits(here)]
        self.placed[name] = self._draws.one_of(free)

    def at(self, name: str, paths: int) -> Callable[[int], bool]:
        """Return whether a crossroads lies ``paths`` paths from a city that is placed."""
        distances = self.distances(name)
        return lambda crossroads: distances[crossroads] == paths

    def distances(self, name: str) -> list[int]:
        """Return the fewest paths from a city that is placed to each crossroads."""
        return self._graph.distances_from(self.placed[name])

    def terrains(self, crossroads: int) -> int:
        """Return how many terrains touch a crossroads."""
        return len(self._graph.terrains_at(self._graph.corners[crossroads]))


def draw_places(graph: Graph, side: str, draws: Draws) -> dict[str, Corner]:
    """Return the corner of each city; raise NoBoardError if one finds no place."""
    cities = CityPlaces(graph, draws)
    cities.place("turin")
    cities.place("berne", cities.at("turin", 2))
    cities.place("venice", cities.at("turin", 3))
    if side == "expert":
        cities.place("paris", cities.at("berne", 2))
        cities.place("brussels", cities.at("paris", 1), beside="paris")
        cities.place("cologne", cities.at("brussels", 1), beside="brussels")
        cities.place("lyon")
    cities.place("nuremberg")
    cities.place("prague")
    cities.place("wroclaw", cities.at("prague", 3))
    near, from_prague = cities.at("wroclaw", 3), cities.distances("prague")
    cities.place("kaliningrad", lambda here: near(here) and from_prague[here] > _PRAGUE_KALININGRAD)
    cities.place("budapest")
    cities.place("belgrade", lambda here: cities.terrains(here) >= _BELGRADE_TERRAINS)
    names = [name for name in (*_EAST, *(WEST if side == "expert" else ())) if name not in cities.placed]
    for name in draws.shuffled(names):
        cities.place(name)
    assert len(cities.placed) == v.MIN_CITIES[side]
    return {name: graph.corners[crossroads] for name, crossroads in cities.placed.items()}


# --- Kinds of terrain ------------------------------------------------------------------------------------------------
# Those that facts and start cards need, the rest at random with few equal neighbours (step 3).

NEVER_VIOLET = ("kaliningrad", "belgrade")
"""Merchants found posts there in the examples of the rules (K-R2)."""
_APART = 6
"""Factor by which each neighbour of the same kind raises the odds of the other kinds."""


@dataclass
class Needs:
    """The requirements of facts and start cards, met before anything else is drawn."""

    kinds: dict[Cell, str] = field(default_factory=dict)
    fives: set[Cell] = field(default_factory=set)
    """Terrains with the printed number 5."""
    printed: set[Cell] = field(default_factory=set)
    """Terrains with any printed number, the fives included."""
    empty: set[Cell] = field(default_factory=set)
    """Token places that are not dotted."""
    third_posts: dict[str, str] = field(default_factory=dict)
    """On the short side, the city of the third start post of each colour."""


def draw_needs(land: list[Cell], cities: Mapping[str, Corner], side: str, draws: Draws) -> Needs:
    """Return what the facts (K2.10) and, on the short side, the start cards need; raise NoBoardError if they clash."""
    needs, cells = Needs(), set(land)
    around = {name: [cell for cell in corner_cells(corner) if cell in cells] for name, corner in cities.items()}
    _need_belgrade(needs, around["belgrade"], draws)
    _need_empty(needs, around["kaliningrad"], "salt_works", draws)
    for name in draws.shuffled(["cologne", "nuremberg"]):
        _need_five(needs, around[name], "field", draws)
    if side == "expert":
        _need_five(needs, around["lyon"], "meadow", draws)
    else:
        _need_third_posts(needs, around, draws)
    return needs


def _need_belgrade(needs: Needs, around: list[Cell], draws: Draws) -> None:
    """Let Belgrade touch an empty mountain and an empty field, and else only a printed number."""
    cells = draws.shuffled(around)
    needs.kinds |= {cells[0]: "mountain", cells[1]: "field"}
    needs.empty |= {*cells[:2]}
    needs.printed |= {*cells[2:]}


def _need_empty(needs: Needs, around: list[Cell], kind: str, draws: Draws) -> None:
    """Let a city touch an empty token place of a kind."""
    cell = draws.one_of([cell for cell in around if cell not in needs.kinds and cell not in needs.printed])
    needs.kinds[cell] = kind
    needs.empty.add(cell)


def _need_five(needs: Needs, around: list[Cell], kind: str, draws: Draws) -> None:
    """Let a city touch a terrain of a kind with the printed number 5."""
    if any(cell in needs.fives and needs.kinds[cell] == kind for cell in around):
        return
    cell = draws.one_of([cell for cell in around if cell not in needs.kinds])
    needs.kinds[cell] = kind
    needs.fives.add(cell)
    needs.printed.add(cell)


def _need_third_posts(needs: Needs, around: Mapping[str, list[Cell]], draws: Draws) -> None:
    """Let one city of each colour touch exactly the terrains of its start cards (K3.6)."""
    for colour in draws.shuffled(v.PLAYER_COLOURS):
        taken = (*NEVER_VIOLET, *needs.third_posts.values())
        deals = [
            (name, kinds)
            for name, cells in around.items()
            if name not in taken and len(cells) == len(v.START_KINDS[colour])
            for kinds in permutations(v.START_KINDS[colour])
            if all(needs.kinds.get(cell, kind) == kind for cell, kind in zip(cells, kinds, strict=True))
        ]
        name, kinds = draws.one_of(deals)
        needs.kinds.update(zip(around[name], kinds, strict=True))
        needs.third_posts[colour] = name


def draw_kinds(land: list[Cell], needs: Needs, draws: Draws) -> dict[Cell, str]:
    """Return the kind of each terrain: even shares, and seldom a neighbour of the same kind."""
    share, more = divmod(len(land), len(v.KINDS))
    left = Counter({kind: share + (number < more) for number, kind in enumerate(draws.shuffled(v.KINDS))})
    kinds = dict(needs.kinds)
    left.subtract(kinds.values())
    if min(left.values()) < 0:
        raise NoBoardError
    for cell in draws.shuffled(cell for cell in land if cell not in kinds):
        beside = Counter(kinds.get(other) for other in cell_neighbours(cell))
        most = max(beside[kind] for kind in v.KINDS)
        kinds[cell] = draws.weighted(v.KINDS, [left[kind] * _APART ** (most - beside[kind]) for kind in v.KINDS])
        left[kinds[cell]] -= 1
    return kinds


# --- Printed numbers, rather in the middle, and token places, rather outside (step 4) --------------------------------

PRINTED = {"short": 22, "expert": 28}
"""Printed numbers beside the fives of the facts."""
_ONCE = (2, 12)
_TWICE = (3, 4, 5, 6, 8, 9, 10, 11)
_FREQUENT = (6, 8)
_OUTSIDE = 3
"""The power of its distance from all cells by which a terrain is likelier to be a token place."""


def draw_terrains(
    kinds: Mapping[Cell, str], central: Mapping[Cell, int], needs: Needs, side: str, draws: Draws
) -> tuple[Terrain, ...]:
    """Return the terrains: each has a printed number or a token place; raise NoBoardError if places are too few."""
    places = _draw_token_places(kinds, central, needs, side, draws)
    dotted = {
        min((cell for cell in places - needs.empty if kinds[cell] == kind), key=lambda cell: (central[cell], cell))
        for kind in v.KINDS
    }
    numbers = _draw_numbers([cell for cell in kinds if cell not in places], needs, draws)
    return tuple(
        Terrain(cell, kind, numbers.get(cell, 0), v.DOTTED if cell in dotted else v.PLACE if cell in places else "")
        for cell, kind in kinds.items()
    )


def _draw_token_places(
    kinds: Mapping[Cell, str], central: Mapping[Cell, int], needs: Needs, side: str, draws: Draws
) -> set[Cell]:
    """Return the terrains without a number: three of each kind or more, and never all of a kind."""
    places, free = set(needs.empty), [cell for cell in kinds if cell not in needs.empty | needs.printed]
    have, size = Counter(kinds[cell] for cell in places), Counter(kinds.values())
    missing = {kind: max(0, v.TOKENS_OF_KIND - have[kind]) for kind in v.KINDS}
    count = len(kinds) - PRINTED[side] - len(needs.fives)
    while len(places) < count:
        wanted = [kind for kind in v.KINDS if missing[kind]] or [
            kind for kind in v.KINDS if have[kind] < size[kind] - 1
        ]
        choice = [cell for cell in free if kinds[cell] in wanted]
        cell = draws.weighted(choice, [central[cell] ** _OUTSIDE for cell in choice])
        free.remove(cell)
        places.add(cell)
        have[kinds[cell]] += 1
        missing[kinds[cell]] = max(0, missing[kinds[cell]] - 1)
    if any(missing.values()):
        raise NoBoardError
    return places


def _draw_numbers(cells: list[Cell], needs: Needs, draws: Draws) -> dict[Cell, int]:
    """Return the printed number of each cell: 6 and 8 first, beside no other of them if possible."""
    numbers = dict.fromkeys((cell for cell in cells if cell in needs.fives), 5)
    free = draws.shuffled(cell for cell in cells if cell not in numbers)
    bag = [*_ONCE, *_TWICE, *_TWICE]
    while len(bag) < len(free):
        bag += draws.shuffled(_TWICE)[: len(free) - len(bag)]
    frequent = [number for number in bag if number in _FREQUENT]
    for number in draws.shuffled(frequent):
        apart = [cell for cell in free if not any(numbers.get(other) in _FREQUENT for other in cell_neighbours(cell))]
        cell = (apart or free)[0]
        free.remove(cell)
        numbers[cell] = number
    numbers.update(zip(free, draws.shuffled(number for number in bag if number not in _FREQUENT), strict=True))
    return numbers


# --- Violet cities and, on the short side, posts and routes of the start (step 5) ------------------------------------

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


# --- Gold, sea paths, double arrows and the robber (step 6) ----------------------------------------------------------

ARROWS = {"short": 8, "expert": 11}
MOST_SEA_PATHS = 4
SHORTENED = 3
"""Fewest paths between the ends of a sea path without it."""
_GOLD_WEIGHTS = (2, 2, 2, 1)
"""Weights of 0, 1, 2 and 3 gold of a brown city on a coast."""


def draw_gold(
    cities: Mapping[str, Corner], violet: Sequence[str], land: Sequence[Cell], draws: Draws
) -> dict[str, int]:
    """Return the gold of each city: 0 to 3 for brown ones on a coast, at least 1 for one of them; else 0."""
    inland = {name for name, corner in cities.items() if all(cell in land for cell in corner_cells(corner))}
    coast = [name for name in cities if name not in inland and name not in violet]
    gold = dict.fromkeys(cities, 0)
    gold |= {name: draws.weighted(range(len(_GOLD_WEIGHTS)), _GOLD_WEIGHTS) for name in coast}
    if not any(gold.values()):
        gold[draws.one_of(coast)] = 1
    return gold


def draw_sea_paths(land: Sequence[Cell], cities: Mapping[str, Corner], draws: Draws) -> list[Edge]:
    """Return sea paths that shorten a way, join no two cities and leave the distances of the facts as they are."""
    paths: list[Edge] = []
    graph, taken = build_graph(land, paths), set(cities.values())
    before = _fact_distances(graph, cities)
    for edge in draws.shuffled(sea_edges(set(land))):
        if len(paths) == MOST_SEA_PATHS or _distance(graph, *edge) < SHORTENED or taken.issuperset(edge):
            continue
        longer = build_graph(land, [*paths, edge])
        if _fact_distances(longer, cities) == before:
            paths.append(edge)
            graph = longer
    return paths


def _distance(graph: Graph, first: Corner, second: Corner) -> int:
    """Return the fewest paths between two corners."""
    return graph.distances_from(graph.crossroads_numbers[first])[graph.crossroads_numbers[second]]


def _fact_distances(graph: Graph, cities: Mapping[str, Corner]) -> list[int]:
    """Return the distances that the facts know, as they are."""
    pairs = [(first, second) for first, second, _ in (*DISTANCES, MORE_THAN) if first in cities and second in cities]
    return [_distance(graph, cities[first], cities[second]) for first, second in pairs]


def draw_arrows(
    cities: Mapping[str, Corner],
    violet: Sequence[str],
    terrains: Sequence[Terrain],
    sea_paths: Sequence[Edge],
    graph: Graph,
    draws: Draws,
) -> list[Edge]:
    """Return the paths with a double arrow: one on the way of the facts, the sea paths, and one at each poor city."""
    arrows = [draws.one_of(_on_shortest_way(graph, *(cities[name] for name in ARROW_WAY))), *sea_paths]
    brown = [name for name in draws.shuffled(cities) if name not in violet]
    for name in sorted(brown, key=lambda name: chances(cities[name], terrains)):
        crossroads = graph.crossroads_numbers[cities[name]]
        ways = [as_edge(cities[name], graph.corners[there]) for there in graph.neighbours[crossroads]]
        if len(arrows) < ARROWS["expert" if "paris" in cities else "short"] and not set(arrows) & set(ways):
            arrows.append(draws.one_of(ways))
    return list(dict.fromkeys(arrows))


def _on_shortest_way(graph: Graph, first: Corner, second: Corner) -> list[Edge]:
    """Return the paths of all shortest ways between two corners, by number."""
    one, two = graph.crossroads_numbers[first], graph.crossroads_numbers[second]
    to_one, to_two = graph.distances_from(one), graph.distances_from(two)
    numbers = graph.crossroads_numbers
    ends = [(edge, numbers[edge[0]], numbers[edge[1]]) for edge in graph.edges]
    shortest = to_one[two]
    return [edge for edge, a, b in ends if min(to_one[a] + to_two[b], to_one[b] + to_two[a]) + 1 == shortest]


def draw_robber(terrains: Sequence[Terrain], draws: Draws) -> Cell:
    """Return an empty token place (K3.3)."""
    return draws.one_of([terrain.at for terrain in terrains if terrain.token == v.PLACE])


# --- Random boards without faults, the known facts of the map included (board format, section 4) ---------------------

DEVELOPMENT = {"safe_conduct": 6, "trade_treaty": 6, "bribe": 6, "lancer": 7}
"""The development cards of every generated board (K-R6)."""


def generate_board(seed: int, side: str) -> Board:
    """Return a random board without faults, the same for the same seed and side on every machine.

    Args:
        seed: A whole number from 0 to 2**63 - 1.
        side: ``short`` or ``expert``.

    Raises:
        InvalidOptionError: Another seed or side.
    """
    number = whole_number(seed)
    if number is None or not 0 <= number < SEED_LIMIT:
        raise InvalidOptionError(f"seed={shown(seed)} is not possible: give a whole number from 0 to 2**63 - 1")
    side = one_of("side", side, v.SIDES)
    draws = Draws(number, v.SIDES.index(side))
    while True:
        try:
            content = _attempt(f"generated_{side}_{number}", side, draws)
        except NoBoardError:
            continue
        if not find_faults_of_content(content):
            return build_board(content)


def _attempt(name: str, side: str, draws: Draws) -> Content:
    """Return a board that may still have faults; raise NoBoardError where something finds no place."""
    land = draw_land(side, draws)
    graph = build_graph(land, ())
    cities = draw_places(graph, side, draws)
    needs = draw_needs(land, cities, side, draws)
    kinds = draw_kinds(land, needs, draws)
    terrains = draw_terrains(kinds, distances_to_all(land), needs, side, draws)
    posts = draw_posts(cities, needs.third_posts, terrains, draws) if side == "short" else {}
    violet = [city for names in posts.values() for city in names] or draw_violet(cities, {}, terrains, draws)
    start = draw_start(posts, cities, graph, draws)
    gold = draw_gold(cities, violet, land, draws)
    sea_paths = draw_sea_paths(land, cities, draws)
    arrows = draw_arrows(cities, violet, terrains, sea_paths, build_graph(land, sea_paths), draws)
    return Content(
        id=name,
        side=side,
        facts=True,
        provenance="Drawn by generate_board under the known facts (K2.10).",
        robber=draw_robber(terrains, draws),
        terrains=terrains,
        cities=tuple(
            City(city, corner, "violet" if city in violet else "brown", gold[city]) for city, corner in cities.items()
        ),
        sea_paths=tuple(sea_paths),
        arrows=tuple(arrows),
        tokens=TOKENS,
        development=DEVELOPMENT,
        start=start,
    )


# --- The generator of random boards, step by step as section 4 of the board format lists them ------------------------

__all__ = ["generate_board"]
