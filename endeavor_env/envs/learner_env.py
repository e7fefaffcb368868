"""LearnerEnv: the base of the Gymnasium environments. One seat learns; ``step`` plays on to its next decision."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from endeavor_env.core.rng import next_seed, seeded
from endeavor_env.envs.display import show
from endeavor_env.envs.reset_needed import ResetNeededError
from endeavor_env.envs.settings import EnvSettings
from endeavor_env.envs.spaces import seat_spaces
from endeavor_env.envs.table import MAX_GAME_SEED, Observation, Table
from endeavor_env.errors import GameOverError
from endeavor_env.game import Game
from endeavor_env.inputs import whole_number
from endeavor_env.rewards import final_rewards


class LearnerEnv(gymnasium.Env[Observation, int]):
    """A table with one learner; subclasses decide what happens between two of its decisions."""

    metadata = {"render_modes": ["human", "ansi"], "render_fps": 1}  # noqa: RUF012 (Gymnasium declares it so)

    def __init__(self, settings: EnvSettings) -> None:
        """Prepare an empty table. The learner has seat 0 until a subclass sets another."""
        self._settings = settings
        self._table = Table(settings.kind, settings.observation)
        self._shaping = settings.shaping
        self.render_mode = settings.render_mode
        self.observation_space, self.action_space = seat_spaces(settings.kind.variant, settings.observation)
        self._stream: npt.NDArray[np.uint64] | None = None
        self._seat = 0
        self._shown = 0
        self._potential = 0.0

    def _start(self, seed: int | None, given: dict[str, Any]) -> tuple[int | None, int]:
        """Start a game.

        A seed starts a stream of seeds; a reset without one goes on in it. Vector environments do the same for each
        game.

        Args:
            seed: As for ``reset``.
            given: Arguments of ``Table.start``.

        Returns:
            The seed of the set-up if it was asked for, here or in the constructor, else None; and a seed for the
            opponents.
        """
        if seed is None and self._stream is None:
            seed = self._settings.seed
        super().reset(seed=seed)
        stream = self._stream_after(seed)
        self._table.start(int(next_seed(stream)) if seed is None else seed, **given)
        self._stream = stream  # not before: a set-up that does not fit changes nothing
        self._shown = 0
        return seed, int(next_seed(stream))

    def _stream_after(self, seed: int | None) -> npt.NDArray[np.uint64]:
        """Return a fresh generator of seeds: from ``seed``, else a copy of the present one, else from ``np_random``."""
        if seed is not None:
            return seeded(seed)
        if self._stream is None:
            return seeded(int(self.np_random.integers(MAX_GAME_SEED)))
        return self._stream.copy()

    def _first_decision(self) -> tuple[Observation, dict[str, Any]]:
        """Return what ``reset`` returns, with the learner to move for the first time."""
        table = self._table
        if self._shaping is not None:
            self._potential = self._shaping.potential(table.scores(), self._seat)
        observation = table.observe(self._seat)
        if self.render_mode == "human":
            self.render()
        return observation, {"action_mask": observation["action_mask"], "seat": self._seat, "seed": table.game.seed}

    def _let_others_play(self) -> None:
        """Play on until the learner is to move or the game is over; alone at the table, it always is."""

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Make the learner's move and play on up to its next decision.

        Args:
            action: An action id: a whole number of Python or NumPy, 0-d arrays included.

        Returns:
            Observation, reward, terminated, truncated (always False) and info, all fresh objects.

        Raises:
            ResetNeededError: Before the first reset.
            GameOverError: The episode has ended.
            IllegalActionError: Not an action id, or an illegal one with ``illegal_action="raise"``: nothing is changed.
                Or an opponent chose an illegal action: then only a reset helps.
        """
        table = self._table
        if table.seat != self._seat:
            self._refuse_step()
        number = action if type(action) is int else whole_number(action)
        if number is None or not 0 <= number < table.mask.size:
            raise table.refuse(action)
        if not table.mask[number]:
            return self._step_illegal(number)
        table.apply(number)
        self._let_others_play()
        reward = 0.0
        if self._shaping is not None:
            potential = 0.0 if table.over else self._shaping.potential(table.scores(), self._seat)
            reward = self._shaping.gamma * potential - self._potential
            self._potential = potential
        observation = table.observe(self._seat)
        info: dict[str, Any] = {"action_mask": observation["action_mask"]}
        if table.over:
            result = table.result()
            reward += final_rewards(self._settings.reward.function, result["scores"], table.players)[self._seat]
            info.update(seat=self._seat, **result)
        if self.render_mode == "human":
            self.render()
        return observation, reward, table.over, False, info

    def _refuse_step(self) -> None:
        """Raise the error that says why no step is possible."""
        if not self._table.started:
            raise ResetNeededError("step()")
        if self._table.over:
            raise GameOverError("step() is not possible: the episode is over, call reset()")
        raise ResetNeededError("step() after an opponent's illegal action")

    def _step_illegal(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """End the episode with the reward for an illegal action, or raise."""
        error = self._table.refuse(action)
        if self._settings.illegal_raises:
            raise error
        self._table.stop()
        observation = self._table.observe(self._seat)
        info = {
            "action_mask": observation["action_mask"],
            "reason": "illegal_action",
            "seat": self._seat,
            "action": action,
            "message": str(error),
        }
        return observation, self._settings.illegal_reward - self._potential, True, False, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the learner's legal actions as a fresh bool array with an entry for each id, as sb3-contrib needs it.

        It is all False when the episode is over, or was cut short by an opponent's illegal action.
        """
        table = self._table
        if not table.started:
            raise ResetNeededError("action_masks()")
        return table.mask.astype(np.bool_) if table.seat == self._seat else np.zeros(table.mask.size, np.bool_)

    def game(self) -> Game:
        """Return an independent copy of the game in play, to search on, describe or record."""
        return self._table.game.clone()

    def render(self) -> str | None:  # type: ignore[override]
        """Print the board (``human``) or return it as text (``ansi``), with what happened since the last time."""
        if not self._table.started:
            raise ResetNeededError("render()")
        text = show(self._table.game, self.render_mode, self._shown)
        if self.render_mode is not None:
            self._shown = len(self._table.game.history)
        return text

    def close(self) -> None:
        """Do nothing: there is nothing to release. It may be called any number of times."""
