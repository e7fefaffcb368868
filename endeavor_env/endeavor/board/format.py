"""The board file format: the kinds of fields, and every key with its range."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeGuard

from endeavor_env.endeavor.rules import constants as c

# --- How faults of a board are worded: counts, labels, and values that may be anything -------------------------------

MAX_TEXT = 60
"""Longest id and longest name of a board."""


def shown(value: object) -> str:
    """Return a short text for a value of any type, for use in a fault."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if value.bit_length() <= 64 else f"a number of {value.bit_length()} bits"
    if isinstance(value, float):
        return f"the fraction {value}"
    if isinstance(value, str):
        return ascii(value if len(value) <= MAX_TEXT else value[:MAX_TEXT] + "...")
    for kind, text in ((list, "a list"), (Mapping, "a table"), (type(None), "nothing")):
        if isinstance(value, kind):
            return text
    return f"a {type(value).__name__}"


def spelled(count: int, noun: str) -> str:
    """Return "1 region", "2 regions", "3 cities"."""
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{count} {noun if count == 1 else plural}"


def inside(label: str, key: str) -> str:
    """Return the label of ``key`` within what ``label`` names ("" for the file): ``city london: glory``."""
    if not label:
        return key
    return f"{label}.{key}" if ": " in label else f"{label}: {key}"


# --- The kinds of fields that a board file is made of ----------------------------------------------------------------
# The format below says which field has which kind.
# Reading never raises. A field that is not as described adds one sentence to ``faults`` and is left out of the result,
# so that the checks which compare entries with each other skip what is already known to be wrong.

BoardData = dict[str, Any]
"""A board as nested dicts and lists, laid out as the file is; after reading, every optional key is present."""

GOVERNOR = "governor"
PROVENANCES = {
    "seed": "a rulebook or rules summary states it",
    "source": "a public review or article states it",
    "reconstructed": "not published; chosen to agree with every stated fact, example and total",
    "box": "read off a copy of the game by its owner",
    "invented": "made up for a new board",
    "generated": "drawn by Board.generate",
}
FAULTY = object()
"""Returned instead of a value by a field that has reported a fault."""
_ID = re.compile(r"[a-z][a-z0-9_]*")


class ValueFormat(Protocol):
    """The format of a value, which reads values of it."""

    def read(self, value: object, label: str, faults: list[str]) -> Any:
        """Return ``value``, or FAULTY after adding a sentence to ``faults``, which names the value by ``label``."""
        ...


@dataclass(frozen=True)
class Value:
    """A value that is no list and no table."""

    fits: Callable[[object], bool]
    """Whether a value is as it should be."""
    must: str
    """How it should be, as the end of a sentence about one that is not."""

    def read(self, value: object, label: str, faults: list[str]) -> Any:
        """Return the value or FAULTY."""
        if self.fits(value):
            return value
        faults.append(f"{label} is {shown(value)}; {self.must}")
        return FAULTY


def whole(low: int, high: int) -> Value:
    """Return the format of a whole number from ``low`` to ``high``; true, 1.0 and NaN are not whole numbers."""
    must = f"it must be a whole number from {low} to {high}"
    return Value(lambda value: type(value) is int and low <= value <= high, must)


def one_of(words: tuple[str, ...]) -> Value:
    """Return the format of one of a few words."""
    must = f"it must be one of: {', '.join(words)}"
    return Value(lambda value: isinstance(value, str) and value in words, must)


def _is_id(value: object) -> TypeGuard[str]:
    """Return whether ``value`` may be an id."""
    return isinstance(value, str) and len(value) <= MAX_TEXT and _ID.fullmatch(value) is not None


def _is_text(value: object) -> bool:
    """Return whether ``value`` may be a name to show."""
    return isinstance(value, str) and bool(value.strip()) and value.isprintable() and len(value) <= MAX_TEXT


def _is_card_value(value: object) -> bool:
    """Return whether ``value`` may be that of a card."""
    return value == GOVERNOR if isinstance(value, str) else type(value) is int and 0 <= value < c.CARDS_PER_DECK


