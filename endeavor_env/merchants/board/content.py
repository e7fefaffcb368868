"""Contents of a board file: its words and sizes, its fields, and the faults it can have."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from endeavor_env.basics.files import is_unicode
from endeavor_env.errors import shown
from endeavor_env.merchants.board.geometry import BOTTOM, TOP, Cell, Corner, Edge, as_edge

# --- The words, sizes and fixed values that every board of Merchants of Europe is written with (K1, K2, K11.1) -------

FORMAT = "merchants-board/1"
SIDES = ("short", "expert")
KINDS = ("forest", "meadow", "field", "mountain", "salt_works")
"""Kinds of terrain; in this order they give wood, wool, wheat, ore and salt (K2.2)."""
CITY_COLOURS = ("brown", "violet")
PLAYER_COLOURS = ("red", "blue", "white", "orange")
"""Seat i plays colour i (K1.2)."""
DEVELOPMENT_KINDS = ("safe_conduct", "trade_treaty", "bribe", "lancer")
PLACE, DOTTED = "place", "dotted"
"""Values of a terrain's ``token`` (K2.7)."""
TOKEN_WORDS = (PLACE, DOTTED)

PRINTED_NUMBERS = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)
"""The sums of two dice but seven."""
TOKEN_VALUES = (3, 3, 4, 4, 5, 5, 9, 9, 9, 10, 10, 10, 11, 11, 11)
"""The values of the fifteen tokens (K-R5)."""
TOKENS_OF_KIND = 3
DEVELOPMENT_CARDS = 25
MOST_GOLD = 5
START_POSTS = 3
START_KINDS = {
    "red": ("forest", "field", "salt_works"),
    "blue": ("salt_works", "meadow", "mountain"),
    "white": ("forest", "field", "meadow"),
    "orange": ("mountain", "salt_works", "field"),
}
"""The kinds of terrain that give the start cards of each colour (K3.6)."""

MAX_TERRAINS, MAX_CROSSROADS, MAX_PATHS, MAX_CITIES = 72, 208, 288, 48
"""Largest numbers that the action ids have room for (K11.1)."""
MIN_CITIES = {"short": 28, "expert": 40}
"""So that every post in play can stand (K2.9)."""
MIN_VIOLET = {"short": 12, "expert": 3}
MIN_BROWN_AT_NUMBER = 12
FARTHEST = 1000
"""The largest coordinate that a board file may use, so that places fit into 16 bits."""
MAX_TEXT = 60
"""The longest id of a board or a city."""


# --- The faults that a board can have --------------------------------------------------------------------------------
# By name and in the order in which they are listed (board format, section 3).

FORM_FAULTS = {
    "format": "the format is another one, or a key is missing, unknown or has a value of a wrong type",
    "side": "the side is neither `short` nor `expert`",
    "terrain_twice": "two terrains are on one cell",
    "terrain_kind": "a terrain has an unknown kind",
    "terrain_number": "a printed number is not 2 to 6 or 8 to 12",
    "number_or_token": "a terrain has both a number and a token or neither, or an unknown word for a token",
    "city_name": "an id is there twice or not made of lower-case letters and `_`, or two cities lie on one crossroads",
    "city_place": "a city lies on no crossroads",
    "city_colour": "a city is neither brown nor violet",
    "city_gold": "the gold of a city is not 0 to 5, or not 0 beside three terrains",
    "sea_path": "a sea path is no edge, lies beside a terrain, ends where no crossroads is, or is there twice",
    "arrow_place": "a double arrow is on no path, or there twice",
    "robber_place": "the robber is on no terrain, or not on an empty token place",
    "token_values": "a kind has not three tokens, or the values are not the fifteen of the box",
    "development_cards": "the cards are not of the four kinds, one kind has none, or they are not 25",
}
"""Faults of single entries of the file; everything else is judged only if there is none of these."""
WHOLE_FAULTS = {
    "limits": "there are more terrains, crossroads, paths or cities than the action ids have room for",
    "not_connected": "paths do not lead to every crossroads",
    "city_count": "there are fewer than 28 (short) or 40 (expert) cities",
    "kind_missing": "no terrain of a kind has a printed number",
    "number_missing": "no terrain has the printed number of some sum of two dice other than seven",
    "token_places": "a kind has fewer than three token places, or not exactly one that is dotted",
    "city_colours": "fewer than 12 (short) or 3 (expert) cities are violet, or fewer than 12 brown ones touch a number",
    "start": "on the short side: a colour is missing or unknown; it has not three violet cities of its own, the third "
    "with the terrains of the start cards; its route is on no path, taken, not beside an own post, or joins cities",
}
"""Faults of the board as a whole: graph, economy and start."""
FACT_FAULTS = {
    "fact_names": "a city is missing, or lies on the short side but in western Europe",
    "fact_distance": "cities lie nearer together or farther apart",
    "fact_terrain": "a city does not touch the terrain that it must touch, or a token is missing",
    "fact_gold": "no city shows gold",
    "fact_arrow": "there is no double arrow, or none on a shortest way between Kaliningrad and Wroclaw",
}
"""Contradictions of known facts (K2.10); judged only if nothing else is wrong."""
FAULTS = (*FORM_FAULTS, *WHOLE_FAULTS, *FACT_FAULTS)

Fault = tuple[str, str]
"""The name of a fault, and one sentence about what is wrong and what would be right."""


class FaultList:
    """Faults that are found one by one."""

    def __init__(self) -> None:
        """Begin without a fault."""
        self._found: list[Fault] = []

    def add(self, name: str, detail: str) -> None:
        """Add a fault, one of ``FAULTS``."""
        self._found.append((name, detail))

    def in_order(self) -> list[Fault]:
        """Return all faults in the order of ``FAULTS``, those of one name in the order in which they were found."""
        return sorted(self._found, key=lambda fault: FAULTS.index(fault[0]))


