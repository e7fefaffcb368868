"""Tianshou's collectors play one learner's games and those of all seats, and its buffers hold what comes back."""
# pyright: reportMissingImports=false

from typing import Any

import gymnasium
import numpy as np
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Batch, Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv, SubprocVectorEnv

from endeavor_env import endeavor_v0

GAMES = 3


def make_seats():
    return PettingZooEnv(endeavor_v0.env(players=3, observation="compact"))


def make_one():
    """Return a game of one learner, with the names that Tianshou's policies look for."""
    env = gymnasium.make("endeavor_env:Endeavor-v0", players=3, observation="compact", mask_dtype="bool")
    space: Any = env.observation_space
    names = {"obs": space["observation"], "mask": space["action_mask"]}
    return gymnasium.wrappers.TransformObservation(
        env, lambda seen: {"obs": seen["observation"], "mask": seen["action_mask"]}, gymnasium.spaces.Dict(names)
    )


def check_buffer(collector):
    """Play some games and check what the buffer holds, and that nothing in it is missing."""
    collector.reset()
    collector.collect(n_episode=3 * GAMES)
    buffer = collector.buffer
    assert not buffer.hasnull(), "something is missing in the buffer"
    batch, _ = buffer.sample(200)
    assert np.isfinite(np.asarray(batch.rew)).all()
    ends = buffer[:].obs_next.mask[buffer[:].done]
    assert len(ends) >= 3 * GAMES
    assert ends.all(), "the mask of a finished game is not all ones"
    return int(buffer[:].done.sum())


def main():
    random = MARLRandomDiscreteMaskedOffPolicyAlgorithm
    env = make_seats()
    seats = MultiAgentOffPolicyAlgorithm(algorithms=[random(env.action_space) for _ in env.agents], env=env)
    one = random(make_one().action_space)
    assert one.policy(Batch(obs=Batch(mask=np.eye(5, dtype=bool)))).act.tolist() == list(range(5))
    for name, algorithm, make in (("all seats", seats, make_seats), ("one learner", one, make_one)):
        for venv in (DummyVectorEnv, SubprocVectorEnv):
            games = venv([make] * GAMES)
            games.seed(0)
            ends = check_buffer(Collector(algorithm, games, VectorReplayBuffer(6000, GAMES)))
            games.close()
            print(f"tianshou: {name}, {venv.__name__}: {ends} games")


if __name__ == "__main__":
    main()
