"""The set-up of the solitaire game (S1), its choices, and its vectors T-S05 to T-S09."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from endeavor_env import Game
from endeavor_env.endeavor.rules import constants as c
from tests.kits.actions import refuse
from tests.kits.solo_position import (
    BLACK,
    EUROPE,
    GREEN,
    LEVELS,
    MAT,
    PLAYER,
    RED,
    STATUSES,
    TRACK_DISCS,
    TRACKS,
    VIOLET,
    SoloSee,
    asked,
    assert_sound,
    play,
    solo_setup,
)

SEEDS = range(40)
BLUE = ("attack", "occupy_draw", "sail_draw", "pay")
EXAMPLE = dict(
    zip(
        EUROPE,  # London to Tangier
        (
            *("culture", "politics", "industry", "finance", "politics"),
            *("industry", "politics", "politics", "attack", "pay"),
        ),
        strict=True,
    )
)
"""Europe of the worked example: one Culture, one Finance, several Industry and Politics, two blue."""
EXAMPLE_DISCS = {
    "africa": ("red", "black"),
    "south_america": ("black", "violet"),
    "caribbean": ("green", "violet"),
    "north_america": ("violet", "green"),
    "far_east": ("black", "red"),
    "india": ("green", "red"),
}


def new(setup: Mapping[str, Any] | None = None, seed: int | None = None, **options: str) -> Game:
    """A solitaire game at its first decision."""
    return Game.new(variant="solo", setup=setup, seed=seed, options=options)


def europe(changes: Mapping[str, str] | None = None, **setup: Any) -> Game:
    """A game with the Europe of the example but for these cities."""
    return new(solo_setup({**EXAMPLE, **(changes or {})}, **{"discs": EXAMPLE_DISCS, **setup}))


def finished(game: Game) -> SoloSee:
    """Answer the choices of the set-up with the first option."""
    while game.phase == "setup":
        play(game, game.legal_moves()[0])
    assert_sound(game)
    return SoloSee(game)


# --- S1.1 to S1.5 -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_S1_1_the_player_starts_like_in_the_base_game_and_the_opposition_without_buildings(seed: int) -> None:
    game = new(seed=seed)
    see = finished(game)
    assert (game.num_players, game.variant, game.round, game.phase) == (1, "solo", 1, "build")
    assert (see.supply(PLAYER), see.harbor(PLAYER)) == (30, 0)
    assert see.own(PLAYER) == {"colonial_house": 1}
    assert set(see.statuses(PLAYER).values()) == {0}
    assert see.tokens(PLAYER).total() == 0
    assert see.own(MAT).total() == see.harbor(MAT) == 0
    assert see.cards(MAT) == see.cards(PLAYER) == set()


def test_S1_2_every_level_has_its_three_types_and_the_crown_lies_in_the_corner() -> None:
    seen = set()
    for seed in SEEDS:
        see = SoloSee(new(seed=seed))
        for level in range(1, 6):
            assert sorted(see.row(level), key=str) == sorted(LEVELS[level - 1])
            seen.add((level, tuple(see.row(level))))
        assert see.isb == (1, 1)
        assert see.pending() == {}
    assert len(seen) == 5 * 6, "every order occurs"


def test_S1_2_the_rest_is_stock() -> None:
    see = SoloSee(new(seed=3))
    for row, copies in zip(LEVELS, (5, 4, 3, 2, 1), strict=True):
        assert {see.left(tile) for tile in row} == {copies - 1}


def test_S1_2_S1_3_grid_and_scale_can_be_fixed() -> None:
    grid = tuple(row[::-1] for row in LEVELS)
    see = SoloSee(new(solo_setup(grid=grid, scale=(BLACK, BLACK, RED))))
    assert [see.row(level) for level in range(1, 6)] == [list(row) for row in grid]
    assert see.scale()[:3] == [BLACK, BLACK, RED]


def test_S1_3_two_discs_of_each_colour_in_random_order() -> None:
    scales = [SoloSee(new(seed=seed)).scale() for seed in SEEDS]
    assert all(Counter(scale) == {RED: 2, GREEN: 2, VIOLET: 2, BLACK: 2} for scale in scales)
    assert {scale[0] for scale in scales} == {scale[7] for scale in scales} == {RED, GREEN, VIOLET, BLACK}
    assert len({tuple(scale) for scale in scales}) > 30


def test_S1_4_SA17_europe_shows_every_status_and_a_blue_token() -> None:
    for seed in SEEDS:
        shown = {kind for space, kind in new(seed=seed).setup()["tokens"].items() if space in EUROPE}
        assert set(STATUSES) < shown
        assert shown & set(BLUE)


def test_S1_5_the_piles_are_those_of_the_base_game() -> None:
    see = SoloSee(new(seed=5))
    for deck in see.board.decks:
        top = "0" if deck in ("europe", "slavery") else "governor"
        assert see.pile(deck) == [f"{deck}.{value}" for value in (top, "1", "2", "3", "4", "5")]


# --- S1.6, S1.7 ---------------------------------------------------------------------------------------------------


def test_TS05_S1_6_two_discs_on_each_track_and_every_colour_on_a_first_space() -> None:
    firsts = set()
    for seed in SEEDS:
        see = SoloSee(new(seed=seed))
        tracks = [see.track(region) for region in TRACKS]
        assert [len(track) for track in tracks] == [2] * 6
        assert Counter(side for track in tracks for side in track) == {RED: 3, GREEN: 3, VIOLET: 3, BLACK: 3}
        assert {track[0] for track in tracks} == {RED, GREEN, VIOLET, BLACK}
        firsts |= {(region, see.track(region)[0]) for region in TRACKS}
    assert len(firsts) == 6 * 4, "any colour may lie on any of the first spaces"


def test_S1_6_the_discs_lie_as_the_set_up_says() -> None:
    see = SoloSee(new(solo_setup()))
    for region, pair in TRACK_DISCS.items():
        assert [c.COLOUR_NAMES[side] for side in see.track(region)] == list(pair)


@pytest.mark.parametrize("difficulty", ["normal", "harder"])
def test_S1_7_S1_10_S9_2_status_tokens_count_and_blue_ones_have_no_effect(difficulty: str) -> None:
    first = {f"{region}.1": kind for region, kind in zip(TRACKS, (*BLUE, "culture", "culture"), strict=True)}
    second = {f"{region}.2": kind for region, kind in zip(TRACKS, ("pay", *STATUSES, "culture"), strict=True)}
    game = new(solo_setup({**EXAMPLE, **first, **second}, discs=EXAMPLE_DISCS), difficulty=difficulty)
    see = finished(game)
    assert see.tokens(MAT) == {"industry": 2, "culture": 5, "finance": 2, "politics": 2}
    assert see.statuses(MAT) == dict(see.tokens(MAT))
    assert not any(see.token_on(space) for space in (*first, *second))
    assert see.cards(MAT) == set()
    assert [see.supply(side) for side in (RED, GREEN, VIOLET, BLACK)] == [26] * 4
    assert not any(see.is_open(region) for region in TRACKS)


# --- S1.8, S1.9 -----------------------------------------------------------------------------------------------------


def test_TS06_TS07_TS08_TS09_the_worked_example() -> None:
    game = europe()
    assert (game.round, game.phase) == (0, "setup")
    assert asked(game) == {"occupy:copenhagen", "occupy:rome"}, "no Industry city is near a region of Red"
    # Culture (London) and Finance (Paris) have one candidate each. Politics: Black holds space 1 of the Far East, next
    # to Constantinople, and of South America, next to Lisbon; Amsterdam and Venice are not near a region of Black.
    assert asked(game, "occupy:rome") == {"occupy:lisbon", "occupy:constantinople"}
    see = SoloSee(game)
    assert [see.owner(city) for city in ("rome", "london", "paris")] == [RED, GREEN, VIOLET]
    assert asked(game, "occupy:lisbon") == {"remove:alexandria", "remove:tangier"}
    assert see.owner("lisbon") == BLACK
    play(game, "remove:tangier")
    assert (game.round, game.phase, game.decision) == (1, "build", "build")
    assert (see.token_on("tangier"), see.token_on("alexandria"), see.owner("tangier")) == (None, "attack", None)


def test_S1_8_the_tokens_of_the_cities_count() -> None:
    game = europe()
    before = SoloSee(game).statuses(MAT)
    see = finished(game)
    assert {name: see.status(MAT, name) - before[name] for name in STATUSES} == dict.fromkeys(STATUSES, 1)
    assert not any(see.token_on(city) for city in EUROPE if see.owner(city) is not None)
    assert Counter(filter(None, map(see.owner, EUROPE))) == {RED: 1, GREEN: 1, VIOLET: 1, BLACK: 1}


def test_S1_8_the_colours_come_in_their_drawn_order() -> None:
    game = europe(order=("violet", "black", "red", "green"))
    see = finished(game)
    assert [see.owner("london"), see.owner("paris")] == [BLACK, RED]


def test_S1_8_a_one_city_near_a_region_with_the_colour_on_space_1_is_taken() -> None:
    # Red: space 1 in Africa, next to Tangier; space 2 in the Far East, next to Constantinople.
    tokens = {"tangier": "industry", "constantinople": "industry", "copenhagen": "pay", "rome": "attack"}
    game = europe(tokens)
    assert SoloSee(game).owner("tangier") == RED


def test_S1_8_b_else_one_near_a_region_with_the_colour_on_space_2() -> None:
    tokens = {"constantinople": "industry", "copenhagen": "politics"}
    game = europe(tokens)
    assert SoloSee(game).owner("constantinople") == RED


def test_S1_8_c_several_near_space_2_are_a_choice() -> None:
    tokens = {"constantinople": "industry", "london": "industry", "copenhagen": "culture"}
    assert asked(europe(tokens)) == {"occupy:constantinople", "occupy:london"}


def test_SC1_the_first_group_that_is_not_empty_is_the_choice() -> None:
    # Far East, space 1, and India, space 1, make two of group a; Africa, space 2, would be of group b.
    discs = {**EXAMPLE_DISCS, "far_east": ("red", "black"), "india": ("red", "green"), "africa": ("black", "red")}
    tokens = dict(zip(EUROPE, ("industry", "culture", "pay", "finance", "politics") * 2, strict=True))
    tokens |= {"constantinople": "industry", "tangier": "industry", "rome": "industry"}
    game = europe(tokens, discs=discs)
    assert asked(game) == {"occupy:london", "occupy:constantinople"}


def test_S1_8_a_the_choice_that_is_left_has_one_option_only() -> None:
    tokens = dict(
        zip(
            EUROPE,
            (
                *("culture", "attack", "politics", "finance", "attack"),
                *("industry", "pay", "attack", "pay", "pay"),
            ),
            strict=True,
        )
    )
    game = europe(tokens)
    see = SoloSee(game)
    assert [see.owner(city) for city in ("rome", "london", "paris", "copenhagen")] == [RED, GREEN, VIOLET, BLACK]
    blue = ("amsterdam", "lisbon", "venice", "constantinople", "alexandria", "tangier")
    assert asked(game) == {f"remove:{city}" for city in blue}


def test_S1_9_SC1_a_single_blue_token_leaves_without_a_question() -> None:
    game = europe({"tangier": "culture"})
    play(game, "occupy:rome")
    while game.phase == "setup":
        assert "remove" not in game.legal_moves()[0]
        play(game, game.legal_moves()[0])
    see = SoloSee(game)
    assert (see.token_on("alexandria"), see.owner("alexandria")) == (None, None)


def test_S1_9_the_token_has_no_effect_and_the_city_may_be_occupied() -> None:
    game = europe()
    play(game, "occupy:rome", "occupy:lisbon")
    before = SoloSee(game).statuses(MAT)
    play(game, "remove:tangier")
    see = SoloSee(game)
    assert see.statuses(MAT) == before
    assert see.cards(MAT) == set()
    play(game, "build:market", "activate:colonial_house", "occupy:tangier")
    assert see.owner("tangier") == PLAYER


def test_S1_9_only_blue_tokens_of_europe_may_leave() -> None:
    game = play(europe(), "occupy:rome", "occupy:lisbon")
    refuse(game, "remove:venice", "remove:rome", "remove:macau", "occupy:venice", "build:market")


def test_S1_11_the_marker_starts_at_3_with_its_glory_side_up() -> None:
    see = finished(new(seed=8))
    assert (see.ipf, see.bonus_due) == (3, False)


def test_S10_first_makes_the_choices_of_the_set_up() -> None:
    game = new(solo_setup(EXAMPLE, discs=EXAMPLE_DISCS), opposition_ties="first")
    assert (game.phase, game.decision, game.history) == ("build", "build", [])
    see = SoloSee(game)
    assert [see.owner(city) for city in ("copenhagen", "london", "paris", "lisbon")] == [RED, GREEN, VIOLET, BLACK]
    assert (see.token_on("alexandria"), see.token_on("tangier")) == (None, "pay")


@pytest.mark.parametrize("seed", SEEDS)
def test_S1_any_seed_ends_in_a_sound_position(seed: int) -> None:
    game = new(seed=seed)
    assert new(game.setup()).state.tobytes() == game.state.tobytes()
    see = finished(game)
    blue = [city for city in EUROPE if game.setup()["tokens"][city] in BLUE]
    assert sum(see.token_on(city) is None for city in blue) == 1
    assert sum(see.owner(city) is not None for city in EUROPE) == 4
    assert see.tokens(MAT).total() == sum(see.statuses(MAT).values())
