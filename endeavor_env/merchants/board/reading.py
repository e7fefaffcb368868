"""Reading a board file: what it says, and what is wrong with its single entries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from endeavor_env.errors import shown
from endeavor_env.merchants.board import vocabulary as v
from endeavor_env.merchants.board.content import Content, Start
from endeavor_env.merchants.board.faults import Fault, FaultList
from endeavor_env.merchants.board.fields import EDGE, FLAG, NAME, TABLE, TEXT, TEXTS, WHOLE, WHOLES, Reader
from endeavor_env.merchants.board.read_map import (
    read_arrows,
    read_cities,
    read_robber,
    read_sea_paths,
    read_terrains,
)

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
_BOARD = "the board"


def read_content(data: object) -> tuple[Content | None, list[Fault]]:
    """Return what a board as ``tomllib`` reads it says, None with a fault; and its faults of form, in their order."""
    faults = FaultList()
    reader = Reader(faults)
    table = reader.table(data, KEYS, _BOARD)
    content = None if table is None else _read_board(reader, table)
    found = faults.in_order()
    return (None if found else content), found


def _read_board(reader: Reader, table: dict[str, Any]) -> Content | None:
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


def _check_format(reader: Reader, table: Mapping[str, Any]) -> None:
    """Check that the file says which format it has."""
    found = reader.required(table, "format", TEXT, _BOARD)
    if found is not None and found != v.FORMAT:
        reader.faults.add("format", f"the format is {shown(found)}: it must be {v.FORMAT}")


def _read_side(reader: Reader, table: Mapping[str, Any]) -> str | None:
    """Return the side of the board."""
    side = reader.required(table, "side", TEXT, _BOARD)
    if side is not None and side not in v.SIDES:
        reader.faults.add("side", f"the side is {shown(side)}: it must be {' or '.join(v.SIDES)}")
    return side


def _read_tokens(reader: Reader, table: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
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


def _read_development(reader: Reader, table: Mapping[str, Any]) -> dict[str, int]:
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


def _read_start(reader: Reader, table: Mapping[str, Any]) -> dict[str, Start]:
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
