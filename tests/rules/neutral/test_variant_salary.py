"""soloplay_2 and soloplay_3: after the Salary phase a smaller harbor gains a neutral disc (V2S.6, V3S.4)."""

from __future__ import annotations

import pytest

from tests.kits.actions import assert_turn
from tests.kits.position import See, play
from tests.kits.variant_position import PLAYERS, SOLOPLAY, Variant, in_harbor, reserve


def before_salary(variant: str, harbors: list[int], neutral: list[int], stock: int | None = None) -> Variant:
    """The last seat is to build; after Growth (two discs each) the harbors have these own and neutral discs."""
    position = Variant(variant).build(len(harbors) - 1)
    for seat, (own, lying) in enumerate(zip(harbors, neutral, strict=True)):
        position.discs(seat, harbor=own - 2).neutral(seat, harbor=lying, reserve=stock)
    return position


GAINS = [
    ([4, 3], [0, 1], [0, 0]),
    ([4, 3], [0, 0], [0, 1]),
    ([3, 4], [0, 0], [1, 0]),
    ([3, 3], [1, 0], [0, 1]),
    ([6, 2], [0, 2], [0, 1]),
    ([2, 2], [0, 0], [0, 0]),
    ([2, 3], [2, 1], [0, 0]),
    ([2, 4], [1, 2], [1, 0]),
]


@pytest.mark.parametrize(("own", "neutral", "gained"), GAINS)
def test_V2S_6_the_strictly_smaller_harbor_gains_a_neutral_disc(
    own: list[int], neutral: list[int], gained: list[int]
) -> None:
    game = before_salary("soloplay_2", own, neutral).game()
    stock = [reserve(game, seat) for seat in (0, 1)]
    play(game, "build:market")
    assert_turn(game, 0)
    assert [See(game).harbor(seat) for seat in (0, 1)] == own
    assert [in_harbor(game, seat) - neutral[seat] for seat in (0, 1)] == gained
    assert [stock[seat] - reserve(game, seat) for seat in (0, 1)] == gained


def test_TV2_own_and_neutral_discs_count_alike_and_ties_gain_nothing() -> None:
    tied = play(before_salary("soloplay_2", [4, 3], [0, 1]).game(), "build:market")
    assert (in_harbor(tied, 0), in_harbor(tied, 1)) == (0, 1)
    fewer = play(before_salary("soloplay_2", [4, 3], [0, 0]).game(), "build:market")
    assert (in_harbor(fewer, 0), in_harbor(fewer, 1)) == (0, 1)


@pytest.mark.parametrize("variant", SOLOPLAY)
def test_V2S_6_an_empty_reserve_gives_nothing(variant: str) -> None:
    harbors = [6, *[2] * (PLAYERS[variant] - 1)]
    game = play(before_salary(variant, harbors, [0] * len(harbors), stock=0).game(), "build:market")
    assert_turn(game, 0)
    assert [in_harbor(game, seat) for seat in range(len(harbors))] == [0] * len(harbors)


def test_V2S_6_compares_after_the_payments() -> None:
    position = before_salary("soloplay_2", [3, 4], [0, 0]).own(0, "market", "shipyard").workers(0, "market", "shipyard")
    game = play(position.status(0, finance=2, culture=1).game(), "build:market")
    # Seat 0 has two payments and frees both discs: 5 to 4.
    assert See(game).harbor(0) == 5
    assert (in_harbor(game, 0), in_harbor(game, 1)) == (0, 1)


def test_V2S_6_compares_after_the_last_chosen_payment() -> None:
    position = Variant("soloplay_2").own(1, "market", "shipyard").workers(1, "market", "shipyard").salary(1, 1)
    game = position.discs(0, harbor=3).discs(1, harbor=2).game()
    assert (in_harbor(game, 0), in_harbor(game, 1)) == (0, 0)
    play(game, "pay:market")
    assert_turn(game, 0)
    assert (in_harbor(game, 0), in_harbor(game, 1)) == (0, 0)


def test_V2S_6_happens_once_a_round_from_the_first_one_on() -> None:
    position = Variant("soloplay_2").round(1).build(1).status(0, culture=2)
    game = play(position.game(), "build:market")
    assert [in_harbor(game, seat) for seat in (0, 1)] == [0, 1]
    play(game, "activate:colonial_house", "done", "pass", "pass")
    assert game.round == 2
    assert [in_harbor(game, seat) for seat in (0, 1)] == [0, 1]
    # In round 2 seat 0 has 2 + 3 discs and one more that returns from its Colonial House, seat 1 has 4 and 1 neutral.
    play(game, "build:market", "build:market")
    assert [See(game).harbor(seat) for seat in (0, 1)] == [6, 4]
    assert [in_harbor(game, seat) for seat in (0, 1)] == [0, 2]


@pytest.mark.parametrize(
    ("own", "neutral", "gained"),
    [
        ([5, 5, 3], [0, 0, 0], [0, 0, 1]),
        ([4, 4, 4], [0, 0, 0], [0, 0, 0]),
        ([6, 4, 4], [0, 0, 0], [0, 1, 1]),
        ([4, 4, 4], [1, 0, 1], [0, 1, 0]),
        ([2, 3, 4], [0, 1, 0], [1, 0, 0]),
        ([4, 2, 3], [1, 1, 1], [0, 1, 1]),
    ],
)
def test_V3S_4_all_but_the_largest_harbors_gain_a_neutral_disc(
    own: list[int], neutral: list[int], gained: list[int]
) -> None:
    game = play(before_salary("soloplay_3", own, neutral).game(), "build:market")
    assert_turn(game, 0)
    assert [in_harbor(game, seat) - neutral[seat] for seat in range(3)] == gained
    assert [reserve(game, seat) for seat in range(3)] == [2 - neutral[seat] - gained[seat] for seat in range(3)]


@pytest.mark.parametrize(("own", "neutral"), [([2, 2], [0, 0]), ([5, 5], [1, 1]), ([6, 4], [1, 3]), ([3, 5], [2, 0])])
def test_VA9_equal_harbors_gain_nothing(own: list[int], neutral: list[int]) -> None:
    game = play(before_salary("soloplay_2", own, neutral).game(), "build:market")
    assert [in_harbor(game, seat) for seat in (0, 1)] == neutral


@pytest.mark.parametrize(("own", "neutral"), [([4, 4, 2], [0, 0, 0]), ([3, 4, 2], [1, 0, 1]), ([5, 3, 2], [0, 2, 2])])
def test_VA10_of_three_those_tied_for_the_largest_take_none(own: list[int], neutral: list[int]) -> None:
    game = play(before_salary("soloplay_3", own, neutral, stock=0).neutral(2, harbor=neutral[2]).game(), "build:market")
    assert [in_harbor(game, seat) - neutral[seat] for seat in range(3)] == [0, 0, int(neutral[2] < 2)]


@pytest.mark.parametrize(("own", "gained"), [([5, 5, 3], [0, 0, 1]), ([4, 4, 4], [0, 0, 0]), ([6, 4, 4], [0, 1, 1])])
def test_TV5_ties_for_the_largest_harbor_take_none(own: list[int], gained: list[int]) -> None:
    game = play(before_salary("soloplay_3", own, [0, 0, 0]).game(), "build:market")
    assert [in_harbor(game, seat) for seat in range(3)] == gained