FLAG = Value(lambda value: isinstance(value, bool), "it must be true or false")
ID = Value(
    _is_id,
    f"an id is a small letter followed by small letters, digits or underscores, at most {MAX_TEXT} in all",
)
TEXT = Value(_is_text, f"it must be a text of 1 to {MAX_TEXT} printable characters")
CARD_VALUE = Value(_is_card_value, f'it must be "{GOVERNOR}" or a whole number from 0 to {c.CARDS_PER_DECK - 1}')


@dataclass(frozen=True)
class ListOf:
    """A list of ``low`` to ``high`` items that ``item`` reads."""

    item: ValueFormat
    low: int
    high: int

    def read(self, value: object, label: str, faults: list[str]) -> Any:
        """Return a fresh list, or FAULTY when the list or any of its items is not as described."""
        if not isinstance(value, list) or not self.low <= len(value) <= self.high:
            found = f"is a list of {len(value)}" if isinstance(value, list) else f"is {shown(value)}"
            size = f"{self.low}" if self.low == self.high else f"{self.low} to {self.high}"
            faults.append(f"{label} {found}; it must be a list of {size}")
            return FAULTY
        items = [self.item.read(item, f"{label}, item {n}", faults) for n, item in enumerate(value, 1)]
        return FAULTY if any(item is FAULTY for item in items) else items


@dataclass(frozen=True)
class Origin:
    """A provenance: one of the known words or, where ``aspects`` are given, a table with one word for each of them."""

    aspects: tuple[str, ...] = ()

    def read(self, value: object, label: str, faults: list[str]) -> Any:
        """Return the word or a fresh table of words, or FAULTY."""
        words = one_of(tuple(PROVENANCES))
        if not self.aspects or not isinstance(value, Mapping):
            return words.read(value, label, faults)
        table = TableFormat({aspect: words for aspect in self.aspects}).read(value, label, faults)
        return table if len(table) == len(self.aspects) else FAULTY


@dataclass(frozen=True)
class TableFormat:
    """A table with exactly the keys of ``fields``; those in ``defaults`` may be left out."""

    fields: Mapping[str, ValueFormat]
    defaults: Mapping[str, object] = field(default_factory=dict)

    def read(self, value: object, label: str, faults: list[str]) -> Any:
        """Return a fresh dict of the sound fields, in the order of ``fields``; FAULTY if ``value`` is no table."""
        if not isinstance(value, Mapping):
            whose = label or "the board"
            faults.append(f"{whose} is {shown(value)}; it must be a table with the keys {', '.join(self.fields)}")
            return FAULTY
        for key in value:
            if key not in self.fields:
                whose = label or "the board"
                faults.append(f"{whose} has the unknown key {shown(key)}; its keys are {', '.join(self.fields)}")
        found: BoardData = {}
        for key, kind in self.fields.items():
            if key not in value and key not in self.defaults:
                faults.append(f"{inside(label, key)} is missing")
                continue
            result = kind.read(value.get(key, self.defaults.get(key)), inside(label, key), faults)
            if result is not FAULTY:
                found[key] = result
        return found


@dataclass(frozen=True)
class Entries:
    """A list of tables, each called by ``noun`` and its own name in the faults: ``city london``."""

    noun: str
    table: TableFormat

    def read(self, value: object, label: str, faults: list[str]) -> Any:
        """Return a fresh list with one dict an entry, also for a faulty entry; FAULTY if ``value`` is no list."""
        if not isinstance(value, list):
            faults.append(f"{label} is {shown(value)}; it must be a list of tables")
            return FAULTY
        owner = label.rpartition(": ")[0]
        found = []
        for number, entry in enumerate(value, 1):
            name = f"{self.noun} {_own_name(entry) or f'number {number}'}"
            result = self.table.read(entry, f"{owner}: {name}" if owner else name, faults)
            found.append({} if result is FAULTY else result)
        return found


def _own_name(entry: object) -> str | None:
    """Return the name of an entry (its id, its value or its two cities), or None."""
    if not isinstance(entry, Mapping):
        return None
    ends = entry.get("cities")
    if isinstance(ends, list) and len(ends) == 2 and all(_is_id(end) for end in ends):
        return "--".join(ends)
    name = entry.get("id", entry.get("value"))
    if type(name) is int and 0 <= name < c.CARDS_PER_DECK:
        return str(name)
    return name if _is_id(name) else None


