"""Gymnasium's own wrappers around the environment: NormalizeObservation, and MaskablePPO of sb3-contrib on top of it.

    pip install -e . sb3-contrib && python docs/clients/normalize_observation.py

``flat=True`` makes the observation the vector that NormalizeObservation wants. Entries that are seldom other than 0 get
large, so TransformObservation limits them. MaskablePPO finds ``action_masks()`` through all wrappers. The evaluation
takes the means and variances as they are at the end of training.
"""

import argparse
import sys
import time

import against_random
import gymnasium
import numpy as np
from gymnasium.wrappers import NormalizeObservation, TransformObservation
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import DummyVecEnv

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--steps", type=int, default=30_000, help="decisions of the learner to train for")
parser.add_argument("--seed", type=int, default=0)
args = parser.parse_args()

options = {"players": 3, "opponents": "random", "learner_seat": "rotate", "reward": "margin", "flat": True}
normalized = NormalizeObservation(gymnasium.make("endeavor_env:Endeavor-v0", observation="compact", **options))
env = TransformObservation(normalized, lambda seen: np.clip(seen, -3, 3), normalized.observation_space)
model = MaskablePPO("MlpPolicy", DummyVecEnv([lambda: env]), n_steps=2048, batch_size=256, gamma=1.0, seed=args.seed)
start = time.perf_counter()
model.learn(args.steps)
seconds = round(time.perf_counter() - start)


def policy(observations, masks):
    """Return the likeliest legal action of each game."""
    seen = normalized.obs_rms
    normal = (observations - seen.mean) / np.sqrt(seen.var + normalized.epsilon)
    return model.predict(np.clip(normal, -3, 3).astype(np.float32), action_masks=masks, deterministic=True)[0]


shares = against_random.shares_of_wins(policy)
sys.exit(against_random.report("normalize_observation", shares, steps=args.steps, seconds=seconds))
