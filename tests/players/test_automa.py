"""The automa: the list a) to e) and its tie-breaks for a seat (S4, S5), which source it uses, and when it passes.

Every position has one seat, 0, to move. Europe is in the others' hands but for the cities named.
"""

from __future__ import annotations

import pytest

from tests.kits.automa import chosen, full_europe, inland, table, turn
from tests.kits.compiled import compiled_action
from tests.kits.position import Position, play
from tests.kits.variant_position import Variant

HOUSE = "activate:colonial_house"

# --- a and b: Occupy --------------------------------------------------------------------------------------------------


def test_S4_1_a_a_city_that_completes_a_connection_comes_before_one_of_two_glory() -> None:
    position = inland(free=("rome", "paris")).city("london", 0).track("india", 0, 1, 1, 1, 1, 1)
    position.token("paris", "culture").token("london--paris", "culture").token("rome", "attack")
    assert turn(position.game()) == [HOUSE, "occupy:paris"]


def test_S4_1_a_only_where_the_region_is_open_and_the_seat_present() -> None:
    position = inland(free=("rome",)).cities(0, "london").track("india", 1, 1, 1, 2, 2, 2)
    assert turn(position.game()) == [HOUSE, "occupy:rome"], "bombay would connect with london, but seat 0 is not there"


def test_S4_1_b_a_city_of_two_glory_comes_first() -> None:
    position = inland(free=("rome",)).track("india", 0, 1, 1, 1, 1, 1).token("rome", "attack")
    position.token("bombay", "attack").token("calcutta", "industry").status(0, industry=5)
    assert turn(position.game()) == [HOUSE, "occupy:calcutta"]


def test_S4_1_b_else_any_city() -> None:
    assert turn(inland(free=("rome",)).game()) == [HOUSE, "occupy:rome"]


def test_S5_1_T1_more_blue_tokens_come_first_also_on_connections() -> None:
    position = inland(free=("amsterdam", "paris")).city("london", 0)
    position.token("amsterdam", "attack").token("london--amsterdam", "culture")
    position.token("paris", "attack").token("london--paris", "pay")
    assert turn(position.game()) == [HOUSE, "occupy:paris"]


@pytest.mark.parametrize(("low", "city"), [("culture", "rome"), ("finance", "lisbon"), ("politics", "london")])
def test_S5_1_T2_the_least_advanced_status_of_the_seat(low: str, city: str) -> None:
    position = inland(free=("london", "rome", "lisbon")).status(
        0, **{"culture": 4, "finance": 4, "politics": 4, low: 3}
    )
    position.token("rome", "culture").token("lisbon", "finance").token("london", "politics")
    assert turn(position.game()) == [HOUSE, f"occupy:{city}"]


def test_S5_1_T3_what_is_left_open_is_settled_by_the_order_of_the_board() -> None:
    position = inland(free=("rome", "london", "lisbon"))
    for city in ("rome", "london", "lisbon"):
        position.token(city, "culture")
    assert turn(position.game()) == [HOUSE, "occupy:london"]


# --- c: Sail for a Governor -------------------------------------------------------------------------------------------


def test_S4_1_c_a_track_is_completed_for_the_governor() -> None:
    position = inland("shipyard").track("india", 0, 0, 0, 1, 1).track("africa", 0, 1).token("africa.3", "attack")
    assert turn(position.game()) == ["activate:shipyard", "sail:india"]


def test_S4_1_c_not_if_another_side_gets_it() -> None:
    position = inland("shipyard").track("india", 1, 1, 1, 1, 0).track("africa", 0, 1).token("africa.3", "culture")
    assert turn(position.game()) == ["activate:shipyard", "sail:africa"]


def test_S4_1_c_comes_after_b() -> None:
    position = inland("shipyard", free=("rome",)).track("india", 0, 0, 0, 1, 1)
    assert turn(position.game()) == [HOUSE, "occupy:rome"]


# --- d: Sail ----------------------------------------------------------------------------------------------------------


