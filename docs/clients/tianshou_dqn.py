"""DQN of Tianshou against two random agents, all three seats played through its PettingZooEnv.

    pip install -e . torch tianshou && python docs/clients/tianshou_dqn.py

Tianshou keeps the decisions of all agents in one buffer, with every agent's reward. Returns are summed to the end of
the game (a horizon longer than a game, no discount): so the last reward reaches every decision of the learner, whoever
made the last move. The learner is ``player_0``; who begins is drawn for each game.
"""
# pyright: reportMissingImports=false

import argparse
import sys
import time

import against_random
import numpy as np
import torch
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Batch, Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

from endeavor_env import endeavor_v0

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--steps", type=int, default=30_000, help="decisions of all seats to train for")
parser.add_argument("--seed", type=int, default=0)
args = parser.parse_args()

GAMES, STEPS_AT_ONCE, LONGEST_GAME = 8, 300, 400
torch.manual_seed(args.seed)
np.random.seed(args.seed)  # noqa: NPY002 (Tianshou draws from it)


def make_env() -> PettingZooEnv:
    """Return a game for three seats."""
    return PettingZooEnv(endeavor_v0.env(players=3, observation="compact", reward="margin"))


env = make_env()
seats, size = env.agents, env.observation_space["observation"].shape
learner = DQN(
    policy=DiscreteQLearningPolicy(
        model=Net(state_shape=size, action_shape=env.action_space.n, hidden_sizes=[128]),
        action_space=env.action_space,
        eps_training=0.2,
    ),
    optim=AdamOptimizerFactory(lr=1e-3),
    gamma=1.0,
    n_step_return_horizon=LONGEST_GAME,
    target_update_freq=100,
)
others = [MARLRandomDiscreteMaskedOffPolicyAlgorithm(env.action_space) for _ in seats[1:]]
everyone = MultiAgentOffPolicyAlgorithm(algorithms=[learner, *others], env=env)
games = DummyVectorEnv([make_env] * GAMES)
games.seed(np.random.SeedSequence(args.seed).generate_state(GAMES).tolist())  # one for all would be counted on

start = time.perf_counter()
everyone.run_training(
    OffPolicyTrainerParams(
        training_collector=Collector(everyone, games, VectorReplayBuffer(args.steps, GAMES), exploration_noise=True),
        max_epochs=args.steps // STEPS_AT_ONCE,
        epoch_num_steps=STEPS_AT_ONCE,
        collection_step_num_env_steps=STEPS_AT_ONCE,
        update_step_num_gradient_steps_per_sample=0.05,
        batch_size=256,
        multi_agent_return_reduction=lambda returns: returns[:, 0],
        show_progress=False,
        verbose=False,
    )
)
seconds = round(time.perf_counter() - start)


def policy(observations, masks):
    """Return the legal action of each game that is worth most."""
    with torch.no_grad():
        return learner.policy(Batch(obs=Batch(obs=observations, mask=masks), info=Batch())).act


shares = against_random.shares_of_wins(policy)
sys.exit(against_random.report("tianshou_dqn", shares, steps=args.steps, seconds=seconds))
