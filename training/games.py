"""The games of a run, and the opponents in them."""

from __future__ import annotations

from typing import Any

import torch

from endeavor_env.rewards import Shaping
from endeavor_env.sb3 import EndeavorVecEnv
from endeavor_env.setups import SOLO
from training.model import network_spec
from training.opponents import OpponentMix, Snapshots
from training.presets import Settings


def make_mix(settings: Settings, seed: int) -> OpponentMix | None:
    """Return the opponents of a run, whose samples depend on ``seed``; None in the solitaire game, which has none."""
    if settings.variant == SOLO:
        return None
    generator = torch.Generator().manual_seed(seed)
    return OpponentMix(settings.opponents, Snapshots(network_spec(settings), settings.snapshots, generator), generator)


def make_env(settings: Settings, mix: OpponentMix | None) -> EndeavorVecEnv:
    """Return the games of a run, with the opponents of ``mix``; None for the solitaire game."""
    shaping = Shaping(settings.gamma, settings.shaping_weight) if settings.shaping_weight > 0 else None
    options: dict[str, Any] = {
        "game_choice": "draw",
        "reward": settings.reward,
        "shaping": shaping,
        "threads": settings.threads,
    }
    if mix is None:
        return EndeavorVecEnv("EndeavorSolo-v0", settings.num_envs, difficulty=settings.difficulties, **options)
    games = [{"players": players} for players in settings.players]
    options |= {"games": games, "learner_seat": "rotate", "opponents": mix.opponents()}
    return EndeavorVecEnv("Endeavor-v0", settings.num_envs, **options)
