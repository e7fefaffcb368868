"""SuperSuit's wrappers on the PettingZoo environment, and MaskablePPO of sb3-contrib on top of them.

    pip install -e . supersuit sb3-contrib && python docs/clients/supersuit_ppo.py

With ``flat=True`` an observation is a plain vector, which SuperSuit can convert, stack and mark with the agent's
number; the mask is then in ``infos``. MaskablePPO plays one seat of each game, every seat in turn; the others play at
random.
"""
# pyright: reportMissingImports=false

import argparse
import sys
import time

import against_random
import gymnasium
import numpy as np
import supersuit
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env

from endeavor_env import endeavor_v0

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--steps", type=int, default=30_000, help="decisions of the learner to train for")
parser.add_argument("--seed", type=int, default=0)
args = parser.parse_args()

PLAYERS = 3


def wrapped():
    """Return the environment of all seats: numbers from 0 to 1, the last two observations, and the agent's number."""
    env = endeavor_v0.env(players=PLAYERS, observation="compact", flat=True, reward="margin")
    env = supersuit.dtype_v0(env, np.float32)
    env = supersuit.normalize_obs_v0(env)  # agent_indicator marks an agent with the highest number of the space
    env = supersuit.frame_stack_v1(env, 2)
    return supersuit.agent_indicator_v0(env)


class OneSeat(gymnasium.Env):
    """One seat of ``wrapped()`` for the learner; each reset gives it the next one, or that of the option ``seat``."""

    def __init__(self):
        """Make the game."""
        self.env, self.seat = wrapped(), -1
        self.agent = self.env.possible_agents[0]
        self.observation_space = self.env.observation_space(self.agent)
        self.action_space = self.env.action_space(self.agent)

    def reset(self, *, seed=None, options=None):
        """Start a game; return the observation and info at the learner's first decision."""
        super().reset(seed=seed)
        self.env.reset(seed=seed)
        self.seat = (options or {}).get("seat", (self.seat + 1) % PLAYERS)
        self.agent = self.env.possible_agents[self.seat]
        observation, _, _, _, info = self._let_others_play()
        return observation, info

    def step(self, action):
        """Play the learner's action and go on to its next decision."""
        self.env.step(int(action))
        return self._let_others_play()

    def _let_others_play(self):
        """Play at random for the others; return what PettingZoo has for the learner then, at the end in its turn."""
        while self.env.agent_selection != self.agent:
            _, _, ended, cut, info = self.env.last(observe=False)
            self.env.step(None if ended or cut else self.np_random.choice(np.flatnonzero(info["action_mask"])))
        return self.env.last()

    def action_masks(self):
        """Return the legal actions for MaskablePPO."""
        return self.env.infos[self.agent]["action_mask"].astype(bool)


seed = int(np.random.SeedSequence(args.seed).generate_state(1)[0]) >> 1  # SB3 counts on from it for each game
model = MaskablePPO("MlpPolicy", make_vec_env(OneSeat, 8), n_steps=256, batch_size=256, gamma=1.0, seed=seed)
start = time.perf_counter()
model.learn(args.steps)
seconds = round(time.perf_counter() - start)

game, shares = OneSeat(), []
for seed, seat in zip(*against_random.paired_games(150, PLAYERS), strict=True):
    observation, info = game.reset(seed=seed, options={"seat": seat})
    ended = cut = False
    while not (ended or cut):
        action, _ = model.predict(observation, action_masks=game.action_masks(), deterministic=True)
        observation, reward, ended, cut, info = game.step(action)
    winners = game.env.unwrapped.result()["winners"]
    shares.append((game.agent in winners) / len(winners))
sys.exit(against_random.report("supersuit_ppo", shares, steps=args.steps, seconds=seconds))
