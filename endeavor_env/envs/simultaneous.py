"""PettingZoo's parallel interface to an environment of ours: all agents act at once, and only one action counts."""

from __future__ import annotations

from typing import Any

from pettingzoo import ParallelEnv
from pettingzoo.utils.conversions import turn_based_aec_to_parallel_wrapper

from endeavor_env.basics.thread_guard import ThreadGuard, guarded
from endeavor_env.envs.agents_env import AgentsEnv
from endeavor_env.envs.table import Observation

Wrapper = turn_based_aec_to_parallel_wrapper[str, Observation, "int | None"]
_Parallel: Any = ParallelEnv[str, Observation, "int | None"]  # whose types contradict those of the wrapper


class SimultaneousEnv(Wrapper, _Parallel):  # skrl looks at direct bases alone
    """The wrapper of PettingZoo, which one thread at a time may reset and step."""

    def __init__(self, env: AgentsEnv) -> None:
        """Wrap an environment whose masks of waiting agents are all 1: any action of theirs will do."""
        super().__init__(env)
        self._guard = ThreadGuard()

    @guarded
    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, Any]:
        """Start a game; arguments and errors are those of ``AgentsEnv.reset``."""
        return super().reset(seed, options)

    @guarded
    def step(self, actions: dict[str, int | None]) -> tuple[Any, Any, Any, Any, Any]:
        """Make the move of the agent to move; the actions of the others are ignored."""
        answer: Any = super().step(actions)
        return answer
