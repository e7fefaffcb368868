"""neutral_2: where the disc goes that follows an own Sail or Occupy, and when (V2F.2-5, C3, C4)."""

from __future__ import annotations

import pytest

from tests.kits.actions import CITIES, TRACKS, assert_turn, legal, moves, refuse, sails
from tests.kits.neutral_2 import SAILS, acting, asked, cities
from tests.kits.position import See, play
from tests.kits.variant_position import N1, N2, Variant

# --- after a Sail (V2F.2) -----------------------------------------------------------------------------------


def test_TV6_after_a_sail_to_india_any_track_india_included() -> None:
    game = play(acting("shipyard").game(), "activate:shipyard", "sail:india")
    asked(game, SAILS)
    refuse(game, "done", "pass", "neutral_occupy:london")
    play(game, "neutral_sail:india")
    assert See(game).track("india") == [0, N1]
    assert (See(game).supply(N1), See(game).supply(N2)) == (29, 30)
    assert See(game).harbor(0) == 3
    assert_turn(game, 1)


def test_V2F_2_the_first_free_space_of_another_track() -> None:
    game = play(acting("shipyard").track("africa", 1, N2).game(), "activate:shipyard", "sail:india")
    play(game, "neutral_sail:africa")
    assert (See(game).track("india"), See(game).track("africa")) == ([0], [1, N2, N1])


def test_V2F_2_full_tracks_are_no_option() -> None:
    position = acting("shipyard").open("india", by=1).open("far_east", by=N1)
    game = play(position.game(), "activate:shipyard", "sail:africa")
    asked(game, SAILS - moves("neutral_sail", "india", "far_east"))
    refuse(game, "neutral_sail:india")


def test_V2F_2_the_track_just_filled_is_no_option() -> None:
    game = play(acting("shipyard").track("india", *[1] * 5).game(), "activate:shipyard", "sail:india")
    asked(game, SAILS - {"neutral_sail:india"})


def test_V2F_2_a_single_option_is_asked_all_the_same() -> None:
    position = acting("shipyard").open("india", by=N2).open("africa", by=N2).open("caribbean", by=N2)
    position.open("north_america", by=N2).open("south_america", by=1)
    asked(play(position.game(), "activate:shipyard", "sail:far_east"), {"neutral_sail:far_east"})


def test_V2F_2_without_a_free_space_nothing_happens() -> None:
    position = acting("shipyard")
    for region in TRACKS:
        position.open(region, by=1 if region in ("far_east", "south_america") else N2)
    game = play(position.game(), "activate:shipyard", "sail:india")
    assert_turn(game, 1)
    assert (See(game).beside("india", 0), See(game).supply(N1)) == (1, 30)


def test_VC3_a_sail_beside_a_full_track_causes_it_too() -> None:
    game = play(acting("shipyard").open("india", by=1).game(), "activate:shipyard", "sail:india")
    assert See(game).beside("india", 0) == 1
    asked(game, SAILS - {"neutral_sail:india"})


def test_V2F_2_sails_are_the_base_game_s() -> None:
    game = play(acting("shipyard").game(), "activate:shipyard")
    assert legal(game) == sails() | {"done"}


@pytest.mark.parametrize(("seat", "side"), [(0, N1), (1, N2)])
def test_V2F_2_every_seat_places_its_own_side(seat: int, side: int) -> None:
    position = Variant("neutral_2").own(seat, "shipyard").discs(seat, harbor=3).turn(seat)
    game = play(position.game(), "activate:shipyard", "sail:india")
    asked(game, SAILS, seat)
    play(game, "neutral_sail:caribbean")
    assert See(game).track("caribbean") == [side]


# --- after an Occupy (V2F.3) --------------------------------------------------------------------------------


def test_TV8_after_an_occupy_in_europe_another_european_city() -> None:
    position = acting().open("india", by=N1).city("rome", 1).city("paris", N2).token("tangier", "finance")
    game = play(position.game(), "activate:colonial_house", "occupy:london")
    asked(game, cities("europe") - moves("neutral_occupy", "rome", "paris", "london"))
    held = [See(game).tokens(seat) for seat in (0, 1)]
    play(game, "neutral_occupy:tangier")
    assert See(game).owner("tangier") == N1
    assert See(game).token_on("tangier") is None
    assert [See(game).tokens(seat) for seat in (0, 1)] == held
    assert See(game).supply(N1) == 30 - 6 - 1
    assert_turn(game, 1)


def test_V2F_3_the_same_region_while_the_side_is_present_there() -> None:
    position = acting().open("africa", by=0).open("india", by=N1).beside("africa", N1)
    game = play(position.game(), "activate:colonial_house", "occupy:elmina")
    asked(game, moves("neutral_occupy", "saint_louis", "luanda"))
    refuse(game, "neutral_occupy:bombay", "neutral_occupy:london", "neutral_sail:africa", "done")


@pytest.mark.parametrize("where", ["track", "beside", "city"])
def test_V2F_3_presence_is_a_disc_on_the_track_beside_it_or_in_a_city(where: str) -> None:
    position = acting().track("africa", 0, 0, 0, 0, 0, N1 if where == "track" else 1)
    if where == "beside":
        position.beside("africa", N1)
    if where == "city":
        position.city("luanda", N1)
    game = play(position.game(), "activate:colonial_house", "occupy:elmina")
    asked(game, cities("africa") - moves("neutral_occupy", "elmina", *(["luanda"] if where == "city" else [])))


