"""Self-play PPO of Ray RLlib (new API stack): one masked policy plays every seat, two processes play games.

    pip install -e ".[rllib]" && python docs/clients/rllib.py --out runs/rllib

It leaves ``policy.npz``, which plays without Ray as ``policy:runs/rllib/policy.npz``.
"""
# pyright: reportMissingImports=false, reportIndexIssue=false

import argparse
import json
import logging
import math
import sys
import time
from pathlib import Path

import numpy as np
import ray
from gymnasium import spaces
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, ValueFunctionAPI
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.env.multi_agent_env import MultiAgentEnv
from torch import nn

import endeavor_env
from endeavor_env import endeavor_v0
from endeavor_env.agents.matches import play_match
from endeavor_env.agents.registry import make_agent
from endeavor_env.basics.inputs import derived_seed
from endeavor_env.endeavor.players.network_file import write_policy_network
from endeavor_env.engine.kernels.network import NetworkArrays
from endeavor_env.engine.rewards import Shaping

OBSERVATIONS, MASK = "observations", "action_mask"  # the keys of an observation, as RLlib's masked modules call them
POLICY = "shared"
GAMMA = 0.999
TRUNK, HEAD = 192, 64  # one layer each, so that kernels compute the network


class EndeavorMultiAgentEnv(MultiAgentEnv):
    """Tables of several sizes, of which each game draws one. Only the agent to move gets an observation.

    An agent's reward is what it got since its last decision. The first player's seat is drawn with the set-up.
    """

    def __init__(self, config):
        """Make a table for each number of ``config["players"]``."""
        super().__init__()
        self.runner = getattr(config, "worker_index", 0)  # which RLlib's ``EnvContext`` has
        shaping = Shaping(GAMMA, 1.0)
        self.tables = [endeavor_v0.env(players=n, reward="margin", shaping=shaping) for n in config["players"]]
        self.table = max(self.tables, key=lambda table: table.max_num_agents)
        self.possible_agents = list(self.table.possible_agents)
        self.agents = list(self.possible_agents)
        vector, mask = (self.table.observation_space(self.agents[0])[key] for key in ("observation", MASK))
        seen = spaces.Dict({OBSERVATIONS: vector, MASK: mask})
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = dict.fromkeys(self.possible_agents, self.table.action_space(self.agents[0]))

    def reset(self, *, seed=None, options=None):
        """Start a game; return the observation of the agent that is to move first, and no infos.

        RLlib seeds game i of runner r with the seed of the algorithm + r + i, so that neighbours get the same: each
        runner makes others of them.
        """
        super().reset(seed=None if seed is None else derived_seed(seed, self.runner))
        self.table = self.tables[int(self.np_random.integers(len(self.tables)))]
        self.table.reset(seed=int(self.np_random.integers(1 << 53)))
        self.agents = list(self.table.possible_agents)
        return {self.table.agent_selection: self.seen()}, {}

    def step(self, action_dict):
        """Make the move of the only agent in ``action_dict``; all agents get something when the game has ended."""
        table = self.table
        table.step(int(action_dict[table.agent_selection]))
        agent = table.agent_selection
        if table.terminations[agent] or table.truncations[agent]:
            return self.finish()
        over = {"__all__": False}
        return {agent: self.seen()}, {agent: float(table.last(observe=False)[1])}, over, over, {}

    def seen(self):
        """Return the observation of the agent to move."""
        found = self.table.observe(self.table.agent_selection)
        return {OBSERVATIONS: found["observation"], MASK: found["action_mask"]}

    def finish(self):
        """Return what ``step`` returns at the end of a game, and let all agents leave the table."""
        observations, rewards, terminated, truncated = {}, {}, False, False
        while self.table.agents:
            agent = self.table.agent_selection
            _, reward, terminated, truncated, _ = self.table.last(observe=False)
            observations[agent], rewards[agent] = self.seen(), float(reward)
            self.table.step(None)
        return observations, rewards, {"__all__": terminated}, {"__all__": truncated}, {}


