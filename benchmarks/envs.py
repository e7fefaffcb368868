"""``endeavor bench envs``: decisions per second through the environments of one game."""

from __future__ import annotations

import itertools
import statistics
import sys
from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import typer

from endeavor_env import endeavor_v0
from endeavor_env.agents.command_line import command_line
from endeavor_env.agents.results_file import JsonFile
from endeavor_env.benchmarks.command import Force, Smoke, exit_status, measure_in_turn, new_app
from endeavor_env.benchmarks.loops import Sampler, aec_games, plain_sampler
from endeavor_env.benchmarks.report import Figure, Section, publish
from endeavor_env.benchmarks.timing import FULL, SMOKE, Effort, rates
from endeavor_env.endeavor.ensure import ensure_compiled
from endeavor_env.envs.sampling import generator, sample_action

app = new_app()


def quick_sampler() -> Sampler:
    """Return a sampler that uses this package's ``sample_action``."""
    rng = generator(0)
    return lambda env, agent, mask: sample_action(mask, rng)


def space_sampler(env: Any, agent: str, mask: npt.NDArray[np.int8]) -> int:
    """Choose with the action space of Gymnasium, as PettingZoo's documentation does."""
    return env.action_space(agent).sample(mask)


def gym_games(env: Any, games: int) -> Callable[[], tuple[int, int]]:
    """Return work that plays ``games`` whole games of the learner's seat and returns its decisions and the games."""
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
    """Measure play of all seats, with an observation at every decision."""
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
    """Measure a learner against random opponents."""
    env: Any = gymnasium.make("Endeavor-v0", players=4, opponents="random")
    learner, games = rates(gym_games(env, 5), effort)
    length = mean_length(env)
    figures = [
        Figure.of("`gymnasium.make`, 4 seats: learner's", "decisions/s", learner),
        Figure.of("`gymnasium.make`, 4 seats: all seats'", "decisions/s", [rate * length for rate in games]),
    ]
    return Section("Gymnasium: `Endeavor-v0`, features, random opponents, one core", figures)


def mean_length(env: Any, games: int = 30) -> float:
    """Return the mean number of decisions of all seats in a game of random moves."""
    lengths = []
    play = gym_games(env, 1)
    for _ in range(games):
        play()
        lengths.append(len(env.unwrapped.game().history))
    return statistics.mean(lengths)


@app.command()
def command(smoke: Smoke = False, json_file: JsonFile = None, force: Force = False) -> None:
    """Measure the environments, and print the figures as Markdown."""
    with command_line(json_file, force):
        effort = SMOKE if smoke else FULL
        ensure_compiled()
        sections, status = measure_in_turn([lambda: [pettingzoo(effort)], lambda: [gym(effort)]])
        if sections:
            publish(json_file, "endeavor_env.benchmarks.envs", "Environments", sections)
    raise typer.Exit(status)


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line, run, and return the exit status."""
    return exit_status(app, "endeavor_env.benchmarks.envs", arguments)


if __name__ == "__main__":
    sys.exit(main())
