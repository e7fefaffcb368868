"""Attack (R8.5): targets, the price of two discs, where the discs go (A12, A13)."""

from __future__ import annotations

import pytest

from tests.kits.actions import CITIES, TRACKS, acting, assert_turn, gains, give_disc, legal, moves, refuse
from tests.kits.position import Position, See, play

OVERSEAS = [region for region in CITIES if region != "europe"]


def test_R8_5_1_every_enemy_city_in_europe_needs_no_own_disc() -> None:
    position = acting(5, own=("barracks",)).city("rome", 1).city("venice", 2).city("paris", 3).city("tangier", 4)
    game = play(position.game(), "activate:barracks")
    assert See(game).board_discs(0) == 0
    assert legal(game) == moves("attack", "rome", "venice", "paris", "tangier") | {"done"}


def test_A13_own_and_empty_cities_cannot_be_attacked() -> None:
    game = play(acting(own=("barracks",)).city("rome", 0).city("venice", 1).game(), "activate:barracks")
    refuse(game, "attack:rome", "attack:london")
    assert legal(game) == {"attack:venice", "done"}


def test_A13_only_own_discs_on_the_board_leave_no_target() -> None:
    game = acting(own=("barracks",)).tokens(0, "attack").cities(0, "rome", "venice").game()
    refuse(game, "spend:attack")
    play(game, "activate:barracks")
    assert_turn(game, 1)
    assert (See(game).harbor(0), See(game).workers(0)) == (4, {"barracks": 1})


@pytest.mark.parametrize("region", OVERSEAS)
@pytest.mark.parametrize("where", ["track", "beside", "city"])
def test_R8_5_1_any_disc_in_the_region_is_presence(region: str, where: str) -> None:
    first, second = CITIES[region][:2]
    position = acting(own=("barracks",)).city(first, 1)
    if where == "track":
        position.track(region, *[1] * (TRACKS[region] - 2), 0, 1)
    elif where == "beside":
        position.open(region, by=1).beside(region, 0)
    else:
        position.open(region, by=1).city(second, 0)
    game = play(position.game(), "activate:barracks")
    assert legal(game) == {f"attack:{first}", "done"}


@pytest.mark.parametrize("region", OVERSEAS)
def test_R8_5_1_region_without_own_disc_is_out_of_reach(region: str) -> None:
    position = acting(own=("barracks",)).tokens(0, "attack").open(region, by=1).cities(1, *CITIES[region])
    game = position.game()
    refuse(game, "spend:attack")
    assert_turn(play(game.clone(), "activate:barracks"), 1)
    with_a_target = play(position.city("rome", 2).game(), "activate:barracks")
    refuse(with_a_target, *moves("attack", *CITIES[region]))
    assert legal(with_a_target) == {"attack:rome", "done"}


@pytest.mark.parametrize("region", OVERSEAS)
def test_R8_5_1_closed_region_is_out_of_reach(region: str) -> None:
    # No play puts a disc into a city of a closed region, so this one is put there by hand.
    position = acting(own=("barracks",)).track(region, *[0] * (TRACKS[region] - 1)).city("rome", 2)
    game = give_disc(position.game(), CITIES[region][0], 1)
    game.play("activate:barracks")
    assert legal(game) == {"attack:rome", "done"}


@pytest.mark.parametrize("how", ["building", "token"])
@pytest.mark.parametrize("harbor", [3, 4, 9])
def test_R8_5_2_costs_two_discs_and_returns_the_enemy_disc_to_its_owners_supply(how: str, harbor: int) -> None:
    position = acting(own=("barracks",), harbor=harbor).tokens(0, "attack").discs(2, harbor=4).city("rome", 2)
    game = position.game()
    supply, enemy = See(game).supply(0), See(game).supply(2)
    play(game, "activate:barracks" if how == "building" else "spend:attack", "attack:rome")
    see = See(game)
    assert see.harbor(0) == harbor - (3 if how == "building" else 2)
    assert see.supply(0) == supply + 1
    assert see.owner("rome") == 0
    assert (see.harbor(2), see.supply(2)) == (4, enemy + 1)
    assert see.workers(0) == ({"barracks": 1} if how == "building" else {})
    assert_turn(game, 1)


