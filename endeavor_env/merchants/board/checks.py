"""Checks of a whole board: economy, known facts, start places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache

from endeavor_env.errors import named, shown
from endeavor_env.merchants.board import content as v
from endeavor_env.merchants.board.content import City, Content, Fault, FaultList, Start, Terrain
from endeavor_env.merchants.board.geometry import Corner, Edge, build_graph, corner_cells, written, written_edge
from endeavor_env.merchants.board.reading import read_content

# --- What the checks of a whole board ask: which terrains meet where, and how far cities lie from each other ---------


class Survey:
    """A board whose entries have no fault, and its graph."""

    def __init__(self, content: Content) -> None:
        """Number the graph of a content without faults of form."""
        self.content = content
        self.graph = build_graph((terrain.at for terrain in content.terrains), content.sea_paths)
        self.cities = {city.id: city for city in content.cities}
        self._terrains = {terrain.at: terrain for terrain in content.terrains}
        self._distances_from = cache(self.graph.distances_from)

    def touching(self, corner: Corner) -> list[Terrain]:
        """Return the terrains that meet in a corner."""
        return [self._terrains[cell] for cell in corner_cells(corner) if cell in self._terrains]

    def crossroads(self, corner: Corner) -> int:
        """Return the number of the crossroads at a corner."""
        return self.graph.crossroads_numbers[corner]

    def between(self, first: Corner, second: Corner) -> int:
        """Return the fewest paths between two crossroads, -1 if none lead there."""
        return self._distances_from(self.crossroads(first))[self.crossroads(second)]

    def violet(self) -> list[City]:
        """Return the violet cities."""
        return [city for city in self.content.cities if city.colour == "violet"]


# --- Checks of the whole board ---------------------------------------------------------------------------------------
# Its size, its paths, and whether it has enough of everything (board format, section 3).


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


# --- Checks of the known facts about the printed map, as far as texts tell them (K2.10) ------------------------------

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


# --- Checks of the start places of the short side (K3.6, K3.9) -------------------------------------------------------


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


# --- Every fault of a board, stage by stage: the entries, the whole, the known facts (board format, section 3) -------


def find_faults(data: object) -> tuple[Content | None, list[Fault]]:
    """Return what a dictionary laid out as a board file says, None if it cannot be read; and its faults, in order."""
    content, faults = read_content(data)
    return content, faults if content is None else find_faults_of_content(content)


def find_faults_of_content(content: Content) -> list[Fault]:
    """Return the faults of a board whose single entries have none, in order."""
    survey, faults = Survey(content), FaultList()
    check_graph(survey, faults)
    check_economy(survey, faults)
    check_start(survey, faults)
    found = faults.in_order()
    if not found and content.facts:
        check_facts(survey, faults)
        found = faults.in_order()
    return found
