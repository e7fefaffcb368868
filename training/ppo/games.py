"""The games of a run, and the opponents in them."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import torch

from endeavor_env.agents.games import environment_of
from endeavor_env.endeavor.rewards import MARGIN_SCALE, margin_scale
from endeavor_env.endeavor.setups import SOLO
from endeavor_env.engine.game_rules import GameRules
from endeavor_env.engine.rewards import RewardFunction, Shaping, lead_of
from endeavor_env.sb3 import EndeavorVecEnv
from endeavor_env.training.ppo.kernel_opponents import KernelOpponentPool
from endeavor_env.training.ppo.opponents import OpponentPool, Snapshots
from endeavor_env.training.ppo.settings import PPOSettings


def make_pool(settings: PPOSettings, seed: int) -> OpponentPool | KernelOpponentPool | None:
    """Return the opponents of a run, whose samples depend on ``seed``; None in the solitaire game, which has none."""
    if settings.in_kernels:
        return KernelOpponentPool(settings)
    if settings.variant == SOLO:
        return None
    generator = torch.Generator().manual_seed(seed)
    copies = Snapshots(settings.network, settings.snapshots, generator)
    return OpponentPool(settings.opponents, copies, generator, _rules_of(settings))


def _rules_of(settings: PPOSettings) -> GameRules | None:
    """Return the game of a run; None for Endeavor."""
    return next((config.rules for config in settings.other_games()), None)


def _final_reward(settings: PPOSettings) -> str | RewardFunction:
    """Return the reward of a run. "margin" has no limits here, and one scale: a learner with masks forfeits nothing.

    Measured on the solitaire game, preset ``quick``: with the limits and half the scale it ends ten Glory lower.
    """
    if settings.reward != "margin":
        return settings.reward
    if (rules := _rules_of(settings)) is not None:
        return functools.partial(_leads, scale=rules.scale.margin)
    return _solo_lead if settings.variant == SOLO else _leads


def _leads(scores: Sequence[int], scale: float = MARGIN_SCALE) -> list[float]:
    """Return the lead of each seat over the best other, 1 for ``scale`` points."""
    return [lead_of(scores, seat) / scale for seat in range(len(scores))]


def _solo_lead(scores: Sequence[int]) -> list[float]:
    """Return the lead over the Opposition, 1 for MARGIN_SCALE Glory."""
    return _leads(scores)[:1]


def make_env(settings: PPOSettings, pool: OpponentPool | KernelOpponentPool | None) -> EndeavorVecEnv:
    """Return the games of a run, with the opponents of ``pool``; None for the solitaire game.

    Where rollouts are played inside the kernels, these games only tell Stable-Baselines3 their number and spaces.
    """
    if isinstance(pool, KernelOpponentPool):
        return EndeavorVecEnv(environment_of(settings.variant), settings.num_envs)
    others = settings.other_games()  # whose rewards both measure leads by a scale of their own
    weight = settings.shaping_weight * (1.0 if others else margin_scale(settings.variant) / MARGIN_SCALE)
    options: dict[str, Any] = {
        "game_choice": "draw",
        "reward": _final_reward(settings),
        "shaping": Shaping(settings.gamma, weight) if weight > 0 else None,
        "illegal_action": "raise",  # the masks rule it out
        "threads": settings.threads,
    }
    if pool is None:
        return EndeavorVecEnv("EndeavorSolo-v0", settings.num_envs, difficulty=settings.difficulties, **options)
    options |= {"learner_seat": "rotate", "opponents": pool.opponents()}
    if others:
        return EndeavorVecEnv(others, settings.num_envs, **options)
    games = [{"players": players} for players in settings.players]
    return EndeavorVecEnv("Endeavor-v0", settings.num_envs, games=games, **options)


def check_games(settings: PPOSettings) -> None:
    """Raise InvalidOptionError or CheckpointError unless the games of a run can be made, with its opponents."""
    make_env(settings, make_pool(settings, settings.seed)).close()
