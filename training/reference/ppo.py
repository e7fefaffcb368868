"""MaskablePPO of sb3-contrib by self-play, in the way of the preset ``quick``, at the tables of one task."""

from __future__ import annotations

import contextlib
from pathlib import Path

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from endeavor_env.agents.players.policy import logits_of_sb3, value_of_sb3
from endeavor_env.basics.inputs import derived_seed
from endeavor_env.sb3 import EndeavorVecEnv
from endeavor_env.training.ppo.games import make_env, make_pool
from endeavor_env.training.ppo.kernel_opponents import KernelOpponentPool
from endeavor_env.training.ppo.model import make_model
from endeavor_env.training.ppo.opponents import OpponentPool
from endeavor_env.training.ppo.rollouts import KernelRolloutPPO, KernelRollouts
from endeavor_env.training.ppo.settings import PPOSettings, preset
from endeavor_env.training.reference.budget import BudgetSpentError
from endeavor_env.training.reference.run import Reference
from endeavor_env.training.reference.tables import seated_policy

Pool = OpponentPool | KernelOpponentPool
NO_END = 1 << 50
"""Decisions after which SB3's own loop would end; the budget ends it before."""


class BudgetedLearning(BaseCallback):
    """Ends learning when the budget is spent; before each rollout it draws the curve and copies the learner."""

    def __init__(self, reference: Reference, settings: PPOSettings, env: EndeavorVecEnv, pool: Pool) -> None:
        """Take a run, which may have used some of its budget, and the games and opponents of its learner."""
        super().__init__()
        self._reference, self._settings, self._env, self._pool = reference, settings, env, pool
        self._before, self._copied = reference.budget.decisions, 0

    def _on_rollout_start(self) -> None:
        budget, policy = self._reference.budget, self.model.policy
        budget.decisions = self._before + self.num_timesteps
        if self.num_timesteps - self._copied >= self._settings.snapshot_every:
            self._pool.add_copy(policy.state_dict(), self._env)
            self._copied = self.num_timesteps
        self._reference.watch(lambda: seated_policy(logits_of_sb3(policy.state_dict())))
        if not budget.another_lap(self._settings.num_envs * self._settings.n_steps):
            raise BudgetSpentError

    def _on_step(self) -> bool:
        return True


def train(reference: Reference) -> Path:
    """Train under the budget of a run; return the path of the policy network."""
    settings = preset("quick").replace(players=(reference.players,), seed=reference.seed)
    pool = make_pool(settings, derived_seed(reference.seed))
    assert pool is not None
    env = make_env(settings, pool)
    model = make_model(settings, env)
    learn(reference, settings, model, env, pool)
    return finish(reference, settings, model)


def learn(reference: Reference, settings: PPOSettings, model: MaskablePPO, env: EndeavorVecEnv, pool: Pool) -> None:
    """Learn by PPO until the budget is spent; the learning rate falls with what is left of it."""
    torch.set_num_threads(1)
    torch.distributions.Distribution.set_default_validate_args(False)
    first, budget = reference.budget.share, reference.budget
    fall = settings.learning_rate - settings.last_learning_rate
    model.lr_schedule = lambda _: settings.learning_rate - fall * (budget.share - first) / (1.0 - first)
    env.seed(reference.seed)
    if isinstance(model, KernelRolloutPPO):
        assert isinstance(pool, KernelOpponentPool)
        model.rollouts = KernelRollouts(settings, pool, reference.seed)
    pool.add_copy(model.policy.state_dict(), env)
    with contextlib.closing(env), contextlib.suppress(BudgetSpentError):
        model.learn(NO_END, BudgetedLearning(reference, settings, env, pool))


def finish(reference: Reference, settings: PPOSettings, model: MaskablePPO, teachers: str = "") -> Path:
    """Write the policy of a model and the results of its run; return the path of the network."""
    weights = model.policy.state_dict()
    return reference.write_policy(logits_of_sb3(weights), value_of_sb3(weights), settings.to_dict(), teachers)
