"""Gold, sea paths, double arrows and the robber (step 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from endeavor_env.merchants.board import vocabulary as v
from endeavor_env.merchants.board.check_facts import ARROW_WAY, DISTANCES, MORE_THAN
from endeavor_env.merchants.board.content import Terrain
from endeavor_env.merchants.board.generator.colours import chances
from endeavor_env.merchants.board.generator.draws import Draws
from endeavor_env.merchants.board.geometry import Cell, Corner, Edge, as_edge, corner_cells
from endeavor_env.merchants.board.graph import Graph, build_graph, sea_edges

ARROWS = {"short": 8, "expert": 11}
MOST_SEA_PATHS = 4
SHORTENED = 3
"""Fewest paths between the ends of a sea path without it."""
_GOLD_WEIGHTS = (2, 2, 2, 1)
"""How likely a brown city on a coast shows 0, 1, 2 or 3 gold."""


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
