"""Several blue tokens at once, and tokens that lead to tokens (S5.5, clarification C8).

In every position a single disc of the scale acts, right after the player's pass. The order shows in what a Pay token
steals: Culture as long as the Opposition has less of it than of Finance, so before it wins two Culture tokens.
"""

from __future__ import annotations

import pytest

from tests.kits.position import Position
from tests.kits.solo_position import BLACK, CITIES, MAT, PLAYER, RED, VIOLET, WHITE, SoloSee, acting, asked, deeds


def paris(**tokens: str) -> Position:
    """Red holds London, Lisbon and Venice: it takes Paris with two connections, an Occupy token then means Rome.

    ``tokens``: city, london, lisbon for Paris and its connections. Rome and its connection bring two Culture tokens.
    """
    position = (
        acting().mat(culture=3, finance=4).mixed_europe("paris", "rome").cities(RED, "london", "lisbon", "venice")
    )
    position.token("rome", "culture").token("rome--venice", "culture").status(PLAYER, culture=1, finance=1)
    position.token("paris", tokens["city"]).token("london--paris", tokens["london"])
    return position.token("paris--lisbon", tokens["lisbon"])


def test_SC8_status_tokens_count_before_the_blue_ones_are_carried_out() -> None:
    game = paris(city="pay", london="culture", lisbon="culture").game()
    assert deeds(game, "pass") == ["red occupy:paris", "take:finance"]
    assert SoloSee(game).status(MAT, "culture") == 5


@pytest.mark.parametrize(
    ("city", "london", "lisbon", "take"),
    [
        ("pay", "occupy_draw", "industry", "take:culture"),
        ("occupy_draw", "pay", "industry", "take:finance"),
        ("pay", "industry", "occupy_draw", "take:culture"),
        ("industry", "pay", "occupy_draw", "take:culture"),
        ("industry", "occupy_draw", "pay", "take:finance"),
    ],
)
def test_SC8_first_the_token_of_the_city_then_the_connections_in_board_order(
    city: str, london: str, lisbon: str, take: str
) -> None:
    game = paris(city=city, london=london, lisbon=lisbon).game()
    assert deeds(game, "pass") == ["red occupy:paris", "red occupy:rome", take]


def test_SC8_what_follows_from_a_token_comes_before_the_next_token() -> None:
    position = acting().mat(culture=3, finance=4).mixed_europe("paris", "rome", "copenhagen")
    position.cities(RED, "london", "venice", "amsterdam").token("paris", "occupy_draw").token("london--paris", "pay")
    position.token("rome", "occupy_draw").token("rome--venice", "industry")
    position.token("copenhagen", "culture").token("amsterdam--copenhagen", "culture")
    position.status(PLAYER, culture=1, finance=1)
    expected = ["red occupy:copenhagen", "red occupy:paris", "red occupy:rome", "take:finance"]
    assert deeds(position.game(), "pass") == expected


def test_SC8_a_choice_of_the_player_in_between_does_not_change_the_order() -> None:
    position = acting().mat(culture=3, finance=4).mixed_europe("paris", "rome", "alexandria")
    position.cities(RED, "london", "lisbon", "venice", "constantinople")
    position.token("paris", "occupy_draw").token("london--paris", "pay").token("paris--lisbon", "industry")
    position.token("rome", "culture").token("rome--venice", "culture")
    position.token("alexandria", "culture").token("constantinople--alexandria", "culture")
    game = position.status(PLAYER, culture=1, finance=1).game()
    assert asked(game, "pass") == {"occupy:rome", "occupy:alexandria"}
    assert deeds(game, "occupy:rome") == ["red occupy:rome", "take:finance"]


def test_S5_5_chains_of_cities() -> None:
    position = acting().mixed_europe("rome", "lisbon", "copenhagen").city("venice", RED).bare("rome--venice")
    position.token("rome", "occupy_draw").token("lisbon", "occupy_draw").token("copenhagen", "politics")
    game = position.game()
    assert deeds(game, "pass") == ["red occupy:copenhagen", "red occupy:lisbon", "red occupy:rome"]
    assert SoloSee(game).tokens(MAT) == {"politics": 1}


def test_S5_5_a_blue_token_of_a_completed_connection_is_carried_out() -> None:
    position = acting().mixed_europe("rome").city("venice", RED).token("rome", "industry")
    game = position.token("rome--venice", "pay").status(PLAYER, politics=1).game()
    assert deeds(game, "pass") == ["red occupy:rome", "take:politics"]


@pytest.mark.parametrize(("held", "deck"), [((), "africa"), (("europe.0",), "europe")])
def test_S5_5_a_connection_between_two_regions_belongs_to_both(held: tuple[str, ...], deck: str) -> None:
    # Africa 1 has two icons, Europe 0 one; Europe 1 has two, one of them of the lowest status, and so has India 1.
    position = acting().mat(industry=3, finance=3, politics=3).mixed_europe().city("tangier", RED)
    position.track("africa", RED, *[VIOLET] * 5).cities(BLACK, "elmina", "luanda").abolished()
    position.track("india", RED, *[VIOLET] * 5).cities(BLACK, *CITIES["india"]).cards(MAT, *held)
    game = position.bare("saint_louis").token("tangier--saint_louis", "sail_draw").game()
    assert deeds(game, "pass") == [f"draw:{deck}", "red occupy:saint_louis"]


def test_S5_5_a_token_of_a_city_belongs_to_its_region_only() -> None:
    position = acting().mat(industry=3, finance=3, politics=3).mixed_europe().city("tangier", RED)
    position.track("africa", RED, *[VIOLET] * 5).cities(BLACK, "elmina", "luanda").abolished()
    position.track("india", RED, *[VIOLET] * 5).cities(BLACK, *CITIES["india"]).cards(MAT, "europe.0")
    game = position.token("saint_louis", "sail_draw").bare("tangier--saint_louis").game()
    assert deeds(game, "pass") == ["draw:africa", "red occupy:saint_louis"]


def test_S5_5_an_attack_may_lead_to_the_next_token() -> None:
    position = acting().mixed_europe("rome").city("lisbon", WHITE).city("tangier", RED)
    position.token("rome", "attack").token("lisbon--tangier", "sail_draw").track("africa", RED, RED, RED, WHITE, WHITE)
    game = position.game()
    expected = ["governor:africa", "red attack:lisbon", "red occupy:rome", "red sail:africa"]
    assert deeds(game, "pass") == expected
