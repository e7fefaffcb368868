"""Rewards as named functions of the final scores, and potential-based shaping as an explicit option.

A reward function takes the scores of all seats, in seat order, and returns one float for each seat. The environments
call it once, when the game is over; before that every reward is 0 unless shaping is switched on. Named rewards lie
between -1 and 1, so that no lost game costs more than an illegal action does by default.

A game that one seat plays against an opponent without a seat has two scores, the seat's and the opponent's: its reward
functions take both and return one float.
"""

from __future__ import annotations

import functools
import itertools
import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from endeavor_env.basics.inputs import MAX_WEIGHT, check_names, real_number
from endeavor_env.engine.kernels.endings import Scale
from endeavor_env.errors import InvalidOptionError, named, shown

RewardFunction = Callable[[Sequence[int]], Sequence[float]]
"""Final scores in seat order -> rewards in seat order; alone, the seat's and the opponent's score -> one reward."""


def win(scores: Sequence[int]) -> list[float]:
    """Return 1 for the highest score and 0 for the others; tied winners share the 1 evenly."""
    best = max(scores)
    share = 1.0 / sum(score == best for score in scores)
    return [share if score == best else 0.0 for score in scores]


def win_zero_sum(scores: Sequence[int]) -> list[float]:
    """Return ``win`` less the same constant for every seat, so that the rewards add up to 0."""
    shift = 1.0 / len(scores)
    return [reward - shift for reward in win(scores)]


def rank(scores: Sequence[int]) -> list[float]:
    """Return the place as a number, evenly from 1 (beats all) down to -1 (loses to all); the sum is 0.

    A seat's reward is (seats it beats - seats that beat it) / (seats - 1), so tied seats get the mean of their places.
    """
    others = len(scores) - 1
    return [(sum(own > other for other in scores) - sum(own < other for other in scores)) / others for own in scores]


def margin(scores: Sequence[int], scale: float) -> list[float]:
    """Return (own score - best other score) / ``scale``, at least -1 and at most 1.

    It is positive exactly for a sole winner. The limits keep a lost game from costing more than an illegal action.
    """
    return [_limited(lead_of(scores, seat) / scale) for seat in range(len(scores))]


def alone_win(scores: Sequence[int]) -> list[float]:
    """Return 1 unless the opponent without a seat has more: equal scores are a victory."""
    return [1.0 if scores[0] >= scores[1] else 0.0]


def alone_margin(scores: Sequence[int], scale: float) -> list[float]:
    """Return (own score - the opponent's) / ``scale``, at least -1 and at most 1."""
    return [_limited(lead_of(scores, 0) / scale)]


def alone_ladder(scores: Sequence[int], ladder: Sequence[int]) -> list[float]:
    """Return the rung of the result, evenly from 0 for a defeat up to 1; ``ladder`` has the least lead of each."""
    return [sum(scores[0] - scores[1] >= least for least in ladder) / len(ladder)]


def lead_of(scores: Sequence[int], seat: int) -> int:
    """Return the score of ``seat`` less the best of the others."""
    return scores[seat] - max(score for other, score in enumerate(scores) if other != seat)


def _limited(reward: float) -> float:
    """Return ``reward``, at least -1 and at most 1."""
    return min(1.0, max(-1.0, reward))


TABLE_NAMES = ("win", "win_zero_sum", "rank", "margin")
"""The rewards with names where seats play against each other."""
ALONE_NAMES = ("win", "margin", "ladder")
"""Those of one seat against an opponent without a seat."""


def named_rewards(scale: Scale, alone: bool) -> dict[str, RewardFunction]:
    """Return the rewards with names of a game; ``alone`` says whether one seat plays against one without a seat."""
    if alone:
        ladder = tuple(scale.ladder.tolist())
        functions = alone_win, partial(alone_margin, scale=scale.alone_margin), partial(alone_ladder, ladder=ladder)
        return dict(zip(ALONE_NAMES, functions, strict=True))
    return dict(zip(TABLE_NAMES, (win, win_zero_sum, rank, partial(margin, scale=scale.margin)), strict=True))


def margin_scale(scale: Scale, alone: bool) -> float:
    """Return the points that count as 1 in ``margin`` and in the shaping potential."""
    return scale.alone_margin if alone else scale.margin


def reward_function(
    reward: str | RewardFunction, players: int, variant: str, known: Mapping[str, RewardFunction], alone: bool
) -> RewardFunction:
    """Return the named reward, or ``reward`` itself if it is a function that works for the scores of a game.

    Args:
        reward: A name in ``known``, or a function.
        players: Number of seats.
        variant: The name of the variant, for messages.
        known: What ``named_rewards`` returns for the game.
        alone: Whether one seat plays against an opponent without a seat.

    Raises:
        InvalidOptionError: Neither such a name nor such a function.
    """
    if callable(reward):
        _try_out(reward, list(range(players + alone, 0, -1)), players)
        return reward
    if isinstance(reward, str) and reward in known:
        return known[reward]
    if isinstance(reward, str) and reward in (*TABLE_NAMES, *ALONE_NAMES):
        why = "it compares seats, and there is one" if alone else "it grades a solitaire game"
        raise InvalidOptionError(
            f"reward {shown(reward)} is not possible in variant {variant!r}: {why}; give one of {', '.join(known)}, "
            "or a function"
        )
    raise InvalidOptionError(
        f"reward {shown(reward)} is not known: give one of {', '.join(known)}, or a function from the list of final "
        "scores to one float a seat"
    )