def test_S4_1_d_i_the_track_whose_first_space_the_seat_has() -> None:
    position = inland("shipyard").track("india", 1, 0).track("africa", 0, 1)
    position.token("india.3", "attack").token("africa.3", "culture")
    assert turn(position.game()) == ["activate:shipyard", "sail:africa"]


def test_S4_1_d_ii_then_one_of_which_it_has_a_later_space_the_farthest_first() -> None:
    position = inland("shipyard").track("india", 1, 2, 0).track("africa", 1, 0).track("caribbean", 2, 1)
    for space in ("india.4", "africa.3", "caribbean.3"):
        position.token(space, "culture")
    assert turn(position.game()) == ["activate:shipyard", "sail:africa"]


def test_S4_4_d_never_completes_a_track() -> None:
    position = inland("shipyard").track("india", 0, 1, 1, 1, 1).track("africa", 1, 0)
    position.token("india.6", "attack").token("africa.3", "culture")
    assert turn(position.game()) == ["activate:shipyard", "sail:africa"]


def test_S4_3_d_a_useless_token_makes_way_for_one_that_counts() -> None:
    position = inland("shipyard").track("india", 0).track("africa", 1, 0)
    position.status(0, industry=15, culture=1).token("india.2", "industry").token("africa.3", "culture")
    assert turn(position.game()) == ["activate:shipyard", "sail:africa"]


def test_S5_2_the_token_of_the_least_advanced_status() -> None:
    position = inland("shipyard").track("india", 0).track("africa", 0).status(0, culture=3, finance=4)
    position.token("india.2", "finance").token("africa.2", "culture")
    assert turn(position.game()) == ["activate:shipyard", "sail:africa"]


def test_S5_2_the_licence_to_take_a_blue_token_is_always_used() -> None:
    position = inland("shipyard").track("india", 0).track("africa", 0)
    position.token("india.2", "culture").token("africa.2", "pay")
    assert turn(position.game()) == ["activate:shipyard", "sail:africa"]


def test_S5_2_a_tie_goes_to_the_track_with_the_fewest_free_spaces() -> None:
    position = inland("shipyard").track("india", 0, 1).track("africa", 0, 1, 1).track("caribbean", 0, 1, 1)
    for space in ("india.3", "africa.4", "caribbean.4"):
        position.token(space, "culture")
    assert turn(position.game()) == ["activate:shipyard", "sail:caribbean"], "then to the first on the board"


def test_S4_1_d_iii_a_disc_beside_the_track_of_an_open_region_with_a_free_city() -> None:
    position = inland("shipyard").track("caribbean", *[1] * 6).track("india", *[1] * 6)
    position.cities(2, "bombay", "calcutta")
    assert turn(position.game()) == ["activate:shipyard", "sail:caribbean"]


def test_S4_1_d_iii_comes_after_d_ii() -> None:
    position = inland("shipyard").track("caribbean", *[1] * 6).track("india", 2, 0).token("india.3", "culture")
    assert turn(position.game()) == ["activate:shipyard", "sail:india"]


def test_S4_1_d_iii_not_where_the_seat_is_present_already() -> None:
    """A colour of the Opposition never is: it would have occupied. A seat may lack the action to do so."""
    position = table("shipyard").workers(0, "colonial_house").track("caribbean", 0, *[1] * 5)
    position.track("africa", 2).token("africa.2", "culture").token("far_east.1", "pay")
    assert turn(position.game()) == ["activate:shipyard", "sail:far_east"]


# --- e: Draw ----------------------------------------------------------------------------------------------------------


def test_S4_1_e_draws_where_the_seat_has_most_discs() -> None:
    position = inland("market").track("africa", 0, 0, 0, 1, 1, 1).track("india", 0, 0, 1, 1, 1, 1)
    position.cities(1, "saint_louis", "elmina", "luanda", "bombay", "calcutta")
    assert turn(position.game()) == ["activate:market", "draw:africa"]


def test_S4_1_e_comes_after_d() -> None:
    position = inland("market", "shipyard").track("india", 0).token("india.2", "culture")
    assert turn(position.game()) == ["activate:shipyard", "sail:india"]