class MaskedPolicy(TorchRLModule, InferenceOnlyAPI, ValueFunctionAPI):
    """A shared layer, and a layer each for policy and value. Logits of illegal actions are too low to be sampled."""

    def setup(self):
        """Build the layers with orthogonal weights: nearly uniform moves, and values of the size of the rewards."""
        inputs = self.observation_space[OBSERVATIONS].shape[0]
        self.trunk, self.policy_head, self.value_head = (
            nn.Sequential(nn.Linear(before, width), nn.ReLU())
            for before, width in ((inputs, TRUNK), (TRUNK, HEAD), (TRUNK, HEAD))
        )
        self.logits, self.value = nn.Linear(HEAD, int(self.action_space.n)), nn.Linear(HEAD, 1)
        gains = {self.logits: 0.01, self.value: 1.0}
        for layer in self.modules():
            if isinstance(layer, nn.Linear):
                nn.init.orthogonal_(layer.weight, gains.get(layer, math.sqrt(2)))
                nn.init.zeros_(layer.bias)

    def get_non_inference_attributes(self):
        """Return the layers that only learners need."""
        return ["value_head", "value"]

    def _forward(self, batch, **_):
        """Return the masked logits, (batch, actions)."""
        return {Columns.ACTION_DIST_INPUTS: self.masked(batch, self.trunk(batch[Columns.OBS][OBSERVATIONS]))}

    def _forward_train(self, batch, **_):
        """Return the masked logits, and the features from which ``compute_values`` goes on."""
        features = self.trunk(batch[Columns.OBS][OBSERVATIONS])
        return {Columns.ACTION_DIST_INPUTS: self.masked(batch, features), Columns.EMBEDDINGS: features}

    def compute_values(self, batch, embeddings=None):
        """Return the value of each observation, (batch,), from ``embeddings`` if they were computed already."""
        features = self.trunk(batch[Columns.OBS][OBSERVATIONS]) if embeddings is None else embeddings
        return self.value(self.value_head(features)).squeeze(-1)

    def masked(self, batch, features):
        """Return finite logits: RLlib also evaluates made-up observations, whose masks are all 0."""
        return self.logits(self.policy_head(features)).masked_fill(batch[Columns.OBS][MASK] == 0, -1e30)


def networks_of(weights):
    """Return policy and value as the kernels take them, of the weights of a ``MaskedPolicy`` by name."""
    parts = ("trunk.0", "policy_head.0", "logits"), ("trunk.0", "value_head.0", "value")
    arrays = {name: np.ascontiguousarray(np.asarray(array, np.float32).T) for name, array in weights.items()}
    return [
        NetworkArrays(*(arrays[f"{layer}.{kind}"] for layer in part for kind in ("weight", "bias"))) for part in parts
    ]


def algorithm_for(players, seed, env_runners):
    """Return PPO for tables of these sizes, untrained; Ray must be connected."""
    policy = RLModuleSpec(module_class=MaskedPolicy)
    return (
        PPOConfig()
        .environment(EndeavorMultiAgentEnv, env_config={"players": players})
        .env_runners(num_env_runners=env_runners, num_envs_per_env_runner=32, sample_timeout_s=600.0)
        .multi_agent(policies={POLICY}, policy_mapping_fn=lambda agent, episode, **_: POLICY)
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={POLICY: policy}))
        .training(train_batch_size_per_learner=4096, minibatch_size=1024, num_epochs=4, gamma=GAMMA, lambda_=0.95)
        .training(lr=7e-4, entropy_coeff=0.01, use_kl_loss=False, grad_clip=0.5, grad_clip_by="global_norm")
        .fault_tolerance(restart_failed_env_runners=True)
        .debugging(seed=seed, log_level="ERROR")
        .build_algo()
    )


def main():
    """Train, write the network, and play it against random players."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=65_536, help="decisions to train on, of all seats")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--players", type=int, nargs="+", default=[3], help="numbers of seats; each game draws one")
    parser.add_argument("--env-runners", type=int, default=2, help="processes that play; 0 for the main process")
    parser.add_argument("--address", help="a Ray cluster: auto or host:port; default a Ray of its own")
    parser.add_argument("--out", type=Path, default=Path("runs/rllib"), help="folder for policy.npz and its card")
    args = parser.parse_args()

    seed = int(np.random.SeedSequence(args.seed).generate_state(1)[0]) >> 1  # RLlib counts on from it for each game
    logging.getLogger("ray.rllib").setLevel(logging.ERROR)
    start = time.perf_counter()
    own = {"num_cpus": max(2, args.env_runners), "include_dashboard": False} if args.address is None else {}
    ray.init(address=args.address or "local", log_to_driver=False, **own)
    algorithm = algorithm_for(args.players, seed, args.env_runners)
    steps = 0
    while steps < args.steps:
        steps += int(algorithm.train()["env_runners"]["num_env_steps_sampled"])
    seconds = round(time.perf_counter() - start)
    logits, value = networks_of(algorithm.learner_group.get_weights([POLICY])[POLICY])
    algorithm.stop()
    ray.shutdown()
    args.out.mkdir(parents=True, exist_ok=True)
    training = {"trainer": "rllib", "steps": steps, "seed": args.seed, "players": args.players}
    version = endeavor_env.__version__
    path = write_policy_network(args.out / "policy.npz", logits, value, "standard", training, version=version)

    agents = [make_agent(name) for name in (f"policy:{path}", "random", "random")]
    result = play_match(agents, games=300, seed=1_000_003).agents[0]
    beats_random = result.interval[0] > 1 / 3
    report = {"client": "rllib", "steps": steps, "seconds": seconds, "games": 300, "wins": round(result.win_rate, 3)}
    print(json.dumps(report | {"interval": [round(end, 3) for end in result.interval], "beats_random": beats_random}))
    sys.exit(not beats_random)


if __name__ == "__main__":
    main()
