"""Boards beside each other: how many cities, connections and shipping spaces each has, and what lies on it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from endeavor_env.analysis.columns import TYPES, Column
from endeavor_env.analysis.table import Table
from endeavor_env.board import Board
from endeavor_env.game_config import BoardGiven

FACT_COLUMNS = (
    Column("board", "text", "id of the board"),
    Column("cities", "integer", "cities"),
    Column("cities_at_start", "integer", "cities of the region that is open at the start"),
    Column("connections", "integer", "connections"),
    Column("busiest_city", "integer", "most connections of a city"),
    Column("shipping_spaces", "integer", "spaces of all shipping tracks"),
    Column("city_glory", "integer", "Glory of all cities"),
    Column("card_glory", "integer", "Glory on all cards"),
    Column("card_icons", "integer", "icons on all cards"),
)
"""The columns of ``board_facts``."""


def board_facts(boards: Iterable[BoardGiven]) -> Table:
    """Return the table "board_facts" with the columns FACT_COLUMNS, a row for each board.

    Args:
        boards: Boards, or what ``Board.resolve`` takes.

    Raises:
        InvalidOptionError: Something that is no board.
        InvalidBoardError: A board file with faults.
    """
    rows = [_row(Board.resolve(board)) for board in boards]
    return Table(
        "board_facts",
        {
            column.name: np.array([row[index] for row in rows], TYPES[column.type])
            for index, column in enumerate(FACT_COLUMNS)
        },
    )


def _row(board: Board) -> Sequence[Any]:
    """Return the row of a board, in the order of FACT_COLUMNS."""
    data = board.to_dict()
    start = next(region["id"] for region in data["regions"] if region["open_at_start"])
    ends = [city for connection in data["connections"] for city in connection["cities"]]
    cards = [card for deck in data["decks"] for card in deck["cards"]]
    return (
        board.id,
        len(data["cities"]),
        sum(city["region"] == start for city in data["cities"]),
        len(data["connections"]),
        max((ends.count(city) for city in set(ends)), default=0),
        sum(region["track_length"] for region in data["regions"]),
        sum(city["glory"] for city in data["cities"]),
        sum(card["glory"] for card in cards),
        sum(sum(card["icons"].values()) for card in cards),
    )
