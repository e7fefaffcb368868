"""Reading a board file: its map, and what is wrong with its single entries."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from endeavor_env.errors import named, shown
from endeavor_env.merchants.board import content as v
from endeavor_env.merchants.board.content import (
    CELL,
    CORNER,
    EDGE,
    FLAG,
    LIST,
    NAME,
    TABLE,
    TEXT,
    TEXTS,
    WHOLE,
    WHOLES,
    City,
    Content,
    Fault,
    FaultList,
    Start,
    TableReader,
    Terrain,
)
from endeavor_env.merchants.board.geometry import (
    Cell,
    Corner,
    Edge,
    corner_cells,
    edge_cells,
    is_edge,
    land_corners,
    land_edges,
    written,
    written_edge,
)

# --- Reading the map of a board file ---------------------------------------------------------------------------------
# Terrains, robber, cities, sea paths and double arrows, and where they may lie.

_TERRAIN_KEYS = ("at", "kind", "number", "token")
_CITY_KEYS = ("id", "at", "colour", "gold")
_SEA_PATH_KEYS = ("ends",)
_BOARD = "the board"
_PLAIN = re.compile(r"[a-z_]+")
_KIND_WORDS, _NUMBER_WORDS = ", ".join(v.KINDS), "2 to 6 or 8 to 12"


class Land:
    """The places of the terrains, which determine those of everything else."""

    def __init__(self, terrains: dict[Cell, Terrain], known: bool) -> None:
        """Take the terrains; unless all of them are ``known``, nothing is said to lie in a wrong place."""
        self.terrains = terrains
        self.known = known
        self.crossroads = land_corners(self.terrains)
        self.paths = land_edges(self.terrains)

    def lacks_crossroads(self, corner: Corner) -> bool:
        """Return whether a corner is surely no crossroads."""
        return self.known and corner not in self.crossroads

    def is_inland(self, corner: Corner) -> bool:
        """Return whether a corner touches three terrains."""
        return all(cell in self.terrains for cell in corner_cells(corner))


def read_terrains(reader: TableReader, table: dict[str, Any]) -> Land:
    """Return the land of the terrains that can be read."""
    known = isinstance(table.get("terrains"), list)
    terrains: dict[Cell, Terrain] = {}
    for entry, label in _entries(reader, table, "terrains", "terrain"):
        terrain = _read_terrain(reader, entry, label)
        if terrain is None:
            known = False
        elif terrain.at in terrains:
            reader.faults.add("terrain_twice", f"two terrains are at {written(terrain.at)}: a cell has one at most")
        else:
            terrains[terrain.at] = terrain
    return Land(terrains, known)


def _read_terrain(reader: TableReader, entry: object, label: str) -> Terrain | None:
    """Return one terrain, None if nobody can tell where it lies."""
    table = reader.table(entry, _TERRAIN_KEYS, label)
    if table is None:
        return None
    at = reader.required(table, "at", CELL, label)
    whose = label if at is None else f"the terrain at {written(at)}"
    kind = reader.required(table, "kind", TEXT, whose)
    if kind is not None and kind not in v.KINDS:
        reader.faults.add("terrain_kind", f"{whose} has the kind {shown(kind)}: it must be one of {_KIND_WORDS}")
    number = reader.optional(table, "number", WHOLE, whose)
    if number is not None and number not in v.PRINTED_NUMBERS:
        reader.faults.add("terrain_number", f"{whose} has the number {shown(number)}: it must be {_NUMBER_WORDS}")
    token = reader.optional(table, "token", TEXT, whose)
    _check_number_or_token(reader, table, token, whose)
    return None if at is None else Terrain(at, kind or "", number or 0, token or "")


def _check_number_or_token(reader: TableReader, table: dict[str, Any], token: str | None, whose: str) -> None:
    """Check that a terrain has a number or a token place, and that its token place is of a known sort (K2.7)."""
    given = [key for key in ("number", "token") if key in table]
    if len(given) != 1:
        found = "both a number and a token" if given else "neither a number nor a token"
        reader.faults.add("number_or_token", f"{whose} has {found}: give one of them")
    if token is not None and token not in v.TOKEN_WORDS:
        words = " or ".join(v.TOKEN_WORDS)
        reader.faults.add("number_or_token", f"{whose} has the token {shown(token)}: it must be {words}")


def read_robber(reader: TableReader, table: dict[str, Any], land: Land) -> Cell | None:
    """Return where the robber stands at first, which must be an empty token place (K3.3)."""
    robber = reader.required(table, "robber", CELL, _BOARD)
    if robber is None:
        return None
    terrain = land.terrains.get(robber)
    wrong = ""
    if terrain is None:
        wrong = "where no terrain is" if land.known else ""
    elif terrain.token != v.PLACE:
        wrong = "on a terrain with a number or a token"
    if wrong:
        reader.faults.add(
            "robber_place", f"the robber stands at {written(robber)}, {wrong}: it needs an empty token place"
        )
    return robber


def read_cities(reader: TableReader, table: dict[str, Any], land: Land) -> list[City]:
    """Return the cities that can be read."""
    cities: list[City] = []
    by_id: dict[str, City] = {}
    by_place: dict[Corner, City] = {}
    for entry, label in _entries(reader, table, "cities", "city"):
        city = _read_city(reader, entry, label, land)
        if city is None:
            continue
        if city.id and by_id.setdefault(city.id, city) is not city:
            reader.faults.add("city_name", f"two cities have the id {named(city.id)}: each needs an id of its own")
        if by_place.setdefault(city.at, city) is not city:
            both = f"{named(by_place[city.at].id)} and {named(city.id)}"
            reader.faults.add("city_name", f"the cities {both} lie at {written(city.at)}, both: one of them must move")
        cities.append(city)
    return cities


def _read_city(reader: TableReader, entry: object, label: str, land: Land) -> City | None:
    """Return one city, None if it has no place."""
    table = reader.table(entry, _CITY_KEYS, label)
    if table is None:
        return None
    name = reader.required(table, "id", TEXT, label)
    whose = label if name is None else f"the city {named(name)}"
    if name is not None and not (_PLAIN.fullmatch(name) and len(name) <= v.MAX_TEXT):
        reader.faults.add(
            "city_name", f"{whose} has no plain id: an id is 1 to {v.MAX_TEXT} lower-case letters and underscores"
        )
    at = reader.required(table, "at", CORNER, whose)
    if at is not None and land.lacks_crossroads(at):
        reader.faults.add("city_place", f"{whose} lies at {written(at)}, which is a corner of no terrain")
    colour = reader.required(table, "colour", TEXT, whose)
    if colour is not None and colour not in v.CITY_COLOURS:
        words = " or ".join(v.CITY_COLOURS)
        reader.faults.add("city_colour", f"{whose} has the colour {shown(colour)}: it must be {words}")
    gold = reader.required(table, "gold", WHOLE, whose)
    if gold is not None:
        _check_gold(reader, gold, at is not None and land.is_inland(at), whose)
    return None if at is None else City(name or "", at, colour or "", gold or 0)


def _check_gold(reader: TableReader, gold: int, inland: bool, whose: str) -> None:
    """Check the amount of gold of a city (K2.6)."""
    if not 0 <= gold <= v.MOST_GOLD:
        reader.faults.add("city_gold", f"{whose} shows {shown(gold)} gold: it must be 0 to {v.MOST_GOLD}")
    elif gold and inland:
        reader.faults.add("city_gold", f"{whose} shows {gold} gold beside three terrains: only a city on a coast may")


def read_sea_paths(reader: TableReader, table: dict[str, Any], land: Land) -> list[Edge]:
    """Return the sea paths that can be read (K2.3)."""
    edges: dict[Edge, None] = {}
    for entry, label in _entries(reader, table, "sea_paths", "sea path"):
        inner = reader.table(entry, _SEA_PATH_KEYS, label)
        edge = None if inner is None else reader.required(inner, "ends", EDGE, label)
        if edge is None:
            continue
        wrong = "is there twice" if edge in edges else _wrong_sea_path(edge, land)
        if wrong:
            right = "it must join two neighbouring crossroads between two cells of sea"
            reader.faults.add("sea_path", f"the sea path {written_edge(edge)} {wrong}: {right}")
        edges[edge] = None
    return list(edges)


def _wrong_sea_path(edge: Edge, land: Land) -> str:
    """Return what is wrong with a sea path, "" if it is right."""
    if not is_edge(edge):
        return "is no edge"
    if any(cell in land.terrains for cell in edge_cells(edge)):
        return "lies beside a terrain"
    if any(land.lacks_crossroads(corner) for corner in edge):
        return "ends where no crossroads is"
    return ""


def read_arrows(reader: TableReader, table: dict[str, Any], land: Land, sea_paths: list[Edge]) -> list[Edge]:
    """Return the paths with a double arrow that can be read."""
    edges: dict[Edge, None] = {}
    paths = {*land.paths, *sea_paths}
    for entry, label in _entries(reader, table, "arrows", "double arrow"):
        edge = reader.value(entry, EDGE, label)
        if edge is None:
            continue
        whose = f"the double arrow {written_edge(edge)}"
        if edge in edges:
            reader.faults.add("arrow_place", f"{whose} is there twice: a path has one at most")
        elif land.known and edge not in paths:
            reader.faults.add("arrow_place", f"{whose} is on no path: it must join two neighbouring crossroads")
        edges[edge] = None
    return list(edges)


def _entries(reader: TableReader, table: dict[str, Any], key: str, noun: str) -> Iterator[tuple[object, str]]:
    """Yield each entry of a list, and what to call it."""
    entries = reader.required(table, key, LIST, _BOARD) or []
    for number, entry in enumerate(entries, 1):
        yield entry, f"{noun} number {number}"


# --- Reading a board file: what it says, and what is wrong with its single entries -----------------------------------

KEYS = (
    "format",
    "id",
    "side",
    "facts",
    "provenance",
    "robber",
    "terrains",
    "cities",
    "sea_paths",
    "arrows",
    "tokens",
    "development",
    "start",
)
"""The keys of a board file; ``facts`` may be left out, and ``start`` counts on the short side only."""
_START_KEYS = ("posts", "route")


def read_content(data: object) -> tuple[Content | None, list[Fault]]:
    """Return what a board as ``tomllib`` reads it says, None with a fault; and its faults of form, in their order."""
    faults = FaultList()
    reader = TableReader(faults)
    table = reader.table(data, KEYS, _BOARD)
    content = None if table is None else _read_board(reader, table)
    found = faults.in_order()
    return (None if found else content), found


def _read_board(reader: TableReader, table: dict[str, Any]) -> Content | None:
    """Return what the top table says, None if the robber has no place; other faulty entries are left out."""
    _check_format(reader, table)
    name = reader.required(table, "id", NAME, _BOARD)
    side = _read_side(reader, table)
    facts = reader.optional(table, "facts", FLAG, _BOARD)
    provenance = reader.required(table, "provenance", TEXT, _BOARD)
    land = read_terrains(reader, table)
    robber = read_robber(reader, table, land)
    cities = read_cities(reader, table, land)
    sea_paths = read_sea_paths(reader, table, land)
    arrows = read_arrows(reader, table, land, sea_paths)
    tokens = _read_tokens(reader, table)
    development = _read_development(reader, table)
    start = {} if side == "expert" else _read_start(reader, table)
    if robber is None:
        return None
    return Content(
        id=name or "",
        side=side or "",
        facts=facts is not False,
        provenance=provenance or "",
        robber=robber,
        terrains=tuple(land.terrains.values()),
        cities=tuple(cities),
        sea_paths=tuple(sea_paths),
        arrows=tuple(arrows),
        tokens=tokens,
        development=development,
        start=start,
    )


def _check_format(reader: TableReader, table: Mapping[str, Any]) -> None:
    """Check that the file says which format it has."""
    found = reader.required(table, "format", TEXT, _BOARD)
    if found is not None and found != v.FORMAT:
        reader.faults.add("format", f"the format is {shown(found)}: it must be {v.FORMAT}")


def _read_side(reader: TableReader, table: Mapping[str, Any]) -> str | None:
    """Return the side of the board."""
    side = reader.required(table, "side", TEXT, _BOARD)
    if side is not None and side not in v.SIDES:
        reader.faults.add("side", f"the side is {shown(side)}: it must be {' or '.join(v.SIDES)}")
    return side


def _read_tokens(reader: TableReader, table: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    """Return the values of the tokens by kind of terrain, which must be the fifteen that there are (K-R5)."""
    given = reader.required(table, "tokens", TABLE, _BOARD)
    if given is None:
        return {}
    tokens = {kind: reader.value(given[kind], WHOLES, f"{shown(kind)} of tokens") for kind in given}
    wrong = ", ".join(shown(kind) for kind in tokens if kind not in v.KINDS)
    if wrong:
        reader.faults.add("token_values", f"tokens are given for {wrong}: the kinds are {', '.join(v.KINDS)}")
    for kind in v.KINDS:
        values = tokens.get(kind, ())
        if values is not None and len(values) != v.TOKENS_OF_KIND:
            reader.faults.add("token_values", f"{kind} has {len(values)} tokens: it must have {v.TOKENS_OF_KIND}")
    every = [value for kind in v.KINDS for value in tokens.get(kind) or ()]
    if len(every) == len(v.TOKEN_VALUES) and sorted(every) != list(v.TOKEN_VALUES):
        values = " ".join(map(str, v.TOKEN_VALUES))
        reader.faults.add("token_values", f"the values of the tokens are not those of the box: they must be {values}")
    return {kind: values for kind, values in tokens.items() if values is not None}


def _read_development(reader: TableReader, table: Mapping[str, Any]) -> dict[str, int]:
    """Return the number of development cards by kind, 25 in all."""
    given = reader.required(table, "development", TABLE, _BOARD)
    if given is None:
        return {}
    cards = {kind: reader.value(given[kind], WHOLE, f"{shown(kind)} of development") for kind in given}
    wrong = ", ".join(shown(kind) for kind in cards if kind not in v.DEVELOPMENT_KINDS)
    if wrong:
        kinds = ", ".join(v.DEVELOPMENT_KINDS)
        reader.faults.add("development_cards", f"development cards are given for {wrong}: the kinds are {kinds}")
    for kind in v.DEVELOPMENT_KINDS:
        count = cards.get(kind, 0)
        if count is not None and count < 1:
            reader.faults.add("development_cards", f"there are {shown(count)} cards {kind}: there must be at least one")
    counts = [cards.get(kind) for kind in v.DEVELOPMENT_KINDS]
    known = [count for count in counts if count is not None]
    if len(known) == len(counts) and sum(known) != v.DEVELOPMENT_CARDS:
        reader.faults.add(
            "development_cards",
            f"there are {shown(sum(known))} development cards: there must be {v.DEVELOPMENT_CARDS}",
        )
    return dict(zip(v.DEVELOPMENT_KINDS, known, strict=False))


def _read_start(reader: TableReader, table: Mapping[str, Any]) -> dict[str, Start]:
    """Return the start places by colour, as far as they can be read."""
    start: dict[str, Start] = {}
    for colour, entry in (reader.optional(table, "start", TABLE, _BOARD) or {}).items():
        whose = f"the start of {shown(colour)}"
        inner = reader.table(entry, _START_KEYS, whose)
        if inner is None:
            continue
        posts = reader.required(inner, "posts", TEXTS, whose)
        route = reader.required(inner, "route", EDGE, whose)
        if posts is not None and route is not None:
            start[colour] = Start(posts, route)
    return start
