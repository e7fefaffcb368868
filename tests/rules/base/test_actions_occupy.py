"""Occupy (R8.3): an empty city of an open region where the seat is present; presence (A18)."""

from __future__ import annotations

import pytest

from tests.kits.actions import BLUE, BROWN, CITIES, TRACKS, acting, assert_turn, drop_token, gains, legal, moves, refuse
from tests.kits.position import Position, See, play

OVERSEAS = [region for region in CITIES if region != "europe"]


def test_R8_3_2_everybody_is_present_in_europe() -> None:
    game = play(acting().game(), "activate:colonial_house")
    assert See(game).board_discs(0) == 0
    assert legal(game) == moves("occupy", *CITIES["europe"]) | {"done"}


@pytest.mark.parametrize("region", OVERSEAS)
def test_R8_3_1_closed_region_is_out_of_reach_even_with_discs_on_its_track(region: str) -> None:
    position = acting().track(region, *[0] * (TRACKS[region] - 1))
    game = play(position.game(), "activate:colonial_house")
    refuse(game, *moves("occupy", *CITIES[region]))
    assert legal(game) == moves("occupy", *CITIES["europe"]) | {"done"}


@pytest.mark.parametrize("region", OVERSEAS)
def test_R8_3_1_open_region_without_own_disc_is_out_of_reach(region: str) -> None:
    position = acting().open(region, by=1).city(CITIES[region][0], 1).beside(region, 2)
    game = play(position.game(), "activate:colonial_house")
    refuse(game, *moves("occupy", *CITIES[region]))


@pytest.mark.parametrize("region", OVERSEAS)
@pytest.mark.parametrize("where", ["track", "beside", "city"])
def test_R8_3_2_any_disc_in_the_region_is_presence(region: str, where: str) -> None:
    position, free = acting(), set(CITIES[region])
    if where == "track":
        position.track(region, 1, 1, 0, *[1] * (TRACKS[region] - 3))
    elif where == "beside":
        position.open(region, by=1).beside(region, 0)
    else:
        position.open(region, by=1).city(CITIES[region][1], 0)
        free.discard(CITIES[region][1])
    game = play(position.game(), "activate:colonial_house")
    assert legal(game) == moves("occupy", *CITIES["europe"], *free) | {"done"}


@pytest.mark.parametrize("owner", [0, 1, 3])
@pytest.mark.parametrize("city", ["rome", "tangier", "luanda"])
def test_R8_3_1_city_with_a_disc_is_not_empty(city: str, owner: int) -> None:
    game = play(acting().open("africa", by=0).city(city, owner).game(), "activate:colonial_house")
    refuse(game, f"occupy:{city}")
    assert legal(game) == (moves("occupy", *CITIES["europe"], *CITIES["africa"]) - {f"occupy:{city}"}) | {"done"}


@pytest.mark.parametrize("city", [city for cities in CITIES.values() for city in cities])
def test_R8_3_1_disc_moves_from_the_harbor_to_the_city(city: str) -> None:
    region = next(region for region in CITIES if city in CITIES[region])
    position = acting(harbor=3).token(city, "finance")
    if region != "europe":
        position.open(region, by=0)
    game = position.game()
    supply, start = See(game).supply(0), See(game).statuses(0)
    play(game, "activate:colonial_house", f"occupy:{city}")
    see = See(game)
    assert (see.owner(city), see.harbor(0), see.supply(0)) == (0, 1, supply)
    assert see.workers(0) == {"colonial_house": 1}
    assert see.token_on(city) is None
    assert gains(start, game, 0) == {"finance": 1}
    assert_turn(game, 1)


@pytest.mark.parametrize("kind", [*BROWN, *BLUE])
def test_R8_3_1_token_of_the_city_is_taken(kind: str) -> None:
    game = acting().token("venice", kind).game()
    start = See(game).statuses(0)
    play(game, "activate:colonial_house", "occupy:venice")
    assert See(game).tokens(0) == {kind: 1}
    assert gains(start, game, 0) == ({kind: 1} if kind in BROWN else {})


def test_R8_3_1_city_without_token_can_be_occupied() -> None:
    game = drop_token(acting().token("venice", "pay").game(), "venice")
    game.play("activate:colonial_house")
    game.play("occupy:venice")
    assert See(game).owner("venice") == 0
    assert See(game).tokens(0) == {}


def test_R8_3_1_no_disc_after_the_activation_means_no_city() -> None:
    game = play(acting(harbor=1).game(), "activate:colonial_house")
    assert_turn(game, 1)
    assert See(game).board_discs(0) == 0


def test_R8_3_1_declined_after_the_activation() -> None:
    game = play(acting(harbor=3).game(), "activate:colonial_house", "done")
    assert_turn(game, 1)
    assert (See(game).harbor(0), See(game).board_discs(0)) == (2, 0)


def test_R8_3_1_every_city_taken_leaves_nothing_to_occupy() -> None:
    position = acting().cities(1, *CITIES["europe"]).open("india", by=0).cities(2, *CITIES["india"])
    game = play(position.game(), "activate:colonial_house")
    assert_turn(game, 1)
    assert See(game).workers(0) == {"colonial_house": 1}


def test_R8_3_2_presence_is_each_seats_own() -> None:
    position = Position(3).discs(0, harbor=2).discs(1, harbor=2).track("india", 2, 2, 1, 2, 2, 2)
    game = play(position.game(), "activate:colonial_house")
    assert not moves("occupy", *CITIES["india"]) & legal(game)
    play(game, "done", "activate:colonial_house")
    assert game.seat == 1
    assert moves("occupy", *CITIES["india"]) <= legal(game)


def test_A18_presence_survives_the_loss_of_every_city() -> None:
    position = acting(harbor=4).turn(1).discs(1, harbor=4).own(1, "barracks").passed(2, 3)
    position.track("india", 0, 1, 1, 1, 1, 1).city("bombay", 0)
    game = play(position.game(), "activate:barracks", "attack:bombay", "activate:colonial_house")
    assert See(game).owner("bombay") == 1
    assert legal(game) == moves("occupy", *CITIES["europe"], "calcutta") | {"done"}
