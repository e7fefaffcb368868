"""Random valid boards: the structure of the 2009 board with another map, other card faces and building icons.

Only whole numbers are drawn, from NumPy's PCG64 generator, so that a seed gives the same board on every machine.
"""

from __future__ import annotations

from bisect import bisect_right
from copy import deepcopy
from itertools import accumulate

import numpy as np

from endeavor_env.endeavor.board.format import GOVERNOR, BoardData
from endeavor_env.endeavor.rules import constants as c

START_CITIES = (9, 11)
OVERSEAS_CITIES = (2, 5)
TRACK_LENGTHS = (6, 8)
CONNECTIONS = (22, 34)
GENERATED_DEGREE = 5
"""Most connections that meet in a city of a generated board; on the 2009 board it is three."""

_GENERATED = "generated"
_WEIGHT_SAME_REGION, _WEIGHT_FROM_START, _WEIGHT_OVERSEAS = 30, 4, 1
_UNCONNECTED_BONUS = 4


def generate_board(base: BoardData, seed: int) -> BoardData:
    """Return a random board with the regions, decks, building types, status tracks and constants of ``base``.

    There are as many spaces as ``base`` has tokens (95), but the numbers of cities, connections and shipping spaces are
    drawn, and so are the numbers of the blue tokens by kind, the icons of cards and buildings, and the Glory of cards.

    Args:
        base: A checked board; not changed.
        seed: At least 0. Equal seeds give equal boards.
    """
    rng = np.random.Generator(np.random.PCG64(seed))
    data = deepcopy(base)
    data["id"], data["name"] = f"generated_{seed}", f"Generated board {seed}"
    _draw_tokens(data, rng)
    _draw_map(data, rng)
    for deck in data["decks"]:
        _draw_cards(deck, rng)
    for building in data["buildings"]:
        _draw_icons_of_building(building, rng)
    return data


def _between(rng: np.random.Generator, bounds: tuple[int, int]) -> int:
    """Return a whole number from ``bounds``, both ends included."""
    return int(rng.integers(bounds[0], bounds[1] + 1))


def _pick(rng: np.random.Generator, weights: list[int]) -> int:
    """Return an index drawn with probability proportional to its weight; at least one weight is positive."""
    limits = list(accumulate(weights))
    return bisect_right(limits, int(rng.integers(limits[-1])))


def _draw_tokens(data: BoardData, rng: np.random.Generator) -> None:
    """Draw how many blue tokens are of which kind, at least one of each."""
    blue = c.TOKEN_NAMES[-c.NUM_BLUE :]
    tokens = data["tokens"]
    rest = sum(tokens[kind] for kind in blue) - c.NUM_BLUE
    tokens.update(dict.fromkeys(blue, 1))
    for _ in range(rest):
        tokens[blue[_pick(rng, [1] * c.NUM_BLUE)]] += 1
    tokens["provenance"] = {"statuses": "seed", "action_total": "seed", "action_split": _GENERATED}


def _draw_map(data: BoardData, rng: np.random.Generator) -> None:
    """Draw track lengths, cities and connections that together have one space for each token."""
    tokens = sum(data["tokens"][kind] for kind in c.TOKEN_NAMES)
    regions = data["regions"]
    while True:
        cities = [_between(rng, START_CITIES if region["open_at_start"] else OVERSEAS_CITIES) for region in regions]
        tracks = [0 if region["open_at_start"] else _between(rng, TRACK_LENGTHS) for region in regions]
        connections = tokens - sum(cities) - sum(tracks)
        if sum(cities) <= c.MAX_CITIES and CONNECTIONS[0] <= connections <= CONNECTIONS[1]:
            break
    data["cities"] = []
    for region, count, length in zip(regions, cities, tracks, strict=True):
        region["track_length"] = length
        if length:
            region["provenance"] = {"region": "seed", "track_length": _GENERATED}
        data["cities"] += [_city(region, number, rng) for number in range(1, count + 1)]
    data["connections"] = _draw_connections(data, connections, rng)


def _city(region: BoardData, number: int, rng: np.random.Generator) -> BoardData:
    return {
        "id": f"{region['id']}_{number}",
        "name": f"{region['name']} {number}",
        "region": region["id"],
        "glory": 2 if rng.integers(5) == 0 else 1,
        "provenance": _GENERATED,
    }


def _draw_connections(data: BoardData, count: int, rng: np.random.Generator) -> list[BoardData]:
    """Draw ``count`` different connections, mostly within a region and out of the start region.

    Cities without a connection are favoured, so that few are left without one; no city has more than
    GENERATED_DEGREE.
    """
    cities = data["cities"]
    start = next(region["id"] for region in data["regions"] if region["open_at_start"])
    pairs = [(first, second) for second in range(len(cities)) for first in range(second)]
    degree = [0] * len(cities)
    chosen: list[tuple[int, int]] = []
    for _ in range(count):
        weights = [
            _weight(cities[first]["region"], cities[second]["region"], start, (degree[first], degree[second]))
            for first, second in pairs
        ]
        pair = pairs.pop(_pick(rng, weights))
        chosen.append(pair)
        for city in pair:
            degree[city] += 1
    return [
        {"cities": [cities[first]["id"], cities[second]["id"]], "provenance": _GENERATED}
        for first, second in sorted(chosen)
    ]


def _weight(first_region: str, second_region: str, start: str, degrees: tuple[int, int]) -> int:
    """Return the weight of a possible connection, 0 if one of its cities can have no more."""
    if max(degrees) >= GENERATED_DEGREE:
        return 0
    weight = _WEIGHT_OVERSEAS
    if first_region == second_region:
        weight = _WEIGHT_SAME_REGION
    elif start in (first_region, second_region):
        weight = _WEIGHT_FROM_START
    return weight * _UNCONNECTED_BONUS ** sum(degree == 0 for degree in degrees)


def _draw_cards(deck: BoardData, rng: np.random.Generator) -> None:
    """Draw card faces that grow with the value and favour two statuses; the card that ends slavery stays the same."""
    weights = [1] * len(c.STATUS_NAMES)
    for _ in range(2):
        weights[_pick(rng, [1] * len(weights))] += 3
    for card in deck["cards"]:
        rank = 2 if card["value"] == GOVERNOR else card["value"]
        total = 1 + (rank + 1) // 2 + _between(rng, (0, 1)) + deck["slavery"]
        card["icons"] = dict.fromkeys(c.STATUS_NAMES, 0)
        for _ in range(total):
            card["icons"][c.STATUS_NAMES[_pick(rng, weights)]] += 1
        card["glory"] = 0 if deck["slavery"] else _between(rng, (max(0, rank - 3), max(0, rank - 2)))
        card["provenance"] = _GENERATED


def _draw_icons_of_building(building: BoardData, rng: np.random.Generator) -> None:
    """Draw the icons of a building, all of one status: fewer if it has an activation space."""
    icons = dict.fromkeys(c.STATUS_NAMES, 0)
    status = c.STATUS_NAMES[_pick(rng, [1] * len(c.STATUS_NAMES))]
    if building["mode"] == "none":
        icons[status] = 0 if building["glory"] else _between(rng, (2, 3))
    elif building["level"] > 0:
        icons[status] = _between(rng, (0, 2 if building["level"] >= 3 else 1))
    building["icons"] = icons
    building["provenance"] = {"level": "seed", "actions": "seed", "icons": _GENERATED, "glory": "seed"}
