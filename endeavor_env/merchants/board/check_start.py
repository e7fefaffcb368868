"""Checks of the start places of the short side (K3.6, K3.9)."""

from __future__ import annotations

from endeavor_env.errors import named, shown
from endeavor_env.merchants.board import vocabulary as v
from endeavor_env.merchants.board.content import Start
from endeavor_env.merchants.board.faults import FaultList
from endeavor_env.merchants.board.geometry import Corner, Edge, written_edge
from endeavor_env.merchants.board.survey import Survey


def check_start(survey: Survey, faults: FaultList) -> None:
    """Check posts and routes of all colours; the expert side has none."""
    if survey.content.side != "short":
        return
    colours = ", ".join(v.PLAYER_COLOURS)
    for colour in survey.content.start:
        if colour not in v.PLAYER_COLOURS:
            faults.add("start", f"start places are given for {shown(colour)}: the colours are {colours}")
    given = {colour: survey.content.start[colour] for colour in v.PLAYER_COLOURS if colour in survey.content.start}
    for colour in v.PLAYER_COLOURS:
        if colour not in given:
            faults.add("start", f"{colour} has no start places: the short side needs those of {colours}")
    _check_posts(survey, given, faults)
    _check_routes(survey, given, faults)


def _check_posts(survey: Survey, given: dict[str, Start], faults: FaultList) -> None:
    """Check that each colour has three violet cities of its own, and a third one with the terrains of its cards."""
    used: set[str] = set()
    for colour, start in given.items():
        if len(start.posts) != v.START_POSTS:
            faults.add("start", f"{colour} has {len(start.posts)} start posts: it must have {v.START_POSTS}")
        for name in start.posts:
            city = survey.cities.get(name)
            if city is None or city.colour != "violet":
                found = "no city of the board" if city is None else "a brown city"
                faults.add("start", f"the start post {named(name)} of {colour} is {found}: it must be a violet city")
            if name in used:
                faults.add("start", f"{named(name)} is a start post twice: each of them needs a city of its own")
            used.add(name)
        _check_third_post(survey, colour, start, faults)


def _check_third_post(survey: Survey, colour: str, start: Start, faults: FaultList) -> None:
    """Check that the third post touches exactly the terrains of the start cards."""
    city = survey.cities.get(start.posts[v.START_POSTS - 1]) if len(start.posts) == v.START_POSTS else None
    if city is None:
        return
    kinds = [terrain.kind for terrain in survey.touching(city.at)]
    if sorted(kinds) != sorted(v.START_KINDS[colour]):
        faults.add(
            "start",
            f"the third start post {city.id} of {colour} touches {', '.join(kinds)}: it must touch "
            f"{', '.join(v.START_KINDS[colour])}, which give the start cards",
        )


def _check_routes(survey: Survey, given: dict[str, Start], faults: FaultList) -> None:
    """Check that each route is a path beside an own post, and that all routes together join no two cities."""
    routes: list[Edge] = []
    for colour, start in given.items():
        label = f"the start route {written_edge(start.route)} of {colour}"
        if start.route not in survey.graph.path_numbers:
            faults.add("start", f"{label} is on no path: it must join two neighbouring crossroads")
            continue
        if start.route in routes:
            faults.add("start", f"{label} is there twice: a path has one route at most")
            continue
        posts = {survey.cities[name].at for name in start.posts if name in survey.cities}
        if not posts.intersection(start.route):
            faults.add("start", f"{label} ends at no start post of {colour}: one of its ends must be one")
        joined = _joined_cities(survey, [*routes, start.route], start.route[0])
        if len(joined) > 1:
            faults.add("start", f"{label} joins the cities {' and '.join(joined)}: start routes may join none")
        else:
            routes.append(start.route)


def _joined_cities(survey: Survey, routes: list[Edge], corner: Corner) -> list[str]:
    """Return the cities that some routes join with a corner."""
    net, before = {corner}, 0
    while len(net) > before:
        before = len(net)
        net.update(end for route in routes if net.intersection(route) for end in route)
    return [city.id for city in survey.content.cities if city.at in net]
