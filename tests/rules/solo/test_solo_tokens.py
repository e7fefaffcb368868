"""The blue tokens the Opposition wins (S5.5, S9), one token at a time.

In every position a single disc of the scale acts, right after the player's pass. Mostly Rome is the only free city, and
the token lies there; cities that are in nobody's way are Green's.
"""

from __future__ import annotations

import pytest

from tests.kits.position import Position
from tests.kits.solo_position import (
    BLACK,
    CITIES,
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
    deeds,
    play,
)

AFRICA, INDIA = CITIES["africa"], CITIES["india"]


def rome(token: str, *free: str, **counts: int) -> Position:
    """Red is to occupy Rome, where this token lies; other free cities hold none."""
    position = acting().mat(**counts).mixed_europe("rome", *free).token("rome", token)
    return position.bare(*free)


# --- Sail / Draw ------------------------------------------------------------------------------------------------


def test_S5_5_sail_draw_completes_a_track_if_the_governor_is_the_oppositions() -> None:
    position = rome("sail_draw").track("africa", RED, RED, WHITE, WHITE, GREEN).token("africa.6", "culture")
    game = position.game()
    assert deeds(game, "pass") == ["governor:africa", "red occupy:rome", "red sail:africa"]
    assert SoloSee(game).statuses(MAT) == {"industry": 0, "culture": 1, "finance": 2, "politics": 1}


def test_S5_5_sail_draw_else_draws() -> None:
    position = rome("sail_draw").track("africa", WHITE, WHITE, WHITE, RED, GREEN).track("india", RED)
    assert deeds(position.game(), "pass") == ["draw:slavery", "red occupy:rome"], "no other Sail is made"


def test_S5_5_sail_draw_the_tie_breaks_choose_among_tracks() -> None:
    position = rome("sail_draw", culture=1, politics=3)
    position.track("africa", RED, RED, WHITE, WHITE, GREEN).token("africa.6", "politics")
    position.track("india", RED, RED, WHITE, WHITE, GREEN).token("india.6", "culture")
    assert deeds(position.game(), "pass") == ["governor:india", "red occupy:rome", "red sail:india"]


def test_S5_5_sail_draw_draws_in_the_region_of_the_token_first() -> None:
    position = rome("sail_draw").abolished().track("africa", RED, *[WHITE] * 5).cities(BLACK, *AFRICA)
    game = position.game()
    assert deeds(game, "pass") == ["draw:europe", "red occupy:rome"], "europe.0 has one icon, africa.1 two"


def test_S5_5_sail_draw_the_best_card_of_the_region() -> None:
    assert deeds(rome("sail_draw").game(), "pass") == ["draw:slavery", "red occupy:rome"]
    assert deeds(rome("sail_draw", industry=14).game(), "pass") == ["draw:europe", "red occupy:rome"]


def test_S5_5_sail_draw_elsewhere_if_nothing_is_legal_there() -> None:
    position = rome("sail_draw", politics=4, culture=1).abolished().cards(MAT, "europe.0", "europe.1")
    game = position.track("africa", RED, *[WHITE] * 5).cities(BLACK, *AFRICA).game()
    assert SoloSee(game).pile("europe")[0] == "europe.2"
    assert deeds(game, "pass") == ["draw:africa", "red occupy:rome"]


def test_S5_5_sail_draw_without_any_legal_pile_does_nothing() -> None:
    position = rome("sail_draw", industry=3, culture=1, finance=2, politics=4)
    position.cards(MAT, "europe.0", "europe.1", "slavery.0", "slavery.1")
    game = position.game()
    assert deeds(game, "pass") == ["red occupy:rome"]
    assert SoloSee(game).tokens(MAT)["sail_draw"] == 0
    assert SoloSee(game).token_on("rome") is None


# --- Occupy / Draw ----------------------------------------------------------------------------------------------


def test_S5_5_occupy_draw_occupies_another_city() -> None:
    assert deeds(rome("occupy_draw", "lisbon").game(), "pass") == ["red occupy:lisbon", "red occupy:rome"]


def test_S5_5_occupy_draw_a_connection_comes_before_two_glory() -> None:
    position = acting().mat(politics=9).mixed_europe("rome", "venice").city("constantinople", RED)
    position.token("rome", "occupy_draw").token("rome--venice", "culture").token("venice", "occupy_draw")
    position.token("venice--constantinople", "culture").track("far_east", RED, *[VIOLET] * 7)
    position.token("macau", "politics").token("nagasaki", "culture")
    game = position.game()
    assert deeds(game, "pass") == ["red occupy:macau", "red occupy:rome", "red occupy:venice"]


def test_S5_5_occupy_draw_a_city_of_two_glory_comes_next() -> None:
    position = acting().mat(politics=9).mixed_europe("lisbon", "rome").city("paris", RED)
    position.token("lisbon", "occupy_draw").token("rome", "culture").track("india", RED, *[VIOLET] * 5)
    game = position.token("calcutta", "politics").token("bombay", "culture").game()
    assert deeds(game, "pass") == ["red occupy:calcutta", "red occupy:lisbon"]