# --- The board file format: every key of a file, its kind and its range. ``docs/board.md`` explains the keys ---------
# The ranges admit every board that the kernels can play; ``checks`` compares the entries.

FORMAT = "endeavor-board/1"
ASPECTS: dict[str, tuple[str, ...]] = {
    "regions": ("region", "track_length"),
    "buildings": ("level", "actions", "icons", "glory"),
    "tokens": ("statuses", "action_total", "action_split"),
    "status_tracks": ("max", "thresholds", "levels", "glory_spaces_7_10_12", "other_glory_spaces"),
}
"""Parts of an entry with separate provenances: the entry gives one word for all, or a table with a word for each."""

LEVEL_TABLES = {"build_level": (1, 5), "growth": (0, 10), "payments": (0, 9), "card_limit": (0, 9)}
"""Tables of values by the level of a status, with their ranges."""

_MAX_MARKER = c.NUM_MARKERS - 1
_POINTS = whole(0, 9)
_ICONS = TableFormat(dict.fromkeys(c.STATUS_NAMES, _POINTS), dict.fromkeys(c.STATUS_NAMES, 0))

_REGION = TableFormat(
    {
        "id": ID,
        "name": TEXT,
        "open_at_start": FLAG,
        "track_length": whole(0, c.MAX_TRACK),
        "provenance": Origin(ASPECTS["regions"]),
    },
    {"open_at_start": False},
)
_CITY = TableFormat({"id": ID, "name": TEXT, "region": ID, "glory": whole(1, 2), "provenance": Origin()})
_CONNECTION = TableFormat({"cities": ListOf(ID, 2, 2), "provenance": Origin()})
_CARD = TableFormat(
    {"value": CARD_VALUE, "icons": _ICONS, "glory": _POINTS, "abolition": FLAG, "provenance": Origin()},
    {"icons": {}, "glory": 0, "abolition": False},
)
_DECK = TableFormat(
    {
        "id": ID,
        "name": TEXT,
        "region": ID,
        "slavery": FLAG,
        "provenance": Origin(),
        "cards": Entries("card", _CARD),
    },
    {"slavery": False},
)
_BUILDING = TableFormat(
    {
        "id": ID,
        "name": TEXT,
        "level": whole(0, 5),
        "copies": whole(0, 99),
        "start": FLAG,
        "mode": one_of(c.MODE_NAMES),
        "actions": ListOf(one_of(c.ACTION_NAMES), 0, c.MAX_ACTION_PARTS),
        "icons": _ICONS,
        "glory": _POINTS,
        "provenance": Origin(ASPECTS["buildings"]),
    },
    {"start": False, "icons": {}, "glory": 0},
)
_TOKENS = TableFormat({**dict.fromkeys(c.TOKEN_NAMES, whole(0, 99)), "provenance": Origin(ASPECTS["tokens"])})
_STATUS_TRACKS = TableFormat(
    {
        "max": whole(1, _MAX_MARKER),
        "thresholds": ListOf(whole(0, _MAX_MARKER), 1, c.NUM_MARKERS),
        **{key: ListOf(whole(*bounds), 1, c.NUM_MARKERS) for key, bounds in LEVEL_TABLES.items()},
        "glory_spaces": ListOf(whole(0, _MAX_MARKER), 1, c.NUM_MARKERS),
        "provenance": Origin(ASPECTS["status_tracks"]),
    }
)
_CONSTANTS = TableFormat(
    {
        "rounds": whole(1, 12),
        "discs_per_player": whole(1, 60),
        "building_spaces": whole(1, 12),
        "card_slots": whole(1, 9),
        "empty_governor_slot_glory": _POINTS,
        "discs_per_glory": whole(1, 9),
        "slavery_penalty": _POINTS,
        "connection_glory": _POINTS,
        "provenance": Origin(),
    }
)
BOARD_FORMAT = TableFormat(
    {
        "format": one_of((FORMAT,)),
        "id": ID,
        "name": TEXT,
        "regions": Entries("region", _REGION),
        "cities": Entries("city", _CITY),
        "connections": Entries("connection", _CONNECTION),
        "decks": Entries("deck", _DECK),
        "buildings": Entries("building", _BUILDING),
        "tokens": _TOKENS,
        "status_tracks": _STATUS_TRACKS,
        "constants": _CONSTANTS,
    }
)
