"""How many colours act, when, and how the scale turns (S2, S3, S7.5 to S7.7)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from endeavor_env import Game
from tests.kits.position import Position
from tests.kits.solo_position import (
    BASE_IPF,
    BLACK,
    CITIES,
    GREEN,
    LEVELS,
    MAT,
    PLAYER,
    RED,
    VIOLET,
    WHITE,
    SoloPosition,
    SoloSee,
    acting,
    deeds,
    play,
    solo_setup,
)

NAMES = {RED: "red", GREEN: "green", VIOLET: "violet", BLACK: "black"}


def building(*scale: int) -> SoloPosition:
    """The player is to build in round 2; ties of the Opposition settle themselves."""
    return SoloPosition(*scale).ties_first().build()


def acted(found: list[str]) -> Counter[str]:
    """How often each colour placed a disc."""
    return Counter(deed.split()[0] for deed in found if deed.split()[0] in NAMES.values())


def new_game(setup: dict[str, Any]) -> Game:
    """A whole game; blue tokens bring the Opposition nothing, so that every disc of the scale does one thing."""
    return Game.new(variant="solo", setup=setup, options={"opposition_ties": "first", "difficulty": "easier"})


# --- the numbers --------------------------------------------------------------------------------------------------


def test_TS01_round_1_two_colours_act_and_the_third_makes_the_bonus_draw() -> None:
    game = new_game(solo_setup(scale=(GREEN, RED, BLACK)))
    play(game, "build:market", "activate:market", "draw:slavery")
    assert SoloSee(game).ipf == 3
    found = deeds(game, "pass")
    assert acted(found) == {"green": 1, "red": 1}
    assert len([deed for deed in found if deed.startswith("draw")]) == 1
    assert len(SoloSee(game).cards(MAT)) == 1


def test_TS02_two_columns_further_two_more_act() -> None:
    setup = solo_setup(scale=(GREEN, RED, BLACK, GREEN), grid=(("shipyard", "workshop", "market"), *LEVELS[1:]))
    game = new_game(setup)
    play(game, "build:market")
    assert SoloSee(game).ipf == 5
    assert acted(deeds(game, "pass")) == {"green": 2, "red": 1, "black": 1}


@pytest.mark.parametrize(("distance", "acting_discs"), [(0, 2), (1, 3), (2, 4)])
def test_TS03_S7_5_the_discs_that_acted_go_to_the_top(distance: int, acting_discs: int) -> None:
    game = new_game(solo_setup())
    scale = SoloSee(game).scale()
    play(game, f"build:{LEVELS[0][distance]}", "pass")
    assert SoloSee(game).scale() == [*scale[acting_discs:], *scale[:acting_discs]]


def test_TS03_S7_5_the_disc_that_made_the_bonus_draw_is_the_next_to_act() -> None:
    game = new_game(solo_setup(scale=(GREEN, RED, BLACK)))
    scale = SoloSee(game).scale()
    play(game, "build:market", "activate:market", "draw:slavery", "pass")
    assert len(SoloSee(game).cards(MAT)) == 1
    assert SoloSee(game).scale() == [BLACK, *scale[3:], GREEN, RED]


def test_TS04_S2_1_S7_6_SA13_the_marker_over_seven_rounds() -> None:
    game = Game.new(variant="solo", seed=4, options={"opposition_ties": "first"})
    for number in range(1, 8):
        see = SoloSee(game)
        assert (game.round, see.ipf) == (number, (3, 3, 3, 4, 4, 5, 5)[number - 1])
        scale, first = see.scale(), see.row(1)[see.isb[1] - 1]
        play(game, f"build:{first}")
        assert see.ipf == BASE_IPF[number]
        while game.round == number and not game.over:
            play(game, "pass")
        actions = (2, 2, 2, 3, 3, 4, 4)[number - 1]
        if not game.over:
            assert see.scale() == [*scale[actions:], *scale[:actions]]


@pytest.mark.parametrize("crown", [1, 2, 3])
@pytest.mark.parametrize("column", [1, 2, 3])
@pytest.mark.parametrize("number", [2, 5, 7])
def test_S2_2_S2_3_SA4_the_distance_of_the_columns_moves_the_marker(crown: int, column: int, number: int) -> None:
    game = building().isb(2, crown).round(number).game()
    game.play(f"build:{LEVELS[0][column - 1]}")
    assert SoloSee(game).ipf == BASE_IPF[number] + abs(column - crown), "columns 1 and 3 are not neighbours"


def test_S1_2_the_level_of_the_crown_does_not_matter() -> None:
    game = play(building().flag(ignore_industry=1).isb(1, 1).game(), "build:exchange")
    assert SoloSee(game).ipf == 3


def test_S2_4_six_actions_at_most() -> None:
    position = building(RED, GREEN, BLACK, VIOLET, RED, GREEN).easier()
    game = position.round(7).game()
    found = deeds(game, f"build:{LEVELS[0][2]}")
    assert SoloSee(game).ipf == 7
    assert acted(found) == {"red": 2, "green": 2, "black": 1, "violet": 1}


def test_S2_5_the_opposition_has_no_build_growth_or_salary() -> None:
    game = building().game()
    for number in (2, 3, 4):
        assert game.round == number
        play(game, game.legal_moves()[0])
        while game.round == number:
            play(game, "pass")
        see = SoloSee(game)
        assert see.own(MAT).total() == 0
        assert see.harbor(MAT) == 0


# --- the order ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [1, 2])
def test_TS11_S3_2_in_rounds_1_and_2_the_player_comes_first(number: int) -> None:
    game = building().round(number).game()
    assert deeds(game, "build:market") == []
    assert (game.round, game.phase, game.decision) == (number, "action", "turn")
    assert acted(deeds(game, "pass")).total() == 2
    assert game.round == number + 1


@pytest.mark.parametrize("number", [3, 4, 5, 6, 7])
def test_TS11_S3_3_from_round_3_the_opposition_comes_first_if_it_could_occupy(number: int) -> None:
    game = building().round(number).game()
    assert acted(deeds(game, "build:market")).total() == BASE_IPF[number] - 1
    assert (game.round, game.phase, game.decision) == (number, "action", "turn")
    assert acted(deeds(game, "pass")).total() == 0
    assert game.over if number == 7 else game.round == number + 1


def closed_europe(*scale: int) -> SoloPosition:
    """The same in round 3 with no city free in Europe."""
    position = building(*scale).mixed_europe()
    position.round(3)
    return position


def test_S3_3_the_player_comes_first_if_only_sail_attack_or_draw_are_possible() -> None:
    game = closed_europe(RED).game()
    assert deeds(game, "build:market") == []
    assert game.decision == "turn"
    assert deeds(game, "pass") == ["draw:slavery", "draw:slavery"], "slavery.0, then slavery.1 for Green"


def test_S3_3_SA2_the_first_colour_of_the_scale_decides() -> None:
    for first, second, early in ((RED, GREEN, True), (GREEN, RED, False)):
        position = closed_europe(first, second).track("africa", RED, *[WHITE] * 5)
        assert bool(deeds(position.game(), "build:market")) == early


@pytest.mark.parametrize("how", ["track", "beside", "city", "full", "closed"])
def test_S3_3_a_free_city_in_an_open_region_where_that_colour_is_present(how: str) -> None:
    position = closed_europe(RED)
    discs = [RED if how in ("track", "full") else WHITE, *[WHITE] * 5]
    position.track("africa", *(discs[:5] if how == "closed" else discs))
    if how == "beside":
        position.beside("africa", RED)
    if how == "city":
        position.city("elmina", RED)
    if how == "full":
        position.cities(VIOLET, *CITIES["africa"])
    found = deeds(position.game(), "build:market")
    assert bool(found) == (how in ("track", "beside", "city"))


def test_SC3_it_is_tested_after_the_salary_and_no_disc_is_placed_before() -> None:
    position = building(RED).europe(BLACK, "rome", "lisbon").own(PLAYER, "shipyard", "dock")
    game = position.workers(PLAYER, "shipyard", "dock").round(3).status(PLAYER, culture=1).game()
    assert deeds(game, "build:market") == []
    assert (game.phase, game.decision) == ("salary", "salary")
    assert acted(deeds(game, "pay:dock")).total() == 2
    assert (game.phase, game.decision) == ("action", "turn")


def test_SC3_what_the_player_does_later_does_not_change_the_order() -> None:
    position = closed_europe(RED).own(PLAYER, "shipyard").track("africa", RED, *[WHITE] * 4)
    game = position.discs(PLAYER, harbor=2).game()
    play(game, "build:market", "activate:shipyard")
    assert deeds(game, "sail:africa") == ["white sail:africa"]
    assert SoloSee(game).is_open("africa")
    assert game.decision == "turn"
    assert "red occupy:luanda" in deeds(game, "pass")


def test_S3_1_S3_4_nobody_acts_between_the_players_actions() -> None:
    position = acting().europe(GREEN, "rome", "lisbon", "london").own(PLAYER, "shipyard").discs(PLAYER, harbor=5)
    game = position.game()
    for moves in (("activate:colonial_house", "occupy:rome"), ("activate:shipyard", "sail:india")):
        assert [deed.split()[0] for deed in deeds(game, *moves)] == ["white"]
        assert game.decision == "turn"
    game.play("activate:market")
    game.play("draw:slavery")
    assert game.decision == "turn"


def test_S3_4_the_player_attacks_the_colours_like_any_player() -> None:
    position = SoloPosition().city("rome", RED).own(PLAYER, "barracks").discs(PLAYER, harbor=3)
    game = position.game()
    supply = SoloSee(game).supply(RED)
    assert deeds(game, "activate:barracks", "attack:rome") == ["white attack:rome"]
    assert SoloSee(game).supply(RED) == supply + 1


# --- the bonus draw ---------------------------------------------------------------------------------------------


def drawer(*owned: str, tokens: tuple[str, ...] = ()) -> Position:
    """Red occupies Rome after the player's turn; Green is next on the scale. The player has plenty of discs."""
    position = SoloPosition(RED, GREEN).ties_first().ipf(2).mixed_europe("rome").own(PLAYER, "market", *owned)
    return position.tokens(PLAYER, *tokens).discs(PLAYER, harbor=9)