def drawing(**status: int) -> Position:
    """Three discs of seat 0 in Europe, where it may draw europe.2 or slavery.2."""
    position = inland("market").cities(0, "rome", "copenhagen").cards(1, "slavery.0", "slavery.1")
    return position.cards(2, "europe.0", "europe.1").status(0, **status)


@pytest.mark.parametrize(
    ("status", "deck", "reason"),
    [
        ({"culture": 9, "finance": 9, "politics": 9}, "slavery", "C1: four steps against three"),
        ({"industry": 14, "finance": 14}, "europe", "C1: two steps against three"),
        (
            {"industry": 14, "culture": 9, "finance": 5, "politics": 9},
            "slavery",
            "C2: two icons in Finance against one",
        ),
        ({"industry": 14, "culture": 3, "finance": 13, "politics": 3}, "europe", "C2: two icons there against none"),
    ],
)
def test_S5_3_the_card_that_advances_most(status: dict[str, int], deck: str, reason: str) -> None:
    assert turn(drawing(**status).game()) == ["activate:market", f"draw:{deck}"], reason


def test_S4_3_e_a_card_that_brings_nothing_is_left_alone() -> None:
    assert chosen(inland("market").abolished().status(0, politics=15).game()) == "pass"


def test_S4_3_e_glory_alone_is_something() -> None:
    position = inland("market").cities(0, "rome", "copenhagen", "lisbon").abolished()
    position.cards(1, "europe.0", "europe.1").cards(2, "europe.2").status(0, culture=15, politics=15)
    assert turn(position.game()) == ["activate:market", "draw:europe"]


# --- where the list ends ----------------------------------------------------------------------------------------------


def test_automa_begins_a_track_by_the_tokens_if_it_has_none() -> None:
    position = inland("shipyard").status(0, culture=2)
    for region in ("far_east", "india", "north_america", "caribbean", "south_america"):
        position.token(f"{region}.1", "culture")
    assert turn(position.token("africa.1", "politics").game()) == ["activate:shipyard", "sail:africa"]


def test_automa_begins_no_track_that_it_would_complete() -> None:
    position = inland("shipyard").track("africa", *[1] * 5).token("africa.6", "attack")
    position.token("far_east.1", "pay")
    assert turn(position.game()) == ["activate:shipyard", "sail:far_east"]


def test_automa_draws_before_it_begins_another_track() -> None:
    position = inland("shipyard", "market").token("far_east.1", "attack")
    assert turn(position.game())[0] == "activate:market"


def test_automa_ships_for_a_useless_token_rather_than_not_at_all() -> None:
    position = inland("shipyard", "barracks", harbor=3).track("india", 0).status(0, industry=15, culture=1)
    position.track("far_east", *[1] * 7).track("south_america", *[1] * 6).track("north_america", *[2] * 5)
    position.track("caribbean", *[2] * 5).track("africa", *[2] * 5).token("india.2", "industry")
    game = position.game()
    assert turn(game)[0] == "activate:barracks", "but only after everything that brings something"
    assert turn(position.discs(0, harbor=2).game()) == ["activate:shipyard", "sail:india"]
    assert turn(position.track("india", 1).game()) == ["activate:shipyard", "sail:india"], (
        "where it has no disc as well"
    )


def test_automa_attacks_where_most_glory_changes_hands() -> None:
    position = full_europe(table("barracks"), "london", "amsterdam", "paris", "lisbon", "tangier")
    position.workers(0, "colonial_house").cities(1, "london", "paris", "lisbon").cities(2, "amsterdam", "tangier")
    assert turn(position.game()) == ["activate:barracks", "attack:paris"], "paris cuts two connections of seat 1"


def test_automa_counts_the_connections_it_wins() -> None:
    position = full_europe(table("barracks"), "tangier").workers(0, "colonial_house").city("tangier", 0)
    assert turn(position.game()) == ["activate:barracks", "attack:lisbon"]


