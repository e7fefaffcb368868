"""Loops of random legal play for any environment of an interface; they import nothing."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # an environment with another library need not have it
    import numpy as np
    import numpy.typing as npt

Sampler = Callable[[Any, str, "npt.NDArray[np.int8]"], int]


def plain_sampler() -> Sampler:
    """Return a sampler of a few plain calls, quick with any environment."""
    rng = random.Random(0)

    def choose(env: Any, agent: str, mask: npt.NDArray[np.int8]) -> int:
        legal = mask.nonzero()[0]
        return int(legal[int(rng.random() * legal.size)])

    return choose


def aec_games(env: Any, choose: Sampler, games: int) -> Callable[[], int]:
    """Return work that plays ``games`` whole games through ``last`` and ``step``, and returns the decisions."""
    seeds = itertools.count()

    def work() -> int:
        decisions = 0
        for _ in range(games):
            env.reset(seed=next(seeds))
            for agent in env.agent_iter():
                observation, _, termination, truncation, _ = env.last()
                if termination or truncation:
                    env.step(None)
                    continue
                env.step(choose(env, agent, observation["action_mask"]))
                decisions += 1
        return decisions

    return work