def test_V2F_3_else_any_open_region_where_the_side_is_present() -> None:
    position = acting().open("africa", by=0).open("india", by=N1).open("caribbean", by=N2).track("far_east", N1)
    game = play(position.city("bombay", 1).city("rome", N2).game(), "activate:colonial_house", "occupy:elmina")
    asked(game, cities("europe", "india") - moves("neutral_occupy", "bombay", "rome"))


def test_VA12_a_full_region_sends_the_side_elsewhere() -> None:
    position = acting().open("india", by=N1).city("bombay", 0).open("africa", by=N1).open("caribbean", by=1)
    game = play(position.game(), "activate:colonial_house", "occupy:calcutta")
    asked(game, cities("europe", "africa"))
    play(game, "neutral_occupy:luanda")
    assert See(game).owner("luanda") == N1


def test_VA12_europe_full_and_the_side_nowhere_else_means_nothing() -> None:
    position = acting().cities(1, *CITIES["europe"][1:]).open("africa", by=0).open("india", by=N2)
    game = play(position.game(), "activate:colonial_house", "occupy:london")
    assert_turn(game, 1)
    assert See(game).supply(N1) == 30


# --- combined actions (V2F.4, V2F.5) ------------------------------------------------------------------------


def test_V2F_4_docks_sail_first_then_occupy() -> None:
    game = play(acting("dock").open("india", by=0).game(), "activate:dock", "sail:india")
    asked(game, SAILS - {"neutral_sail:india"})
    play(game, "neutral_sail:africa")
    assert (game.decision, legal(game)) == ("target", moves("occupy", "bombay", "calcutta") | {"done"})
    play(game, "occupy:bombay")
    asked(game, cities("europe"))
    play(game, "neutral_occupy:rome")
    assert_turn(game, 1)


def test_V2F_4_docks_occupy_first_then_sail() -> None:
    game = play(acting("dock").open("india", by=0).game(), "activate:dock", "occupy:bombay")
    asked(game, cities("europe"))
    play(game, "neutral_occupy:rome")
    assert (game.decision, legal(game)) == ("target", {"sail:india", "done"})
    play(game, "sail:india")
    asked(game, SAILS - {"neutral_sail:india"})
    play(game, "neutral_sail:africa")
    assert_turn(game, 1)


@pytest.mark.parametrize(("first", "follows"), [("sail:india", "neutral_sail:africa"), ("occupy:bombay", None)])
def test_V2F_4_one_part_only_is_followed_once(first: str, follows: str | None) -> None:
    game = play(acting("dock").open("india", by=0).game(), "activate:dock", first)
    assert_turn(play(game, follows or "neutral_occupy:rome", "done"), 1)
    assert See(game).supply(N1) == 29


def test_VC4_a_neutral_disc_may_open_the_region_for_the_second_part() -> None:
    game = play(acting("dock").track("india", 1, 1, 1, 1).game(), "activate:dock", "sail:india", "neutral_sail:india")
    assert See(game).is_open("india")
    assert See(game).cards(1) == {"india.governor"}
    assert legal(game) == moves("occupy", "bombay", "calcutta") | {"done"}
    play(game, "occupy:calcutta")
    asked(game, {"neutral_occupy:bombay"})


def test_VC4_the_region_of_the_second_part_is_that_of_the_own_first_part() -> None:
    position = acting("dock").track("africa", 0, 1, 1, 1, 1).open("caribbean", by=0)
    game = play(position.game(), "activate:dock", "sail:india", "neutral_sail:africa")
    assert See(game).is_open("africa")
    assert_turn(game, 1)  # India is closed, and cities of Africa and the Caribbean are none of the second part's


def test_TV9_cartographer_two_sails_and_one_neutral_disc() -> None:
    game = play(acting("cartographer").game(), "activate:cartographer", "sail:africa")
    assert (game.decision, legal(game)) == ("target", {"sail:africa", "done"})
    play(game, "sail:africa")
    asked(game, SAILS)
    play(game, "neutral_sail:africa")
    assert See(game).track("africa") == [0, 0, N1]
    assert_turn(game, 1)


def test_TV9_docks_two_neutral_discs() -> None:
    game = play(acting("dock").open("africa", by=0).game(), "activate:dock", "sail:africa", "neutral_sail:india")
    play(game, "occupy:luanda", "neutral_occupy:rome")
    assert See(game).supply(N1) == 28
    assert_turn(game, 1)


def test_V2F_5_cartographer_one_sail_and_one_neutral_disc() -> None:
    game = play(acting("cartographer").game(), "activate:cartographer", "sail:africa", "done")
    asked(game, SAILS)
    assert_turn(play(game, "neutral_sail:india"), 1)


def test_V2F_5_cartographer_without_a_disc_for_the_second_sail() -> None:
    game = play(acting("cartographer", harbor=2).game(), "activate:cartographer", "sail:africa")
    asked(game, SAILS)
    assert_turn(play(game, "neutral_sail:africa"), 1)


@pytest.mark.parametrize("building", ["cartographer", "dock", "shipyard", "colonial_house"])
def test_V2F_5_nothing_follows_an_activation_without_a_part(building: str) -> None:
    own = () if building == "colonial_house" else (building,)
    assert_turn(play(acting(*own).game(), f"activate:{building}", "done"), 1)