@pytest.mark.parametrize(
    ("moves", "due"),
    [
        (("activate:market", "draw:slavery"), True),
        (("spend:sail_draw", "draw:slavery"), True),
        (("spend:occupy_draw", "draw:europe"), True),
        (("activate:guild_hall", "draw:europe"), True),
        (("activate:guild_hall", "sail:india"), False),
        (("activate:colonial_house", "occupy:rome"), False),
        (("spend:sail_draw", "sail:africa"), False),
        (("activate:market", "done"), False),
    ],
)
def test_S3_5_a_draw_of_the_player_turns_the_marker(moves: tuple[str, ...], due: bool) -> None:
    game = drawer("guild_hall", tokens=("sail_draw", "occupy_draw")).game()
    assert not SoloSee(game).bonus_due
    play(game, *moves)
    assert SoloSee(game).bonus_due == due


def test_S3_5_a_governor_is_no_draw() -> None:
    game = drawer("shipyard").track("africa", WHITE, WHITE, WHITE, RED, RED).game()
    play(game, "activate:shipyard", "sail:africa")
    assert SoloSee(game).cards(PLAYER) == {"africa.governor"}
    assert not SoloSee(game).bonus_due


def test_TS12_S3_5_three_cards_one_bonus_draw() -> None:
    position = drawer("guild_hall", tokens=("sail_draw",)).cities(WHITE, "tangier", "lisbon")
    game = position.tokens(PLAYER, *["politics"] * 4).game()
    play(
        game, "activate:market", "draw:slavery", "activate:guild_hall", "draw:europe", "spend:sail_draw", "draw:europe"
    )
    play(game, "pass")
    assert game.round == 3
    assert SoloSee(game).cards(PLAYER) == {"slavery.0", "europe.0", "europe.1"}
    assert len(SoloSee(game).cards(MAT)) == 1


