"""The priority list of the Opposition's action (S4), items a to d; Draw and useless placements have their own file.

In every position a single disc of the scale acts, right after the player's pass.
"""

from __future__ import annotations

import pytest

from tests.kits.solo_position import (
    BLACK,
    GREEN,
    MAT,
    PLAYER,
    RED,
    VIOLET,
    WHITE,
    SoloPosition,
    SoloSee,
    acting,
    asked,
    at_sea,
    deeds,
    play,
)

RED_WINS_AFRICA = (RED, RED, WHITE, WHITE, GREEN)  # far end first; Red sails the sixth space
WHITE_WINS_AFRICA = (WHITE, WHITE, WHITE, GREEN, RED)


# --- a: a city that completes a connection ---------------------------------------------------------------------------


def test_S4_1_a_a_city_that_completes_a_connection_comes_first() -> None:
    position = acting().mat(politics=9).europe(GREEN, "paris", "rome").city("london", RED)
    game = position.token("paris", "politics").token("rome", "culture").game()
    assert deeds(game, "pass") == ["red occupy:paris"]


def test_S4_1_a_comes_before_a_city_of_two_glory() -> None:
    position = at_sea().city("london", RED).track("india", RED, *[WHITE] * 5)
    game = position.token("bombay", "politics").token("calcutta", "culture").game()
    assert deeds(game, "pass") == ["red occupy:bombay"]


@pytest.mark.parametrize("neighbour", [GREEN, WHITE])
def test_S4_1_a_only_cities_of_the_acting_colour_count(neighbour: int) -> None:
    position = acting().mat(politics=9).europe(GREEN, "paris", "rome").city("london", neighbour)
    game = position.token("paris", "politics").token("rome", "culture").game()
    assert deeds(game, "pass") == ["red occupy:rome"]


def test_S4_1_a_needs_presence_in_the_region_of_the_city() -> None:
    position = at_sea().city("london", RED).track("india", *[WHITE] * 6)
    game = position.token("bombay", "politics").game()
    assert deeds(game, "pass") == ["red sail:india"], "Red is not in India: it ships a disc there first"


def test_S4_1_a_needs_an_open_region() -> None:
    position = at_sea().city("london", RED).track("india", RED, WHITE, WHITE)
    game = position.token("india.4", "politics").game()
    assert deeds(game, "pass") == ["red sail:india"]
    assert SoloSee(game).track("india") == [RED, WHITE, WHITE, RED]


# --- b: any city -----------------------------------------------------------------------------------------------------


def test_S4_1_b_a_city_of_two_glory_is_preferred() -> None:
    position = acting().mat(politics=9).europe(GREEN, "rome").track("africa", RED, *[WHITE] * 5)
    position.token("rome", "culture").token("elmina", "culture").token("luanda", "politics")
    assert deeds(position.game(), "pass") == ["red occupy:luanda"]


def test_S4_1_b_without_one_the_tie_breaks_choose_among_all_regions() -> None:
    position = acting().mat(politics=9, finance=3).europe(GREEN, "rome").track("africa", RED, *[WHITE] * 5)
    position.city("luanda", WHITE).city("saint_louis", WHITE).token("rome", "politics").token("elmina", "finance")
    assert deeds(position.game(), "pass") == ["red occupy:elmina"]


def test_S4_1_b_the_tie_breaks_choose_among_several_of_two_glory() -> None:
    position = acting().mat(politics=9, finance=3).europe(GREEN, "rome")
    position.track("africa", RED, *[WHITE] * 5).track("india", RED, *[WHITE] * 5)
    position.token("rome", "culture").token("luanda", "politics").token("calcutta", "finance")
    assert deeds(position.game(), "pass") == ["red occupy:calcutta"]


def test_SA1_a_lonely_city_of_one_glory_is_occupied_too() -> None:
    game = acting().europe(GREEN, "copenhagen").game()
    assert deeds(game, "pass") == ["red occupy:copenhagen"]


@pytest.mark.parametrize("side", [RED, GREEN, VIOLET, BLACK])
def test_S4_1_b_every_colour_is_present_in_europe(side: int) -> None:
    game = acting(side).europe(WHITE, "copenhagen").game()
    play(game, "pass")
    assert SoloSee(game).owner("copenhagen") == side


