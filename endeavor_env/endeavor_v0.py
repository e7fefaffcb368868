"""The PettingZoo environment as a module: ``from endeavor_env import endeavor_v0; env = endeavor_v0.env()``."""

from __future__ import annotations

from typing import Any

from pettingzoo import ParallelEnv
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from endeavor_env.envs.aec_env import EndeavorAECEnv
from endeavor_env.envs.table import Observation

__all__ = ["env", "parallel_env", "raw_env"]

raw_env = EndeavorAECEnv


def env(**kwargs: Any) -> EndeavorAECEnv:
    """Return the environment; it needs no wrappers. Arguments are those of ``EndeavorAECEnv``."""
    return EndeavorAECEnv(**kwargs)


def parallel_env(**kwargs: Any) -> ParallelEnv[str, Observation, int | None]:
    """Return the environment with PettingZoo's parallel interface; only the action of the agent to move counts."""
    return turn_based_aec_to_parallel(EndeavorAECEnv(**kwargs))
