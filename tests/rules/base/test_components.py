"""Components (section 1): the default board holds what the rulebooks and the data file say."""

from __future__ import annotations

from collections import Counter

import pytest

from endeavor_env import Game
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.rules import constants as c
from tests.kits.position import KINDS, STATUSES, Position, See, play

OVERSEAS = ("far_east", "india", "north_america", "caribbean", "south_america", "africa")
NOTHING = (0, 0, 0, 0)

# level, copies, mode, actions, icons (industry, culture, finance, politics), Glory at the end
BUILDINGS = {
    "colonial_house": (0, 0, "one", ("occupy",), NOTHING, 0),
    "market": (1, 5, "one", ("draw",), NOTHING, 0),
    "shipyard": (1, 5, "one", ("sail",), (0, 1, 0, 0), 0),
    "workshop": (1, 5, "none", (), (2, 0, 0, 0), 0),
    "bank": (2, 4, "none", (), (0, 0, 2, 0), 0),
    "barracks": (2, 4, "one", ("attack",), NOTHING, 0),
    "guild_hall": (2, 4, "either", ("sail", "draw"), NOTHING, 0),
    "dock": (3, 3, "both_same_region", ("sail", "occupy"), NOTHING, 0),
    "fortress": (3, 3, "either", ("occupy", "attack"), (0, 0, 0, 1), 0),
    "theater": (3, 3, "none", (), (0, 2, 0, 0), 0),
    "cartographer": (4, 2, "both_same_region", ("sail", "sail"), NOTHING, 0),
    "trade_office": (4, 2, "both_same_deck", ("draw", "draw"), NOTHING, 0),
    "university": (4, 2, "none", (), NOTHING, 3),
    "exchange": (5, 1, "one", ("pay",), (0, 0, 2, 0), 0),
    "museum": (5, 1, "one", ("pay",), (0, 2, 0, 0), 0),
    "parliament": (5, 1, "one", ("pay",), (0, 0, 0, 2), 0),
}

# card -> icons (industry, culture, finance, politics), Glory: the faces that the rulebooks print
PRINTED_CARDS = {
    "far_east.governor": (2, 1, 0, 0, 1),
    "africa.governor": (0, 0, 2, 1, 0),
    "north_america.3": (2, 2, 0, 0, 0),
    "south_america.1": (0, 2, 0, 0, 0),
    "india.1": (0, 1, 0, 1, 0),
    "slavery.0": (2, 0, 0, 0, 0),
}


def test_R1_1_seven_regions_of_which_only_europe_is_open_and_without_a_track(board: Board) -> None:
    data = board.array[0]
    assert board.regions == ("europe", *OVERSEAS)
    assert list(data.open_at_start) == [1, 0, 0, 0, 0, 0, 0]
    assert [n > 0 for n in data.track_length] == [False] + [True] * 6


def test_R1_1_europe_has_two_piles_and_every_other_region_one(board: Board) -> None:
    data = board.array[0]
    home = {deck: board.regions[data.deck_region[i]] for i, deck in enumerate(board.decks)}
    assert home == {"europe": "europe", "slavery": "europe"} | {region: region for region in OVERSEAS}


def test_R1_1_every_city_belongs_to_a_region_and_is_connected(board: Board) -> None:
    data = board.array[0]
    ends = {city for connection in board.connections for city in connection.split("--")}
    assert ends == set(board.cities)
    assert {int(r) for r in data.city_region[: data.num_cities]} == set(range(c.NUM_REGIONS))


def test_R1_2_ninety_five_tokens_of_eight_kinds(board: Board) -> None:
    counts = dict(zip(KINDS, (int(n) for n in board.array[0].token_count), strict=True))
    assert {kind: counts[kind] for kind in STATUSES} == {"politics": 25, "culture": 20, "finance": 17, "industry": 17}
    assert [counts[kind] for kind in ("attack", "occupy_draw", "sail_draw", "pay")] == [4, 4, 4, 4]
    assert sum(counts.values()) == 95


def test_R1_3_ninety_five_spaces_take_a_token(board: Board) -> None:
    data = board.array[0]
    track_spaces = sum(int(n) for n in data.track_length)
    assert len(board.cities) + len(board.connections) + track_spaces == 95
    expected = {*board.cities, *board.connections}
    expected |= {f"{region}.{n + 1}" for i, region in enumerate(board.regions) for n in range(data.track_length[i])}
    assert set(board.space_index) == expected


