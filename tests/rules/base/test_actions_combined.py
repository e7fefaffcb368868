"""Combined actions (R8.8): one of two, both in the same region, twice the same pile (A6, A19, C3)."""

from __future__ import annotations

import pytest

from tests.kits.actions import CITIES, TRACKS, acting, assert_turn, legal, moves, refuse, sails
from tests.kits.position import Position, See, play

EUROPE = moves("occupy", *CITIES["europe"])
PILES = moves("draw", "europe", "slavery")


def occupies(region: str) -> set[str]:
    """The Occupy moves of a region."""
    return moves("occupy", *CITIES[region])


# source, and what it offers to a seat without discs on the board while an enemy holds Rome
OFFERS = [
    ("activate:guild_hall", sails() | PILES | {"done"}),
    ("activate:fortress", (EUROPE - {"occupy:rome"}) | {"attack:rome", "done"}),
    ("activate:dock", sails() | (EUROPE - {"occupy:rome"}) | {"done"}),
    ("activate:cartographer", sails() | {"done"}),
    ("activate:trade_office", PILES | {"done"}),
    ("spend:sail_draw", sails() | PILES),
    ("spend:occupy_draw", (EUROPE - {"occupy:rome"}) | PILES),
]


def all_sources(harbor: int = 9) -> Position:
    """Seat 0 owns every combined source; seat 1 holds Rome."""
    own = ("guild_hall", "fortress", "dock", "cartographer", "trade_office")
    return acting(own=own, harbor=harbor).tokens(0, "sail_draw", "occupy_draw").city("rome", 1)


@pytest.mark.parametrize(("source", "offered"), OFFERS)
def test_R8_8_all_targets_of_all_parts_in_one_decision(source: str, offered: set[str]) -> None:
    game = play(all_sources().game(), source)
    assert game.decision == "target"
    assert legal(game) == offered


@pytest.mark.parametrize(
    ("source", "target"),
    [
        *(("activate:guild_hall", "sail:india"), ("activate:guild_hall", "draw:europe")),
        *(("activate:fortress", "occupy:london"), ("activate:fortress", "attack:rome")),
        *(("spend:sail_draw", "sail:india"), ("spend:sail_draw", "draw:slavery")),
        *(("spend:occupy_draw", "occupy:london"), ("spend:occupy_draw", "draw:europe")),
    ],
)
def test_R8_8_either_means_exactly_one(source: str, target: str) -> None:
    assert_turn(play(all_sources().game(), source, target), 1)


@pytest.mark.parametrize(("source", "offered"), OFFERS)
def test_R8_8_the_first_part_may_be_declined_unless_by_token(source: str, offered: set[str]) -> None:
    game = play(all_sources().game(), source)
    assert ("done" in offered) is source.startswith("activate")
    if "done" in offered:
        assert_turn(play(game, "done"), 1)
    else:
        refuse(game, "done")


# --- Dock: Occupy & Sail, same region -----------------------------------------------------------------------


def dock(harbor: int = 9) -> Position:
    """Seat 0 has a Dock and is present in India and Africa, both open; the Caribbean is open, too, without it."""
    return acting(own=("dock",), harbor=harbor).open("india", by=0).open("africa", by=0).open("caribbean", by=1)


def test_R8_8_dock_first_decision_offers_both_parts() -> None:
    game = play(dock().game(), "activate:dock")
    assert legal(game) == sails() | EUROPE | occupies("india") | occupies("africa") | {"done"}


@pytest.mark.parametrize("region", ["india", "africa", "caribbean"])
def test_R8_8_dock_sail_then_occupy_in_the_same_region(region: str) -> None:
    # The disc beside the Caribbean track makes the seat present there.
    game = play(dock().game(), "activate:dock", f"sail:{region}")
    assert game.decision == "target"
    assert legal(game) == occupies(region) | {"done"}
    city = CITIES[region][0]
    play(game, f"occupy:{city}")
    assert (See(game).owner(city), See(game).beside(region, 0)) == (0, 1)
    assert See(game).harbor(0) == 6
    assert_turn(game, 1)


@pytest.mark.parametrize("region", ["india", "africa"])
def test_R8_8_dock_occupy_then_sail_in_the_same_region(region: str) -> None:
    game = play(dock().game(), "activate:dock", f"occupy:{CITIES[region][1]}")
    assert game.decision == "target"
    assert legal(game) == {f"sail:{region}", "done"}
    play(game, f"sail:{region}")
    assert See(game).beside(region, 0) == 1
    assert_turn(game, 1)


def test_R8_8_dock_second_part_in_another_region_is_refused() -> None:
    game = play(dock().game(), "activate:dock", "sail:india")
    refuse(game, "occupy:luanda", "occupy:london", "sail:india", "sail:africa")
    game = play(dock().game(), "activate:dock", "occupy:luanda")
    refuse(game, "sail:india", "occupy:elmina", "occupy:london")


