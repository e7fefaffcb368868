"""Incomes with many shortest ways (K6.6): positions that only the reference can be put into, against a plain search."""

from __future__ import annotations

import random
from collections.abc import Iterator
from copy import deepcopy

from tests.merchants.reference.boards import declared
from tests.merchants.reference.building import build_route
from tests.merchants.reference.game import ReferenceGame
from tests.merchants.reference.income import Income, ways_to_pay
from tests.merchants.reference.map import Map

FAR_APART = ("stockholm", "athens")


def lonely_game(seed: int) -> ReferenceGame:
    """Return a game on a map with two cities far apart, where every path has a route of a random owner."""
    data = deepcopy(declared("short").data)
    data["cities"] = [city for city in data["cities"] if city["id"] in FAR_APART]
    for colour in data["start"].values():
        colour["posts"] = []
    rng, game = random.Random(seed), ReferenceGame(Map(data), 4)
    game.play("first:1")
    game.table.routes = {path: rng.randrange(4) for path in range(len(game.map.ends))}
    return game


def cut_off(game: ReferenceGame, city: str) -> int:
    """Take away the routes at a city, and return the path of one of them."""
    paths = game.map.paths_at[game.map.site[city]]
    for path in paths:
        del game.table.routes[path]
    return paths[0]


def ways(game: ReferenceGame, length: int) -> Iterator[tuple[int, ...]]:
    """Yield the payments of every way of a length between the two cities, from the mover clockwise."""
    start, goal = (game.map.site[city] for city in FAR_APART)

    def go_on(here: int, walked: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if here == goal and len(walked) == length:
            owners = [(game.table.routes[path] - game.table.mover) % 4 for path in walked]
            yield tuple(owners.count(place) for place in range(4))
        if len(walked) + game.map.distance[here][goal] > length:
            return
        for path in game.map.paths_at[here]:
            if path in game.table.routes and path not in walked:
                yield from go_on(sum(game.map.ends[path]) - here, (*walked, path))

    yield from go_on(start, ())


def shortest_ways(game: ReferenceGame) -> list[tuple[int, ...]]:
    """Return the different payments of the shortest ways, largest first; none if the cities are not joined."""
    for length in range(40):
        found = set(ways(game, length))
        if found:
            return sorted(found, reverse=True)
    return []


def test_K6_6_at_most_sixteen_ways_are_offered_those_that_pay_the_mover_most() -> None:
    game = lonely_game(3)
    last = cut_off(game, "athens")
    build_route(game, 1, last)
    game.ask()
    expected = shortest_ways(game)
    assert len(expected) > 16
    top = game.agenda[-1]
    assert isinstance(top, Income)
    assert list(top.ways) == expected[:16]
    assert game.legal() == [f"income:{number}" for number in range(16)]
    assert game.met["K6.6 more than 16 choices"] == 1


def test_K6_5_a_bridge_between_two_nets_pays_all_shortest_ways_over_it() -> None:
    for seed in range(20):
        game = lonely_game(seed)
        bridge = cut_off(game, "stockholm")
        found = ways_to_pay(game, bridge, 2)
        game.table.routes[bridge] = 2
        assert found == shortest_ways(game)
        assert found
