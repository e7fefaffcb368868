"""A clone of the strongest value network, improved by PPO: each with its part of the budget."""

from __future__ import annotations

import contextlib
from pathlib import Path

import torch

from endeavor_env.agents.players.policy import logits_of_sb3
from endeavor_env.basics.inputs import derived_seed
from endeavor_env.endeavor.board import Board
from endeavor_env.training.clone.learner import Fit
from endeavor_env.training.clone.run import Clone
from endeavor_env.training.clone.settings import preset as clone_preset
from endeavor_env.training.ppo.beginning import SHARPENED
from endeavor_env.training.ppo.games import make_env, make_pool
from endeavor_env.training.ppo.model import make_model, sharpen
from endeavor_env.training.ppo.settings import preset
from endeavor_env.training.reference import ppo
from endeavor_env.training.reference.budget import BudgetSpentError
from endeavor_env.training.reference.run import Reference
from endeavor_env.training.reference.tables import seated_policy

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


def train(reference: Reference) -> Path:
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
    ppo.learn(reference, settings, model, env, pool)
    return ppo.finish(reference, settings, model, TEACHER)
