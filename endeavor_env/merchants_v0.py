"""Merchants of Europe for PettingZoo: ``from endeavor_env import merchants_v0; env = merchants_v0.env()``."""

from __future__ import annotations

from typing import Any

from endeavor_env.envs.aec_env import GameParallelEnv
from endeavor_env.envs.merchants import make_merchants_aec
from endeavor_env.envs.signatures import shows_arguments_of

__all__ = ["env", "parallel_env", "raw_env"]

env = raw_env = make_merchants_aec
"""Makes the environment, which needs no wrappers."""


@shows_arguments_of(env)
def parallel_env(*args: Any, **options: Any) -> GameParallelEnv:
    """Return the environment with PettingZoo's parallel interface; arguments are those of ``env``.

    Only the action of the agent to move counts. The masks of the others are all 1: any action will do.
    """
    return GameParallelEnv(env(*args, **options))
