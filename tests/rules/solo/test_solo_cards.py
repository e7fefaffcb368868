"""Which card the Opposition draws (S5.3, S5.4), shown by the bonus draw, which looks at all legal piles (S3.6).

In every position the player's pass ends the round, and Red draws. Nothing but the piles named is legal for Red:
without a disc anywhere those are the piles of Europe while a card of value 0 lies on top.
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
    SoloSee,
    asked,
    deeds,
    drawing,
    play,
)


def counts(value: int, **others: int) -> dict[str, int]:
    """The same count for every status but those named."""
    return {**dict.fromkeys(STATUSES, value), **others}


# --- C1 to C4 ---------------------------------------------------------------------------------------------------


def test_S5_3_C1_the_greatest_advance() -> None:
    assert deeds(drawing().game(), "pass") == ["draw:slavery"], "two steps against one"


def test_S5_3_C1_counts_up_to_15_only() -> None:
    game = drawing().mat(**counts(3, industry=15)).game()
    assert deeds(game, "pass") == ["draw:europe"]


def test_S5_3_C1_a_card_that_overshoots_is_drawn_if_it_advances_most() -> None:
    position = drawing().mat(industry=14, politics=15)
    assert deeds(position.game(), "pass") == ["draw:slavery"]


@pytest.mark.parametrize(
    ("status", "deck"),
    [
        ({"culture": 2, "industry": 5, "finance": 9, "politics": 9}, "europe"),
        ({"culture": 5, "industry": 2, "finance": 9, "politics": 9}, "slavery"),
        ({"culture": 2, "industry": 2, "finance": 9, "politics": 9}, "slavery"),  # one icon against two
        ({"culture": 2, "industry": 9, "finance": 2, "politics": 2}, "europe"),
    ],
)
def test_S5_3_C2_SC7_then_icons_of_the_lowest_statuses_added_up(status: dict[str, int], deck: str) -> None:
    position = drawing().mat(**status).city("rome", RED).cards(PLAYER, "europe.0")
    game = position.game()
    assert SoloSee(game).pile("europe")[0] == "europe.1"  # Culture, Politics; slavery.0 has Industry twice
    assert deeds(game, "pass") == [f"draw:{deck}"]


def test_S5_3_C3_then_the_card_that_does_not_overshoot() -> None:
    position = drawing().mat(industry=14, finance=3, politics=3)  # Culture is lowest, and on neither card
    assert deeds(position.game(), "pass") == ["draw:europe"]


def test_S5_3_C3_a_status_that_is_full_already_overshoots_too() -> None:
    position = drawing().mat(industry=3, finance=15, politics=3).abolished().cards(PLAYER, "caribbean.1")
    game = position.track("caribbean", RED, RED, *[WHITE] * 4).game()
    assert SoloSee(game).pile("caribbean")[0] == "caribbean.2"  # one step of Industry, like Politics for europe.0
    assert deeds(game, "pass") == ["draw:europe"]


def test_S5_3_C3_a_card_that_brings_a_status_to_exactly_15_does_not_overshoot() -> None:
    position = drawing().mat(industry=13, finance=3, politics=3)  # Culture is lowest, and on neither card
    game = position.track("africa", RED, *[WHITE] * 5).game()
    assert SoloSee(game).pile("africa")[0] == "africa.1"  # a step of Finance and one of Politics
    assert asked(game, "pass") == {"draw:slavery", "draw:africa"}, "slavery.0 brings Industry from 13 to 15"


def test_SC7_a_status_beyond_15_that_is_not_on_the_card_does_not_matter() -> None:
    position = drawing().mat(industry=14, finance=16, politics=1)
    assert deeds(position.game(), "pass") == ["draw:europe"], "slavery.0 overshoots, europe.0 does not"


def test_SC7_if_every_card_overshoots_all_stay() -> None:
    position = drawing().mat(industry=14, finance=15).cards(PLAYER, "europe.0").track("caribbean", RED, *[WHITE] * 5)
    position.cities(BLACK, *CITIES["caribbean"]).open("india", by=VIOLET).cities(BLACK, *CITIES["india"])
    game = position.game()
    assert asked(game, "pass") == {"draw:slavery", "draw:caribbean"}
    assert deeds(game, "draw:caribbean") == ["draw:caribbean"]


def test_S5_3_C4_the_player_chooses_between_equal_cards() -> None:
    position = drawing().track("africa", RED, *[WHITE] * 5).track("india", RED, *[VIOLET] * 5)
    game = position.game()
    assert asked(game, "pass") == {"draw:slavery", "draw:africa", "draw:india"}
    assert deeds(game, "draw:india") == ["draw:india"]


def test_S10_first_draws_from_the_first_of_equal_piles() -> None:
    position = drawing().ties_first().track("africa", RED, *[WHITE] * 5).track("india", RED, *[VIOLET] * 5)
    assert deeds(position.abolished().game(), "pass") == ["draw:india"]


def test_S5_3_glory_is_not_considered() -> None:
    position = drawing().mat(**counts(3, politics=4)).cards(MAT, "caribbean.1", "caribbean.2")
    position.track("caribbean", RED, RED, RED, WHITE, WHITE, WHITE)
    game = position.game()
    assert SoloSee(game).pile("caribbean")[0] == "caribbean.3"  # Finance 2 and two Glory; slavery.0: Industry 2
    assert asked(game, "pass") == {"draw:slavery", "draw:caribbean"}


def test_SA10_the_best_card_everywhere_not_the_region_with_most_discs() -> None:
    position = drawing().mat(politics=15).track("africa", RED, RED, RED, WHITE, WHITE, WHITE)
    assert deeds(position.game(), "pass") == ["draw:slavery"]


def test_SC4_useless_cards_are_drawn_too() -> None:
    game = drawing().mat(industry=15).cards(PLAYER, "europe.0").game()
    assert deeds(game, "pass") == ["draw:slavery"]
    assert SoloSee(game).cards(MAT) == {"slavery.0"}


def test_S5_3_the_icons_of_the_card_count_at_once() -> None:
    game = play(drawing().mat(industry=3).game(), "pass")
    assert SoloSee(game).status(MAT, "industry") == 5


# --- legal piles ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("discs", "legal"), [(1, False), (2, True), (3, True)])
def test_S5_4_presence_must_reach_the_value(discs: int, legal: bool) -> None:
    position = drawing().abolished().cards(PLAYER, "africa.1")
    position.track("africa", *[RED] * discs, *[WHITE] * (6 - discs))
    game = position.game()
    assert SoloSee(game).pile("africa")[0] == "africa.2"  # three icons; europe.0 has one
    assert deeds(game, "pass") == (["draw:africa"] if legal else ["draw:europe"])


def test_S5_4_a_closed_region_has_no_legal_pile() -> None:
    position = drawing().abolished().track("africa", RED, RED, RED, RED, RED)
    assert deeds(position.game(), "pass") == ["draw:europe"]


def test_S5_4_an_empty_pile_is_not_legal() -> None:
    five = [f"india.{value}" for value in range(1, 6)]
    position = drawing().mat(culture=8, finance=1, politics=10).abolished().cards(MAT, *five[:4])
    game = position.cards(PLAYER, five[4]).track("india", *[RED] * 6).game()
    assert SoloSee(game).pile("india") == []
    assert deeds(game, "pass") == ["draw:europe"]


@pytest.mark.parametrize(("cities", "deck"), [((), None), (("rome",), None), (("rome", "lisbon"), "europe")])
def test_S5_4_cities_of_the_colour_are_its_presence_in_europe(cities: tuple[str, ...], deck: str | None) -> None:
    position = drawing().mat(culture=1, politics=4).abolished().cards(MAT, "europe.0", "europe.1")
    position.cities(GREEN, "paris", "venice").track("africa", *[GREEN] * 6)
    game = position.cities(RED, *cities).game()
    assert SoloSee(game).pile("europe")[0] == "europe.2"
    assert deeds(game, "pass") == ([f"draw:{deck}"] if deck else [])


def test_S5_4_the_same_cities_serve_the_slavery_pile() -> None:
    position = drawing().mat(industry=2, politics=4).cards(MAT, "europe.0", "slavery.0").city("rome", RED)
    assert deeds(position.game(), "pass") == ["draw:slavery"], "slavery.1 has three icons, europe.1 two"


def test_S5_4_value_0_needs_no_disc() -> None:
    assert SoloSee(play(drawing().abolished().game(), "pass")).cards(MAT) == {"europe.0"}


def test_S5_4_europe_5_abolishes_slavery_for_both() -> None:
    position = drawing().mat(industry=15, culture=2, finance=3, politics=9)
    position.cards(MAT, "europe.0", "europe.1", "europe.2", "slavery.2").cards(PLAYER, "europe.3", "slavery.1")
    position.cities(RED, "copenhagen", "rome", "lisbon", "london", "alexandria").cards(PLAYER, "europe.4")
    game = position.tokens(PLAYER, *["politics"] * 4).game()
    assert SoloSee(game).pile("europe") == ["europe.5"]
    play(game, "pass")
    see = SoloSee(game)
    assert game.state[0].abolished
    assert (see.face_down(MAT), see.face_down(PLAYER)) == ({"slavery.2"}, {"slavery.1"})
    assert see.pile("slavery") == []
    assert see.cards(MAT) == {"europe.0", "europe.1", "europe.2", "europe.5"}
    assert see.cards(PLAYER) == {"europe.3", "europe.4"}
    assert see.status(MAT, "industry") == 13


def test_S5_4_the_player_may_abolish_slavery_for_the_opposition() -> None:
    position = drawing().mat(industry=4, culture=2, finance=3, politics=9)
    position.cards(MAT, "europe.0", "europe.1", "europe.2", "slavery.0", "slavery.2").cards(PLAYER, "europe.3")
    position.cities(WHITE, "copenhagen", "rome", "lisbon", "london", "alexandria").cards(PLAYER, "europe.4")
    game = position.discs(PLAYER, harbor=1).game()
    play(game, "activate:market", "draw:europe")
    see = SoloSee(game)
    assert see.face_down(MAT) == {"slavery.0", "slavery.2"}
    assert see.status(MAT, "industry") == 0
    assert game.breakdown("opposition")["slavery"] == -2
