"""The board of 2009: the facts that the rules state about it, and the BOARD array made of it."""

from __future__ import annotations

import copy
import pickle
from collections import Counter

import numpy as np
import pytest

from endeavor_env.endeavor.board import DEFAULT_BOARD_ID, Board
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.board_array import BOARD

RECORD = Board.default().array[0]


def card(board: Board, card_id: str) -> dict[str, int]:
    """Return the icons and Glory of a card that are not zero."""
    number = board.cards.index(card_id)
    counts = [*RECORD.card_icons[number].tolist(), int(RECORD.card_glory[number])]
    face = dict(zip((*c.STATUS_NAMES, "glory"), counts, strict=True))
    return {key: count for key, count in face.items() if count}


def building(board: Board, building_id: str) -> tuple[int, int, str, list[str]]:
    """Return level, copies, mode and actions of a building."""
    number = board.buildings.index(building_id)
    verbs = ("sail", "occupy", "attack", "draw", "pay")
    actions = [verbs[action] for action in RECORD.building_action[number] if action != c.NONE]
    mode = c.MODE_NAMES[RECORD.building_mode[number]]
    return int(RECORD.building_level[number]), int(RECORD.building_copies[number]), mode, actions


def test_r1_1_seven_regions_one_open_at_the_start(board: Board) -> None:
    assert set(board.regions) == {
        "europe",
        "far_east",
        "india",
        "north_america",
        "caribbean",
        "south_america",
        "africa",
    }
    assert [name for name, is_open in zip(board.regions, RECORD.open_at_start, strict=True) if is_open] == ["europe"]
    homes = Counter(board.regions[region] for region in RECORD.deck_region)
    assert homes == {name: 2 if name == "europe" else 1 for name in board.regions}


def test_r1_2_token_counts() -> None:
    counts = dict(zip(c.TOKEN_NAMES, RECORD.token_count.tolist(), strict=True))
    assert {kind: counts[kind] for kind in c.STATUS_NAMES} == {
        "politics": 25,
        "culture": 20,
        "finance": 17,
        "industry": 17,
    }
    assert sum(counts[kind] for kind in c.TOKEN_NAMES[4:]) == 16
    assert sum(counts.values()) == 95


def test_r1_3_95_spaces_of_three_sorts(board: Board) -> None:
    assert len(board.spaces) == c.NUM_SPACES
    assert len(board.space_index) == 95
    assert int(RECORD.num_cities) + int(RECORD.num_connections) + int(RECORD.track_length.sum()) == 95
    sizes = Counter(board.regions[region] for region in RECORD.city_region[: len(board.cities)])
    assert sizes["europe"] == 10
    for number, name in enumerate(board.regions):
        if name != "europe":
            assert 2 <= sizes[name] <= 5
            assert 6 <= RECORD.track_length[number] <= 8