def test_S3_6_the_colour_under_the_marker_draws_after_both_sides_have_acted() -> None:
    # Africa 1 is legal for Green only, Caribbean 1 for Red only.
    position = SoloPosition(RED, GREEN).ipf(2).bonus().mixed_europe("rome").abolished()
    position.track("africa", GREEN, *[BLACK] * 5).track("caribbean", RED, *[BLACK] * 5)
    position.cities(BLACK, *CITIES["africa"], *CITIES["caribbean"])
    assert deeds(position.game(), "pass") == ["draw:africa", "red occupy:rome"]


def test_S3_6_at_the_end_of_the_round_also_if_the_opposition_came_first() -> None:
    game = building(RED, GREEN, BLACK).europe(WHITE, "rome", "lisbon").round(3).game()
    play(game, "build:market", "activate:market")
    assert SoloSee(game).cards(MAT) == set()
    assert deeds(game, "draw:slavery") == []
    assert SoloSee(game).bonus_due
    assert deeds(game, "pass") == ["draw:europe"]


def test_S3_6_without_a_draw_no_bonus_draw() -> None:
    assert deeds(drawer().game(), "pass") == ["red occupy:rome"]


def test_S7_6_the_marker_turns_back_and_moves_to_the_next_rounds_position() -> None:
    position = SoloPosition(RED, GREEN).bonus().mixed_europe("rome", "lisbon", "london").flag(ties_first=1)
    game = play(position.round(3).game(), "pass")
    assert game.round == 4
    assert (SoloSee(game).ipf, SoloSee(game).bonus_due) == (4, False)


def test_S7_7_the_game_ends_after_round_7() -> None:
    game = SoloPosition(RED).acted().bonus().round(7).game()
    play(game, "pass")
    assert (game.over, game.phase, game.legal_moves()) == (True, "over", [])
    assert len(SoloSee(game).cards(MAT)) == 1, "the bonus draw of round 7 counts"
