"""The games MaskablePPO learns in, few of them, random play in them, and a checkpoint that it did not train yet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from endeavor_env.sb3 import EndeavorVecEnv
from endeavor_env.training.ppo.games import make_env, make_pool
from endeavor_env.training.ppo.model import bare_model
from endeavor_env.training.ppo.settings import RunFolder, preset

SETTINGS = preset("smoke").replace(num_envs=6)


def games(variant: str = "standard", seed: int = 0, **changes: Any) -> EndeavorVecEnv:
    """Return six games with the settings of the smallest preset, some of them changed."""
    settings = preset("smoke", variant).replace(**{"num_envs": 6, **changes})
    torch.manual_seed(seed)
    env = make_env(settings, make_pool(settings, seed))
    env.seed(seed)
    return env


def random_actions(env: EndeavorVecEnv, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """Return a random legal action for each game."""
    return np.array([rng.choice(np.flatnonzero(mask)) for mask in env.action_masks()])


def play(env: EndeavorVecEnv, episodes: int, seed: int = 0) -> list[dict[str, Any]]:
    """Play at random until so many games have ended; return their closing infos."""
    rng, infos = np.random.default_rng(seed), []
    env.reset()
    while len(infos) < episodes:
        _, _, dones, step_infos = env.step(random_actions(env, rng))
        infos += [info for info, done in zip(step_infos, dones, strict=True) if done]
    return infos


def untrained_checkpoint_of_sb3(folder: Path, variant: str = "standard", seed: int = 0) -> Path:
    """Write a checkpoint with policy and value network, as a clone has them, to a new folder; return the zip's path."""
    settings = preset("refine-smoke", variant).replace(seed=seed)
    model = bare_model(variant, settings.trunk, settings.head, seed)
    return RunFolder.create(folder, settings, "").write(model, settings.network, "policy.zip", 0, [])