def test_r1_4_cards_by_deck_and_position(board: Board) -> None:
    assert len(board.cards) == 48
    for number, card_id in enumerate(board.cards):
        deck, value = card_id.split(".")
        assert board.decks[number // 6] == deck
        overseas = deck not in ("europe", "slavery")
        assert value == ("governor" if overseas and number % 6 == 0 else str(number % 6))
        assert RECORD.card_governor[number] == (value == "governor")
        assert RECORD.card_value[number] == number % 6
        assert RECORD.card_slavery[number] == (deck == "slavery")
        assert RECORD.card_abolition[number] == (card_id == "europe.5")
    for number, region in enumerate(board.regions):
        governor = RECORD.governor_card[number]
        assert governor == c.NONE if region == "europe" else board.cards[governor] == f"{region}.governor"


@pytest.mark.parametrize(
    ("building_id", "facts"),
    [
        ("colonial_house", (0, 0, "one", ["occupy"])),
        ("market", (1, 5, "one", ["draw"])),
        ("shipyard", (1, 5, "one", ["sail"])),
        ("workshop", (1, 5, "none", [])),
        ("bank", (2, 4, "none", [])),
        ("barracks", (2, 4, "one", ["attack"])),
        ("guild_hall", (2, 4, "either", ["sail", "draw"])),
        ("dock", (3, 3, "both_same_region", ["sail", "occupy"])),
        ("fortress", (3, 3, "either", ["occupy", "attack"])),
        ("theater", (3, 3, "none", [])),
        ("cartographer", (4, 2, "both_same_region", ["sail", "sail"])),
        ("trade_office", (4, 2, "both_same_deck", ["draw", "draw"])),
        ("university", (4, 2, "none", [])),
        ("exchange", (5, 1, "one", ["pay"])),
        ("museum", (5, 1, "one", ["pay"])),
        ("parliament", (5, 1, "one", ["pay"])),
    ],
)
def test_r1_5_buildings(board: Board, building_id: str, facts: tuple[int, int, str, list[str]]) -> None:
    assert building(board, building_id) == facts


def test_r1_5_building_totals(board: Board) -> None:
    assert len(board.buildings) == RECORD.num_building_types == 16
    assert RECORD.building_copies.sum() == 45
    starts = [name for number, name in enumerate(board.buildings) if RECORD.building_start[number]]
    assert starts == ["colonial_house"]
    assert RECORD.building_icons[board.buildings.index("theater")].tolist() == [0, 2, 0, 0]
    assert RECORD.building_glory[board.buildings.index("university")] == RECORD.building_glory.sum() == 3


@pytest.mark.parametrize(
    ("card_id", "face"),
    [
        ("far_east.governor", {"industry": 2, "culture": 1, "glory": 1}),
        ("africa.governor", {"finance": 2, "politics": 1}),
        ("north_america.3", {"industry": 2, "culture": 2}),
        ("south_america.1", {"culture": 2}),
        ("india.1", {"culture": 1, "politics": 1}),
    ],
)
def test_r1_6_card_faces_of_the_examples(board: Board, card_id: str, face: dict[str, int]) -> None:
    assert card(board, card_id) == face


@pytest.mark.parametrize(
    ("marker", "level"), [(0, 1), (1, 1), (2, 2), (3, 2), (4, 3), (6, 3), (7, 4), (9, 4), (10, 5), (15, 5)]
)
def test_r1_8_what_a_marker_gives(marker: int, level: int) -> None:
    assert RECORD.build_level[marker] == RECORD.payments[marker] == RECORD.card_limit[marker] == level
    assert RECORD.growth[marker] == level + 1


def test_r1_9_glory_on_status_tracks() -> None:
    assert RECORD.status_glory.tolist() == [0, 0, 2, 2, 4, 4, 4, 7, 7, 7, 10, 10, 12, 12, 12, 15]
    assert RECORD.status_max == 15


def test_constants_of_the_rules() -> None:
    assert (RECORD.num_rounds, RECORD.discs_per_player, RECORD.building_spaces, RECORD.card_slots) == (7, 30, 7, 5)
    assert (RECORD.empty_governor_slot_glory, RECORD.discs_per_glory, RECORD.slavery_penalty) == (3, 3, 1)
    assert RECORD.connection_glory == 1


def test_map_tables_agree_with_each_other(board: Board) -> None:
    for number, name in enumerate(board.connections):
        ends = [board.cities[city] for city in RECORD.connection_city[number]]
        assert "--".join(ends) == name
        for city in RECORD.connection_city[number]:
            assert number in RECORD.city_connection[city][: RECORD.city_degree[city]]
    assert RECORD.city_degree.sum() == 2 * len(board.connections)
    assert (RECORD.connection_city[len(board.connections) :] == c.NONE).all()
    assert (RECORD.city_region[len(board.cities) :] == c.NONE).all()
    for city in range(len(board.cities)):
        assert (RECORD.city_connection[city][RECORD.city_degree[city] :] == c.NONE).all()


def test_spaces_name_cities_connections_and_tracks(board: Board) -> None:
    assert board.spaces[: len(board.cities)] == board.cities
    assert board.spaces[c.CONNECTION_SPACES : c.CONNECTION_SPACES + len(board.connections)] == board.connections
    far_east = c.TRACK_SPACES + board.regions.index("far_east") * c.MAX_TRACK
    assert board.spaces[far_east : far_east + 8] == tuple(f"far_east.{place}" for place in range(1, 9))
    assert all(board.spaces[index] == space for space, index in board.space_index.items())


def test_names(board: Board) -> None:
    named = {*board.regions, *board.cities, *board.connections, *board.decks, *board.buildings}
    assert set(board.names) == named
    assert board.names["rio_de_janeiro"] == "Rio de Janeiro"
    assert board.names["london--bombay"] == "London - Bombay"
    assert board.names["europe"] == "Europe & Mediterranean"


def test_default_is_read_once_and_its_array_cannot_be_written(board: Board) -> None:
    assert Board.default() is board
    assert board.id == DEFAULT_BOARD_ID
    assert board.array.shape == (1,)
    assert board.array.dtype == BOARD
    with pytest.raises(ValueError, match="read-only"):
        board.array[0:1]["num_cities"] = 3
    with pytest.raises(ValueError, match="WRITEABLE"):
        board.array.setflags(write=True)
    with pytest.raises(AttributeError, match="cannot assign"):
        board.name = "another"  # type: ignore[misc]
    with pytest.raises(TypeError, match="does not support item assignment"):
        board.names["london"] = "Paris"  # type: ignore[index]


def test_copies_and_pickles_are_equal(board: Board) -> None:
    assert copy.copy(board) is board
    assert copy.deepcopy({"board": board})["board"] is board
    again = pickle.loads(pickle.dumps(board))
    assert again == board
    assert hash(again) == hash(board)
    assert again.hash == board.hash
    assert np.array_equal(again.array, board.array)
    assert again.names == board.names


def test_equality_is_that_of_the_rules_content(board: Board) -> None:
    data = board.to_dict()
    data["cities"][0]["name"] = "Londinium"
    assert Board.from_dict(data) == board
    data["cities"][0]["glory"] = 2
    assert Board.from_dict(data) != board
    renamed = board.to_dict()
    renamed["id"] = "another"
    assert Board.from_dict(renamed) != board
    assert board != "endeavor_2009"
    assert str(board) == f"Board('endeavor_2009', 29 cities, 27 connections, hash {board.hash})"


def test_provenance_of_every_entry(board: Board) -> None:
    origins = board.provenance
    assert origins["cities"].keys() == set(board.cities)
    assert origins["connections"].keys() == set(board.connections)
    assert origins["cards"].keys() == set(board.cards)
    assert origins["cities"]["london"] == "source"
    assert origins["connections"]["london--bombay"] == "source"
    assert origins["cards"]["far_east.governor"] == "seed"
    assert origins["buildings"]["barracks"] == {
        "level": "seed",
        "actions": "reconstructed",
        "icons": "seed",
        "glory": "seed",
    }
    assert origins["regions"]["india"] == {"region": "seed", "track_length": "reconstructed"}
    assert origins["tokens"]["action_split"] == "reconstructed"
    assert origins["status_tracks"]["glory_spaces_7_10_12"] == "seed"
    origins["cities"]["london"] = "box"
    assert board.provenance["cities"]["london"] == "source"


def test_changing_what_to_dict_gave_leaves_the_board_alone(board: Board) -> None:
    board.to_dict()["cities"].clear()
    assert len(board.to_dict()["cities"]) == 29
