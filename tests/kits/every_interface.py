"""Uses every interface that calls kernels, in a process of its own; prints the compilers that it imported for that."""

from __future__ import annotations

import sys
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode

from endeavor_env import Game, endeavor_v0, search
from endeavor_env.agents.registry import make_agent
from endeavor_env.compile.command import compile_everything
from endeavor_env.endeavor.opposition import explain
from endeavor_env.envs.sampling import generator, sample_action

GAMES: list[dict[str, Any]] = [
    {"players": 3},
    {"players": 2, "variant": "neutral_2"},
    {"players": 1, "variant": "solo"},
    {"players": 4, "exploits": "random"},
]


def first_of_each(observations: Any, masks: Any) -> Any:
    """Return the first legal action of every row."""
    return masks.argmax(-1)


def play(env: Any, steps: int) -> None:
    """Play the first legal actions, in one game until it is over."""
    env.reset(seed=1)
    for _ in range(steps):
        _, _, terminated, truncated, _ = env.step(env.action_masks().argmax(-1))
        if np.ndim(terminated) == 0 and (terminated or truncated):
            return


def use_environments() -> None:
    """Play in every environment, with every observation, opponent and way of starting the next game."""
    for observation in ("features", "compact"):
        play(gymnasium.make("Endeavor-v0", observation=observation).unwrapped, 200)
        play(gymnasium.make("EndeavorSolo-v0", observation=observation).unwrapped, 200)
        for mode in (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP):
            shared: dict[str, Any] = {"num_envs": 3, "observation": observation, "autoreset_mode": mode}
            play(gymnasium.make_vec("EndeavorSolo-v0", **shared), 80)
            for opponents in ("random", "greedy", "automa", first_of_each):
                play(gymnasium.make_vec("Endeavor-v0", opponents=opponents, **shared), 80)
            play(gymnasium.make_vec("Endeavor-v0", learner_seat="all", **shared), 80)
    for make in (endeavor_v0.env, endeavor_v0.parallel_env):
        make().reset(seed=1)


def use_games_and_search() -> None:
    """Use games, agents and search, with every policy and observation."""
    for kind in GAMES:
        game = Game.new(seed=1, **kind)
        for name in ("random", "greedy", "automa"):
            if kind["players"] > 1:
                game.apply(make_agent(name).act(game))
        rng = generator(1)
        game.apply(sample_action(game.mask(), rng))
        positions = search.Positions.of(game)
        positions.expand()
        positions.step(positions.masks().argmax(1))
        for observation in ("features", "compact"):
            positions.observe(observation)
        positions.returns("win")
        for policy in ("random", "greedy", "automa", first_of_each):
            search.rollout(positions, policy, rng=1, limit=20)
        search.rollout(positions, "random", rng=rng)
        if kind.get("variant") == "solo":
            explain(game)


def main() -> None:
    """Make the library of everything, then print what was imported to compile all the same."""
    compile_everything()
    use_environments()
    use_games_and_search()
    print(*(name for name in ("numba", "llvmlite") if name in sys.modules), end="")


if __name__ == "__main__":
    main()