# --- What a board file says, read and typed but not yet numbered -----------------------------------------------------


@dataclass(frozen=True)
class Terrain:
    """One hex of land."""

    at: Cell
    kind: str
    number: int
    """The printed number, 0 without one."""
    token: str
    """``place``, ``dotted``, or "" for a terrain with a printed number."""


@dataclass(frozen=True)
class City:
    """One city."""

    id: str
    at: Corner
    colour: str
    gold: int


@dataclass(frozen=True)
class Start:
    """The start places of one colour (K3.6)."""

    posts: tuple[str, ...]
    route: Edge


@dataclass(frozen=True)
class Content:
    """A whole board file."""

    id: str
    side: str
    facts: bool
    provenance: str
    robber: Cell
    terrains: tuple[Terrain, ...]
    cities: tuple[City, ...]
    sea_paths: tuple[Edge, ...]
    arrows: tuple[Edge, ...]
    tokens: Mapping[str, tuple[int, ...]]
    development: Mapping[str, int]
    start: Mapping[str, Start]
    """By colour; empty on the expert side."""


# --- The kinds of values in a board file, and how a table of them is read: a value of another kind is a fault --------


@dataclass(frozen=True)
class ValueKind:
    """One kind of value."""

    words: str
    """Description of the values that are possible, for faults."""
    read: Callable[[object], Any]
    """Returns the value, None for one of another kind."""


def _whole(value: object) -> int | None:
    return value if type(value) is int else None


def _flag(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _text(value: object) -> str | None:
    return str.__str__(value) if isinstance(value, str) and is_unicode(value) else None


def _name(value: object) -> str | None:
    text = _text(value)
    fits = text is not None and 0 < len(text.strip()) <= len(text) <= MAX_TEXT and text.isprintable()
    return text if fits else None


def _table(value: object) -> dict[str, Any] | None:
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        return None
    return dict(value)


def _list(value: object) -> list[Any] | None:
    return value if isinstance(value, list) else None


def _wholes(value: object) -> tuple[int, ...] | None:
    return tuple(value) if isinstance(value, list) and all(type(one) is int for one in value) else None


def _texts(value: object) -> tuple[str, ...] | None:
    return tuple(value) if isinstance(value, list) and all(_text(one) is not None for one in value) else None


def _cell(value: object) -> Cell | None:
    numbers = _wholes(value)
    if numbers is None or len(numbers) != 2 or any(abs(number) > FARTHEST for number in numbers):
        return None
    return numbers[0], numbers[1]


def _corner(value: object) -> Corner | None:
    if not isinstance(value, list) or len(value) != 3:
        return None
    cell, end = _cell(value[:2]), value[2]
    if cell is None or not isinstance(end, str) or end not in (TOP, BOTTOM):
        return None
    return *cell, str(end)


def _edge(value: object) -> Edge | None:
    if not isinstance(value, list) or len(value) != 2:
        return None
    first, second = _corner(value[0]), _corner(value[1])
    return None if first is None or second is None else as_edge(first, second)


_CORNER_WORDS = f'[q, r, "N"] or [q, r, "S"] with q and r from -{FARTHEST} to {FARTHEST}'
WHOLE = ValueKind("a whole number", _whole)
FLAG = ValueKind("true or false", _flag)
TEXT = ValueKind("a text", _text)
NAME = ValueKind(f"a text of 1 to {MAX_TEXT} printable characters", _name)
TABLE = ValueKind("a table", _table)
LIST = ValueKind("a list", _list)
WHOLES = ValueKind("a list of whole numbers", _wholes)
TEXTS = ValueKind("a list of texts", _texts)
CELL = ValueKind(f"[q, r], two whole numbers from -{FARTHEST} to {FARTHEST}", _cell)
CORNER = ValueKind(_CORNER_WORDS, _corner)
EDGE = ValueKind(f"a list of two corners, each {_CORNER_WORDS}", _edge)


class TableReader:
    """Reads values of tables; what is missing or of another kind becomes a fault ``format`` and is None."""

    def __init__(self, faults: FaultList) -> None:
        """Add to ``faults`` what is wrong."""
        self.faults = faults

    def table(self, value: object, keys: Sequence[str], whose: str) -> dict[str, Any] | None:
        """Return ``value`` if it is a table; keys that are not among ``keys`` are faults."""
        found = _table(value)
        if found is None:
            self.faults.add("format", f"{whose} is {shown(value)}: it must be a table with the keys {', '.join(keys)}")
            return None
        for key in found:
            if key not in keys:
                self.faults.add("format", f"{whose} has the unknown key {shown(key)}: its keys are {', '.join(keys)}")
        return found

    def required(self, table: Mapping[str, Any], key: str, kind: ValueKind, whose: str) -> Any:
        """Return the value of a key that must be there."""
        if key not in table:
            self.faults.add("format", f"{whose} has no {key}: give {kind.words}")
            return None
        return self.optional(table, key, kind, whose)

    def optional(self, table: Mapping[str, Any], key: str, kind: ValueKind, whose: str) -> Any:
        """Return the value of a key that may be missing, None then."""
        return self.value(table[key], kind, f"{key} of {whose}") if key in table else None

    def value(self, value: object, kind: ValueKind, label: str) -> Any:
        """Return one value, which ``label`` names."""
        read = kind.read(value)
        if read is None:
            self.faults.add("format", f"{label} is {shown(value)}: it must be {kind.words}")
        return read