@pytest.mark.parametrize("city", CITIES["europe"])
def test_R8_8_2_occupy_in_europe_never_pairs_with_sail(city: str) -> None:
    game = play(dock().game(), "activate:dock", f"occupy:{city}")
    assert_turn(game, 1)
    assert See(game).harbor(0) == 7


@pytest.mark.parametrize("first", ["sail:india", "occupy:calcutta"])
def test_R8_8_dock_second_part_is_optional(first: str) -> None:
    game = play(dock().game(), "activate:dock", first, "done")
    assert_turn(game, 1)
    assert See(game).harbor(0) == 7


@pytest.mark.parametrize("region", TRACKS)
def test_R8_8_dock_sail_to_a_region_that_stays_closed_ends_the_action(region: str) -> None:
    game = play(acting(own=("dock",)).game(), "activate:dock", f"sail:{region}")
    assert_turn(game, 1)


def test_R8_8_dock_no_free_city_ends_the_action() -> None:
    game = play(dock().cities(1, *CITIES["india"]).game(), "activate:dock", "sail:india")
    assert_turn(game, 1)


@pytest.mark.parametrize("first", ["sail:india", "occupy:calcutta"])
def test_R8_8_dock_without_a_second_disc_ends_the_action(first: str) -> None:
    game = play(dock(harbor=2).game(), "activate:dock", first)
    assert_turn(game, 1)
    assert See(game).harbor(0) == 0


def test_R8_8_1_dock_opens_a_region_and_occupies_in_it() -> None:
    position = acting(own=("dock",)).track("caribbean", 1, 1, 1, 2, 2).token("port_royal", "finance")
    game = position.game()
    finance = See(game).status(0, "finance")
    assert not occupies("caribbean") & legal(play(game.clone(), "activate:dock"))
    play(game, "activate:dock", "sail:caribbean")
    assert See(game).place("caribbean.governor") == 1, "the Governor is awarded before the second part"
    assert legal(game) == occupies("caribbean") | {"done"}
    play(game, "occupy:port_royal")
    assert See(game).status(0, "finance") >= finance + 1
    assert See(game).owner("port_royal") == 0


def test_R8_8_1_dock_occupy_takes_its_connection_before_the_sail() -> None:
    position = dock().city("bombay", 0).token("bombay--calcutta", "culture").token("calcutta", "pay")
    game = play(position.game(), "activate:dock", "occupy:calcutta")
    assert See(game).token_on("bombay--calcutta") is None
    assert See(game).tokens(0)["culture"] >= 1
    assert legal(game) == {"sail:india", "done"}


# --- Cartographer: Sail & Sail, same region -----------------------------------------------------------------


@pytest.mark.parametrize("region", TRACKS)
def test_R8_8_cartographer_sails_twice_to_the_same_region(region: str) -> None:
    game = play(acting(own=("cartographer",)).track(region, 1).game(), "activate:cartographer", f"sail:{region}")
    assert legal(game) == {f"sail:{region}", "done"}
    play(game, f"sail:{region}")
    assert See(game).track(region) == [1, 0, 0]
    assert See(game).harbor(0) == 2
    assert_turn(game, 1)


def test_R8_8_cartographer_may_sail_once() -> None:
    game = play(acting(own=("cartographer",)).game(), "activate:cartographer", "sail:india", "done")
    assert See(game).track("india") == [0]
    assert_turn(game, 1)


def test_R8_8_cartographer_other_regions_are_refused_for_the_second_sail() -> None:
    game = play(acting(own=("cartographer",)).game(), "activate:cartographer", "sail:india")
    refuse(game, *(sails() - {"sail:india"}))


def test_R8_8_cartographer_without_a_second_disc_ends_the_action() -> None:
    game = play(acting(own=("cartographer",), harbor=2).game(), "activate:cartographer", "sail:india")
    assert_turn(game, 1)


def test_R8_8_1_cartographer_fills_the_track_and_then_sails_beside_it() -> None:
    position = acting(own=("cartographer",)).track("india", 0, 0, 1, 1, 1).token("india.6", "industry")
    game = play(position.game(), "activate:cartographer", "sail:india")
    assert See(game).place("india.governor") == 0
    play(game, "sail:india")
    assert See(game).track("india") == [0, 0, 1, 1, 1, 0]
    assert See(game).beside("india", 0) == 1
    assert See(game).tokens(0) == {"industry": 1}


def test_R8_8_1_cartographer_both_tokens_are_taken_in_order() -> None:
    position = acting(own=("cartographer",)).token("africa.1", "finance").token("africa.2", "politics")
    game = play(position.game(), "activate:cartographer", "sail:africa")
    assert See(game).tokens(0) == {"finance": 1}
    play(game, "sail:africa")
    assert See(game).tokens(0) == {"finance": 1, "politics": 1}


# --- Trade Office: Draw & Draw, same pile -------------------------------------------------------------------


