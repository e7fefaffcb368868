"""MaskablePPO whose rollouts are played inside the kernels: its network, its opponents and the rules in one loop."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from stable_baselines3.common.buffers import RolloutBuffer
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnv

from endeavor_env.agents.players.policy import logits_of_sb3, value_of_sb3
from endeavor_env.basics.inputs import MAX_CYCLES, spread_seeds
from endeavor_env.endeavor.ensure import ensure_learning_compiled
from endeavor_env.endeavor.game import GameConfig
from endeavor_env.endeavor.game_rules import ENDEAVOR
from endeavor_env.endeavor.learning.rollouts import RESULT, begin_games, collect_rollouts
from endeavor_env.endeavor.players.policy.player import learner_memory
from endeavor_env.endeavor.players.value.inputs import MARGIN_WEIGHT, MOST_MARGIN
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import num_actions
from endeavor_env.endeavor.rules.state import SETUP, STATE
from endeavor_env.endeavor.setups import SOLO
from endeavor_env.engine.batch.game_batch import Kinds
from endeavor_env.engine.batch.threads import ThreadPool
from endeavor_env.engine.game_rules import rows_of
from endeavor_env.engine.kernels.masks import words_of
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.engine.kernels.tables import IS_DRAWN, TABLE, Games
from endeavor_env.engine.kernels.turn import OVER
from endeavor_env.training.ppo.games import KernelOpponentPool
from endeavor_env.training.ppo.settings import PPOSettings

# Everything else, above all the gradient, is Stable-Baselines3's. ``docs/training.md`` has the speed of both ways.


class KernelRolloutBuffer(MaskableRolloutBuffer):
    """SB3's buffer, whose arrays are laid out game by game and are used again, so that SB3 need not turn them over."""

    def reset(self) -> None:
        """Empty the buffer; the arrays are those of the last rollout, as views (steps, games, ...)."""
        if not hasattr(self, "by_game"):
            super().reset()
            self.by_game = {
                name: np.zeros((self.n_envs, self.buffer_size, *array.shape[2:]), array.dtype)
                for name, array in vars(self).items()
                if isinstance(array, np.ndarray) and array.shape[:2] == (self.buffer_size, self.n_envs)
            }
        for name, array in self.by_game.items():
            setattr(self, name, array.swapaxes(0, 1))
        self.pos, self.full, self.generator_ready = 0, False, False


