"""What the tests of the environments share: playing at random, and fingerprints of what came out."""

from __future__ import annotations

from typing import Any

import numpy as np

from endeavor_env.envs.aec_env import EndeavorAECEnv
from endeavor_env.envs.learner_env import LearnerEnv
from endeavor_env.game import Game
from endeavor_env.sampling import generator, sample_action

DICT_WARNINGS = (
    # PettingZoo knows the Dict observations of its own environments by name and warns about all others.
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
)


def play_aec(env: EndeavorAECEnv, seed: int, limit: int = 10_000) -> list[int]:
    """Plays legal random moves, up to the end of the game or ``limit`` of them, and returns them."""
    rng, actions = generator(seed), []
    while len(actions) < limit and not env.terminations[env.agent_selection]:
        actions.append(sample_action(env.observe(env.agent_selection)["action_mask"], rng))
        env.step(actions[-1])
    return actions


def play_gym(env: LearnerEnv, seed: int, limit: int = 10_000) -> list[tuple[Any, ...]]:
    """Plays legal random moves of the learner and returns (action, reward, terminated, observation) of every step."""
    rng, steps = generator(seed), []
    terminated = False
    while len(steps) < limit and not terminated:
        action = sample_action(env.action_masks(), rng)
        observation, reward, terminated, _, _ = env.step(action)
        steps.append((action, reward, terminated, frozen(observation)))
    return steps


def frozen(observation: dict[str, np.ndarray]) -> tuple[bytes, bytes]:
    """Returns an observation as comparable bytes."""
    return observation["observation"].tobytes(), observation["action_mask"].tobytes()


def position(game: Game) -> tuple[bytes, list[tuple[int, int]]]:
    """Returns what makes two games equal: the bytes of the state and the moves."""
    return game.state.tobytes(), list(game.history)
