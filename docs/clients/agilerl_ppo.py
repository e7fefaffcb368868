"""PPO of AgileRL on ``gymnasium.make_vec``: its own training loop finds the mask in ``info``.

    pip install -e . "agilerl==2.7.1" && python docs/clients/agilerl_ppo.py

2.7.1 is the last release of AgileRL that goes with PettingZoo 1.27; later ones ask for an older PettingZoo.
"""
# pyright: reportMissingImports=false

import argparse
import sys
import time

import against_random
import gymnasium
import numpy as np
import torch
from agilerl.algorithms import PPO
from agilerl.training.train_on_policy import train_on_policy

import endeavor_env  # noqa: F401 (registers Endeavor-v0)

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--steps", type=int, default=65_536, help="decisions of the learner to train for")
parser.add_argument("--seed", type=int, default=0)
args = parser.parse_args()

GAMES, STEPS_AT_ONCE = 32, 4096
torch.manual_seed(args.seed)
np.random.seed(args.seed)  # noqa: NPY002 (AgileRL draws from it)
options = {"players": 3, "opponents": "random", "learner_seat": "rotate", "observation": "compact", "reward": "margin"}
env = gymnasium.make_vec("Endeavor-v0", GAMES, flat=True, seed=args.seed, **options)
agent = PPO(
    env.single_observation_space,
    env.single_action_space,
    num_envs=GAMES,
    learn_step=STEPS_AT_ONCE,
    batch_size=512,
    lr=1e-3,
    gamma=1.0,
    use_rollout_buffer=True,
)

start = time.perf_counter()
train_on_policy(
    env, "Endeavor-v0", "PPO", [agent], max_steps=args.steps, evo_steps=STEPS_AT_ONCE, eval_steps=1, verbose=False
)
seconds = round(time.perf_counter() - start)
agent.set_training_mode(False)


def policy(observations, masks):
    """Return a legal action of each game, drawn as AgileRL's own test does."""
    return agent.get_action(observations, action_mask=masks)[0]


shares = against_random.shares_of_wins(policy)
sys.exit(against_random.report("agilerl_ppo", shares, steps=args.steps, seconds=seconds))
