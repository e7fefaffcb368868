"""The games that can be played on the page: everything else in this package knows them by this list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from endeavor_env.agents.games import OTHER_GAMES
from endeavor_env.agents.local_page import RefusedError
from endeavor_env.agents.play.endeavor_table import EndeavorTable
from endeavor_env.agents.play.rails_table import RailsTable
from endeavor_env.agents.play.table import Table
from endeavor_env.engine.base_game import BaseGame
from endeavor_env.errors import shown

ENDEAVOR = "endeavor"
TABLES: dict[str, Table] = {ENDEAVOR: EndeavorTable(), **{game.name: RailsTable(game) for game in OTHER_GAMES}}
"""The kinds of games by name."""


def table_of(game: BaseGame) -> Table:
    """Return the kind of a game."""
    return next(table for table in TABLES.values() if table.plays(game))


def is_record(fields: Mapping[str, Any]) -> bool:
    """Return whether fields are those of a record of any of the games."""
    return any(table.is_record(fields) for table in TABLES.values())


def table_for(record: Mapping[str, Any]) -> Table:
    """Return the kind of game of a record: Endeavor, which says what is wrong with it, if it is of none."""
    known = record if isinstance(record, Mapping) else {}
    return next((table for table in TABLES.values() if table.is_record(known)), TABLES[ENDEAVOR])


def table_in(game: str) -> RailsTable | None:
    """Return the game on the engine that a text names before its colon; None if it names none."""
    table = TABLES.get(game.partition(":")[0])
    return table if isinstance(table, RailsTable) else None


def table_named(name: object) -> Table:
    """Return a kind of game by its name, Endeavor for None; raise RefusedError if there is none."""
    table = TABLES.get(ENDEAVOR if name is None else name) if name is None or isinstance(name, str) else None
    if table is None:
        raise RefusedError(400, f"there is no game {shown(name)}: possible are {', '.join(TABLES)}")
    return table
