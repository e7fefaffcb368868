"""Item e of the priority list, useless placements, and what a placement brings (S2.5, S4.1e to S4.6).

In every position a single disc of the scale acts, right after the player's pass.
"""

from __future__ import annotations

import pytest

from tests.kits.solo_position import (
    BLACK,
    CITIES,
    GREEN,
    MAT,
    PLAYER,
    RED,
    STATUSES,
    VIOLET,
    WHITE,
    SoloPosition,
    SoloSee,
    acting,
    at_sea,
    deeds,
    play,
)

AFRICA, INDIA, FAR_EAST = CITIES["africa"], CITIES["india"], CITIES["far_east"]


# --- e: draw ---------------------------------------------------------------------------------------------------------


def test_S4_1_e_SA10_the_region_with_most_discs_comes_before_the_better_card() -> None:
    position = at_sea().mat(politics=15).track("africa", RED, RED, RED, WHITE, WHITE, WHITE).cities(GREEN, *AFRICA)
    game = position.game()
    assert deeds(game, "pass") == ["draw:africa"], "one step of Finance against two of Industry for slavery.0"
    assert SoloSee(game).cards(MAT) == {"africa.1"}
    assert SoloSee(game).status(MAT, "finance") == 1


def test_S4_1_e_the_next_region_if_no_pile_is_legal_there() -> None:
    position = at_sea().mat(industry=2, finance=3, politics=9)
    position.track("africa", RED, RED, RED, WHITE, WHITE, WHITE).cities(GREEN, *AFRICA)
    position.track("india", RED, RED, *[WHITE] * 4).cities(GREEN, *INDIA).cards(MAT, "africa.1", "africa.2", "africa.3")
    game = position.game()
    assert SoloSee(game).pile("africa")[0] == "africa.4"
    assert deeds(game, "pass") == ["draw:india"]


@pytest.mark.parametrize(("poor", "deck"), [("finance", "africa"), ("culture", "india")])
def test_SC14_the_cards_of_all_regions_tied_for_most_discs_are_compared(poor: str, deck: str) -> None:
    position = at_sea().mat(**dict.fromkeys(set(STATUSES) - {poor}, 3))
    position.track("africa", RED, RED, *[WHITE] * 4).cities(GREEN, *AFRICA)
    position.track("india", RED, RED, *[VIOLET] * 4).cities(GREEN, *INDIA)
    assert deeds(position.game(), "pass") == [f"draw:{deck}"], "two icons each, one of them of the lowest status"


def test_SC14_presence_in_europe_is_cities_for_both_piles() -> None:
    position = at_sea().mat(industry=2, politics=4).cities(RED, "rome", "tangier").cards(MAT, "europe.0", "slavery.0")
    position.track("africa", RED, *[WHITE] * 5).cities(GREEN, *AFRICA)
    assert deeds(position.game(), "pass") == ["draw:slavery"], "three steps for slavery.1, two for europe.1"


def test_S4_1_e_discs_on_beside_and_in_cities_count_together() -> None:
    position = at_sea().track("africa", RED, *[WHITE] * 5).cities(GREEN, "elmina", "luanda").city("saint_louis", RED)
    position.beside("africa", RED).track("india", RED, RED, *[VIOLET] * 4).cities(GREEN, *INDIA)
    assert deeds(position.game(), "pass") == ["draw:africa"]


def test_S2_5_the_opposition_draws_beyond_its_limit_and_discards_afterwards() -> None:
    position = at_sea().cards(MAT, "europe.0").cards(PLAYER, "far_east.1")
    position.track("far_east", RED, RED, *[WHITE] * 6).cities(BLACK, *FAR_EAST)
    game = position.game()
    assert deeds(game, "pass") == ["discard:europe.0", "draw:far_east"]
    assert SoloSee(game).cards(MAT) == {"far_east.2"}


# --- nothing, or nothing useful --------------------------------------------------------------------------------------