@pytest.mark.parametrize("variant", ["soloplay_2", "neutral_2"])
def test_automa_attacks_a_player_rather_than_a_neutral_side_which_loses_nothing(variant: str) -> None:
    position = Variant(variant).own(0, "barracks").discs(0, harbor=3).workers(0, "colonial_house")
    position.cities(2, "london", "venice").cities(1, "rome")
    assert turn(position.game())[:2] == ["activate:barracks", "attack:rome"]


def test_automa_attacks_only_what_the_list_leaves() -> None:
    position = inland("barracks", "shipyard").workers(0, "colonial_house").token("far_east.1", "pay")
    assert turn(position.game()) == ["activate:shipyard", "sail:far_east"]


def test_automa_pays_last_and_frees_the_building_first_in_the_list() -> None:
    position = inland("museum", "market", "shipyard", "dock", harbor=2)
    position.workers(0, "colonial_house", "market", "shipyard", "dock")
    assert turn(position.game()) == ["activate:museum", "pay:dock"], "which occupies and sails"


def test_automa_does_not_free_one_pay_building_with_another() -> None:
    position = inland("museum", "exchange", harbor=2).workers(0, "exchange")
    assert chosen(position.game()) == "pass"


def test_automa_passes_when_nothing_is_left() -> None:
    assert chosen(inland(harbor=8).game()) == "pass"
    assert chosen(table(harbor=1).game()) == "pass", "a disc to activate, none to occupy"


# --- which building, which token --------------------------------------------------------------------------------------


def test_automa_uses_a_token_before_a_building() -> None:
    position = inland(free=("rome",)).tokens(0, "occupy_draw")
    assert turn(position.game()) == ["spend:occupy_draw", "occupy:rome"]


def test_automa_draws_with_the_token_that_cannot_occupy() -> None:
    position = inland().tokens(0, "occupy_draw", "sail_draw")
    assert turn(position.game())[0] == "spend:sail_draw"


def test_S5_5_a_token_sails_only_to_complete_a_track() -> None:
    position = inland().track("india", 0).tokens(0, "sail_draw").token("india.2", "attack")
    assert turn(position.game()) == ["spend:sail_draw", "draw:slavery"]
    position = inland().track("india", 0, 0, 0, 1, 1).tokens(0, "sail_draw")
    assert turn(position.game()) == ["spend:sail_draw", "sail:india"]


def test_automa_keeps_a_token_that_would_bring_nothing() -> None:
    position = inland().track("india", 0).tokens(0, "sail_draw").abolished().status(0, politics=15)
    assert chosen(position.game()) == "pass"


def test_automa_uses_the_first_building_that_serves() -> None:
    position = inland("dock", "fortress", free=("rome",))
    assert turn(position.game())[0] == HOUSE
    position = inland("dock", "fortress", free=("rome",)).workers(0, "colonial_house")
    assert turn(position.game())[0] == "activate:dock"


# --- the second half of an action -------------------------------------------------------------------------------------


def overseas(*own: str, harbor: int = 5) -> Position:
    """Seat 0 is present in two open regions, of which the Caribbean has the better city."""
    position = inland(*own, harbor=harbor).workers(0, "colonial_house")
    return position.track("caribbean", 0, *[1] * 5).track("africa", 0, *[1] * 5)


def test_R8_8_the_second_half_stays_in_the_region_of_the_first() -> None:
    position = overseas("dock").city("saint_domingue", 1).city("luanda", 0)
    position.token("elmina", "culture").token("elmina--luanda", "culture").token("havana", "attack")
    position.token("port_royal", "culture")
    game = play(position.game(), "activate:dock", "sail:caribbean")
    assert chosen(game) == "occupy:port_royal", "two Glory, although elmina would be first in the list"


def test_R8_8_there_too_a_connection_comes_before_two_glory() -> None:
    position = inland("dock", free=("paris",), harbor=5).workers(0, "colonial_house").city("paris", 0)
    game = position.track("caribbean", 0, *[1] * 5).token("port_royal", "attack").game()
    assert chosen(play(game, "activate:dock", "sail:caribbean")) == "occupy:saint_domingue"