def test_R1_3_ten_cities_in_europe_and_bounds_elsewhere(board: Board) -> None:
    data = board.array[0]
    cities = Counter(board.regions[r] for r in data.city_region[: data.num_cities])
    assert cities["europe"] == 10
    for index, region in enumerate(OVERSEAS, start=1):
        assert 2 <= cities[region] <= 5
        assert 6 <= data.track_length[index] <= 8


def test_R1_4_eight_decks_of_six(board: Board) -> None:
    values = {deck: [card.split(".")[1] for card in board.cards if card.split(".")[0] == deck] for deck in board.decks}
    assert len(board.cards) == 48
    for region in OVERSEAS:
        assert values[region] == ["governor", "1", "2", "3", "4", "5"]
    assert values["europe"] == values["slavery"] == ["0", "1", "2", "3", "4", "5"]


def test_R1_4_values_governors_slavery_and_abolition_are_marked(board: Board) -> None:
    data = board.array[0]
    for number, card in enumerate(board.cards):
        deck, value = card.split(".")
        assert data.card_value[number] == (0 if value == "governor" else int(value))
        assert data.card_governor[number] == (value == "governor")
        assert data.card_slavery[number] == (deck == "slavery")
        assert data.card_abolition[number] == (card == "europe.5")


@pytest.mark.parametrize("building", BUILDINGS)
def test_R1_5_building(board: Board, building: str) -> None:
    data, index = board.array[0], board.buildings.index(building)
    level, copies, mode, actions, icons, glory = BUILDINGS[building]
    assert data.building_level[index] == level
    assert data.building_copies[index] == copies
    assert c.MODE_NAMES[data.building_mode[index]] == mode
    assert tuple(c.ACTION_NAMES[a] for a in data.building_action[index] if a != c.NONE) == actions
    assert tuple(data.building_icons[index]) == icons
    assert data.building_glory[index] == glory
    assert data.building_start[index] == (building == "colonial_house")


def test_R1_5_forty_five_buildings_of_fifteen_types(board: Board) -> None:
    data = board.array[0]
    assert board.buildings == tuple(BUILDINGS)
    copies = {level: set() for level in range(1, 6)}
    for index in range(1, data.num_building_types):
        copies[int(data.building_level[index])].add(int(data.building_copies[index]))
    assert copies == {1: {5}, 2: {4}, 3: {3}, 4: {2}, 5: {1}}
    assert int(data.building_copies.sum()) == 45


@pytest.mark.parametrize("card", PRINTED_CARDS)
def test_R1_6_card_faces_given_in_examples(board: Board, card: str) -> None:
    data, number = board.array[0], board.cards.index(card)
    assert (*data.card_icons[number], data.card_glory[number]) == PRINTED_CARDS[card]


def test_R1_7_mat(board: Board) -> None:
    data = board.array[0]
    assert (data.discs_per_player, data.building_spaces, data.card_slots, data.status_max) == (30, 7, 5, 15)


def test_R1_7_everything_is_public() -> None:
    game = Game.new(players=3, seed=1)
    assert set(game.setup()["tokens"]) == set(game.board.space_index)
    assert all(See(game).token_on(space) is not None for space in game.board.space_index)


LEVEL_OF_MARKER = (1, 1, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 5, 5, 5)


@pytest.mark.parametrize(("marker", "level"), list(enumerate(LEVEL_OF_MARKER)))
def test_R1_8_A1_thresholds(board: Board, marker: int, level: int) -> None:
    data = board.array[0]
    assert data.build_level[marker] == level
    assert data.growth[marker] == level + 1
    assert data.payments[marker] == level
    assert data.card_limit[marker] == level


GLORY_OF_MARKER = (0, 0, 2, 2, 4, 4, 4, 7, 7, 7, 10, 10, 12, 12, 12, 15)


@pytest.mark.parametrize(("marker", "glory"), list(enumerate(GLORY_OF_MARKER)))
def test_R1_9_A2_C2_glory_of_a_marker(board: Board, marker: int, glory: int) -> None:
    assert board.array[0].status_glory[marker] == glory


def test_R1_7_a_mat_holds_the_seven_buildings_of_a_game() -> None:
    six = ("market", "market", "shipyard", "workshop", "bank", "barracks")
    game = Position(3).status(0, industry=2, culture=1, finance=2).own(0, *six).round(7).build(0).game()
    play(game, "build:guild_hall")
    assert See(game).own(0).total() == 1 + 7


def test_R12_constants_of_scoring(board: Board) -> None:
    data = board.array[0]
    assert data.empty_governor_slot_glory == 3
    assert data.discs_per_glory == 3
    assert data.slavery_penalty == 1
    assert data.connection_glory == 1
    assert data.num_rounds == 7
