"""Opening a region and its Governor (R8.2, A14)."""

from __future__ import annotations

import pytest

from endeavor_env.endeavor.rules import constants as c
from tests.kits.actions import CITIES, GOVERNORS, TRACKS, acting, assert_turn, gains, legal, moves, refuse
from tests.kits.position import Position, See, play

# Africa's track, far end first; the last disc is the one that opens the region. Then the Governor's winner.
WINNERS = [
    ((0, 0, 0, 0, 0, 0), 0),
    ((0, 1, 1, 1, 2, 3), 1),
    ((1, 1, 1, 0, 2, 3), 1),  # a majority at the far end beats every newer disc
    ((2, 1, 2, 1, 2, 1), 1),  # 3-3: the last disc decides
    ((0, 1, 1, 0, 2, 3), 0),  # 2-2: latest discs on spaces 4 and 3
    ((1, 0, 0, 2, 1, 3), 1),  # 2-2: one's latest is nearer although the other two lie together
    ((0, 0, 1, 1, 2, 3), 1),
    ((1, 1, 0, 0, 2, 3), 0),
    ((0, 1, 2, 0, 1, 2), 2),  # 2-2-2
    ((2, 1, 0, 2, 0, 1), 1),
    ((0, 1, 2, 1, 2, 0), 0),
    ((3, 0, 3, 2, 0, 1), 0),  # 2-2 between seats that did not sail last
]


def last_sail(region: str, discs: tuple[int, ...]) -> Position:
    """The seat of the last disc is to sail it with a Shipyard."""
    sailor = discs[-1]
    position = Position(4).own(sailor, "shipyard").discs(sailor, harbor=5).turn(sailor)
    return position.track(region, *discs[:-1])


@pytest.mark.parametrize(("discs", "winner"), WINNERS)
def test_R8_2_2_governor_goes_to_the_majority_ties_to_the_nearest(discs: tuple[int, ...], winner: int) -> None:
    game = play(last_sail("africa", discs).game(), "activate:shipyard", "sail:africa")
    see = See(game)
    assert see.track("africa") == list(discs)
    assert see.place("africa.governor") == winner


@pytest.mark.parametrize(("discs", "winner"), WINNERS)
def test_R8_2_2_any_seat_may_win_wherever_the_first_player_sits(discs: tuple[int, ...], winner: int) -> None:
    rotated = tuple((seat + 1) % 4 for seat in discs)
    position = last_sail("africa", rotated).round(5, first=2)
    game = play(position.game(), "activate:shipyard", "sail:africa")
    assert See(game).place("africa.governor") == (winner + 1) % 4


def test_R8_2_2_five_seats_with_one_disc_more() -> None:
    position = Position(5).own(4, "shipyard").discs(4, harbor=2).turn(4).track("india", 0, 1, 2, 3, 4)
    game = play(position.game(), "activate:shipyard", "sail:india")
    assert See(game).place("india.governor") == 4


@pytest.mark.parametrize(("region", "length"), TRACKS.items())
def test_R8_2_1_only_the_last_free_space_opens(region: str, length: int) -> None:
    game = acting(own=("cartographer",)).passed(1, 2, 3).track(region, *[1] * (length - 2)).game()
    play(game, "activate:cartographer", f"sail:{region}")
    assert not See(game).is_open(region)
    assert See(game).place(f"{region}.governor") == c.CARD_IN_PILE
    play(game, f"sail:{region}")
    assert See(game).is_open(region)
    assert See(game).place(f"{region}.governor") == 1


@pytest.mark.parametrize("region", TRACKS)
def test_R8_2_1_occupy_and_draw_become_possible_by_opening(region: str) -> None:
    position = acting(own=("shipyard", "market"), harbor=9).passed(1, 2, 3).track(region, *[0] * (TRACKS[region] - 1))
    game = position.game()
    cities = moves("occupy", *CITIES[region])
    assert not cities & legal(play(game.clone(), "activate:colonial_house"))
    assert f"draw:{region}" not in legal(play(game.clone(), "activate:market"))
    play(game, "activate:shipyard", f"sail:{region}")
    assert cities <= legal(play(game.clone(), "activate:colonial_house"))
    assert f"draw:{region}" in legal(play(game.clone(), "activate:market"))


@pytest.mark.parametrize("region", TRACKS)
def test_R8_2_1_attack_becomes_possible_by_opening(region: str) -> None:
    position = acting(own=("shipyard", "barracks"), harbor=9).passed(2, 3).track(region, *[1] * (TRACKS[region] - 1))
    city = CITIES[region][0]
    game = play(position.discs(1, harbor=2).game(), "activate:shipyard", f"sail:{region}")
    play(game, "activate:colonial_house", f"occupy:{city}", "activate:barracks", f"attack:{city}")
    assert See(game).owner(city) == 0


def test_R8_2_1_europe_is_open_from_the_start() -> None:
    game = acting(3, own=("market",)).city("rome", 1).tokens(0, "attack").round(1).game()
    assert See(game).is_open("europe")
    assert moves("draw", "europe", "slavery") <= legal(play(game.clone(), "activate:market"))
    assert "occupy:london" in legal(play(game.clone(), "activate:colonial_house"))
    assert "attack:rome" in legal(play(game, "spend:attack"))


