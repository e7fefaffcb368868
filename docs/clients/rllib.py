"""Self-play PPO of Ray RLlib (new API stack): one masked policy plays every seat, two processes play games.

    pip install -e ".[rllib]" && python docs/clients/rllib.py

This is the shortest form. ``endeavor train rllib`` also has checkpoints, clusters and other opponents.
"""
# pyright: reportMissingImports=false

import argparse
import json
import sys
import time

import numpy as np
import ray
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec

from endeavor_env.agents.matches import play_match
from endeavor_env.agents.players.compiled import RandomAgent
from endeavor_env.endeavor.observation import observe
from endeavor_env.training.rllib.env import MASK, OBSERVATIONS, EndeavorMultiAgentEnv
from endeavor_env.training.rllib.folder import rllib_preset
from endeavor_env.training.rllib.module import MaskedPolicy

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--steps", type=int, default=65_536, help="decisions to train on")
parser.add_argument("--seed", type=int, default=0)
args = parser.parse_args()

seed = int(np.random.SeedSequence(args.seed).generate_state(1)[0]) >> 1  # RLlib counts on from it for each game
settings = rllib_preset("quick", "standard").replace(players=(3,))
policy = RLModuleSpec(module_class=MaskedPolicy, model_config={"network": settings.network.to_dict()})
config = (
    PPOConfig()
    .environment(EndeavorMultiAgentEnv, env_config={"settings": settings})
    .env_runners(num_env_runners=2, num_envs_per_env_runner=32)
    .multi_agent(policies={"shared"}, policy_mapping_fn=lambda agent, episode, **_: "shared")
    .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"shared": policy}))
    .training(train_batch_size_per_learner=4096, minibatch_size=1024, num_epochs=4, lr=7e-4, gamma=0.999, lambda_=0.95)
    .training(entropy_coeff=0.01, use_kl_loss=False, grad_clip=0.5, grad_clip_by="global_norm")
    .debugging(seed=seed)
)
start = time.perf_counter()
ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
algorithm = config.build_algo()
steps = 0
while steps < args.steps:
    steps += int(algorithm.train()["env_runners"]["num_env_steps_sampled"])
seconds = round(time.perf_counter() - start)


class ModuleAgent:
    """Plays the likeliest move of a module, as any agent of this project does."""

    name = "rllib"

    def __init__(self, module):
        """Play with ``module``."""
        self.module = module

    def reset(self, seed):
        """Do nothing: no move is drawn."""

    def act(self, game):
        """Return the likeliest legal action."""
        seen, mask = torch.from_numpy(observe(game)), torch.from_numpy(game.mask())
        out = self.module.forward_inference({"obs": {OBSERVATIONS: seen[None], MASK: mask[None]}})
        return int(out["action_dist_inputs"].argmax())


players = [ModuleAgent(algorithm.get_module("shared")), RandomAgent(), RandomAgent()]
result = play_match(players, games=300, seed=1_000_003).agents[0]
algorithm.stop()
ray.shutdown()
beats_random = result.interval[0] > 1 / 3
report = {"client": "rllib", "steps": steps, "seconds": seconds, "games": 300, "wins": round(result.win_rate, 3)}
print(json.dumps(report | {"interval": [round(end, 3) for end in result.interval], "beats_random": beats_random}))
sys.exit(not beats_random)
