"""Ties between cities and between tracks (S5.1, S5.2), and who settles what is left (S10).

In every position a single disc of the scale acts, right after the player's pass. Cities that are in nobody's way are
Green's, so that an Attack token finds no target.
"""

from __future__ import annotations

import pytest

from tests.kits.position import Position
from tests.kits.solo_position import GREEN, MAT, RED, VIOLET, WHITE, SoloSee, acting, asked, at_sea, deeds, play

# --- T1: blue tokens -------------------------------------------------------------------------------------------------


def test_S5_1_T1_SA18_a_city_with_a_blue_token_comes_first_even_if_it_does_nothing() -> None:
    position = acting().europe(GREEN, "rome", "lisbon").token("rome", "attack").token("lisbon", "culture")
    game = position.game()
    assert deeds(game, "pass") == ["red occupy:rome"]
    assert SoloSee(game).token_on("rome") is None


def test_S5_1_T1_more_of_them_come_first() -> None:
    position = acting().europe(GREEN, "amsterdam", "paris").city("london", RED)
    position.token("amsterdam", "attack").token("london--amsterdam", "culture")
    position.token("paris", "attack").token("london--paris", "attack")
    assert deeds(position.game(), "pass") == ["red occupy:paris"]


def test_S5_1_T1_a_blue_token_on_a_completed_connection_counts() -> None:
    position = acting().mat(politics=9).europe(GREEN, "amsterdam", "paris").city("london", RED)
    position.token("amsterdam", "politics").token("london--amsterdam", "attack")
    position.token("paris", "culture").token("london--paris", "culture")
    assert deeds(position.game(), "pass") == ["red occupy:amsterdam"]


def test_S5_1_T1_a_blue_token_on_a_connection_that_stays_incomplete_does_not() -> None:
    position = acting().mat(politics=9).europe(GREEN, "amsterdam", "paris").city("london", RED)
    position.token("amsterdam", "politics").token("london--amsterdam", "culture")
    position.token("amsterdam--copenhagen", "attack").token("amsterdam--new_york", "attack")
    position.token("paris", "culture").token("london--paris", "culture")
    assert deeds(position.game(), "pass") == ["red occupy:paris"]


def test_S5_1_T1_equal_numbers_leave_it_to_T2() -> None:
    position = acting().europe(GREEN, "amsterdam", "paris").city("london", RED)
    position.token("amsterdam", "attack").token("london--amsterdam", "culture")
    position.token("paris", "politics").token("london--paris", "attack")
    assert deeds(position.game(), "pass") == ["red occupy:paris"], "a blue token ranks after a status token"


def test_S5_1_T1_does_not_overrule_the_preference_for_two_glory() -> None:
    position = acting().europe(GREEN, "rome").track("india", RED, *[VIOLET] * 5)
    game = position.token("rome", "attack").token("bombay", "attack").token("calcutta", "culture").game()
    assert deeds(game, "pass") == ["red occupy:calcutta"]


def test_S9_1_T1_is_dropped_in_the_easier_game() -> None:
    position = acting().easier().mat(politics=9).europe(GREEN, "rome", "lisbon")
    game = position.token("rome", "attack").token("lisbon", "politics").game()
    assert deeds(game, "pass") == ["red occupy:lisbon"]


# --- T2: the least advanced status -----------------------------------------------------------------------------------


@pytest.mark.parametrize("least", ["culture", "finance", "politics"])
def test_S5_1_T2_SC5_the_lowest_marker_among_the_tokens_of_the_candidates(least: str) -> None:
    position = acting().mat(**{"culture": 5, "finance": 5, "politics": 5, least: 3})
    position.europe(GREEN, "rome", "lisbon", "london")
    position.token("rome", "culture").token("lisbon", "finance").token("london", "politics")
    where = {"culture": "rome", "finance": "lisbon", "politics": "london"}
    assert deeds(position.game(), "pass") == [f"red occupy:{where[least]}"], "nobody offers Industry, which is at 0"


def test_S5_1_T2_the_token_of_the_city_counts_not_that_of_the_connection() -> None:
    position = acting().mat(culture=5, finance=3, politics=9).europe(GREEN, "amsterdam", "paris").city("london", RED)
    position.token("amsterdam", "culture").token("london--amsterdam", "industry")
    position.token("paris", "finance").token("london--paris", "politics")
    assert deeds(position.game(), "pass") == ["red occupy:paris"]


