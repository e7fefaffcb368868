"""Merchants of Europe for PettingZoo: ``from endeavor_env import merchants_v0; env = merchants_v0.env()``."""

from __future__ import annotations

from typing import Any

from pettingzoo import ParallelEnv

from endeavor_env.envs.merchants import MerchantsAECEnv
from endeavor_env.envs.simultaneous import SimultaneousEnv
from endeavor_env.envs.table import Observation

__all__ = ["env", "parallel_env", "raw_env"]

raw_env = MerchantsAECEnv


class _SimultaneousEnv(MerchantsAECEnv):
    """The environment as the parallel interface plays it: all agents act at once, and only one action counts."""

    WAITING = 1  # an agent that is not to move may choose any action, which is ignored


def env(**kwargs: Any) -> MerchantsAECEnv:
    """Return the environment; it needs no wrappers. Arguments are those of ``MerchantsAECEnv``."""
    return MerchantsAECEnv(**kwargs)


def parallel_env(**kwargs: Any) -> ParallelEnv[str, Observation, int | None]:
    """Return the environment with PettingZoo's parallel interface; see ``endeavor_v0.parallel_env``."""
    return SimultaneousEnv(_SimultaneousEnv(**kwargs))