def test_S4_2_an_action_without_anything_feasible_is_lost() -> None:
    game = at_sea().cards(MAT, "europe.0", "slavery.0").game()
    before = SoloSee(game.clone())
    assert deeds(game, "pass") == []
    assert game.round == 3
    for side in (RED, GREEN, VIOLET, BLACK):
        assert SoloSee(game).supply(side) == before.supply(side)


def test_S4_3_a_track_token_without_advance_is_left_for_the_next_track() -> None:
    position = at_sea().mat(culture=15, politics=3).track("far_east", RED).track("india", GREEN, RED)
    game = position.token("far_east.2", "culture").token("india.3", "politics").game()
    assert deeds(game, "pass") == ["red sail:india"]


def test_S4_3_useless_placements_come_after_everything_else_but_before_nothing() -> None:
    position = at_sea().mat(culture=15).track("far_east", RED).token("far_east.2", "culture")
    assert deeds(position.game(), "pass") == ["draw:slavery"], "a draw that helps comes before it"
    position.cards(PLAYER, "europe.0", "slavery.0")
    assert deeds(position.game(), "pass") == ["red sail:far_east"]


def test_S4_3_a_disc_beside_a_track_is_never_useless() -> None:
    position = at_sea().mat(culture=15).track("far_east", RED).token("far_east.2", "culture")
    assert deeds(position.open("caribbean", by=WHITE).game(), "pass") == ["red sail:caribbean"]


def test_S4_3_a_blue_token_on_a_track_is_never_useless() -> None:
    position = at_sea().mat(culture=15).track("far_east", RED).token("far_east.2", "pay")
    assert deeds(position.open("caribbean", by=WHITE).game(), "pass") == ["red sail:far_east"]


def test_S4_3_completing_a_track_is_never_useless() -> None:
    position = at_sea().mat(culture=15).track("caribbean", RED, RED, WHITE, WHITE, GREEN)
    position.token("caribbean.6", "culture").track("india", RED).token("india.2", "politics")
    assert deeds(position.game(), "pass") == ["governor:caribbean", "red sail:caribbean"]


def test_S4_3_a_city_is_never_useless() -> None:
    position = acting().mat(culture=15).europe(GREEN, "rome").token("rome", "culture").track("india", RED)
    assert deeds(position.token("india.2", "politics").game(), "pass") == ["red occupy:rome"]


def full_industry(**counts: int) -> SoloPosition:
    """Red can only sail or draw; Industry stands at 15, so that slavery.0 brings nothing; europe.0 is not there."""
    return at_sea().mat(**{"industry": 15, **counts})


def test_S4_3_a_region_with_a_useless_card_only_is_passed_over() -> None:
    position = full_industry(culture=1, politics=7).cities(RED, "rome", "tangier").cards(MAT, "europe.0", "europe.1")
    position.cards(PLAYER, "europe.2").track("africa", RED, *[WHITE] * 5).cities(BLACK, *AFRICA)
    game = position.game()
    assert SoloSee(game).pile("slavery")[0] == "slavery.0"
    assert deeds(game, "pass") == ["draw:africa"], "Red has most discs in Europe, but its only card there is useless"


def test_S4_3_a_useless_card_is_drawn_if_nothing_else_is_feasible() -> None:
    assert deeds(full_industry().cards(PLAYER, "europe.0").game(), "pass") == ["draw:slavery"]


def test_S4_3_glory_makes_a_card_useful() -> None:
    position = full_industry(finance=1, politics=4).cards(PLAYER, "europe.0").cards(MAT, "far_east.1")
    position.track("far_east", RED, RED, *[VIOLET] * 6).cities(BLACK, *FAR_EAST)
    position.track("africa", RED, *[WHITE] * 5).cities(BLACK, *AFRICA)
    game = position.game()
    assert SoloSee(game).pile("far_east")[0] == "far_east.2"  # Industry 2, one Glory
    assert deeds(game, "pass") == ["draw:far_east"]


