"""Masked DQN of Tianshou: one seat learns among random and greedy players, and its returns are those of whole games."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import torch
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.utils.torch_utils import policy_within_training_step
from torch import nn

import endeavor_env  # noqa: F401 (registers Endeavor-v0)
from endeavor_env.basics.inputs import spread_seeds
from endeavor_env.engine.kernels.network import NetworkArrays
from endeavor_env.training.reference.run import Reference, seated_policy

OPPONENTS = ("random", "greedy")
ENVS, STEPS_AT_ONCE = 128, 4_096
FIRST, SECOND = 256, 128
KEPT, BATCH = 50_000, 256
STEPS_PER_DECISION = 0.01
LONGEST_GAME = 80
"""More decisions than a seat of a game has: returns are summed to its end."""
FIRST_EPSILON, LAST_EPSILON = 0.3, 0.02
SETTINGS: dict[str, Any] = {
    "opponents": OPPONENTS, "num_envs": ENVS, "buffer_size": KEPT, "batch_size": BATCH, "learning_rate": 5e-4,
    "gradient_steps_per_decision": STEPS_PER_DECISION, "n_step": LONGEST_GAME, "gamma": 1.0, "target_every": 500,
    "epsilon": [FIRST_EPSILON, LAST_EPSILON], "trunk": [FIRST], "head": [SECOND], "reward": "margin",
}  # fmt: skip


class Masked(gymnasium.ObservationWrapper[dict[str, Any], int, dict[str, Any]]):
    """``Endeavor-v0`` with the keys under which Tianshou looks for observation and mask."""

    def __init__(self, players: int, opponents: str) -> None:
        """Make a game of one learner, whose seat changes from game to game."""
        options: dict[str, Any] = {"players": players, "opponents": opponents, "learner_seat": "rotate"}
        super().__init__(gymnasium.make("Endeavor-v0", observation="features", reward="margin", **options))

    def observation(self, observation: dict[str, Any]) -> dict[str, Any]:
        """Return an observation under the other keys."""
        return {"obs": observation["observation"], "mask": observation["action_mask"]}


class Values(nn.Module):
    """The network of the values of actions, of the shape that kernels compute, in the form that Tianshou calls."""

    def __init__(self, inputs: int, actions: int) -> None:
        """Make the layers."""
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(inputs, FIRST), nn.Linear(FIRST, SECOND), nn.Linear(SECOND, actions)])

    def forward(self, obs: npt.NDArray[np.float32], state: Any = None, info: Any = None) -> tuple[torch.Tensor, Any]:
        """Return the values of all actions, and the state as it was given."""
        hidden = torch.as_tensor(obs)
        for layer in self.layers[:-1]:
            hidden = torch.relu(layer(hidden))
        return self.layers[-1](hidden), state

    def arrays(self) -> NetworkArrays:
        """Return a copy of the parameters as the kernels take them: the best action has the highest output."""
        parts = []
        for layer in self.layers:
            parts += [layer.weight.detach().numpy().T.copy(), layer.bias.detach().numpy().copy()]  # type: ignore[union-attr, operator]
        return NetworkArrays(*parts)


def train(reference: Reference) -> Path:
    """Train under the budget of a run; return the path of the network, which plays as a policy."""
    torch.set_num_threads(1)
    torch.manual_seed(reference.seed)
    np.random.seed(reference.seed)  # noqa: NPY002 (Tianshou draws from it)
    envs = DummyVectorEnv(
        [lambda at=at: Masked(reference.players, OPPONENTS[at % len(OPPONENTS)]) for at in range(ENVS)]
    )
    envs.seed(spread_seeds(reference.seed, ENVS).tolist())
    space: Any = envs.observation_space[0]
    network = Values(space["observation"].shape[0], int(envs.action_space[0].n))
    algorithm = DQN(
        policy=DiscreteQLearningPolicy(model=network, action_space=envs.action_space[0], eps_training=FIRST_EPSILON),
        optim=AdamOptimizerFactory(lr=SETTINGS["learning_rate"]),
        gamma=SETTINGS["gamma"],
        n_step_return_horizon=LONGEST_GAME,
        target_update_freq=SETTINGS["target_every"],
    )
    buffer = VectorReplayBuffer(KEPT, ENVS, ignore_obs_next=True)
    collector = Collector(algorithm, envs, buffer, exploration_noise=True)
    collector.reset()
    budget = reference.budget
    reference.watch(lambda: seated_policy(network.arrays()))
    while budget.another_lap(STEPS_AT_ONCE):
        algorithm.policy.set_eps_training(FIRST_EPSILON + (LAST_EPSILON - FIRST_EPSILON) * budget.share)
        with policy_within_training_step(algorithm.policy):
            budget.decisions += collector.collect(n_step=STEPS_AT_ONCE).n_collected_steps
            for _ in range(round(STEPS_PER_DECISION * STEPS_AT_ONCE)):
                algorithm.update(buffer=buffer, sample_size=BATCH)
        reference.watch(lambda: seated_policy(network.arrays()))
    return reference.write_policy(network.arrays(), network.arrays()._replace(**_no_value()), SETTINGS)


def _no_value() -> dict[str, npt.NDArray[np.float32]]:
    """Return the layers of a value network that says nothing: DQN has none beside the values of actions."""
    shapes = {"second": (FIRST, SECOND), "second_bias": (SECOND,), "last": (SECOND, 1), "last_bias": (1,)}
    return {name: np.zeros(shape, np.float32) for name, shape in shapes.items()}