def test_S5_1_T2_cities_without_a_status_token_rank_last() -> None:
    position = acting().mat(politics=16).europe(GREEN, "rome", "lisbon").bare("rome").token("lisbon", "politics")
    assert deeds(position.game(), "pass") == ["red occupy:lisbon"]


def test_SC5_without_T1_a_blue_token_and_no_token_rank_alike() -> None:
    position = acting().easier().europe(GREEN, "rome", "lisbon").bare("rome").token("lisbon", "attack")
    assert asked(position.game(), "pass") == {"occupy:rome", "occupy:lisbon"}


def test_S5_6_SA8_a_city_without_token_is_occupied_in_the_end() -> None:
    assert deeds(acting().europe(GREEN, "rome").bare("rome").game(), "pass") == ["red occupy:rome"]


def test_SC5_markers_do_not_pass_15() -> None:
    position = acting().mat(culture=15, politics=17).europe(GREEN, "rome", "lisbon")
    position.open("far_east", by=WHITE).open("north_america", by=VIOLET)
    game = position.token("rome", "culture").token("lisbon", "politics").game()
    assert asked(game, "pass") == {"occupy:rome", "occupy:lisbon"}


# --- T3: the player --------------------------------------------------------------------------------------------------


def test_S5_1_T3_the_player_chooses_between_equal_markers() -> None:
    position = acting().mat(culture=3, finance=3, politics=4).europe(GREEN, "rome", "lisbon", "london")
    position.token("rome", "culture").token("lisbon", "finance").token("london", "politics")
    game = position.game()
    assert asked(game, "pass") == {"occupy:rome", "occupy:lisbon"}
    assert deeds(game, "occupy:lisbon") == ["red occupy:lisbon"]
    assert SoloSee(game).status(MAT, "finance") == 4


def test_S5_1_T3_the_player_chooses_between_tokens_of_one_kind() -> None:
    position = acting().mat(culture=3).europe(GREEN, "rome", "lisbon")
    game = position.token("rome", "culture").token("lisbon", "culture").game()
    assert asked(game, "pass") == {"occupy:rome", "occupy:lisbon"}


def test_S5_1_the_number_of_connections_is_no_tie_break() -> None:
    position = acting().europe(GREEN, "london", "copenhagen").cities(RED, "amsterdam", "paris")
    game = position.token("london", "politics").token("copenhagen", "politics").game()
    assert asked(game, "pass") == {"occupy:london", "occupy:copenhagen"}


def test_S5_1_glory_is_no_tie_break_in_item_a() -> None:
    position = at_sea().open("africa", by=VIOLET).city("elmina", RED)
    game = position.token("saint_louis", "politics").token("luanda", "politics").game()
    assert asked(game, "pass") == {"occupy:saint_louis", "occupy:luanda"}


# --- tracks ----------------------------------------------------------------------------------------------------------


def three_tracks(far_east: str, india: str, africa: str, *, space: int = 1) -> Position:
    """Red holds this space of three tracks, and the next spaces hold these tokens."""
    discs = [VIOLET] * (space - 1) + [RED]
    position = at_sea().mat(culture=1, politics=3)
    for region, token in {"far_east": far_east, "india": india, "africa": africa}.items():
        position.track(region, *discs).token(f"{region}.{space + 1}", token)
    return position


def test_S5_2_the_token_of_the_least_advanced_status() -> None:
    assert deeds(three_tracks("politics", "culture", "politics").game(), "pass") == ["red sail:india"]


def test_S5_2_the_player_chooses_between_equal_ones() -> None:
    game = three_tracks("politics", "culture", "culture").game()
    assert asked(game, "pass") == {"sail:india", "sail:africa"}
    assert deeds(game, "sail:africa") == ["red sail:africa"]


@pytest.mark.parametrize("space", [1, 3])
def test_S5_2_SC6_blue_tokens_are_offered_beside_the_best_status_token(space: int) -> None:
    game = three_tracks("attack", "culture", "politics", space=space).game()
    assert asked(game, "pass") == {"sail:far_east", "sail:india"}


def test_SC6_every_blue_token_is_offered() -> None:
    assert asked(three_tracks("attack", "pay", "politics").game(), "pass") == {
        "sail:far_east",
        "sail:india",
        "sail:africa",
    }
    assert asked(three_tracks("attack", "pay", "sail_draw").game(), "pass") == {
        "sail:far_east",
        "sail:india",
        "sail:africa",
    }