def test_S5_5_occupy_draw_draws_if_no_city_is_free() -> None:
    assert deeds(rome("occupy_draw").game(), "pass") == ["draw:slavery", "red occupy:rome"]


def test_S5_5_occupy_draw_never_sails() -> None:
    position = rome("occupy_draw").track("africa", RED, RED, WHITE, WHITE, GREEN)
    assert deeds(position.game(), "pass") == ["draw:slavery", "red occupy:rome"]


def test_S5_5_the_player_settles_ties_of_a_token_too() -> None:
    game = rome("occupy_draw", "lisbon", "copenhagen").game()
    assert asked(game, "pass") == {"occupy:lisbon", "occupy:copenhagen"}
    assert deeds(game, "occupy:copenhagen") == ["red occupy:copenhagen"]


# --- Attack -----------------------------------------------------------------------------------------------------


def test_TS10_the_attack_takes_the_greatest_swing() -> None:
    game = rome("attack").cities(WHITE, "amsterdam", "london", "paris").game()
    before = SoloSee(game.clone())
    assert deeds(game, "pass") == ["red attack:london", "red occupy:rome"]
    see = SoloSee(game)
    assert see.supply(WHITE) == before.supply(WHITE) + 1
    assert see.supply(RED) == before.supply(RED) - 2
    assert game.breakdown(PLAYER)["connections"] == 0


def test_S5_5_the_swing_counts_new_connections_of_the_colour() -> None:
    position = rome("attack").cities(WHITE, "amsterdam", "copenhagen", "lisbon").cities(RED, "paris", "tangier")
    position.token("lisbon--tangier", "culture").token("paris--lisbon", "finance")
    game = position.game()
    assert deeds(game, "pass") == ["red attack:lisbon", "red occupy:rome"], (
        "1 + 0 + 1 + 2 beats Amsterdam's 1 + 1 + 1 + 0"
    )
    assert SoloSee(game).statuses(MAT) == {"industry": 0, "culture": 1, "finance": 1, "politics": 0}


@pytest.mark.parametrize("present", [True, False])
def test_S5_5_the_swing_counts_glory_twice_and_needs_presence(present: bool) -> None:
    position = rome("attack").cities(WHITE, "amsterdam", "london", "luanda").cities(BLACK, "saint_louis", "elmina")
    position.track("africa", *[VIOLET] * 5, RED if present else VIOLET)
    game = position.game()
    if present:
        assert deeds(game, "pass") == ["red attack:luanda", "red occupy:rome"]
    else:
        assert asked(game, "pass") == {"attack:amsterdam", "attack:london"}


def test_S5_5_the_swing_does_not_count_tokens() -> None:
    position = rome("attack").cities(WHITE, "lisbon", "copenhagen").city("tangier", RED).city("amsterdam", RED)
    position.token("lisbon--tangier", "culture").bare("amsterdam--copenhagen")
    assert asked(position.game(), "pass") == {"attack:lisbon", "attack:copenhagen"}


def test_S5_5_the_player_chooses_between_equal_swings() -> None:
    game = rome("attack").cities(WHITE, "copenhagen", "alexandria", "tangier").game()
    assert asked(game, "pass") == {"attack:copenhagen", "attack:alexandria", "attack:tangier"}
    assert deeds(game, "attack:tangier") == ["red attack:tangier"]


def test_S5_5_only_the_player_is_attacked() -> None:
    game = rome("attack").cities(BLACK, "copenhagen", "lisbon").game()
    assert deeds(game, "pass") == ["red occupy:rome"]


def test_S5_5_a_connection_completed_by_an_attack_brings_its_token_and_its_effect() -> None:
    position = rome("attack", politics=1).city("lisbon", WHITE).city("tangier", RED).tokens(PLAYER, "politics")
    game = position.token("lisbon--tangier", "pay").game()
    assert deeds(game, "pass") == ["red attack:lisbon", "red occupy:rome", "take:politics"]


# --- Pay --------------------------------------------------------------------------------------------------------


def test_S5_5_pay_steals_from_the_player() -> None:
    game = rome("pay", politics=1).status(PLAYER, politics=2).game()
    before = SoloSee(game.clone())
    assert deeds(game, "pass") == ["red occupy:rome", "take:politics"]
    see = SoloSee(game)
    assert see.status(PLAYER, "politics") == before.status(PLAYER, "politics") - 1
    assert see.status(MAT, "politics") == 2
    assert see.tokens(PLAYER)["politics"] == 1
    assert see.tokens(MAT) == {"politics": 2}


def test_S5_5_SA11_SC9_pay_looks_at_the_statuses_of_which_the_player_holds_tokens() -> None:
    position = rome("pay", culture=1, finance=4, politics=3).status(PLAYER, finance=1, politics=1)
    assert deeds(position.game(), "pass") == ["red occupy:rome", "take:politics"], "Industry and Culture are lower"


