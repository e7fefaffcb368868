"""The PettingZoo environment as a module: ``from endeavor_env import endeavor_v0; env = endeavor_v0.env()``."""

from __future__ import annotations

from typing import Any

from pettingzoo import ParallelEnv

from endeavor_env.envs.aec_env import EndeavorAECEnv
from endeavor_env.envs.simultaneous import SimultaneousEnv
from endeavor_env.envs.table import Observation

__all__ = ["env", "parallel_env", "raw_env"]

raw_env = EndeavorAECEnv


class _SimultaneousEnv(EndeavorAECEnv):
    """The environment as the parallel interface plays it: all agents act at once, and only one action counts."""

    WAITING = 1  # an agent that is not to move may choose any action, which is ignored


def env(**kwargs: Any) -> EndeavorAECEnv:
    """Return the environment; it needs no wrappers. Arguments are those of ``EndeavorAECEnv``."""
    return EndeavorAECEnv(**kwargs)


def parallel_env(**kwargs: Any) -> ParallelEnv[str, Observation, int | None]:
    """Return the environment with PettingZoo's parallel interface.

    Only the action of the agent to move counts. The masks of the others are all 1: any action will do. Arguments are
    those of ``EndeavorAECEnv``.
    """
    return SimultaneousEnv(_SimultaneousEnv(**kwargs))
