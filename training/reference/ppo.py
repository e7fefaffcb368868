"""MaskablePPO by self-play in the way of the preset ``quick``, and a clone of ``value`` that PPO improves."""

from __future__ import annotations

import contextlib
from pathlib import Path

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from endeavor_env.agents.players.policy import logits_of_sb3, value_of_sb3
from endeavor_env.basics.inputs import derived_seed
from endeavor_env.endeavor.board import Board
from endeavor_env.sb3 import EndeavorVecEnv
from endeavor_env.training.clone.run import Clone, Fit
from endeavor_env.training.clone.settings import preset as clone_preset
from endeavor_env.training.ppo.beginning import SHARPENED
from endeavor_env.training.ppo.games import KernelOpponentPool, OpponentPool, make_env, make_pool
from endeavor_env.training.ppo.model import make_model, sharpen
from endeavor_env.training.ppo.rollouts import KernelRolloutPPO, KernelRollouts
from endeavor_env.training.ppo.settings import PPOSettings, preset
from endeavor_env.training.reference.run import BudgetSpentError, Reference, seated_policy

# --- MaskablePPO of sb3-contrib by self-play, in the way of the preset ``quick``, at the tables of one task ----------

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


# --- A clone of the strongest value network, improved by PPO: each with its part of the budget -----------------------

TEACHER = "value:@value_standard"
CLONE_SHARE = 0.4
"""Of the budget; PPO has the rest."""
PORTIONS = 20
N_STEPS, SNAPSHOT_EVERY = 32, 65_536
"""Shorter rollouts than in ``refine``, and copies more often: the budget has few decisions for both."""
CHOICES_OF_GAME = 235
"""About so many choices a game of four seats has: what a portion of the clone is sized by."""
CHOICES_PER_SECOND = 3_500
"""The same for budgets of processor time: what one core clones."""


def train_clone(reference: Reference) -> Path:
    """Clone, then improve, under the budget of a run; return the path of the policy network."""
    settings = preset("refine").replace(
        players=(reference.players,), seed=reference.seed, threads=1, n_steps=N_STEPS, snapshot_every=SNAPSHOT_EVERY
    )
    pool = make_pool(settings, derived_seed(reference.seed))
    assert pool is not None
    env = make_env(settings, pool)
    model = make_model(settings, env)
    track = reference.budget.track
    choices = CLONE_SHARE * (track.decisions or CHOICES_PER_SECOND * (track.cpu_seconds or 0.0))
    games = max(1, round(choices / CHOICES_OF_GAME / PORTIONS))
    cloning = clone_preset("quick", settings.variant, TEACHER).replace(
        trunk=settings.trunk, head=settings.head, seed=reference.seed, players=settings.players, iterations=PORTIONS,
        games=games, threads=1, device="cpu",
    )  # fmt: skip
    clone = Clone(cloning, model, Board.default())

    def report(done: int, _fit: Fit) -> None:
        reference.budget.decisions = done
        reference.watch(lambda: seated_policy(logits_of_sb3(model.policy.state_dict())))
        reference.budget.another_lap()
        if reference.budget.share >= CLONE_SHARE:
            raise BudgetSpentError

    with contextlib.suppress(BudgetSpentError):
        clone.learn(report)
    sharpen(model, SHARPENED)
    reference.budget.forget_laps()  # those of PPO have another length
    torch.set_float32_matmul_precision(settings.precision)
    learn(reference, settings, model, env, pool)
    return finish(reference, settings, model, TEACHER)
