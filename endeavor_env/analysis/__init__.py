"""Tables for research: one row for each decision, round, seat, game or region of any games.

    from endeavor_env import analysis

    seats = analysis.seats("records/")                # games, records, folders of records, a Batch, (N,) STATE
    seats["score"].mean()                             # columns are NumPy arrays
    seats.to_pandas().groupby("rank").mean("score")   # with pandas
    analysis.points_by_source(seats, by="rank")

``COLUMNS`` has the meaning of every column, and ``docs/analysis.md`` shows them.
"""

from __future__ import annotations

from endeavor_env.analysis.columns import COLUMNS, Column, columns_of, meanings
from endeavor_env.analysis.summaries import (
    Matrix,
    action_frequencies,
    glory_by_round,
    opening_rounds,
    openings,
    points_by_source,
    with_agents,
)
from endeavor_env.analysis.table import Table
from endeavor_env.analysis.tables import Tables, decisions, games, regions, rounds, seats, tables

__all__ = [
    "COLUMNS",
    "Column",
    "Matrix",
    "Table",
    "Tables",
    "action_frequencies",
    "columns_of",
    "decisions",
    "games",
    "glory_by_round",
    "meanings",
    "opening_rounds",
    "openings",
    "points_by_source",
    "regions",
    "rounds",
    "seats",
    "tables",
    "with_agents",
]