def test_R8_2_1_other_regions_stay_closed() -> None:
    game = play(last_sail("india", (1, 1, 1, 1, 1, 1)).game(), "activate:shipyard", "sail:india")
    assert [region for region in TRACKS if See(game).is_open(region)] == ["india"]


def test_R8_2_2_winner_may_have_passed() -> None:
    game = acting(own=("shipyard",)).passed(1, 2).track("africa", 1, 1, 1, 2, 3).game()
    start = See(game).statuses(1)
    play(game, "activate:shipyard", "sail:africa")
    assert See(game).cards(1) == {"africa.governor"}
    assert gains(start, game, 1) == {"finance": 2, "politics": 1}
    assert_turn(game, 3)


@pytest.mark.parametrize("winner", [0, 2])
@pytest.mark.parametrize("region", TRACKS)
def test_R8_2_3_governor_icons_count_at_once(region: str, winner: int) -> None:
    length = TRACKS[region]
    position = acting(own=("shipyard",)).track(region, *[winner] * (length - 1))
    game = position.token(f"{region}.{length}", "pay").game()
    start = See(game).statuses(winner)
    play(game, "activate:shipyard", f"sail:{region}")
    assert See(game).place(f"{region}.governor") == winner
    assert gains(start, game, winner) == GOVERNORS[region]


def test_R8_2_3_no_decision_about_the_slot_and_no_limit_before_passing() -> None:
    held = ("india.governor", "europe.0", "europe.1", "slavery.0", "slavery.1")
    game = acting(own=("shipyard",)).track("africa", 1, 1, 1, 1, 1).cards(1, *held).game()
    play(game, "activate:shipyard", "sail:africa")
    assert See(game).status(1, "politics") == 5, "limit 3, while four cards but the slot and one Slavery card are held"
    assert_turn(game, 1)
    assert See(game).cards(1) == {"africa.governor", *held}


def test_R8_2_3_a_governor_comes_only_from_opening() -> None:
    position = acting(own=("market",)).open("india", by=0).cards(1, "india.1", "india.2").gone("india.governor")
    game = play(position.game(), "activate:market", "draw:india")
    assert See(game).cards(0) == {"india.3"}
    assert See(game).place("india.governor") == c.CARD_OUT_OF_GAME


def test_R8_2_4_the_opening_disc_takes_its_token_and_then_counts() -> None:
    # 2-3 before the sail, 3-3 after it: the new disc counts and, lying nearest the pile, decides.
    position = acting(own=("shipyard",)).track("africa", 0, 0, 1, 1, 1).token("africa.6", "industry")
    game = position.game()
    start = See(game).statuses(0)
    play(game, "activate:shipyard", "sail:africa")
    assert See(game).place("africa.governor") == 0
    assert gains(start, game, 0) == {"finance": 2, "politics": 1, "industry": 1}
    assert See(game).tokens(0)["industry"] == 1


def test_R8_2_4_the_token_stays_with_the_sailor_when_another_wins() -> None:
    position = acting(own=("shipyard",)).track("africa", 1, 1, 1, 1, 2).token("africa.6", "culture")
    game = position.game()
    start = {seat: See(game).statuses(seat) for seat in (0, 1)}
    play(game, "activate:shipyard", "sail:africa")
    assert gains(start[0], game, 0) == {"culture": 1}
    assert gains(start[1], game, 1) == {"finance": 2, "politics": 1}


@pytest.mark.parametrize("sailor", [0, 2])
def test_A14_discs_beside_come_after_the_opening_and_never_move_the_governor(sailor: int) -> None:
    position = Position(4).own(0, "cartographer").own(2, "cartographer").discs(0, harbor=9).discs(2, harbor=9)
    game = position.passed(1, 3).turn(sailor).track("africa", 0, 1, 2, 3, 1).tokens(2 - sailor, "sail_draw").game()
    play(game, "activate:cartographer", "sail:africa", "sail:africa")
    winner = See(game).place("africa.governor")
    assert winner == sailor, "2-2 with seat 1, the sailor's disc lies nearer the pile"
    assert See(game).beside("africa", sailor) == 1
    play(game, "spend:sail_draw", "sail:africa")
    assert See(game).place("africa.governor") == winner


def test_A14_a_disc_beside_does_not_break_a_tie_made_on_the_track() -> None:
    # The second Sail of seat 0 goes beside: on the track alone seats 1 and 2 lead with two discs each.
    game = acting(own=("cartographer",)).track("africa", 1, 2, 2, 1, 3).game()
    play(game, "activate:cartographer", "sail:africa", "sail:africa")
    assert See(game).place("africa.governor") == 1


def test_R8_2_1_drawing_in_a_region_with_a_free_space_is_refused() -> None:
    game = acting(own=("market",)).track("india", 0, 0, 0, 0, 0).game()
    play(game, "activate:market")
    refuse(game, "draw:india")
