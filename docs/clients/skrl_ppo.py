"""PPO of skrl on ``gymnasium.make_vec``: ``wrap_env`` finds out by itself what the environment is.

    pip install -e . torch skrl && python docs/clients/skrl_ppo.py

skrl lays the entries of an observation side by side, so the models take them apart again: the policy gives the actions
that the mask forbids the lowest logit there is. Games that end start again in the same step, as skrl reads them.
"""
# pyright: reportMissingImports=false

import argparse
import sys
import tempfile
import time

import against_random
import gymnasium
import torch
from skrl.agents.torch.ppo import PPO
from skrl.envs.wrappers.torch import wrap_env
from skrl.memories.torch import RandomMemory
from skrl.models.torch import CategoricalMixin, DeterministicMixin, Model
from skrl.trainers.torch import SequentialTrainer
from skrl.utils import set_seed
from skrl.utils.spaces.torch import unflatten_tensorized_space
from torch import nn

import endeavor_env  # noqa: F401 (registers Endeavor-v0)

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--steps", type=int, default=65_536, help="decisions of the learner to train for")
parser.add_argument("--seed", type=int, default=0)
args = parser.parse_args()

GAMES, STEPS_AT_ONCE = 64, 64
set_seed(args.seed)
options = {"players": 3, "opponents": "random", "learner_seat": "rotate", "observation": "compact", "reward": "margin"}
env = wrap_env(gymnasium.make_vec("Endeavor-v0", GAMES, autoreset_mode="SAME_STEP", **options))
spaces = {"observation_space": env.observation_space, "action_space": env.action_space, "device": env.device}


def network(outputs):
    """Return two layers from a compact observation to ``outputs`` numbers."""
    return nn.Sequential(
        nn.Linear(env.observation_space["observation"].shape[0], 128), nn.Tanh(), nn.Linear(128, outputs)
    )


class Policy(CategoricalMixin, Model):
    """Chooses among the legal actions."""

    def __init__(self):
        """Make the layers."""
        Model.__init__(self, **spaces)
        CategoricalMixin.__init__(self)
        self.network = network(self.num_actions)

    def compute(self, inputs, role):
        """Return the logits."""
        seen = unflatten_tensorized_space(self.observation_space, inputs["observations"])
        logits = self.network(seen["observation"])
        return logits.masked_fill(seen["action_mask"] == 0, torch.finfo(logits.dtype).min), {}


class Value(DeterministicMixin, Model):
    """Says how well the game will end."""

    def __init__(self):
        """Make the layers."""
        Model.__init__(self, **spaces)
        DeterministicMixin.__init__(self)
        self.network = network(1)

    def compute(self, inputs, role):
        """Return the values."""
        return self.network(
            unflatten_tensorized_space(self.observation_space, inputs["observations"])["observation"]
        ), {}


models = {"policy": Policy(), "value": Value()}
settings = {"rollouts": STEPS_AT_ONCE, "learning_epochs": 3, "mini_batches": 8, "discount_factor": 1.0}
settings |= {"entropy_loss_scale": 0.01, "value_loss_scale": 0.5}
with tempfile.TemporaryDirectory() as folder:
    settings["experiment"] = {"directory": folder, "write_interval": 0, "checkpoint_interval": 0}
    agent = PPO(models=models, memory=RandomMemory(memory_size=STEPS_AT_ONCE, num_envs=GAMES), cfg=settings, **spaces)
    start = time.perf_counter()
    trainer = {"timesteps": args.steps // GAMES, "headless": True, "disable_progressbar": True}
    SequentialTrainer(env=env, agents=agent, cfg=trainer).train()
    seconds = round(time.perf_counter() - start)


def policy(observations, masks):
    """Return the likeliest legal action of each game."""
    with torch.no_grad():
        logits = models["policy"].network(torch.from_numpy(observations).float())
        return logits.masked_fill(torch.from_numpy(~masks), -torch.inf).argmax(1).numpy()


shares = against_random.shares_of_wins(policy)
sys.exit(against_random.report("skrl_ppo", shares, steps=args.steps, seconds=seconds))