def _try_out(function: RewardFunction, scores: list[int], players: int) -> None:
    """Raise InvalidOptionError if a function of the caller does not work, which is better now than at the end."""
    try:
        final_rewards(function, scores, players)
    except InvalidOptionError:
        raise
    except Exception as error:
        raise InvalidOptionError(
            f"the reward function failed for the scores {scores} with {type(error).__name__}: {named(error)}"
        ) from error


def final_rewards(function: RewardFunction, scores: Sequence[int], seats: int | None = None) -> list[float]:
    """Return ``function(scores)`` as Python floats, one for each of ``seats``; None for as many as there are scores.

    The function gets a list of its own.

    Raises:
        InvalidOptionError: The function returned something else than one finite number for each seat.
    """
    wanted = len(scores) if seats is None else seats
    returned: Any = function([*scores])
    try:
        values = () if isinstance(returned, str | bytes) else itertools.islice(returned, wanted + 1)
        rewards = [float(value) for value in values]
    except (TypeError, ValueError, OverflowError):
        rewards = []
    if len(rewards) != wanted or not all(map(math.isfinite, rewards)):
        numbers = f"{wanted} finite numbers, one a seat" if wanted > 1 else "one finite number, that of the only seat"
        raise InvalidOptionError(
            f"the reward function returned {shown(returned)} for the scores {[*scores]}: it must return {numbers}"
        )
    return rewards


def warn_of_forfeits(illegal_reward: float) -> None:
    """Warn that a finished game paid less than an illegal action, which pays ``illegal_reward``."""
    warnings.warn(
        f"a finished game paid a seat less than illegal_reward={illegal_reward}: ending games by illegal actions pays "
        "more than playing on; give a lower illegal_reward, or a reward that is never below it",
        stacklevel=2,
    )


@functools.cache
def warn_of_missing_masks() -> None:
    """Warn, once in a process, that an illegal action ended an episode: most who see it evaluate without masks."""
    warnings.warn(
        "an illegal action ended an episode, which pays illegal_reward: a policy that does not see the mask of legal "
        "actions loses nearly every game so, and its evaluation says nothing else. Choose by info['action_mask'] or "
        "action_masks(); with Stable-Baselines3 use MaskablePPO, MaskableEvalCallback and "
        "sb3_contrib.common.maskable.evaluation.evaluate_policy. info['reason'] says how each episode ended",
        stacklevel=2,
    )


class Shaping(NamedTuple):
    """Potential-based shaping: the term gamma * phi(s') - phi(s) between two decisions of the same seat.

    The potential phi of a seat is ``weight`` times its current ``margin`` without the limits of that reward, with every
    seat's score counted as if the game ended now. s and s' are the positions at two successive decisions of the seat,
    so the term is exact in the decision process of this seat, whatever the others do in between. The potential of a
    finished game is 0. With the learner's own discount as ``gamma`` the best policies are unchanged (Ng, Harada and
    Russell, 1999).
    """

    gamma: float = 1.0
    """Discount of the learner, in (0, 1]."""
    weight: float = 1.0
    """Size of the potential, above 0 and at most MAX_WEIGHT."""

    def potential(self, scale: float, scores: Sequence[int], seat: int) -> float:
        """Return phi of ``seat`` in a game in which a lead of ``scale`` is a margin of 1; see ``margin_scale``."""
        return self.weight * lead_of(scores, seat) / scale


def shaping_option(shaping: Mapping[str, Any] | Shaping | None) -> Shaping | None:
    """Return the checked shaping option: None, or a mapping with any of the keys ``gamma`` and ``weight``.

    Raises:
        InvalidOptionError: Another type, an unknown key, a gamma outside (0, 1] or a weight outside (0, MAX_WEIGHT].
    """
    if shaping is None:
        return None
    if isinstance(shaping, Shaping):
        values: dict[str, Any] = shaping._asdict()
    elif isinstance(shaping, Mapping):
        values = dict(shaping)
    else:
        raise InvalidOptionError(
            f"shaping {shown(shaping)} is not understood: give None, or a mapping such as "
            "{'gamma': 0.99, 'weight': 1.0}"
        )
    check_names("shaping", values, Shaping._fields)
    numbers: dict[str, float] = {}
    for key, value in values.items():
        number, high = real_number(value), 1.0 if key == "gamma" else MAX_WEIGHT
        if number is None or not 0.0 < number <= high:
            raise InvalidOptionError(
                f"shaping {key} {shown(value)} is not possible: it must be finite, above 0 and at most {high:g}"
            )
        numbers[key] = number
    return Shaping(**numbers)