def test_S4_1_b_presence_of_another_colour_does_not_help() -> None:
    game = at_sea().track("africa", *[GREEN] * 6).game()
    assert deeds(game, "pass") == ["red sail:africa"]
    assert SoloSee(game).beside("africa", RED) == 1


@pytest.mark.parametrize("how", ["track", "beside", "city"])
def test_S4_1_b_a_disc_on_the_track_beside_it_or_in_a_city_is_presence(how: str) -> None:
    position = at_sea().track("africa", *[GREEN] * 5, RED if how == "track" else GREEN)
    if how == "beside":
        position.beside("africa", RED)
    if how == "city":
        position.city("elmina", RED).city("saint_louis", GREEN)
    assert deeds(position.game(), "pass") == ["red occupy:luanda"]


# --- c: the last space of a track ------------------------------------------------------------------------------------


def test_S4_1_c_completes_a_track_for_its_governor() -> None:
    game = at_sea().mat(culture=1).track("africa", *RED_WINS_AFRICA).token("africa.6", "culture").game()
    assert deeds(game, "pass") == ["governor:africa", "red sail:africa"]
    see = SoloSee(game)
    assert see.is_open("africa")
    assert see.track("africa") == [*RED_WINS_AFRICA, RED]
    assert see.statuses(MAT) == {"industry": 0, "culture": 2, "finance": 2, "politics": 1}
    assert see.cards(MAT) == {"africa.governor"}


def test_S4_1_c_not_if_the_governor_would_go_to_the_player() -> None:
    game = at_sea().track("africa", *WHITE_WINS_AFRICA).game()
    assert deeds(game, "pass") == ["draw:slavery"]
    assert not SoloSee(game).is_open("africa")


@pytest.mark.parametrize(
    ("discs", "done"),
    [
        ((WHITE, WHITE, WHITE, RED, RED), True),  # three each: Red's last disc is nearest the pile
        ((GREEN, GREEN, WHITE, WHITE, VIOLET), False),  # two each: White is nearer than Green
        ((WHITE, WHITE, GREEN, GREEN, VIOLET), True),  # two each: Green is nearer than White
    ],
)
def test_S4_1_c_ties_for_the_governor_go_to_the_disc_nearest_the_pile(discs: tuple[int, ...], done: bool) -> None:
    game = at_sea().track("africa", *discs).game()
    assert deeds(game, "pass") == (["governor:africa", "red sail:africa"] if done else ["draw:slavery"])


@pytest.mark.parametrize("winner", [GREEN, VIOLET, BLACK])
def test_S4_5_any_opposing_colour_may_win_the_governor(winner: int) -> None:
    game = at_sea().track("africa", winner, winner, winner, WHITE, WHITE).game()
    assert deeds(game, "pass") == ["governor:africa", "red sail:africa"]
    assert SoloSee(game).place("africa.governor") == MAT


def test_S4_5_the_discs_of_different_colours_are_not_added() -> None:
    game = at_sea().track("africa", WHITE, WHITE, GREEN, VIOLET, WHITE).game()
    assert deeds(game, "pass") == ["draw:slavery"], "three discs of three colours against three of White"


def test_S4_5_a_colour_wins_the_governor_when_the_player_completes_the_track() -> None:
    position = SoloPosition().track("africa", RED, RED, RED, WHITE, GREEN)
    game = position.own(PLAYER, "shipyard").discs(PLAYER, harbor=2).game()
    assert deeds(game, "activate:shipyard", "sail:africa") == ["governor:africa", "white sail:africa"]


def test_S4_1_c_comes_before_d() -> None:
    position = at_sea().track("africa", GREEN, GREEN, GREEN, WHITE, WHITE).track("india", RED)
    game = position.token("africa.6", "politics").token("india.2", "culture").game()
    assert deeds(game, "pass") == ["governor:africa", "red sail:africa"]


def test_S4_1_b_comes_before_c() -> None:
    game = acting().europe(GREEN, "rome").track("africa", *RED_WINS_AFRICA).game()
    assert deeds(game, "pass") == ["red occupy:rome"]