def test_R8_8_there_too_blue_tokens_come_before_the_least_advanced_status() -> None:
    position = overseas("dock").city("havana", 0).token("port_royal", "attack").token("new_orleans--havana", "pay")
    position.track("north_america", 0, *[1] * 5).city("charleston", 0)
    position.token("new_orleans", "culture").token("new_york", "attack").token("charleston--new_orleans", "culture")
    position.token("new_york--charleston", "culture")
    game = play(position.game(), "activate:dock", "sail:north_america")
    assert chosen(game) == "occupy:new_orleans", "a blue token each, then T2"


def test_R8_8_a_second_sail_follows_the_first() -> None:
    position = inland("cartographer", harbor=3).workers(0, "colonial_house").track("india", 0)
    position.token("india.2", "culture").token("india.3", "finance")
    assert turn(position.game()) == ["activate:cartographer", "sail:india", "sail:india"]


def test_R8_8_the_second_sail_does_not_complete_the_track_for_another() -> None:
    position = inland("cartographer", harbor=3).workers(0, "colonial_house").track("india", 1, 1, 1, 1)
    position.token("india.5", "attack")
    assert turn(position.game()) == ["activate:cartographer", "sail:india", "done"]


def test_R8_8_the_second_sail_completes_the_track_for_the_governor() -> None:
    position = inland("cartographer", harbor=3).workers(0, "colonial_house").track("india", 0, 0, 1, 1)
    game = play(position.game(), "activate:cartographer", "sail:india")
    assert chosen(game) == "sail:india"


def test_R8_8_the_second_sail_stays_on_its_track_whatever_the_list_would_do_elsewhere() -> None:
    position = inland("cartographer", harbor=4).workers(0, "colonial_house").track("africa", 0, 0, 0, 1, 1)
    game = position.token("india.2", "culture").game()
    assert chosen(play(game, "activate:cartographer", "sail:india")) == "sail:india", "item c would be in Africa"
    position = inland("cartographer", harbor=4).workers(0, "colonial_house").track("africa", 0).track("india", 1)
    game = position.token("africa.2", "attack").token("india.3", "culture").game()
    assert chosen(play(game, "activate:cartographer", "sail:india")) == "sail:india", "item d.i would be in Africa"


def test_R8_8_the_second_card_comes_from_the_pile_of_the_first() -> None:
    position = inland("trade_office", harbor=2).cities(0, "rome", "copenhagen").workers(0, "colonial_house")
    game = play(position.status(0, politics=1).game(), "activate:trade_office", "draw:europe")
    assert chosen(game) == "draw:europe", "slavery.0 would advance it as much, in its least advanced status"


def test_R8_8_a_second_card_of_the_pile_is_drawn_if_it_brings_something() -> None:
    position = inland("trade_office", harbor=2).cities(0, "rome", "copenhagen").workers(0, "colonial_house")
    assert turn(position.game()) == ["activate:trade_office", "draw:slavery", "draw:slavery"]
    position = inland("trade_office", harbor=2).cities(0, "rome").workers(0, "colonial_house").abolished()
    position.status(0, politics=14, culture=15)
    assert turn(position.game()) == ["activate:trade_office", "draw:europe", "done"]


def test_automa_takes_any_target_where_it_must_and_wants_none() -> None:
    """Such a token it would not have spent; but whoever plays a seat on may find the action open."""
    game = inland().track("india", 0).tokens(0, "sail_draw").abolished().status(0, politics=15).game()
    game.play("spend:sail_draw")
    assert chosen(game) == "sail:far_east"


def test_automa_ends_an_action_that_brings_nothing_if_it_may() -> None:
    game = inland("market").abolished().status(0, politics=15).game()
    game.play("activate:market")
    assert chosen(game) == "done"


def test_no_action_is_legal_when_the_game_is_over() -> None:
    game = inland(harbor=0).round(7).passed(1, 2).game()
    game.play("pass")
    assert game.over
    assert compiled_action("automa", game) == -1
