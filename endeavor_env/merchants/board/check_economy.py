"""Checks of the whole board: its size, its paths, and whether it has enough of everything (board format, section 3)."""

from __future__ import annotations

from collections import Counter

from endeavor_env.merchants.board import vocabulary as v
from endeavor_env.merchants.board.faults import FaultList
from endeavor_env.merchants.board.geometry import written
from endeavor_env.merchants.board.survey import Survey


def check_graph(survey: Survey, faults: FaultList) -> None:
    """Check that the action ids have room for the board (K11.1), and that paths lead everywhere."""
    graph = survey.graph
    for count, most, noun in (
        (len(graph.cells), v.MAX_TERRAINS, "terrains"),
        (len(graph.corners), v.MAX_CROSSROADS, "crossroads"),
        (len(graph.edges), v.MAX_PATHS, "paths"),
        (len(survey.content.cities), v.MAX_CITIES, "cities"),
    ):
        if count > most:
            faults.add("limits", f"the board has {count} {noun}: at most {most} are possible")
    cut_off = graph.distances_from(0).count(-1) if graph.corners else 0
    if cut_off:
        reached = len(graph.corners) - cut_off
        faults.add(
            "not_connected",
            f"paths lead from the crossroads {written(graph.corners[0])} to {reached} crossroads only, not to the "
            f"{cut_off} others: join them with land or sea paths",
        )


def check_economy(survey: Survey, faults: FaultList) -> None:
    """Check cities, printed numbers and token places (K2.7, K2.9)."""
    side, cities = survey.content.side, survey.content.cities
    if len(cities) < v.MIN_CITIES[side]:
        faults.add("city_count", f"the board has {len(cities)} cities: the {side} side needs {v.MIN_CITIES[side]}")
    _check_numbers(survey, faults)
    _check_token_places(survey, faults)
    violet = len(survey.violet())
    if violet < v.MIN_VIOLET[side]:
        faults.add("city_colours", f"the board has {violet} violet cities: the {side} side needs {v.MIN_VIOLET[side]}")
    at_number = sum(
        city.colour == "brown" and any(terrain.number for terrain in survey.touching(city.at)) for city in cities
    )
    if at_number < v.MIN_BROWN_AT_NUMBER:
        faults.add(
            "city_colours",
            f"{at_number} brown cities touch a printed number: at least {v.MIN_BROWN_AT_NUMBER} must do so",
        )


def _check_numbers(survey: Survey, faults: FaultList) -> None:
    """Check that every kind of terrain and every sum of two dice but seven produces somewhere."""
    printed = [terrain for terrain in survey.content.terrains if terrain.number]
    kinds, numbers = {terrain.kind for terrain in printed}, {terrain.number for terrain in printed}
    for kind in v.KINDS:
        if kind not in kinds:
            faults.add("kind_missing", f"no terrain of the kind {kind} has a printed number: one must have it")
    for number in v.PRINTED_NUMBERS:
        if number not in numbers:
            faults.add("number_missing", f"no terrain has the printed number {number}: one must have it")


def _check_token_places(survey: Survey, faults: FaultList) -> None:
    """Check that the tokens of each kind find places, one of them dotted."""
    places = Counter(terrain.kind for terrain in survey.content.terrains if terrain.token)
    dotted = Counter(terrain.kind for terrain in survey.content.terrains if terrain.token == v.DOTTED)
    for kind in v.KINDS:
        if places[kind] < v.TOKENS_OF_KIND:
            faults.add("token_places", f"{kind} has {places[kind]} token places: it needs at least {v.TOKENS_OF_KIND}")
        if dotted[kind] != 1:
            faults.add("token_places", f"{kind} has {dotted[kind]} dotted token places: it must have exactly one")
