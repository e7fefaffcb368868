"""Sail (R8.1): the farthest free shipping space, its token, and discs beside a full track."""

from __future__ import annotations

import pytest

from tests.kits.actions import BLUE, BROWN, TRACKS, acting, assert_turn, gains, legal, moves, refuse, sails
from tests.kits.position import See, play

SPACES = [(region, n) for region, length in TRACKS.items() for n in range(1, length + 1)]


@pytest.mark.parametrize(("region", "n"), SPACES)
def test_R8_1_1_disc_goes_to_the_farthest_free_space(region: str, n: int) -> None:
    before = [1] * (n - 1)
    game = acting(own=("shipyard",)).track(region, *before).game()
    play(game, "activate:shipyard", f"sail:{region}")
    see = See(game)
    assert see.track(region) == [*before, 0]
    assert see.token_on(f"{region}.{n}") is None
    left = [see.token_on(f"{region}.{k}") for k in range(n + 1, TRACKS[region] + 1)]
    assert None not in left, "spaces nearer the pile keep their tokens"
    assert see.beside(region, 0) == 0
    assert_turn(game, 1)


@pytest.mark.parametrize("region", TRACKS)
@pytest.mark.parametrize("kind", BROWN)
def test_R8_1_1_brown_token_is_taken_and_counted(region: str, kind: str) -> None:
    game = acting(own=("shipyard",)).token(f"{region}.1", kind).game()
    start = See(game).statuses(0)
    play(game, "activate:shipyard", f"sail:{region}")
    assert See(game).tokens(0) == {kind: 1}
    assert gains(start, game, 0) == {kind: 1}


@pytest.mark.parametrize("kind", BLUE)
def test_R8_1_1_blue_token_is_taken_without_status(kind: str) -> None:
    game = acting(own=("shipyard",)).token("india.3", kind).track("india", 1, 2).game()
    start = See(game).statuses(0)
    play(game, "activate:shipyard", "sail:india")
    assert See(game).tokens(0) == {kind: 1}
    assert gains(start, game, 0) == {}


def test_R8_1_1_blue_token_just_taken_can_be_spent_on_the_next_turn() -> None:
    game = acting(own=("shipyard",)).passed(1, 2, 3).token("africa.1", "sail_draw").game()
    play(game, "activate:shipyard", "sail:africa")
    assert_turn(game, 0)
    assert "spend:sail_draw" in legal(game)


def test_R8_1_1_only_the_sailor_gains() -> None:
    game = acting(own=("shipyard",)).token("caribbean.1", "finance").game()
    others = [(See(game).statuses(seat), See(game).tokens(seat)) for seat in (1, 2, 3)]
    play(game, "activate:shipyard", "sail:caribbean")
    assert [(See(game).statuses(seat), See(game).tokens(seat)) for seat in (1, 2, 3)] == others


def test_D_SAIL_six_regions_without_presence_and_never_europe() -> None:
    game = play(acting(own=("shipyard",)).game(), "activate:shipyard")
    assert See(game).board_discs(0) == 0
    assert game.decision == "target"
    assert legal(game) == sails() | {"done"}
    refuse(game, "sail:europe")


def test_D_SAIL_full_and_empty_tracks_are_offered_alike() -> None:
    position = acting(own=("shipyard",)).open("india", by=1).open("far_east", by=2).track("africa", 1, 2, 3)
    game = play(position.game(), "activate:shipyard")
    assert legal(game) == sails() | {"done"}


@pytest.mark.parametrize(("harbor", "left"), [(2, 0), (3, 1), (7, 5)])
def test_R8_1_1_costs_one_disc_besides_the_activation(harbor: int, left: int) -> None:
    game = acting(own=("shipyard",), harbor=harbor).game()
    supply = See(game).supply(0)
    play(game, "activate:shipyard", "sail:india")
    assert (See(game).harbor(0), See(game).supply(0)) == (left, supply)
    assert See(game).board_discs(0) == 1
    assert See(game).workers(0) == {"shipyard": 1}


@pytest.mark.parametrize("harbor", [1, 4])
def test_R8_1_1_costs_one_disc_with_a_token(harbor: int) -> None:
    game = acting(harbor=harbor).tokens(0, "sail_draw").game()
    play(game, "spend:sail_draw", "sail:india")
    assert See(game).harbor(0) == harbor - 1
    assert See(game).workers(0) == {}


def test_R8_1_1_no_disc_left_after_the_activation_means_no_sail() -> None:
    game = play(acting(own=("shipyard",), harbor=1).game(), "activate:shipyard")
    assert_turn(game, 1)
    assert See(game).harbor(0) == 0
    assert See(game).board_discs(0) == 0


@pytest.mark.parametrize("region", TRACKS)
def test_R8_1_2_full_track_takes_the_disc_beside_it_without_a_token(region: str) -> None:
    game = acting(own=("shipyard",)).open(region, by=1).game()
    track, tokens, start = See(game).track(region), See(game).tokens(0), See(game).statuses(0)
    play(game, "activate:shipyard", f"sail:{region}")
    see = See(game)
    assert (see.track(region), see.beside(region, 0)) == (track, 1)
    assert see.tokens(0) == tokens
    assert gains(start, game, 0) == {}
    assert see.harbor(0) == 3


def test_R8_1_2_discs_beside_pile_up() -> None:
    game = acting(own=("shipyard",)).open("india", by=1).beside("india", 0, 3).beside("india", 2).game()
    play(game, "activate:shipyard", "sail:india")
    see = See(game)
    assert [see.beside("india", seat) for seat in range(4)] == [4, 0, 1, 0]


def test_R8_1_2_disc_beside_counts_for_presence() -> None:
    game = acting(own=("shipyard",)).passed(1, 2, 3).open("india", by=1).game()
    play(game, "activate:shipyard", "sail:india", "activate:colonial_house")
    assert moves("occupy", "bombay", "calcutta") <= legal(game)


@pytest.mark.parametrize(("beside", "value"), [(1, 1), (2, 2), (3, 3)])
def test_R8_1_2_discs_beside_count_for_draw(beside: int, value: int) -> None:
    position = acting(own=("shipyard", "market")).passed(1, 2, 3).open("india", by=1)
    position.cards(1, *(f"india.{v}" for v in range(1, value))).beside("india", 0, beside - 1)
    game = position.game()
    assert "draw:india" not in legal(play(game.clone(), "activate:market"))
    play(game, "activate:shipyard", "sail:india", "activate:market", "draw:india")
    assert See(game).cards(0) == {f"india.{value}"}


def test_R8_1_2_sailing_beside_awards_no_governor() -> None:
    game = acting(own=("shipyard",)).open("africa", by=1).beside("africa", 0, 6).game()
    place = See(game).place("africa.governor")
    play(game, "activate:shipyard", "sail:africa")
    assert See(game).place("africa.governor") == place
    assert See(game).cards(0) == set()


def test_D_SAIL_declined_after_the_activation() -> None:
    game = play(acting(own=("shipyard",)).game(), "activate:shipyard", "done")
    assert_turn(game, 1)
    assert (See(game).harbor(0), See(game).board_discs(0)) == (4, 0)
    assert See(game).workers(0) == {"shipyard": 1}