def test_S4_3_useless_tracks_come_before_useless_cards() -> None:
    position = full_industry().cards(PLAYER, "europe.0").track("india", RED).token("india.2", "industry")
    assert deeds(position.game(), "pass") == ["red sail:india"]


@pytest.mark.parametrize(("culture", "deed"), [(14, "red sail:far_east"), (15, "draw:slavery"), (16, "draw:slavery")])
def test_S4_3_a_token_is_useless_from_15_on(culture: int, deed: str) -> None:
    position = at_sea().mat(culture=culture).track("far_east", RED).token("far_east.2", "culture")
    assert deeds(position.game(), "pass") == [deed]


# --- tokens, discs ---------------------------------------------------------------------------------------------------


def test_S4_6_city_and_connection_tokens_count_at_once() -> None:
    position = acting().mat(culture=1).europe(GREEN, "paris").cities(RED, "london", "lisbon")
    position.token("paris", "politics").token("london--paris", "culture").token("paris--lisbon", "industry")
    game = position.game()
    assert deeds(game, "pass") == ["red occupy:paris"]
    see = SoloSee(game)
    assert see.statuses(MAT) == {"industry": 1, "culture": 2, "finance": 0, "politics": 1}
    assert [see.token_on(space) for space in ("paris", "london--paris", "paris--lisbon")] == [None] * 3


def test_S4_6_a_connection_token_is_taken_once_only() -> None:
    position = acting().mat(culture=1).europe(GREEN, "paris").city("london", RED).token("paris", "politics")
    game = play(position.bare("london--paris").game(), "pass")
    assert SoloSee(game).statuses(MAT) == {"industry": 0, "culture": 1, "finance": 0, "politics": 1}


@pytest.mark.parametrize("neighbour", [GREEN, WHITE])
def test_S4_6_two_colours_make_no_connection(neighbour: int) -> None:
    position = acting().mat(culture=1).europe(neighbour, "paris").token("paris", "politics")
    game = play(position.token("london--paris", "culture").game(), "pass")
    assert SoloSee(game).token_on("london--paris") == "culture"
    assert SoloSee(game).statuses(MAT) == {"industry": 0, "culture": 1, "finance": 0, "politics": 1}


def test_S4_6_the_players_own_connections_are_those_of_the_base_game() -> None:
    position = SoloPosition().mat(culture=1).city("london", WHITE).city("lisbon", RED).discs(PLAYER, harbor=2)
    position.token("paris", "politics").token("london--paris", "culture").token("paris--lisbon", "finance")
    game = position.game()
    before = SoloSee(game).statuses(PLAYER)
    play(game, "activate:colonial_house", "occupy:paris")
    gained = {name: n - before[name] for name, n in SoloSee(game).statuses(PLAYER).items()}
    assert gained == {"industry": 0, "culture": 1, "finance": 0, "politics": 1}
    assert game.breakdown(PLAYER)["connections"] == 1


def test_S0_S2_5_the_disc_comes_from_the_supply_of_its_colour() -> None:
    game = play(acting().europe(GREEN, "rome").game(), "pass")
    see = SoloSee(game)
    assert [see.supply(side) for side in (RED, GREEN, VIOLET, BLACK)] == [29, 21, 30, 30]
    assert not any(see.harbor(row) for row in range(1, 5))


def test_SC2_an_empty_supply_stops_nobody() -> None:
    position = acting().ties_first().europe(WHITE, "rome")
    for region, spaces in {"far_east": 8, "india": 6, "north_america": 6, "caribbean": 6}.items():
        position.track(region, *[RED] * spaces)
    game = position.beside("india", RED, 4).game()
    assert SoloSee(game).supply(RED) == 0
    game.play("pass")
    assert sum(SoloSee(game).owner(city) == RED for city in game.board.cities) == 1
