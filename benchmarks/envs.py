"""``python -m benchmarks.envs``: decisions a second through the environments, beside PettingZoo's own board games."""

from __future__ import annotations

import argparse
import importlib
import itertools
import random
import statistics
import sys
from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from benchmarks.timing import FULL, SMOKE, Effort, Figure, Section, add_options, publish, rates
from endeavor_env import endeavor_v0
from endeavor_env.compilation import ensure_compiled
from endeavor_env.sampling import generator, sample_action

PEERS = ("tictactoe", "connect_four")
"""Board games of PettingZoo with an action mask, each in a package of its own name."""
Sampler = Callable[[Any, str, npt.NDArray[np.int8]], int]


def quick_sampler() -> Sampler:
    """Returns a chooser that uses this package's ``sample_action``."""
    rng = generator(0)
    return lambda env, agent, mask: sample_action(mask, rng)


def space_sampler(env: Any, agent: str, mask: npt.NDArray[np.int8]) -> int:
    """Chooses as PettingZoo's documentation does, with the action space of Gymnasium."""
    return env.action_space(agent).sample(mask)


def plain_sampler() -> Sampler:
    """Returns a chooser of a few plain calls, quick with any environment."""
    rng = random.Random(0)

    def choose(env: Any, agent: str, mask: npt.NDArray[np.int8]) -> int:
        legal = mask.nonzero()[0]
        return int(legal[int(rng.random() * legal.size)])

    return choose


def aec_games(env: Any, choose: Sampler, games: int) -> Callable[[], tuple[int, int]]:
    """Returns work that plays ``games`` whole games through ``last`` and ``step``; it counts decisions and games."""
    seeds = itertools.count()

    def work() -> tuple[int, int]:
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
        return decisions, games

    return work


def gym_games(env: Any, games: int) -> Callable[[], tuple[int, int]]:
    """Returns work that plays ``games`` whole games of the learner's seat; it counts its decisions and games."""
    seeds, rng = itertools.count(), generator(0)

    def work() -> tuple[int, int]:
        decisions = 0
        for _ in range(games):
            observation, _ = env.reset(seed=next(seeds))
            done = False
            while not done:
                observation, _, terminated, truncated, _ = env.step(sample_action(observation["action_mask"], rng))
                done = terminated or truncated
                decisions += 1
        return decisions, games

    return work


def pettingzoo(effort: Effort) -> Section:
    """All seats, with a fresh observation at every decision."""
    figures = []
    for players, observation in ((3, "features"), (4, "features"), (5, "features"), (4, "compact")):
        env = endeavor_v0.raw_env(players=players, observation=observation)
        found = rates(aec_games(env, quick_sampler(), 5), effort)
        figures.append(Figure.of(f"{players} seats, {observation}, `sample_action`", "decisions/s", found[0]))
    for label, sampler in (("`action_space.sample(mask)`", space_sampler), ("plain choice", plain_sampler())):
        env = endeavor_v0.raw_env(players=4)
        found = rates(aec_games(env, sampler, 5), effort)
        figures.append(Figure.of(f"4 seats, features, {label}", "decisions/s", found[0]))
    return Section("PettingZoo: `raw_env`, `last` and `step`, all seats, one core", figures)


def gym(effort: Effort) -> Section:
    """One learner against random opponents."""
    figures = []
    for label, kept in (("`gymnasium.make`", False), ("without the wrappers of `make`", True)):
        env: Any = gymnasium.make("Endeavor-v0", players=4, opponents="random")
        env = env.unwrapped if kept else env
        learner, games = rates(gym_games(env, 5), effort)
        length = mean_length(env)
        figures.append(Figure.of(f"{label}, 4 seats: learner's", "decisions/s", learner))
        figures.append(Figure.of(f"{label}, 4 seats: all seats'", "decisions/s", [rate * length for rate in games]))
    return Section("Gymnasium: `Endeavor-v0`, features, random opponents, one core", figures)


def mean_length(env: Any, games: int = 30) -> float:
    """Returns the mean number of decisions of all seats in a game of random moves."""
    lengths = []
    play = gym_games(env, 1)
    for _ in range(games):
        play()
        lengths.append(len(env.unwrapped.game().history))
    return statistics.mean(lengths)


def peers(effort: Effort, own: float) -> Section:
    """PettingZoo's own games in the same loop, and how many times as fast Endeavor is; needs pygame."""
    figures = []
    for name in PEERS:
        try:
            module = importlib.import_module(f"pettingzoo.classic.{name}.{name}")
        except ModuleNotFoundError as error:
            print(f"{name} is left out, it needs {error.name}: pip install 'pettingzoo[classic]'", file=sys.stderr)
            continue
        found = rates(aec_games(module.raw_env(), plain_sampler(), 20), effort)[0]
        figures.append(Figure.of(f"{name}, plain choice", "decisions/s", found))
        ratio = [own / rate for rate in found]
        figures.append(Figure.of(f"Endeavor, 4 seats, against {name}", "times as fast", ratio))
    return Section("PettingZoo's own board games in the same loop", figures)


def main(arguments: Sequence[str] | None = None) -> int:
    """Reads the command line, measures, prints Markdown."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.envs", description="Measures the environments.")
    add_options(parser)
    given = parser.parse_args(arguments)
    effort = SMOKE if given.smoke else FULL
    ensure_compiled()
    sections = [pettingzoo(effort), gym(effort)]
    with_peers = peers(effort, own=sections[0].figures[-1].median)
    sections += [with_peers] if with_peers.figures else []
    publish(given, "benchmarks.envs", "Environments", sections)
    return 0


if __name__ == "__main__":
    sys.exit(main())
