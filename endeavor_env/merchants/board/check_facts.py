"""Checks of the known facts about the printed map, as far as texts tell them (K2.10)."""

from __future__ import annotations

from collections.abc import Callable

from endeavor_env.merchants.board import vocabulary as v
from endeavor_env.merchants.board.content import Terrain
from endeavor_env.merchants.board.faults import FaultList
from endeavor_env.merchants.board.survey import Survey

NAMES = (
    "cologne",
    "nuremberg",
    "turin",
    "venice",
    "berne",
    "kaliningrad",
    "prague",
    "wroclaw",
    "budapest",
    "belgrade",
)
"""The cities that are on both sides."""
WESTERN_NAMES = ("lyon", "paris", "brussels")
"""The cities that are on the expert side only."""
DISTANCES = (
    ("turin", "venice", 3),
    ("turin", "berne", 2),
    ("prague", "wroclaw", 3),
    ("wroclaw", "kaliningrad", 3),
    ("berne", "paris", 2),
    ("paris", "brussels", 1),
    ("brussels", "cologne", 1),
)
MORE_THAN = ("prague", "kaliningrad", 3)
PRINTED = (("lyon", "meadow", 5), ("cologne", "field", 5), ("nuremberg", "field", 5))
"""A terrain of a kind with a printed number that a city touches."""
TOKENS = (("salt_works", 11), ("mountain", 9))
"""Tokens that exist."""
ARROW_WAY = ("kaliningrad", "wroclaw")


def check_facts(survey: Survey, faults: FaultList) -> None:
    """Check every fact; one about a city that is missing is not looked at."""
    _check_names(survey, faults)
    _check_distances(survey, faults)
    _check_terrains(survey, faults)
    if not any(city.gold for city in survey.content.cities):
        faults.add("fact_gold", "no city shows gold: some city on a coast does")
    _check_arrows(survey, faults)


def _check_names(survey: Survey, faults: FaultList) -> None:
    """Check which cities are on the board."""
    expert = survey.content.side == "expert"
    for name in (*NAMES, *WESTERN_NAMES) if expert else NAMES:
        if name not in survey.cities:
            faults.add("fact_names", f"there is no city {name}: the {survey.content.side} side has one")
    for name in () if expert else WESTERN_NAMES:
        if name in survey.cities:
            faults.add("fact_names", f"there is a city {name}: it lies in western Europe, on the expert side only")


def _distance(survey: Survey, first: str, second: str) -> int | None:
    """Return the fewest paths between two cities, None if one of them is missing."""
    if first not in survey.cities or second not in survey.cities:
        return None
    return survey.between(survey.cities[first].at, survey.cities[second].at)


def _check_distances(survey: Survey, faults: FaultList) -> None:
    """Check how far cities lie from each other."""
    for first, second, paths in DISTANCES:
        found = _distance(survey, first, second)
        if found is not None and found != paths:
            faults.add("fact_distance", f"{_way(found, first, second)}: it must be {paths}")
    first, second, paths = MORE_THAN
    found = _distance(survey, first, second)
    if found is not None and found <= paths:
        faults.add("fact_distance", f"{_way(found, first, second)}: it must be more than {paths}")


def _way(paths: int, first: str, second: str) -> str:
    return f"the shortest way between {first} and {second} has {paths} path{'s' if paths != 1 else ''}"


def _check_terrains(survey: Survey, faults: FaultList) -> None:
    """Check what cities touch, and which tokens exist."""

    def touches(name: str, fits: Callable[[Terrain], bool]) -> bool:
        return name not in survey.cities or any(map(fits, survey.touching(survey.cities[name].at)))

    for name, kind, number in PRINTED:
        if not touches(name, lambda terrain: (terrain.kind, terrain.number) == (kind, number)):  # noqa: B023 - used at once
            faults.add("fact_terrain", f"{name} touches no {kind} with the printed number {number}: it must touch one")
    if not touches("kaliningrad", lambda terrain: (terrain.kind, terrain.token) == ("salt_works", v.PLACE)):
        faults.add("fact_terrain", "kaliningrad touches no salt_works with an empty token place: it must touch one")
    _check_belgrade(survey, faults)
    for kind, value in TOKENS:
        if value not in survey.content.tokens[kind]:
            faults.add("fact_terrain", f"{kind} has no token {value}: it must have one")


def _check_belgrade(survey: Survey, faults: FaultList) -> None:
    """Check that the empty token places of Belgrade are one mountain and one field."""
    if "belgrade" not in survey.cities:
        return
    around = survey.touching(survey.cities["belgrade"].at)
    found = sorted(terrain.kind for terrain in around if terrain.token == v.PLACE)
    if found != ["field", "mountain"]:
        listed = ", ".join(found) or "none"
        faults.add(
            "fact_terrain",
            f"the terrains of belgrade with an empty token place are {listed}: they must be field and mountain",
        )


def _check_arrows(survey: Survey, faults: FaultList) -> None:
    """Check that there are double arrows, one of them on a shortest way between Kaliningrad and Wroclaw."""
    arrows = survey.content.arrows
    if not arrows:
        faults.add("fact_arrow", "no path carries a double arrow: some path does")
        return
    length = _distance(survey, *ARROW_WAY)
    if length is None:
        return
    first, second = (survey.cities[name].at for name in ARROW_WAY)
    both_ways = (ends for low, high in arrows for ends in ((low, high), (high, low)))
    if not any(survey.between(first, a) + 1 + survey.between(b, second) == length for a, b in both_ways):
        way = " and ".join(ARROW_WAY)
        faults.add("fact_arrow", f"no double arrow lies on a shortest way between {way}: one must lie there")
