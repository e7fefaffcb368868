"""Rewards as named functions of the final scores, and potential-based shaping as an explicit option.

A reward function takes the scores of all seats, in seat order, and returns one float for each seat. The environments
call it once, when the game is over; before that every reward is 0 unless shaping is switched on. Named rewards lie
between -1 and 1, so that no lost game costs more than an illegal action does by default.

The solitaire game has two scores, the player's and the Opposition's, but one seat: its reward functions take both and
return one float.
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
from endeavor_env.endeavor.ladder import TOP_RUNG, rung_of
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.errors import InvalidOptionError, named, shown

RewardFunction = Callable[[Sequence[int]], Sequence[float]]
"""Final scores in seat order -> rewards in seat order. In ``solo``: player's and Opposition's score -> one reward."""

SOLO = c.VARIANT_NAMES[c.VARIANT_SOLO]

MARGIN_SCALE = c.MARGIN_SCALE
"""Glory that counts as a reward of 1 in ``margin`` and in the shaping potential; typical scores are 30 to 80."""
SOLO_MARGIN_SCALE = c.SOLO_MARGIN_SCALE
"""The same in the solitaire game, where random play ends 57 Glory behind on average."""


def win(scores: Sequence[int]) -> list[float]:
    """Return 1 for the highest score and 0 for the others; tied winners share the 1 evenly (R12.10)."""
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


def margin(scores: Sequence[int], scale: float = MARGIN_SCALE) -> list[float]:
    """Return (own score - best other score) / ``scale``, at least -1 and at most 1.

    It is positive exactly for a sole winner. The limits keep a lost game from costing more than an illegal action.
    """
    return [_limited(_lead(scores, seat) / scale) for seat in range(len(scores))]


def _lead(scores: Sequence[int], seat: int) -> int:
    """Return the score of ``seat`` less the best of the others."""
    return scores[seat] - max(score for other, score in enumerate(scores) if other != seat)


def _limited(reward: float) -> float:
    """Return ``reward``, at least -1 and at most 1."""
    return min(1.0, max(-1.0, reward))


def margin_scale(variant: str) -> float:
    """Return the Glory that counts as 1 in the ``margin`` and the shaping potential of ``variant``."""
    return SOLO_MARGIN_SCALE if variant == SOLO else MARGIN_SCALE


def solo_win(scores: Sequence[int]) -> list[float]:
    """Return 1 for a victory of any kind, which equal scores are, and 0 for a defeat (S8.3, SA7)."""
    return [1.0 if scores[0] >= scores[1] else 0.0]


def solo_margin(scores: Sequence[int]) -> list[float]:
    """Return (own score - the Opposition's) / ``SOLO_MARGIN_SCALE``, at least -1 and at most 1."""
    return [_limited(_lead(scores, 0) / SOLO_MARGIN_SCALE)]


def solo_ladder(scores: Sequence[int]) -> list[float]:
    """Return the rung of the result, evenly from 0 for a defeat up to 1 for a total victory (S8.3)."""
    return [rung_of(scores[0] - scores[1]) / TOP_RUNG]


REWARDS: dict[str, RewardFunction] = {
    "win": win,
    "win_zero_sum": win_zero_sum,
    "rank": rank,
    "margin": margin,
}
"""The rewards an environment accepts by name where seats play against each other."""

SOLO_REWARDS: dict[str, RewardFunction] = {
    "win": solo_win,
    "margin": solo_margin,
    "ladder": solo_ladder,
}
"""The rewards it accepts by name in the solitaire game."""


def rewards_by(scale: float) -> dict[str, RewardFunction]:
    """Return ``REWARDS`` of a game in which a lead of ``scale`` is a margin of 1."""
    return {**REWARDS, "margin": partial(margin, scale=scale)}


def reward_function(
    reward: str | RewardFunction,
    players: int,
    variant: str = c.VARIANT_NAMES[0],
    rewards: Mapping[str, RewardFunction] | None = None,
) -> RewardFunction:
    """Return the named reward, or ``reward`` itself if it is a function that works for the scores of ``variant``.

    Args:
        reward: A name in ``REWARDS``, in ``solo`` one in ``SOLO_REWARDS``, or a function.
        players: Number of seats.
        variant: A name of VARIANT_NAMES, or of a variant of another game.
        rewards: The rewards with names of another game, as ``rewards_by`` returns them.

    Raises:
        InvalidOptionError: Neither such a name nor such a function.
    """
    known = rewards or (SOLO_REWARDS if variant == SOLO else REWARDS)
    if callable(reward):
        _try_out(reward, _example_scores(players, variant), players)
        return reward
    if isinstance(reward, str) and reward in known:
        return known[reward]
    if isinstance(reward, str) and reward in {**REWARDS, **SOLO_REWARDS}:
        why = "it compares seats, and there is one" if variant == SOLO else "it grades a solitaire game"
        raise InvalidOptionError(
            f"reward {shown(reward)} is not possible in variant {variant!r}: {why}; give one of {', '.join(known)}, "
            "or a function"
        )
    raise InvalidOptionError(
        f"reward {shown(reward)} is not known: give one of {', '.join(known)}, or a function from the list of final "
        "scores to one float a seat"
    )


def _example_scores(players: int, variant: str = c.VARIANT_NAMES[0]) -> list[int]:
    """Return final scores that are possible in ``variant``: one for each seat, and the Opposition's in ``solo``."""
    return list(range(players + (variant == SOLO), 0, -1))


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
    seat's Glory counted as if the game ended now. s and s' are the positions at two successive decisions of the seat,
    so the term is exact in the decision process of this seat, whatever the others do in between. The potential of a
    finished game is 0. With the learner's own discount as ``gamma`` the best policies are unchanged (Ng, Harada and
    Russell, 1999).
    """

    gamma: float = 1.0
    """Discount of the learner, in (0, 1]."""
    weight: float = 1.0
    """Size of the potential, above 0 and at most MAX_WEIGHT."""

    def potential(self, scores: Sequence[int], seat: int, variant: str = c.VARIANT_NAMES[0]) -> float:
        """Return phi of ``seat`` at a position with these ``scores``, which include the Opposition's in ``solo``."""
        return self.potential_by(margin_scale(variant), scores, seat)

    def potential_by(self, scale: float, scores: Sequence[int], seat: int) -> float:
        """Return phi of ``seat`` in a game in which a lead of ``scale`` is a margin of 1."""
        return self.weight * _lead(scores, seat) / scale


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
