"""What the Gymnasium environments share: one seat learns, and ``step`` returns when it is to decide again."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from endeavor_env.core.rng import next_seed, seeded
from endeavor_env.envs.options import ILLEGAL_ACTIONS, ResetNeededError, checked_render_mode, finite, one_of
from endeavor_env.envs.table import MAX_GAME_SEED, Observation, Table
from endeavor_env.errors import GameOverError
from endeavor_env.game import Game
from endeavor_env.render import ansi
from endeavor_env.rewards import RewardFunction, Shaping, final_rewards, reward_function, shaping_option
from endeavor_env.setups import check_seed
from endeavor_env.whole_numbers import whole_number


class LearnerEnv(gymnasium.Env[Observation, int]):
    """A table with one learner; what happens between two of its decisions is up to the subclass."""

    metadata = {"render_modes": ["human", "ansi"], "render_fps": 1}  # noqa: RUF012 (Gymnasium declares it so)

    def __init__(
        self,
        table: Table,
        *,
        reward: str | RewardFunction,
        shaping: dict[str, float] | Shaping | None,
        illegal_action: str,
        illegal_reward: float,
        seed: int | None,
        render_mode: str | None,
    ) -> None:
        """Checks the options. The learner has seat 0 until a subclass says otherwise. Raises InvalidOptionError."""
        self._table = table
        self._reward = reward_function(reward, table.players, table.variant)
        self._shaping = shaping_option(shaping)
        self._illegal_raises = one_of("illegal_action", illegal_action, ILLEGAL_ACTIONS) == "raise"
        self._illegal_reward = finite("illegal_reward", illegal_reward)
        self._first_seed = check_seed(seed)
        self.render_mode = checked_render_mode(render_mode)
        self.observation_space, self.action_space = table.spaces()
        self._stream: npt.NDArray[np.uint64] | None = None
        self._seat = 0
        self._shown = 0
        self._potential = 0.0

    def _start(self, seed: int | None, given: dict[str, Any]) -> tuple[int | None, int]:
        """Starts a game with what ``Table.start`` is ``given``.

        A seed starts a stream of seeds; a reset without one goes on in it. Vector environments do the same a game.

        Returns:
            The seed of the set-up if it was asked for, here or in the constructor, else None; and a seed for the
            opponents.
        """
        if seed is None and self._stream is None:
            seed = self._first_seed
        super().reset(seed=seed)
        stream = self._stream_after(seed)
        self._table.start(int(next_seed(stream)) if seed is None else seed, **given)
        self._stream = stream  # not before: a set-up that does not fit changes nothing
        self._shown = 0
        return seed, int(next_seed(stream))

    def _stream_after(self, seed: int | None) -> npt.NDArray[np.uint64]:
        """Returns a generator of seeds of its own: that of ``seed``, else the one in use, else one of ``np_random``."""
        if seed is not None:
            return seeded(seed)
        if self._stream is None:
            return seeded(int(self.np_random.integers(MAX_GAME_SEED)))
        return self._stream.copy()

    def _first_decision(self) -> tuple[Observation, dict[str, Any]]:
        """Returns what a reset returns, the learner being to move for the first time."""
        table = self._table
        if self._shaping is not None:
            self._potential = self._shaping.potential(table.scores(), self._seat)
        observation = table.observe(self._seat)
        if self.render_mode == "human":
            self.render()
        return observation, {"action_mask": observation["action_mask"], "seat": self._seat, "seed": table.game.seed}

    def _let_others_play(self) -> None:
        """Plays on until the learner is to move or the game is over; alone at the table, it always is."""

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Makes the learner's move and plays on up to its next decision.

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
            reward += final_rewards(self._reward, result["scores"], table.players)[self._seat]
            info.update(seat=self._seat, **result)
        if self.render_mode == "human":
            self.render()
        return observation, reward, table.over, False, info

    def _refuse_step(self) -> None:
        """Says why no step is possible."""
        if not self._table.started:
            raise ResetNeededError("step()")
        if self._table.over:
            raise GameOverError("step() is not possible: the episode is over, call reset()")
        raise ResetNeededError("step() after an opponent's illegal action")

    def _step_illegal(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Ends the episode at the learner's cost, or raises."""
        error = self._table.refuse(action)
        if self._illegal_raises:
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
        return observation, self._illegal_reward - self._potential, True, False, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Returns the learner's legal actions as a fresh bool array, one entry an id, as sb3-contrib asks for it.

        It is all False when the episode is over, or was cut short by an opponent's illegal action.
        """
        table = self._table
        if not table.started:
            raise ResetNeededError("action_masks()")
        return table.mask.astype(np.bool_) if table.seat == self._seat else np.zeros(table.mask.size, np.bool_)

    def game(self) -> Game:
        """Returns an independent copy of the game in play, to search on, describe or record."""
        return self._table.game.clone()

    def render(self) -> str | None:  # type: ignore[override]
        """Prints the board (``human``) or returns it as text (``ansi``), with what happened since the last time."""
        if not self._table.started:
            raise ResetNeededError("render()")
        if self.render_mode is None:
            gymnasium.logger.warn("render() was called without a render_mode: give render_mode='ansi' or 'human'.")
            return None
        game = self._table.game
        text = ansi.render(game, self._shown)
        self._shown = len(game.history)
        if self.render_mode == "human":
            print(text, end="\n\n")
            return None
        return text

    def close(self) -> None:
        """Does nothing: there is nothing to release. It may be called any number of times."""
