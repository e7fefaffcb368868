"""The board of a content without faults: every part numbered, every table filled."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from endeavor_env.merchants.board import vocabulary as v
from endeavor_env.merchants.board.board import MOST_DISTANCE, Board, Int16
from endeavor_env.merchants.board.content import City, Content
from endeavor_env.merchants.board.geometry import cell_corners, corner_yx
from endeavor_env.merchants.board.graph import Graph, build_graph

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