def test_SC9_icons_on_buildings_and_cards_are_no_tokens() -> None:
    position = rome("pay").own(PLAYER, "workshop", "bank", "theater").cards(PLAYER, "europe.0").tokens(PLAYER, "pay")
    position.status(PLAYER, industry=2, finance=2, culture=2, politics=1)
    assert deeds(position.game(), "pass") == ["red occupy:rome"]


def test_SC9_the_player_chooses_between_equal_markers() -> None:
    position = rome("pay", culture=2, finance=2, politics=3).status(PLAYER, culture=1, finance=2, politics=1)
    game = position.game()
    assert asked(game, "pass") == {"take:culture", "take:finance"}
    assert deeds(game, "take:finance") == ["take:finance"]
    assert SoloSee(game).statuses(MAT) == {"industry": 0, "culture": 2, "finance": 3, "politics": 3}


def test_SC9_first_takes_the_first_of_equal_markers() -> None:
    position = acting().ties_first().mixed_europe("rome").token("rome", "pay")
    assert deeds(position.status(PLAYER, politics=1, finance=1).game(), "pass") == ["red occupy:rome", "take:finance"]


def test_SC9_markers_do_not_pass_15() -> None:
    position = rome("pay", culture=16, finance=15).open("india", by=GREEN).open("caribbean", by=VIOLET)
    position.status(PLAYER, culture=1, finance=1)
    assert asked(position.game(), "pass") == {"take:culture", "take:finance"}


# --- the same for all tokens ------------------------------------------------------------------------------------


@pytest.mark.parametrize("token", ["sail_draw", "occupy_draw", "attack", "pay"])
def test_S5_5_a_blue_token_leaves_the_game(token: str) -> None:
    position = rome(token).city("lisbon", WHITE).status(PLAYER, culture=1)
    game = play(position.game(), "pass")
    see = SoloSee(game)
    assert see.token_on("rome") is None
    assert not {"sail_draw", "occupy_draw", "attack", "pay"} & set(see.tokens(MAT))


@pytest.mark.parametrize("token", ["sail_draw", "occupy_draw", "attack", "pay"])
def test_S9_1_in_the_easier_game_no_blue_token_has_an_effect(token: str) -> None:
    position = acting().easier().mixed_europe("rome").token("rome", token).city("lisbon", WHITE)
    position.status(PLAYER, culture=1).track("africa", RED, RED, WHITE, WHITE, GREEN)
    game = position.game()
    assert deeds(game, "pass") == ["red occupy:rome"]
    assert SoloSee(game).token_on("rome") is None


def test_S9_1_nor_one_from_a_connection() -> None:
    position = acting().easier().mixed_europe("rome").token("rome", "culture").city("venice", RED)
    game = position.token("rome--venice", "occupy_draw").status(PLAYER, culture=1).game()
    assert deeds(game, "pass") == ["red occupy:rome"]
    assert SoloSee(game).token_on("rome--venice") is None


@pytest.mark.parametrize(
    ("token", "more"),
    [
        ("attack", ["red attack:lisbon"]),
        ("pay", ["take:culture"]),
        ("occupy_draw", ["draw:slavery"]),
        ("sail_draw", ["draw:slavery"]),
    ],
)
def test_S9_2_SA12_in_the_harder_game_a_token_won_by_sail_is_carried_out(token: str, more: list[str]) -> None:
    for position, expected in ((acting().harder(), more), (acting(), [])):
        base = position.mixed_europe().track("far_east", RED).token("far_east.2", token).city("lisbon", WHITE)
        game = base.status(PLAYER, culture=1).game()
        assert deeds(game, "pass") == sorted(["red sail:far_east", *expected])


def test_S9_2_SC8_opening_and_governor_come_before_the_token() -> None:
    position = (
        acting().harder().mixed_europe().mat(culture=2, politics=2).track("africa", RED, RED, WHITE, WHITE, GREEN)
    )
    game = position.token("africa.6", "occupy_draw").token("luanda", "culture").game()
    assert deeds(game, "pass") == ["governor:africa", "red occupy:luanda", "red sail:africa"]


def test_S9_2_SC8_the_governor_counts_before_a_stolen_token_is_chosen() -> None:
    position = (
        acting().harder().mixed_europe().mat(finance=1, politics=2).track("caribbean", RED, RED, WHITE, WHITE, GREEN)
    )
    position.token("caribbean.6", "pay").status(PLAYER, finance=1, politics=1)
    assert deeds(position.game(), "pass") == ["governor:caribbean", "red sail:caribbean", "take:politics"]


def test_S9_2_cities_work_as_in_the_normal_game() -> None:
    position = acting().harder().mixed_europe("rome").token("rome", "pay").status(PLAYER, culture=1)
    assert deeds(position.game(), "pass") == ["red occupy:rome", "take:culture"]


def test_S5_6_the_player_may_occupy_a_city_without_token_too() -> None:
    position = SoloPosition().discs(PLAYER, harbor=2).bare("rome")
    game = position.game()
    before = SoloSee(game).statuses(PLAYER)
    assert deeds(game, "activate:colonial_house", "occupy:rome") == ["white occupy:rome"]
    assert SoloSee(game).statuses(PLAYER) == before
