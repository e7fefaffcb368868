"""Boards beside each other."""

from __future__ import annotations

import numpy as np
import pytest

from endeavor_env import Board
from endeavor_env.analysis.board_facts import FACT_COLUMNS, board_facts
from endeavor_env.errors import InvalidOptionError


def test_the_facts_of_a_board_are_those_of_its_data() -> None:
    facts = board_facts([None, "generated_5", Board.generate(6)])
    assert facts.columns == tuple(column.name for column in FACT_COLUMNS)
    assert facts["board"].tolist() == ["endeavor_2009", "generated_5", "generated_6"]
    for row in facts.rows():
        board = Board.resolve(row["board"])
        assert (row["cities"], row["connections"]) == (len(board.cities), len(board.connections))
        assert row["shipping_spaces"] == board.array["track_length"].sum()
        assert row["cities"] + row["connections"] + row["shipping_spaces"] == 95
        ends = [city for connection in board.connections for city in connection.split("--")]
        assert row["busiest_city"] == max(map(ends.count, ends))


def test_published_counts_of_the_board_of_2009() -> None:
    (row,) = board_facts([None]).rows()
    assert row["cities_at_start"] == 10
    assert row["busiest_city"] == 3
    glory = [city["glory"] for city in Board.default().to_dict()["cities"]]
    assert row["city_glory"] == sum(glory) == len(glory) + glory.count(2)


def test_cards_are_counted_over_all_decks() -> None:
    data = Board.default().to_dict()
    before = board_facts([Board.from_dict(data)])
    card = next(card for card in data["decks"][0]["cards"] if card["glory"] == 0)
    card["glory"], card["icons"] = 2, {name: 1 for name in card["icons"]}
    added = 4 - sum(
        Board.default().to_dict()["decks"][0]["cards"][data["decks"][0]["cards"].index(card)]["icons"].values()
    )
    after = board_facts([Board.from_dict({**data, "id": "mine"})])
    assert after["card_glory"][0] - before["card_glory"][0] == 2
    assert after["card_icons"][0] - before["card_icons"][0] == added


def test_no_boards_give_an_empty_table_and_others_are_refused() -> None:
    assert len(board_facts([])) == 0
    assert board_facts([])["cities"].dtype == np.int64
    with pytest.raises(InvalidOptionError, match="the board 'atlantis' is unknown"):
        board_facts(["atlantis"])
