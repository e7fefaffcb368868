"""Callbacks of a run: checkpoints, new opponents, curves."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
from stable_baselines3.common.callbacks import BaseCallback

from endeavor_env.agents.network_spec import NetworkSpec
from endeavor_env.sb3 import EndeavorVecEnv
from endeavor_env.training.ppo.folder import RunFolder
from endeavor_env.training.ppo.kernel_opponents import KernelOpponentPool
from endeavor_env.training.ppo.model import check_usable
from endeavor_env.training.ppo.opponents import OpponentPool
from endeavor_env.training.ppo.settings import PPOSettings

WINDOW = 200  # finished games the curves are averaged over


class SelfPlayCallback(BaseCallback):
    """Saves checkpoints, adds copies of the learner to the opponents, and logs the results of the games.

    Training ends with CheckpointError if an update leaves weights that nobody can play with.
    """

    def __init__(
        self,
        run: RunFolder,
        spec: NetworkSpec,
        settings: PPOSettings,
        env: EndeavorVecEnv,
        pool: OpponentPool | KernelOpponentPool | None,
    ) -> None:
        """Make the callback of a run.

        Args:
            run: The folder for the checkpoints.
            spec: The shape of the policy network.
            settings: The settings of the run.
            env: The games of the run.
            pool: The opponents in these games; None in the solitaire game, which has none.
        """
        super().__init__()
        self._run = run
        self._spec = spec
        self._settings = settings
        self._env = env
        self._pool = pool
        self._games: deque[dict[str, Any]] = deque(maxlen=WINDOW)
        self._saved = 0
        self._copied = 0

    def _on_training_start(self) -> None:
        self._saved = self._copied = self.num_timesteps

    def _on_rollout_start(self) -> None:
        check_usable(self.model, self._spec)  # type: ignore[arg-type]

    def _on_training_end(self) -> None:
        check_usable(self.model, self._spec)  # type: ignore[arg-type]

    def _on_step(self) -> bool:
        self._games.extend(info["game"] for info in self.locals["infos"] if "game" in info)
        if self.num_timesteps - self._saved >= self._settings.checkpoint_every:
            self._run.save(self.model, self._spec, self.num_timesteps)  # type: ignore[arg-type]
            self._saved = self.num_timesteps
        if self._pool is not None and self.num_timesteps - self._copied >= self._settings.snapshot_every:
            self._pool.add_copy(self.model.policy.state_dict(), self._env)
            self._copied = self.num_timesteps
        return True

    def _on_rollout_end(self) -> None:
        if not self._games:
            return
        for key in ("win", "score", "margin"):
            self.logger.record(f"games/{key}", float(np.mean([game[key] for game in self._games])))
        if self._pool is not None:
            self.logger.record("games/opponent_copies", self._pool.copies)