# --- d: other tracks -------------------------------------------------------------------------------------------------


def test_S4_1_d_i_a_track_with_the_colour_on_space_1_comes_first() -> None:
    position = at_sea().mat(politics=9).track("far_east", RED, GREEN).track("india", GREEN, RED)
    game = position.token("far_east.3", "politics").token("india.3", "culture").game()
    assert deeds(game, "pass") == ["red sail:far_east"]
    assert SoloSee(game).status(MAT, "politics") == 10
    assert SoloSee(game).token_on("far_east.3") is None


def test_S4_1_d_ii_then_space_2_then_space_3_and_so_on() -> None:
    tracks = {
        "caribbean": (GREEN, GREEN, GREEN, RED),
        "india": (GREEN, RED),
        "north_america": (GREEN, GREEN, RED),
    }
    position = at_sea().mat(politics=9)
    for region, discs in tracks.items():
        position.track(region, *discs)
    position.token("india.3", "politics").token("north_america.4", "culture").token("caribbean.5", "culture")
    assert deeds(position.game(), "pass") == ["red sail:india"]
    position.track("india", GREEN, GREEN)
    position.token("north_america.4", "politics")
    assert deeds(position.game(), "pass") == ["red sail:north_america"]
    position.track("north_america", GREEN, GREEN, GREEN).token("north_america.4", "culture")
    assert deeds(position.game(), "pass") == ["red sail:caribbean"]


def test_S4_1_d_ii_discs_of_other_colours_do_not_count() -> None:
    game = at_sea(VIOLET).track("india", RED, GREEN).track("africa", WHITE, BLACK, VIOLET).game()
    assert deeds(game, "pass") == ["violet sail:africa"]


@pytest.mark.parametrize("discs", [(RED, WHITE, WHITE, WHITE, WHITE), (WHITE, RED, WHITE, WHITE, WHITE)])
def test_S4_4_SA16_d_never_completes_a_track(discs: tuple[int, ...]) -> None:
    game = at_sea().track("africa", *discs).game()
    assert deeds(game, "pass") == ["draw:slavery"]


def test_S4_4_the_last_but_one_space_may_be_taken() -> None:
    game = at_sea().track("africa", RED, WHITE, WHITE, WHITE).game()
    assert deeds(game, "pass") == ["red sail:africa"]
    assert not SoloSee(game).is_open("africa")


def test_S4_1_d_iii_a_disc_beside_the_track_of_an_open_region_with_a_free_city() -> None:
    position = at_sea().mat(culture=2, politics=1).track("india", *[GREEN] * 6).city("calcutta", GREEN)
    game = position.game()
    assert deeds(game, "pass") == ["red sail:india"]
    assert SoloSee(game).beside("india", RED) == 1
    assert SoloSee(game).statuses(MAT) == {"industry": 0, "culture": 2, "finance": 0, "politics": 1}, "no token"


def test_S4_1_d_iii_not_where_no_city_is_free() -> None:
    game = at_sea().track("india", *[GREEN] * 6).cities(GREEN, "bombay", "calcutta").game()
    assert deeds(game, "pass") == ["draw:slavery"]


def test_S4_1_d_iii_comes_after_d_ii_and_before_e() -> None:
    position = at_sea().track("india", *[GREEN] * 6).track("africa", WHITE, WHITE, WHITE, RED)
    assert deeds(position.game(), "pass") == ["red sail:africa"]
    position = at_sea().track("india", *[GREEN] * 6).track("africa", *WHITE_WINS_AFRICA)
    assert deeds(position.game(), "pass") == ["red sail:india"]


def test_S4_1_d_iii_the_player_chooses_among_several_regions() -> None:
    position = at_sea().track("india", *[GREEN] * 6).track("africa", *[VIOLET] * 6).track("caribbean", *[BLACK] * 6)
    position.cities(BLACK, "saint_domingue", "port_royal", "havana")
    game = position.game()
    assert asked(game, "pass") == {"sail:india", "sail:africa"}
    assert deeds(game, "sail:africa") == ["red sail:africa"]
