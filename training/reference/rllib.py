"""PPO of Ray RLlib by self-play of one policy in every seat, in the way of the preset ``quick``, in this process."""

from __future__ import annotations

from pathlib import Path

import torch

from endeavor_env.agents.players.policy import logits_of_sb3, value_of_sb3
from endeavor_env.training.reference.run import Reference
from endeavor_env.training.reference.tables import seated_policy
from endeavor_env.training.rllib.algorithm import POLICY, make_algorithm
from endeavor_env.training.rllib.folder import rllib_preset
from endeavor_env.training.rllib.module import sb3_weights
from endeavor_env.training.runs.ray_machines import Machines

SCHEDULED = 1_000_000
"""Decisions over which the learning rate falls: RLlib has it follow decisions, not time."""


def train(reference: Reference) -> Path:
    """Train under the budget of a run; return the path of the policy network."""
    torch.set_num_threads(1)
    budget = reference.budget
    steps = budget.track.decisions or SCHEDULED
    settings = rllib_preset("quick", "standard").replace(players=(reference.players,), seed=reference.seed, steps=steps)
    machines = Machines(num_cpus=1, env_runners=0)
    with machines.connected():
        algorithm = make_algorithm(settings, machines, reference.seed)
        learners = algorithm.learner_group
        assert learners is not None

        def weights() -> dict[str, torch.Tensor]:
            return sb3_weights(learners.get_weights([POLICY])[POLICY])

        reference.watch(lambda: seated_policy(logits_of_sb3(weights())))
        while budget.another_lap(settings.train_batch_size):
            budget.decisions += int(algorithm.train()["env_runners"]["num_env_steps_sampled"])
            reference.watch(lambda: seated_policy(logits_of_sb3(weights())))
        last = weights()
        path = reference.write_policy(logits_of_sb3(last), value_of_sb3(last), settings.to_dict())
        algorithm.stop()
    return path
