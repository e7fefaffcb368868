"""The named rewards and the shaping option."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from endeavor_env.endeavor.rewards import (
    MARGIN_SCALE,
    REWARDS,
    SOLO_MARGIN_SCALE,
    SOLO_REWARDS,
    margin_scale,
    reward_function,
)
from endeavor_env.engine.rewards import Shaping, final_rewards, rank, shaping_option, win, win_zero_sum
from endeavor_env.errors import InvalidOptionError

margin = REWARDS["margin"]
solo_win, solo_margin, solo_ladder = SOLO_REWARDS["win"], SOLO_REWARDS["margin"], SOLO_REWARDS["ladder"]

some_scores = st.lists(st.integers(-6, 150), min_size=3, max_size=5)


@pytest.mark.parametrize(
    ("function", "scores", "rewards"),
    [
        (win, [61, 55, 70, 48], [0, 0, 1, 0]),
        (win, [70, 55, 70, 48], [0.5, 0, 0.5, 0]),
        (win, [9, 9, 9], [1 / 3, 1 / 3, 1 / 3]),
        (win_zero_sum, [61, 55, 70, 48], [-0.25, -0.25, 0.75, -0.25]),
        (win_zero_sum, [9, 9, 9], [0, 0, 0]),
        (rank, [61, 55, 70, 48, 10], [0.5, 0, 1, -0.5, -1]),
        (rank, [70, 70, 48], [0.5, 0.5, -1]),
        (margin, [61, 55, 70, 48], [-9 / MARGIN_SCALE, -15 / MARGIN_SCALE, 9 / MARGIN_SCALE, -22 / MARGIN_SCALE]),
        (margin, [70, 70, 48], [0, 0, -22 / MARGIN_SCALE]),
        (margin, [100, 49, 20], [1, -1, -1]),
    ],
)
def test_rewards_of_given_scores(function, scores, rewards) -> None:
    assert final_rewards(function, scores) == pytest.approx(rewards)


@given(some_scores)
def test_what_the_rewards_add_up_to(scores: list[int]) -> None:
    assert sum(win(scores)) == pytest.approx(1)
    assert sum(win_zero_sum(scores)) == pytest.approx(0)
    assert sum(rank(scores)) == pytest.approx(0)
    assert sum(value > 0 for value in margin(scores)) == (scores.count(max(scores)) == 1)


@given(some_scores, st.sampled_from(sorted(REWARDS)))
def test_more_glory_never_means_less_reward(scores: list[int], name: str) -> None:
    rewards = REWARDS[name](scores)
    for seat, other in ((a, b) for a in range(len(scores)) for b in range(len(scores))):
        if scores[seat] >= scores[other]:
            assert rewards[seat] >= rewards[other]


def test_a_function_is_a_reward() -> None:
    def own_score(scores):
        return [float(score) for score in scores]

    assert reward_function(own_score, 3) is own_score
    assert reward_function("rank", 3) is rank


@pytest.mark.parametrize("reward", ["glory", None, 1, ["win"]])
def test_an_unknown_reward_names_the_known_ones(reward) -> None:
    with pytest.raises(InvalidOptionError, match="win, win_zero_sum, rank, margin"):
        reward_function(reward, 4)


@pytest.mark.parametrize("function", [lambda scores: [1.0], lambda scores: [math.nan] * len(scores)])
def test_a_function_with_wrong_rewards_is_refused_at_once(function) -> None:
    with pytest.raises(InvalidOptionError, match="must return 4 finite numbers"):
        reward_function(function, 4)


# --- the solitaire game: two scores, one seat ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("function", "scores", "reward"),
    [
        (solo_win, [60, 61], 0),
        (solo_win, [60, 60], 1),
        (solo_win, [61, 60], 1),
        (solo_win, [90, 60], 1),
        (solo_margin, [60, 70], -10 / SOLO_MARGIN_SCALE),
        (solo_margin, [60, 60], 0),
        (solo_margin, [70, 60], 10 / SOLO_MARGIN_SCALE),
        (solo_margin, [0, 101], -1),
        (solo_margin, [101, 0], 1),
        (solo_ladder, [60, 61], 0),
        (solo_ladder, [60, 60], 0.2),
        (solo_ladder, [62, 60], 0.2),
        (solo_ladder, [63, 60], 0.4),
        (solo_ladder, [65, 60], 0.6),
        (solo_ladder, [67, 60], 0.8),
        (solo_ladder, [69, 60], 1),
        (solo_ladder, [99, 60], 1),
    ],
)
def test_S8_3_rewards_of_a_solitaire_game(function, scores, reward) -> None:
    assert final_rewards(function, scores, seats=1) == pytest.approx([reward])


@given(st.tuples(st.integers(-6, 150), st.integers(-6, 150)), st.integers(1, 20), st.sampled_from(sorted(SOLO_REWARDS)))
def test_S8_3_a_greater_lead_never_means_less_reward(scores: tuple[int, int], more: int, name: str) -> None:
    function = SOLO_REWARDS[name]
    assert function([scores[0] + more, scores[1]])[0] >= function(scores)[0]
    assert function([scores[0], scores[1] + more])[0] <= function(scores)[0]


def test_reward_names_of_a_variant() -> None:
    assert reward_function("win", 1, "solo") is solo_win
    assert reward_function("margin", 1, "solo") is solo_margin
    assert reward_function("ladder", 1, "solo") is solo_ladder
    assert reward_function("win", 2, "soloplay_2") is reward_function("win", 2, "neutral_2") is win
    assert reward_function("rank", 3, "soloplay_3") is reward_function("rank", 3) is rank
    assert reward_function("margin", 5, "exploits") is margin


@pytest.mark.parametrize(
    ("reward", "players", "variant", "said"),
    [
        (
            "rank",
            1,
            "solo",
            "'rank' is not possible in variant 'solo': it compares seats, .* one of win, margin, ladder,",
        ),
        ("win_zero_sum", 1, "solo", "'win_zero_sum' is not possible in variant 'solo': it compares seats"),
        ("ladder", 4, "standard", "'ladder' is not possible in variant 'standard': it grades a solitaire game"),
        (
            "ladder",
            2,
            "soloplay_2",
            "'ladder' is not possible in .*: .* give one of win, win_zero_sum, rank, margin, or",
        ),
        ("ladder", 4, "exploits", "'ladder' is not possible in variant 'exploits': it grades a solitaire game"),
        ("glory", 1, "solo", "'glory' is not known: give one of win, margin, ladder, or a function"),
        (None, 1, "solo", "None is not known: give one of win, margin, ladder"),
        (
            lambda scores: [1.0, 0.0],
            1,
            "solo",
            r"scores \[2, 1\]: it must return one finite number, that of the only seat",
        ),
        (lambda scores: [math.nan], 1, "solo", "must return one finite number"),
        (lambda scores: [1.0], 2, "neutral_2", r"for the scores \[2, 1\]: it must return 2 finite numbers"),
    ],
)
def test_a_reward_that_does_not_fit_the_variant_is_refused(reward, players, variant, said) -> None:
    with pytest.raises(InvalidOptionError, match=said):
        reward_function(reward, players, variant)


def test_a_function_of_both_scores_is_a_solitaire_reward() -> None:
    def lead(scores):
        return [float(scores[0] - scores[1])]

    assert reward_function(lead, 1, "solo") is lead
    assert final_rewards(lead, [50, 44], seats=1) == [6.0]
    assert Shaping().potential(margin_scale("solo"), [50, 44], 0) == pytest.approx(solo_margin([50, 44])[0])


def test_games_with_exploits_are_scaled_as_the_standard_game() -> None:
    assert margin_scale("exploits") == margin_scale("standard") == MARGIN_SCALE
    assert Shaping().potential(margin_scale("exploits"), [50, 44, 30], 1) == pytest.approx(-6 / MARGIN_SCALE)


# --- shaping ---------------------------------------------------------------------------------------------------------


def test_the_potential_is_the_scaled_margin() -> None:
    assert Shaping(weight=2.0).potential(MARGIN_SCALE, [30, 20, 5], 0) == pytest.approx(2 * 10 / MARGIN_SCALE)
    assert Shaping(weight=2.0).potential(MARGIN_SCALE, [30, 20, 5], 2) == pytest.approx(2 * -25 / MARGIN_SCALE)


def test_shaping_options() -> None:
    assert shaping_option(None) is None
    assert shaping_option({}) == Shaping(1.0, 1.0)
    assert shaping_option({"gamma": 0.5, "weight": 3}) == Shaping(0.5, 3.0)
    assert shaping_option({"gamma": np.float32(0.5), "weight": np.int64(3)}) == Shaping(0.5, 3.0)
    assert shaping_option(Shaping(0.5)) == Shaping(0.5, 1.0)


@pytest.mark.parametrize(
    ("shaping", "said"),
    [
        (0.99, "give None, or a mapping"),
        ({"discount": 0.9}, "no option 'discount': its options are gamma, weight"),
        ({"gamma": 0}, "gamma 0 is not possible: it must be finite, above 0 and at most 1"),
        ({"gamma": 1.5}, "above 0 and at most 1"),
        ({"gamma": True}, "above 0 and at most 1"),
        ({"weight": -1.0}, "finite, above 0 and at most 1e\\+15"),
        ({"weight": math.inf}, "finite, above 0"),
        ({"weight": math.nan}, "finite, above 0"),
        ({"weight": "big"}, "finite, above 0"),
        ({"weight": 10**400}, "finite, above 0"),
        ({"weight": 1e300}, "finite, above 0"),
        ({"gamma": 10**400}, "finite, above 0"),
        ({"gamma": np.float64("nan")}, "finite, above 0"),
    ],
)
def test_wrong_shaping_options(shaping, said: str) -> None:
    with pytest.raises(InvalidOptionError, match=said):
        shaping_option(shaping)
