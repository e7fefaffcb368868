"""The names of the folders with the records of a tournament, and the list of them."""

from __future__ import annotations

import re

from endeavor_env.agents.matches.recording import make_folder
from endeavor_env.agents.tournament.settings import TournamentSettings
from endeavor_env.basics.files import write_json

FIELDS_FILE = "fields.json"
LONGEST = 80
"""Characters of a field's label in the name of its folder."""


def field_folder(settings: TournamentSettings, table: int, field: int) -> str:
    """Return the name of the folder with the records of a field, given the indexes of its table size and its own."""
    size = settings.tables[table]
    label = re.sub(r"[^\w.=-]+", "_", size.fields[field].label(settings.names)).strip("_.")
    return f"{size.players}_seats_{field:03}_{label[:LONGEST]}"


def write_fields(settings: TournamentSettings) -> None:
    """Write ``fields.json`` into the folder of the records, which is created: who plays in the games of each folder.

    Raises:
        InvalidOptionError: The folder cannot be created.
    """
    if settings.records is None:
        return
    make_folder(settings.records)
    listed = [
        {
            "folder": field_folder(settings, number, index),
            "agents": [settings.agents[agent] for agent in field.agents],
            "difficulty": field.difficulty,
        }
        for number, table in enumerate(settings.tables)
        for index, field in enumerate(table.fields)
    ]
    seats = "in seating r the agent at position i of the list has seat (i + r) modulo the number of agents"
    write_json(settings.records / FIELDS_FILE, {"seats": seats, "fields": listed})
