"""Connections (R8.4): control, the token of the first control, and what happens afterwards."""

from __future__ import annotations

import pytest

from tests.kits.actions import BLUE, BROWN, CITIES, acting, drop_token, gains
from tests.kits.position import Position, See, play

CONNECTIONS = [
    *(("london", "amsterdam"), ("london", "paris"), ("amsterdam", "copenhagen"), ("paris", "lisbon")),
    *(("lisbon", "tangier"), ("rome", "venice"), ("venice", "constantinople"), ("constantinople", "alexandria")),
    *(("london", "bombay"), ("constantinople", "macau"), ("lisbon", "salvador"), ("tangier", "saint_louis")),
    *(("amsterdam", "new_york"), ("paris", "saint_domingue"), ("new_york", "charleston")),
    *(("charleston", "new_orleans"), ("saint_domingue", "port_royal"), ("salvador", "rio_de_janeiro")),
    *(("saint_louis", "elmina"), ("elmina", "luanda"), ("bombay", "calcutta"), ("macau", "canton")),
    *(("canton", "formosa"), ("formosa", "nagasaki"), ("new_orleans", "havana"), ("havana", "cartagena")),
    ("calcutta", "malacca"),
]
REGION = {city: region for region, cities in CITIES.items() for city in cities}
ACROSS = [ends for ends in CONNECTIONS if REGION[ends[0]] != REGION[ends[1]]]


def reach(position: Position, *cities: str) -> Position:
    """Open the regions of these cities, with the seat to move present."""
    for region in {REGION[city] for city in cities} - {"europe"}:
        position.open(region, by=0)
    return position


def test_R8_4_1_the_tables_of_this_file_are_those_of_the_board() -> None:
    assert Position().on.connections == tuple("--".join(ends) for ends in CONNECTIONS)


@pytest.mark.parametrize("kept", [0, 1])
@pytest.mark.parametrize("ends", CONNECTIONS, ids="--".join)
def test_R8_4_2_second_end_occupied_takes_the_token(ends: tuple[str, str], kept: int) -> None:
    held, goal, name = ends[kept], ends[1 - kept], "--".join(ends)
    position = reach(acting(), *ends).city(held, 0).token(name, "industry").token(goal, "culture")
    game = position.game()
    start = See(game).statuses(0)
    play(game, "activate:colonial_house", f"occupy:{goal}")
    assert See(game).token_on(name) is None
    assert gains(start, game, 0) == {"industry": 1, "culture": 1}
    assert game.breakdown(0)["connections"] == 1


@pytest.mark.parametrize("ends", ACROSS, ids="--".join)
def test_R8_4_4_connection_between_regions_is_taken_by_an_attack_as_well(ends: tuple[str, str]) -> None:
    held, goal = ends
    position = reach(acting(own=("barracks",)), *ends).city(held, 0).city(goal, 1)
    game = position.token("--".join(ends), "politics").game()
    start = See(game).statuses(0)
    play(game, "activate:barracks", f"attack:{goal}")
    assert gains(start, game, 0) == {"politics": 1}


@pytest.mark.parametrize("kind", [*BROWN, *BLUE])
def test_R8_4_2_every_kind_of_token(kind: str) -> None:
    position = acting().city("rome", 0).token("venice", "pay").token("rome--venice", kind)
    game = position.game()
    start = See(game).statuses(0)
    play(game, "activate:colonial_house", "occupy:venice")
    assert See(game).tokens(0) == ({"pay": 2} if kind == "pay" else {"pay": 1, kind: 1})
    assert gains(start, game, 0) == ({kind: 1} if kind in BROWN else {})


@pytest.mark.parametrize("other_end", [None, 1])
def test_R8_4_1_one_end_is_not_control(other_end: int | None) -> None:
    position = acting().token("rome--venice", "finance")
    if other_end is not None:
        position.city("rome", other_end)
    game = play(position.game(), "activate:colonial_house", "occupy:venice")
    assert See(game).token_on("rome--venice") == "finance"
    assert [game.breakdown(seat)["connections"] for seat in range(4)] == [0, 0, 0, 0]


def test_R8_4_1_neighbours_of_neighbours_are_not_connected() -> None:
    game = acting().city("rome", 0).game()
    play(game, "activate:colonial_house", "occupy:constantinople")
    assert game.breakdown(0)["connections"] == 0
    assert See(game).token_on("rome--venice") is not None
    assert See(game).token_on("venice--constantinople") is not None


