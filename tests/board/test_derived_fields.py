"""What the BOARD array holds twice, for speed: every derived field says what the fields it is made of say."""

from __future__ import annotations

import numpy as np
import pytest

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.board_array import DERIVED, DISC_SHIFT, NO_CITY, SPANS_AT_ONCE

BOARDS = [Board.default(), *(Board.generate(seed) for seed in range(4))]
ON_EVERY_BOARD = pytest.mark.parametrize("board", BOARDS, ids=range(len(BOARDS)))


def members(bits: int) -> set[int]:
    """Return the elements of a set of bits."""
    return {index for index in range(64) if int(bits) >> index & 1}


def ends(board: Board) -> set[tuple[int, int]]:
    """Return the connections as pairs of cities, the smaller number first."""
    record = board.array[0]
    return {tuple(sorted(pair)) for pair in record.connection_city[: record.num_connections].tolist()}


@ON_EVERY_BOARD
def test_connections_by_span(board: Board) -> None:
    record, found = board.array[0], []
    for index in range(record.num_spans):
        span = int(record.span[index])
        found += [(city, city + span) for city in members(record.span_cities[index])]
    assert record.num_spans % SPANS_AT_ONCE == 0
    assert not record.span_cities[record.num_spans :].any()
    assert len(found) == record.num_connections
    assert set(found) == ends(board)


@ON_EVERY_BOARD
def test_ends_of_connections(board: Board) -> None:
    record = board.array[0]
    for index in range(c.MAX_CONNECTIONS):
        pair = [record.first_end[index], record.second_end[index]]
        exists = index < record.num_connections
        assert pair == (record.connection_city[index].tolist() if exists else [NO_CITY] * 2)


@ON_EVERY_BOARD
def test_sets_by_which_glory_is_counted(board: Board) -> None:
    record = board.array[0]
    cities, cards = range(record.num_cities), range(c.NUM_CARDS)
    assert [1 + (city in members(record.rich_cities)) for city in cities] == record.city_glory[cities].tolist()
    digits = [members(bits) for bits in record.glory_cards]
    assert [sum((card in cards) << n for n, cards in enumerate(digits)) for card in cards] == record.card_glory.tolist()
    assert members(record.glory_buildings) == set(np.flatnonzero(record.building_glory))
    spaces = {8 * region + space for region in range(c.NUM_REGIONS) for space in range(record.track_length[region])}
    assert members(record.track_spaces) == spaces


def test_glory_of_discs_is_the_quotient_for_every_board() -> None:
    base = Board.default()
    for discs in range(1, 10):
        data = base.to_dict()
        data["constants"]["discs_per_glory"] = discs
        factor = int(Board.from_dict(data).array[0].glory_of_discs)
        assert [count * factor >> DISC_SHIFT for count in range(128)] == [count // discs for count in range(128)]


@ON_EVERY_BOARD
def test_shares_are_those_of_the_counts(board: Board) -> None:
    record = board.array[0]
    assert record.token_share.tolist() == [1.0 / max(1, count) for count in record.token_count.tolist()]
    copies, start = record.building_copies.tolist(), record.building_start.tolist()
    assert record.supply_share.tolist() == [1.0 / max(1, count) for count in copies]
    assert record.building_share.tolist() == [1.0 / max(1, a + b) for a, b in zip(copies, start, strict=True)]
    for status, given in enumerate((record.build_level, record.growth, record.payments, record.card_limit)):
        factor = 1.0 / max(1, int(given[record.status_max]))
        assert record.level_share[status].tolist() == [np.float32(min(1.0, int(level) * factor)) for level in given]


@ON_EVERY_BOARD
def test_shares_of_the_cards_end_with_an_empty_pile(board: Board) -> None:
    record = board.array[0]
    for share, count, factor in (
        (record.value_share, record.card_value, 0.2),
        (record.icons_share, record.card_icons, 0.25),
        (record.glory_share, record.card_glory, 0.25),
    ):
        wanted = np.minimum(1.0, count.astype(np.int64) * factor).astype(np.float32)
        assert (share[: c.NUM_CARDS] == wanted).all()
        assert not share[c.NUM_CARDS :].any()


@ON_EVERY_BOARD
def test_every_derived_field_is_one_of_the_array(board: Board) -> None:
    assert set(DERIVED) < set(board.array.dtype.names or ())