@pytest.mark.parametrize("harbor", [1, 2])
def test_A12_fewer_than_two_discs_after_the_activation(harbor: int) -> None:
    game = play(acting(own=("barracks",), harbor=harbor).city("rome", 1).game(), "activate:barracks")
    assert_turn(game, 1)
    assert (See(game).harbor(0), See(game).owner("rome")) == (harbor - 1, 1)


@pytest.mark.parametrize(("harbor", "allowed"), [(0, False), (1, False), (2, True), (3, True)])
def test_A12_token_needs_two_discs(harbor: int, allowed: bool) -> None:
    game = acting(harbor=harbor).tokens(0, "attack").city("rome", 1).game()
    assert ("spend:attack" in legal(game)) is allowed
    if not allowed:
        refuse(game, "spend:attack")


def test_R8_5_1_attack_token_cannot_be_declined() -> None:
    game = play(acting(harbor=2).tokens(0, "attack").city("rome", 1).city("paris", 2).game(), "spend:attack")
    assert legal(game) == {"attack:rome", "attack:paris"}
    refuse(game, "done", "pass")


def test_R8_5_1_attack_by_a_building_can_be_declined() -> None:
    game = play(acting(own=("barracks",), harbor=3).city("rome", 1).game(), "activate:barracks", "done")
    assert_turn(game, 1)
    assert (See(game).harbor(0), See(game).owner("rome")) == (2, 1)


def test_R8_5_2_no_token_is_gained_from_the_city_itself() -> None:
    game = acting(own=("barracks",)).city("rome", 1).game()
    start = See(game).statuses(0)
    play(game, "activate:barracks", "attack:rome")
    assert gains(start, game, 0) == {}
    assert See(game).tokens(0) == {}


def test_R8_5_3_attack_completes_connections() -> None:
    position = acting(own=("barracks",)).cities(0, "rome", "constantinople").city("venice", 1)
    position.token("rome--venice", "finance").token("venice--constantinople", "politics")
    game = position.game()
    start = See(game).statuses(0)
    play(game, "activate:barracks", "attack:venice")
    assert gains(start, game, 0) == {"finance": 1, "politics": 1}
    assert game.breakdown(0)["connections"] == 2


def test_R8_5_3_attacked_seat_loses_control_and_the_city() -> None:
    game = acting(own=("barracks",)).city("rome", 1).city("venice", 1).game()
    assert (game.breakdown(1)["connections"], game.breakdown(1)["cities"]) == (1, 2)
    play(game, "activate:barracks", "attack:venice")
    assert (game.breakdown(1)["connections"], game.breakdown(1)["cities"]) == (0, 1)
    assert (game.breakdown(0)["connections"], game.breakdown(0)["cities"]) == (0, 1)


def test_R8_5_1_a_conquered_city_can_be_attacked_back() -> None:
    position = Position(3).own(0, "barracks").own(1, "barracks").discs(0, harbor=3).discs(1, harbor=3).passed(2)
    game = play(position.city("rome", 1).game(), "activate:barracks", "attack:rome", "activate:barracks", "attack:rome")
    see = See(game)
    assert see.owner("rome") == 1
    assert (see.harbor(0), see.harbor(1)) == (0, 0)
    assert [see.supply(seat) + see.board_discs(seat) for seat in (0, 1)] == [29, 29]


def test_R8_5_1_a_seat_that_has_passed_can_be_attacked() -> None:
    game = play(acting(own=("barracks",)).city("rome", 1).passed(1).game(), "activate:barracks", "attack:rome")
    assert See(game).owner("rome") == 0
    assert_turn(game, 2)