@pytest.mark.parametrize("source", ["occupy", "attack"])
def test_R8_4_2_one_placement_completes_three_connections(source: str) -> None:
    position = acting(own=("fortress",)).open("india", by=0).cities(0, "amsterdam", "paris", "bombay")
    position.token("london--amsterdam", "industry").token("london--paris", "finance").token("london--bombay", "attack")
    if source == "attack":
        position.city("london", 1)
    else:
        position.token("london", "culture")
    game = position.game()
    start = See(game).statuses(0)
    play(game, "activate:fortress", f"{source}:london")
    gained = {"industry": 1, "finance": 1}
    assert gains(start, game, 0) == (gained if source == "attack" else gained | {"culture": 1})
    assert See(game).tokens(0)["attack"] == 1
    assert game.breakdown(0)["connections"] == 3
    assert See(game).token_on("amsterdam--copenhagen") is not None
    assert See(game).token_on("paris--lisbon") is not None


def test_R8_4_2_only_the_tokens_still_there_are_taken() -> None:
    position = acting().cities(0, "amsterdam", "paris").bare("london--amsterdam")
    game = position.token("london--paris", "finance").token("london", "culture").game()
    start = See(game).statuses(0)
    play(game, "activate:colonial_house", "occupy:london")
    assert gains(start, game, 0) == {"finance": 1, "culture": 1}
    assert game.breakdown(0)["connections"] == 2


def both_ends_change_hands() -> Position:
    """Seat 1 controls Rome--Venice; seat 0 can attack, and seat 1 can attack back."""
    position = acting(3, own=("barracks",), harbor=9).tokens(0, "attack").own(1, "barracks").discs(1, harbor=9)
    return position.city("rome", 1).city("venice", 1).passed(2)


def test_R8_4_2_second_seat_in_control_takes_nothing() -> None:
    game = both_ends_change_hands().game()
    start = See(game).statuses(0)
    play(game, "activate:barracks", "attack:rome", "pass", "spend:attack", "attack:venice")
    assert (See(game).owner("rome"), See(game).owner("venice")) == (0, 0)
    assert gains(start, game, 0) == {}
    assert See(game).tokens(0) == {}


def test_R8_4_3_token_is_kept_when_control_is_lost() -> None:
    position = acting(own=("barracks",)).city("venice", 1).turn(1).discs(1, harbor=5)
    game = position.token("rome--venice", "culture").token("rome", "pay").passed(2, 3).game()
    start = See(game).statuses(1)
    play(game, "activate:colonial_house", "occupy:rome")
    assert gains(start, game, 1) == {"culture": 1}
    play(game, "activate:barracks", "attack:venice")
    assert See(game).owner("venice") == 0
    assert gains(start, game, 1) == {"culture": 1}
    assert See(game).tokens(1) == {"culture": 1, "pay": 1}
    assert game.breakdown(1)["connections"] == 0


def test_R8_4_3_regained_control_takes_no_second_token() -> None:
    game = both_ends_change_hands().game()
    start, tokens = See(game).statuses(1), See(game).tokens(1)
    play(game, "activate:barracks", "attack:rome", "activate:barracks", "attack:rome")
    assert See(game).owner("rome") == 1
    assert (gains(start, game, 1), See(game).tokens(1)) == ({}, tokens)
    assert game.breakdown(1)["connections"] == 1


def test_R8_4_3_control_counts_for_its_holder_whoever_took_the_token() -> None:
    game = both_ends_change_hands().game()
    assert [game.breakdown(seat)["connections"] for seat in range(3)] == [0, 1, 0]
    play(game, "activate:barracks", "attack:rome")
    assert [game.breakdown(seat)["connections"] for seat in range(3)] == [0, 0, 0]
    play(game, "pass", "spend:attack", "attack:venice")
    assert [game.breakdown(seat)["connections"] for seat in range(3)] == [1, 0, 0]


def test_R8_4_2_connection_without_token_is_controlled_all_the_same() -> None:
    game = drop_token(
        acting().city("rome", 0).token("rome--venice", "pay").token("venice", "attack").game(), "rome--venice"
    )
    for move in ("activate:colonial_house", "occupy:venice"):
        game.play(move)
    assert See(game).tokens(0) == {"attack": 1}
    assert game.breakdown(0)["connections"] == 1


def test_R8_4_2_a_blue_token_from_a_connection_can_be_spent_later_in_the_phase() -> None:
    position = acting(own=("market",)).city("rome", 0).token("rome--venice", "pay").passed(1, 2, 3).workers(0, "market")
    game = play(position.game(), "activate:colonial_house", "occupy:venice", "spend:pay", "pay:market")
    assert See(game).workers(0) == {"colonial_house": 1}
