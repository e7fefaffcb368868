"""The speed of the environments of one game: PettingZoo and Gymnasium."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from endeavor_env import endeavor_v0
from endeavor_env.benchmarks.loops import Sampler, aec_games, plain_sampler
from endeavor_env.benchmarks.report import Section, speeds
from endeavor_env.benchmarks.timing import Effort, in_turns
from endeavor_env.envs.sampling import generator, sample_action

LENGTHS = 30
"""Games of which the mean length is taken."""


def quick_sampler() -> Sampler:
    """Return a sampler that uses this package's ``sample_action``."""
    rng = generator(0)
    return lambda env, agent, mask: sample_action(mask, rng)


def space_sampler(env: Any, agent: str, mask: npt.NDArray[np.int8]) -> int:
    """Choose with the action space of Gymnasium, as PettingZoo's documentation does."""
    return env.action_space(agent).sample(mask)


def gym_games(env: Any, games: int) -> Callable[[], int]:
    """Return work that plays ``games`` whole games of the learner's seat and returns its decisions."""
    seeds, rng = itertools.count(), generator(0)

    def work() -> int:
        decisions = 0
        for _ in range(games):
            observation, _ = env.reset(seed=next(seeds))
            done = False
            while not done:
                observation, _, terminated, truncated, _ = env.step(sample_action(observation["action_mask"], rng))
                done = terminated or truncated
                decisions += 1
        return decisions

    return work


def pettingzoo(effort: Effort) -> list[Section]:
    """Measure play of all seats, with an observation at every decision."""
    works = {}
    for players, observation in ((3, "features"), (4, "features"), (5, "features"), (4, "compact")):
        env = endeavor_v0.raw_env(players=players, observation=observation)
        works[f"{players} seats, {observation}, `sample_action`"] = aec_games(env, quick_sampler(), 5)
    for label, sampler in (("`action_space.sample(mask)`", space_sampler), ("plain choice", plain_sampler())):
        works[f"4 seats, features, {label}"] = aec_games(endeavor_v0.raw_env(players=4), sampler, 5)
    return [Section("PettingZoo: `raw_env`, `last` and `step`, all seats, one core", speeds(in_turns(works, effort)))]


def gym(effort: Effort) -> list[Section]:
    """Measure a learner against random opponents."""
    env: Any = gymnasium.make("Endeavor-v0", players=4, opponents="random")
    (learner,) = in_turns({"": gym_games(env, 5)}, effort).values()
    share = share_of_learner(env)
    found = {
        "`gymnasium.make`, 4 seats: learner's": learner,
        "`gymnasium.make`, 4 seats: all seats'": [rate / share for rate in learner],
    }
    return [Section("Gymnasium: `Endeavor-v0`, features, random opponents, one core", speeds(found))]


def share_of_learner(env: Any) -> float:
    """Return the learner's share of the decisions of all seats in games of random moves."""
    play, own, all_seats = gym_games(env, 1), 0, 0
    for _ in range(LENGTHS):
        own += play()
        all_seats += len(env.unwrapped.game().history)
    return own / all_seats