class KernelRollouts:
    """The games of a run, which go on from one rollout to the next."""

    def __init__(self, settings: PPOSettings, opponents: KernelOpponentPool, seed: int) -> None:
        """Make the games, which begin with the first rollout.

        Args:
            settings: The settings of the run.
            opponents: Who plays in the other seats.
            seed: Of the set-ups, the seats, the opponents and what the learner draws.
        """
        solo, rows = settings.variant == SOLO, settings.num_envs
        kinds = Kinds(
            [GameConfig(SOLO, options={"difficulty": level}) for level in settings.difficulties]
            if solo
            else [GameConfig(players=players) for players in settings.players],
            "draw",
        )
        self._variant, self._opponents = c.VARIANT_NAMES.index(settings.variant), opponents
        self._boards, self._kinds = kinds.boards()[0], kinds.array()
        self._tables, self._states = np.zeros(rows, TABLE), np.zeros(rows, STATE)
        self._actions = num_actions(settings.variant)
        self._words = np.zeros((rows, words_of(self._actions)), np.int64)
        self._status, self._fresh = np.full(rows, OVER, np.int8), np.ones(rows, np.int8)
        streams = spread_seeds(seed, 2 * rows).tolist()
        self._draws = np.concatenate([seeded(stream) for stream in streams[:rows]])[:, None]
        self._tables["stream"] = np.concatenate([seeded(stream) for stream in streams[rows:]])[:, None]
        self._tables["draws_kind"], self._tables["rotates"] = kinds.drawn, IS_DRAWN
        self._tables["given_first"] = self._tables["given_learner"] = c.NONE
        self._pool = ThreadPool(settings.threads, rows)
        self._begun = False

    def collect(
        self, weights: dict[str, torch.Tensor], buffer: KernelRolloutBuffer
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.void]]:
        """Fill a buffer with the choices of the network of ``weights``, the state of an SB3 policy.

        Returns:
            The values of the positions after the last choices, (N,), and how games ended, (n,) RESULT.
        """
        ensure_learning_compiled()
        arrays, rows = buffer.by_game, self._status.size
        memory = learner_memory(self._variant, logits_of_sb3(weights), value_of_sb3(weights))
        actions = arrays["actions"].reshape(rows, -1)  # SB3 gives them an axis of their own
        seen = arrays["observations"], arrays["action_masks"], actions
        judged = arrays["log_probs"], arrays["values"], arrays["rewards"], arrays["episode_starts"]
        last, ended = np.zeros(rows, np.float32), np.zeros(rows, np.int64)
        results, drawn = np.zeros((rows, buffer.buffer_size), RESULT), self._opponents.opponents()
        arrays_of_games = self._tables, rows_of(self._states), self._words, self._status
        games = Games(ENDEAVOR.addresses, rows_of(self._boards), self._kinds, drawn, *arrays_of_games)

        def work(_thread: int, low: int, high: int) -> None:
            players, setups = self._opponents.players(), rows_of(np.zeros(1, SETUP))
            mask = np.zeros(self._actions, np.int8)
            if not self._begun:
                begin_games(games, setups, MAX_CYCLES, mask, low, high, players)
            own = self._fresh, self._draws, setups, MAX_CYCLES, mask, players, memory.copy()
            collect_rollouts(games, *own, *seen, *judged, last, results, ended, low, high)

        self._pool.run(work, rows)
        self._begun = True
        return last, np.concatenate([results[row, :count] for row, count in enumerate(ended.tolist())])

    @property
    def fresh(self) -> npt.NDArray[np.bool_]:
        """True where the last choice ended the game, by row."""
        return self._fresh.astype(np.bool_)


class KernelRolloutPPO(MaskablePPO):
    """MaskablePPO that gets its rollouts from a ``KernelRollouts``, which must be set before it learns."""

    rollouts: KernelRollouts | None = None

    def collect_rollouts(
        self,
        env: VecEnv,
        callback: BaseCallback,
        rollout_buffer: RolloutBuffer,
        n_rollout_steps: int,
        use_masking: bool = True,
    ) -> bool:
        """Fill the buffer with the next choices, then tell the callback of every step; return whether to go on."""
        assert self.rollouts is not None
        assert isinstance(rollout_buffer, KernelRolloutBuffer)
        callback.on_rollout_start()
        rollout_buffer.reset()
        last_values, results = self.rollouts.collect(self.policy.state_dict(), rollout_buffer)
        rollout_buffer.pos, rollout_buffer.full = rollout_buffer.buffer_size, True
        infos = [{"game": _game(result)} for result in results]
        for _ in range(rollout_buffer.buffer_size):
            self.num_timesteps += rollout_buffer.n_envs
            callback.update_locals({"infos": infos})
            if not callback.on_step():
                return False
            infos = []
        rollout_buffer.compute_returns_and_advantage(torch.from_numpy(last_values), self.rollouts.fresh)
        callback.on_rollout_end()
        return True

    def _excluded_save_params(self) -> list[str]:
        """Return what a checkpoint leaves out: the games as well."""
        return [*super()._excluded_save_params(), "rollouts"]


def _game(result: np.void) -> dict[str, Any]:
    """Return a result as the infos of environments have it."""
    margin = int(result["margin"])
    win = float(result["outcome"]) - MARGIN_WEIGHT * min(MOST_MARGIN, max(-MOST_MARGIN, margin))
    return {"win": win, "score": int(result["score"]), "margin": margin}
