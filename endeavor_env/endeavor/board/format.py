"""The board file format: every key of a file, its kind and its range. ``docs/board.md`` explains the keys.

The ranges admit every board that the kernels can play; ``check_map`` and ``check_components`` compare the entries.
"""

from __future__ import annotations

from endeavor_env.endeavor.board.schema import CardValue, Choice, Entries, Flag, Id, ListOf, Origin, Table, Text, Whole
from endeavor_env.endeavor.rules import constants as c

FORMAT = "endeavor-board/1"
ASPECTS: dict[str, tuple[str, ...]] = {
    "regions": ("region", "track_length"),
    "buildings": ("level", "actions", "icons", "glory"),
    "tokens": ("statuses", "action_total", "action_split"),
    "status_tracks": ("max", "thresholds", "levels", "glory_spaces_7_10_12", "other_glory_spaces"),
}
"""Parts of an entry with separate provenances: the entry gives one word for all, or a table with a word for each."""

LEVEL_TABLES = {"build_level": (1, 5), "growth": (0, 10), "payments": (0, 9), "card_limit": (0, 9)}
"""What a level of a status gives, with its range."""

_MAX_MARKER = c.NUM_MARKERS - 1
_POINTS = Whole(0, 9)
_ICONS = Table(dict.fromkeys(c.STATUS_NAMES, _POINTS), dict.fromkeys(c.STATUS_NAMES, 0))

_REGION = Table(
    {
        "id": Id(),
        "name": Text(),
        "open_at_start": Flag(),
        "track_length": Whole(0, c.MAX_TRACK),
        "provenance": Origin(ASPECTS["regions"]),
    },
    {"open_at_start": False},
)
_CITY = Table({"id": Id(), "name": Text(), "region": Id(), "glory": Whole(1, 2), "provenance": Origin()})
_CONNECTION = Table({"cities": ListOf(Id(), 2, 2), "provenance": Origin()})
_CARD = Table(
    {"value": CardValue(), "icons": _ICONS, "glory": _POINTS, "abolition": Flag(), "provenance": Origin()},
    {"icons": {}, "glory": 0, "abolition": False},
)
_DECK = Table(
    {
        "id": Id(),
        "name": Text(),
        "region": Id(),
        "slavery": Flag(),
        "provenance": Origin(),
        "cards": Entries("card", _CARD),
    },
    {"slavery": False},
)
_BUILDING = Table(
    {
        "id": Id(),
        "name": Text(),
        "level": Whole(0, 5),
        "copies": Whole(0, 99),
        "start": Flag(),
        "mode": Choice(c.MODE_NAMES),
        "actions": ListOf(Choice(c.ACTION_NAMES), 0, c.MAX_ACTION_PARTS),
        "icons": _ICONS,
        "glory": _POINTS,
        "provenance": Origin(ASPECTS["buildings"]),
    },
    {"start": False, "icons": {}, "glory": 0},
)
_TOKENS = Table({**dict.fromkeys(c.TOKEN_NAMES, Whole(0, 99)), "provenance": Origin(ASPECTS["tokens"])})
_STATUS_TRACKS = Table(
    {
        "max": Whole(1, _MAX_MARKER),
        "thresholds": ListOf(Whole(0, _MAX_MARKER), 1, c.NUM_MARKERS),
        **{key: ListOf(Whole(*bounds), 1, c.NUM_MARKERS) for key, bounds in LEVEL_TABLES.items()},
        "glory_spaces": ListOf(Whole(0, _MAX_MARKER), 1, c.NUM_MARKERS),
        "provenance": Origin(ASPECTS["status_tracks"]),
    }
)
_CONSTANTS = Table(
    {
        "rounds": Whole(1, 12),
        "discs_per_player": Whole(1, 60),
        "building_spaces": Whole(1, 12),
        "card_slots": Whole(1, 9),
        "empty_governor_slot_glory": _POINTS,
        "discs_per_glory": Whole(1, 9),
        "slavery_penalty": _POINTS,
        "connection_glory": _POINTS,
        "provenance": Origin(),
    }
)
BOARD_FORMAT = Table(
    {
        "format": Choice((FORMAT,)),
        "id": Id(),
        "name": Text(),
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
