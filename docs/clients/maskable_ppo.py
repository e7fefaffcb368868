"""MaskablePPO of sb3-contrib on ``gymnasium.make``, with SB3's own vector environment and MlpPolicy.

    pip install -e . sb3-contrib && python docs/clients/maskable_ppo.py

``flat=True`` makes the observation a plain vector, as MlpPolicy wants it. MaskablePPO finds the mask by itself: it
calls ``action_masks()``. Without ``flat`` the observation is a dictionary, and the policy to give is MultiInputPolicy.

``endeavor_env.sb3.EndeavorVecEnv`` is the faster way to many games (docs/training.md); this is the plain one.
"""

import argparse
import sys
import time

import against_random
import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--steps", type=int, default=60_000, help="decisions of the learner to train for")
parser.add_argument("--seed", type=int, default=0)
args = parser.parse_args()

options = {"players": 3, "opponents": "random", "learner_seat": "rotate", "observation": "compact", "reward": "margin"}
options |= {"flat": True, "render_mode": None}  # SB3 would ask for pictures, of which there are none
seed = int(np.random.SeedSequence(args.seed).generate_state(1)[0]) >> 1  # SB3 counts on from it for each game
env = make_vec_env("endeavor_env:Endeavor-v0", n_envs=8, env_kwargs=options)
model = MaskablePPO("MlpPolicy", env, n_steps=256, batch_size=256, gamma=1.0, seed=seed, device="cpu")
start = time.perf_counter()
model.learn(args.steps)
seconds = round(time.perf_counter() - start)


def policy(observations, masks):
    """Return the likeliest legal action of each game."""
    return model.predict(observations, action_masks=masks, deterministic=True)[0]


shares = against_random.shares_of_wins(policy)
sys.exit(against_random.report("maskable_ppo", shares, steps=args.steps, seconds=seconds))