def test_SC6_a_single_option_is_forced() -> None:
    position = at_sea().track("far_east", RED).token("far_east.2", "attack")
    assert deeds(position.game(), "pass") == ["red sail:far_east"]


def test_S5_2_S5_5_a_blue_token_taken_by_sail_has_no_effect() -> None:
    position = at_sea().city("tangier", WHITE).track("far_east", RED).token("far_east.2", "attack")
    game = position.game()
    before = SoloSee(game.clone()).statuses(MAT)
    assert deeds(game, "pass") == ["red sail:far_east"]
    see = SoloSee(game)
    assert see.token_on("far_east.2") is None
    assert see.tokens(MAT)["attack"] == 0
    assert see.statuses(MAT) == before


def test_SC13_the_easier_game_offers_blue_tokens_on_tracks_too() -> None:
    position = at_sea().easier().mat(culture=1)
    position.track("far_east", RED).track("india", RED).token("far_east.2", "pay").token("india.2", "culture")
    assert asked(position.game(), "pass") == {"sail:far_east", "sail:india"}


def test_S5_2_useless_tokens_are_not_offered() -> None:
    position = at_sea().mat(culture=15, politics=16).track("far_east", RED).track("india", RED).track("africa", RED)
    position.token("far_east.2", "culture").token("india.2", "politics").token("africa.2", "attack")
    position.open("caribbean", by=VIOLET).open("north_america", by=VIOLET)
    assert deeds(position.game(), "pass") == ["red sail:africa"]


@pytest.mark.parametrize(
    ("africa", "india", "options"),
    [
        ("culture", "politics", {"sail:africa"}),
        ("politics", "culture", {"sail:india"}),
        ("culture", "culture", {"sail:africa", "sail:india"}),
        ("politics", "attack", {"sail:africa", "sail:india"}),
    ],
)
def test_SC6_in_item_c_the_token_of_the_last_space_counts(africa: str, india: str, options: set[str]) -> None:
    position = at_sea().mat(culture=1, politics=3).token("africa.6", africa).token("india.6", india)
    position.track("africa", RED, RED, RED, WHITE, WHITE).track("india", GREEN, GREEN, GREEN, WHITE, WHITE)
    game = position.game()
    if len(options) > 1:
        assert asked(game, "pass") == options
        assert deeds(game, "sail:india") == ["governor:india", "red sail:india"]
    else:
        (move,) = options
        assert deeds(game, "pass") == [move.replace("sail", "governor"), f"red {move}"]


# --- the option that settles ties ------------------------------------------------------------------------------------


def test_S10_first_settles_ties_between_cities_in_the_order_of_the_board() -> None:
    position = acting().ties_first().mat(culture=3).europe(GREEN, "rome", "lisbon", "tangier")
    position.token("rome", "culture").token("lisbon", "culture").token("tangier", "culture")
    assert deeds(position.game(), "pass") == ["red occupy:lisbon"]


def test_S10_first_settles_ties_between_tracks_in_the_order_of_the_board() -> None:
    position = at_sea().ties_first().track("africa", RED).track("india", RED).track("caribbean", RED)
    position.token("africa.2", "culture").token("india.2", "culture").token("caribbean.2", "attack")
    assert deeds(position.game(), "pass") == ["red sail:india"]


def test_S10_first_settles_item_d_iii_in_the_order_of_the_board() -> None:
    position = at_sea().ties_first().track("africa", *[VIOLET] * 6).track("caribbean", *[WHITE] * 6)
    assert deeds(position.game(), "pass") == ["red sail:caribbean"]


def test_S10_a_lone_option_is_not_asked_for() -> None:
    game = play(acting().europe(GREEN, "rome").game(), "pass")
    assert (game.phase, game.decision) == ("build", "build")


def test_S10_the_player_decides_and_only_among_the_options() -> None:
    position = acting().europe(GREEN, "rome", "lisbon").token("rome", "culture").token("lisbon", "culture")
    game = play(position.game(), "pass")
    assert (game.seat, game.phase, game.decision) == (0, "action", "opposition")
    assert set(game.legal_moves()) == {"occupy:rome", "occupy:lisbon"}