def office() -> Position:
    """Seat 0 has a Trade Office, six discs in India and two in European cities."""
    return acting(own=("trade_office",)).open("india", by=0).cities(0, "rome", "paris")


@pytest.mark.parametrize("pile", ["europe", "slavery", "india"])
def test_C3_second_draw_is_bound_to_the_same_pile(pile: str) -> None:
    game = play(office().game(), "activate:trade_office", f"draw:{pile}")
    assert game.decision == "target"
    assert legal(game) == {f"draw:{pile}", "done"}
    play(game, f"draw:{pile}")
    lowest = 1 if pile == "india" else 0
    assert See(game).cards(0) == {f"{pile}.{lowest}", f"{pile}.{lowest + 1}"}
    assert See(game).harbor(0) == 4
    assert_turn(game, 1)


@pytest.mark.parametrize(("first", "other"), [("europe", "slavery"), ("slavery", "europe")])
def test_A6_the_two_piles_of_europe_are_two_piles(first: str, other: str) -> None:
    game = play(office().game(), "activate:trade_office", f"draw:{first}")
    refuse(game, f"draw:{other}", "draw:india")


def test_R8_8_trade_office_may_draw_once() -> None:
    game = play(office().game(), "activate:trade_office", "draw:india", "done")
    assert See(game).cards(0) == {"india.1"}
    assert_turn(game, 1)


@pytest.mark.parametrize("pile", ["europe", "slavery"])
def test_R8_8_trade_office_second_card_beyond_the_discs_ends_the_action(pile: str) -> None:
    game = play(acting(own=("trade_office",)).game(), "activate:trade_office", f"draw:{pile}")
    assert See(game).cards(0) == {f"{pile}.0"}
    assert_turn(game, 1)


@pytest.mark.parametrize(("discs", "again"), [(1, False), (2, True)])
def test_R8_8_trade_office_threshold_is_tested_again(discs: int, again: bool) -> None:
    position = acting(own=("trade_office",)).track("india", *[0] * discs, *[1] * (6 - discs))
    game = play(position.game(), "activate:trade_office", "draw:india")
    assert (game.seat == 0 and "draw:india" in legal(game)) is again


def test_R8_8_trade_office_empty_pile_ends_the_action() -> None:
    position = office().cards(1, "india.1", "india.2", "india.3", "india.4")
    game = play(position.game(), "activate:trade_office", "draw:india")
    assert See(game).cards(0) == {"india.5"}
    assert_turn(game, 1)


def test_R8_8_1_abolition_comes_before_the_next_part() -> None:
    low = [f"europe.{value}" for value in range(4)]
    position = acting(own=("trade_office",)).cities(0, *CITIES["europe"][:5]).cards(1, *low).cards(0, "slavery.0")
    game = play(position.game(), "activate:trade_office", "draw:europe")
    assert legal(game) == {"draw:europe", "done"}
    play(game, "draw:europe")
    assert See(game).face_down(0) == {"slavery.0"}
    assert See(game).cards(0) == {"europe.4", "europe.5"}
    assert_turn(game, 1)


# --- tokens obey the conditions of the actions (A19) --------------------------------------------------------


def test_A19_token_occupies_only_where_open_and_present() -> None:
    position = acting().tokens(0, "occupy_draw").open("india", by=1).track("africa", 0, 0, 0).open("caribbean", by=0)
    game = play(position.city("rome", 1).game(), "spend:occupy_draw")
    offered = (EUROPE - {"occupy:rome"}) | occupies("caribbean") | PILES | {"draw:caribbean"}
    assert legal(game) == offered
    refuse(game, *occupies("india"), *occupies("africa"), "occupy:rome", "draw:africa", "draw:india")


def test_A19_token_draws_only_what_the_discs_allow() -> None:
    position = acting(harbor=0).tokens(0, "sail_draw").cards(1, "europe.0", "slavery.0").city("rome", 0)
    game = play(position.cards(2, "slavery.1").game(), "spend:sail_draw")
    assert legal(game) == {"draw:europe"}


def test_A19_token_attacks_only_where_present() -> None:
    position = acting().tokens(0, "attack").open("india", by=1).city("bombay", 1).city("rome", 2)
    assert legal(play(position.game(), "spend:attack")) == {"attack:rome"}


def test_A19_token_sail_opens_and_awards_like_any_other() -> None:
    game = acting().tokens(0, "sail_draw").track("africa", 0, 0, 1, 1, 0).game()
    play(game, "spend:sail_draw", "sail:africa")
    assert See(game).is_open("africa")
    assert See(game).cards(0) == {"africa.governor"}
    assert_turn(game, 1)


def test_A19_token_occupy_takes_connections_like_any_other() -> None:
    position = acting().tokens(0, "occupy_draw").city("rome", 0).token("rome--venice", "industry")
    game = play(position.token("venice", "pay").game(), "spend:occupy_draw", "occupy:venice")
    assert See(game).tokens(0) == {"industry": 1, "pay": 1}
