"""The columns of all tables with their meanings: the one place where they are documented."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from endeavor_env.endeavor.flow.scoring import PARTS
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.errors import InvalidOptionError, shown

TYPES = {"integer": np.int64, "number": np.float64, "flag": np.bool_, "text": np.object_, "object": np.object_}
"""The NumPy type of each type of column."""


class Column(NamedTuple):
    """One column of a table."""

    name: str
    type: str
    """"integer" (int64), "number" (float64, NaN where there is none), "flag" (bool), "text" (str, "" where there is
    none) or "object" (a Python value, None where there is none)."""
    meaning: str


_GAME = Column("game", "integer", "number of the game in what was given, from 0")
_SEAT = Column("seat", "integer", "seat; in solo 0 is the player and 1 the Opposition, as in `Game.scores()`")
_AGENT = Column("agent", "text", "who plays the seat, as the record says; in solo `opposition`; empty if nobody said")
_OPPOSITION = Column("opposition", "flag", "whether the row is about the Opposition of a solo game")
_LEAD = Column("lead", "integer", "Glory less that of the best other seat, in solo of the other side")
SOURCE_PREFIX = "glory_"
"""Before the key of a source of Glory, in the names of columns."""
_PART_COLUMNS = tuple(
    Column(
        f"{SOURCE_PREFIX}{part.key}",
        "integer",
        f"Glory of the source `{part.key}` of the breakdown"
        + ("" if part.variants == c.VARIANT_NAMES else f"; 0 in variants other than {', '.join(part.variants)}"),
    )
    for part in PARTS
)
MAT_COLUMNS = (
    *(Column(name, "integer", f"icons of {name}, not capped at 15") for name in c.STATUS_NAMES),
    Column("cities", "integer", "cities of the board whose disc is the seat's"),
    Column("connections", "integer", "connections the seat controls: its discs in both cities, no blockade"),
    Column("cards", "integer", "asset cards held face up, Governors and Slavery cards included"),
    Column("governors", "integer", "Governors among them"),
    Column("slavery", "integer", "Slavery cards among them"),
    Column("face_down", "integer", "Slavery cards set aside face down"),
    Column("buildings", "integer", "buildings owned, every copy counted"),
    Column("tokens", "integer", "trade tokens held, blue ones included"),
    Column("supply", "integer", "discs in supply; of the Opposition those of its four colours"),
    Column("harbor", "integer", "discs in harbor; 0 for the Opposition, which has none"),
    Column("discs_on_map", "integer", "discs in cities and on and beside shipping tracks"),
    Column(
        "regions_present",
        "integer",
        "regions in which the seat is present, as the rules count it (with Exploits also by what lies on a tile)",
    ),
)
"""Columns on a seat's mat and its discs on the map, in tables of rounds and of seats."""

COLUMNS: dict[str, tuple[Column, ...]] = {
    "decisions": (
        _GAME,
        Column("move", "integer", "number of the decision in its game, from 0: the index in `Game.history`"),
        Column("round", "integer", "round, 1 to 7; 0 in the set-up"),
        Column("phase", "text", "setup, build, growth, salary or action"),
        Column("decision", "text", "kind of decision, as `Game.decision` names it"),
        Column("seat", "integer", "seat that decided; in solo 0 also where the player chose for the Opposition"),
        _AGENT,
        Column("legal", "integer", "number of legal actions"),
        Column("action", "integer", "action id that was chosen"),
        Column("verb", "text", "verb of the move, such as `occupy`"),
        Column("target", "text", "target of the move, such as `london`; empty for a bare verb"),
        Column("words", "text", "the move as a phrase"),
        Column("glory", "integer", "Glory of the seat before the move, as if the game ended then"),
        Column("gain", "integer", "change of this Glory by the move; in solo also by what the Opposition did next"),
    ),
    "rounds": (
        _GAME,
        Column("round", "integer", "round that ended, 1 to 7; a round under way has no row"),
        _SEAT,
        _AGENT,
        _OPPOSITION,
        Column("glory", "integer", "Glory at the end of the round, as if the game ended then"),
        Column("gain", "integer", "change of it in the round; in round 1 since the game's first decision"),
        _LEAD,
        *MAT_COLUMNS,
        Column("regions_open", "integer", "regions open on the board, the start region included"),
    ),
    "seats": (
        _GAME,
        _SEAT,
        _AGENT,
        _OPPOSITION,
        Column("first_player_offset", "integer", "places after the first player of round 1, who has 0; 0 in solo"),
        Column("score", "integer", "total Glory; of a game under way as if it ended now"),
        Column("rank", "integer", "1 for the highest score; equal scores share the better rank"),
        Column("win_share", "number", "share of the win: 1/k for each of k winners; in solo the player wins ties"),
        _LEAD,
        *_PART_COLUMNS,
        *MAT_COLUMNS,
    ),
    "games": (
        _GAME,
        Column("source", "text", "path of the record, within the folder that was given; empty without a file"),
        Column("variant", "text", "name of the variant"),
        Column("board", "text", "id of the board"),
        Column("players", "integer", "number of seats"),
        Column("seed", "object", "seed of the set-up (int), None if the set-up or only a position was given"),
        Column("exploits", "text", "Exploits in play, separated by spaces"),
        Column("options", "text", "options of the variant that differ from their defaults, as JSON"),
        Column("first_player", "integer", "first player of round 1"),
        Column("moves", "number", "decisions made; NaN for a bare position"),
        Column("round", "integer", "round of the last position, 1 to 7; 0 in the set-up"),
        Column("over", "flag", "whether the game has ended; if not, scores are as if it ended now"),
        Column("winners", "text", "winning seats, separated by spaces; empty for a defeat in solo"),
        Column("best", "integer", "highest score, in solo the player's"),
        Column("margin", "integer", "highest score less the next one; in solo the player's less the Opposition's"),
        Column("ladder", "text", "result of a solo game on the ladder of results; empty in other games"),
        Column("slavery_abolished", "flag", "whether slavery is abolished"),
        Column("regions_open", "integer", "regions open in the last position, the start region included"),
        Column("openings", "text", "regions in the order of opening with their rounds: `india:2 africa:4`"),
    ),
    "regions": (
        _GAME,
        Column("region", "text", "id of the region; the start region has no row"),
        Column("opened", "flag", "whether it was opened"),
        Column("round", "number", "round in which it was opened, NaN if never"),
        Column("order", "number", "1 for the first region opened in its game, and so on; NaN if never"),
        Column("move", "number", "number of the decision that opened it, NaN if never"),
        Column("seat", "number", "seat that made this decision, NaN if never"),
        Column("by_opposition", "flag", "whether a disc of the Opposition opened it, after that decision"),
    ),
}  # fmt: skip
"""The columns of each table, in their order."""


def columns_of(table: str) -> tuple[Column, ...]:
    """Return the columns of a table by its name; raise InvalidOptionError for an unknown one."""
    if table not in COLUMNS:
        raise InvalidOptionError(f"table {shown(table)} is unknown: choose one of {', '.join(COLUMNS)}")
    return COLUMNS[table]


def meanings(table: str) -> str:
    """Return the columns of a table with their types and meanings as a Markdown table."""
    rows = [f"| `{column.name}` | {column.type} | {column.meaning} |" for column in columns_of(table)]
    return "\n".join(["| column | type | meaning |", "|---|---|---|", *rows])
