"""LearnerEnv: the base of the Gymnasium environments. One seat learns; ``step`` plays on to its next decision."""

from __future__ import annotations

import copy
from _thread import get_ident
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from endeavor_env.basics.inputs import whole_number
from endeavor_env.basics.thread_guard import NOBODY, ThreadGuard, guarded
from endeavor_env.engine.base_game import BaseGame
from endeavor_env.engine.kernels.rng import next_seed, seeded
from endeavor_env.engine.rewards import Shaping, warn_of_missing_masks
from endeavor_env.envs.display import RENDER_FPS, close_shown
from endeavor_env.envs.settings import EnvSettings
from endeavor_env.envs.table import MAX_GAME_SEED, Mask, Observation, Table
from endeavor_env.errors import GameOverError

StepReturn = tuple[Observation, float, bool, bool, dict[str, Any]]
"""Observation, reward, terminated, truncated and info."""


class LearnerEnv(gymnasium.Env[Observation, int]):
    """A table of any game with one learner; subclasses decide what happens between two of its decisions."""

    metadata = {"render_modes": ["human", "ansi", "rgb_array"], "render_fps": RENDER_FPS}  # noqa: RUF012 (Gymnasium declares it so)

    def __init__(self, settings: EnvSettings, table: Table) -> None:
        """Take the options and an empty table. The learner has seat 0 until a subclass sets another."""
        self._settings = settings
        self._table = table
        self._shaping = settings.shaping
        self.render_mode = settings.render_mode
        self.observation_space, self.action_space = settings.spaces_of(settings.config.variant)
        self._stream: npt.NDArray[np.uint64] | None = None
        self._seat = 0
        self._shown = 0
        self._potential = 0.0
        self._rng = seeded(0)
        self._guard = ThreadGuard()
        self._before = (0, 0.0)  # the opponents' generator and the potential when the step in progress began

    # --- starting ----------------------------------------------------------------------------------------------------
    def _start(self, seed: int | None, given: dict[str, Any]) -> tuple[int | None, int]:
        """Start a game.

        A seed starts a stream of seeds; a reset without one goes on in it. Vector environments do the same for each
        game. If the set-up does not fit, nothing is changed.

        Args:
            seed: As for ``reset``.
            given: Arguments of ``Table.new_game``.

        Returns:
            The seed of the set-up if it was asked for, here or in the constructor, else None; and a seed for the
            opponents.
        """
        if seed is None and self._stream is None:
            seed = self._settings.seed
        generator = copy.deepcopy(self.np_random) if seed is None and self._stream is None else None
        stream = self._stream_after(seed, generator)
        game = self._table.new_game(int(next_seed(stream)) if seed is None else seed, **given)
        super().reset(seed=seed)
        if generator is not None:
            self.np_random = generator
        self._table.start(game)
        self._stream = stream
        self._shown, self._potential = 0, 0.0
        return seed, int(next_seed(stream))

    def _stream_after(self, seed: int | None, generator: np.random.Generator | None) -> npt.NDArray[np.uint64]:
        """Return a fresh generator of seeds: from ``seed``, else from ``generator``, else a copy of the present one."""
        if seed is not None:
            return seeded(seed)
        if generator is not None:
            return seeded(int(generator.integers(MAX_GAME_SEED)))
        assert self._stream is not None
        return self._stream.copy()

    def _first_decision(self) -> tuple[Observation, dict[str, Any]]:
        """Return what ``reset`` returns, with the learner to move for the first time."""
        table = self._table
        if self._shaping is not None:
            self._potential = table.potential(self._shaping, self._seat)
        observation, mask = table.look(self._seat)
        table.sound = True
        if self.render_mode == "human":
            self.render()
        info = {**self._running_info(mask), "seat": self._seat}
        if not self._settings.config.rules.seed_tells:
            info["seed"] = table.game_seed
        return observation, info

    def _running_info(self, mask: Mask) -> dict[str, Any]:
        """Return the info while the game runs. Texts are there from the first step on: buffers have no empty text."""
        info: dict[str, Any] = {"action_mask": mask, "reason": "", "message": ""}
        for name in self._table.texts:
            info[name] = ""
        return info

    # --- stepping ----------------------------------------------------------------------------------------------------
    def step(self, action: Any) -> StepReturn:
        """Make the learner's move and play on up to its next decision.

        A step that raises an error, or is interrupted by Ctrl-C, has not happened: the game is as it was before. Only
        what opponents remember is theirs.

        Args:
            action: An action id: a whole number of Python or NumPy, 0-d arrays included.

        Returns:
            Observation, reward, terminated, truncated and info, all fresh objects.

        Raises:
            ResetNeededError: Before the first reset, or after one that failed.
            GameOverError: The episode has ended.
            IllegalActionError: Not an action id, or an illegal one with ``illegal_action="raise"``; or an opponent
                chose an illegal action.
            InvalidOptionError: The reward function returned something else than one finite number for each seat.
        """
        guard, me, outer = self._guard, get_ident(), self._guard.caller
        if outer != NOBODY and outer != me:
            raise guard.refusal("step")
        guard.caller, guard.running = me, "step"
        try:
            table = self._table
            if not table.sound:
                self._require_game("step()")
            if table.over:
                raise GameOverError("step() is not possible: the episode is over, call reset()")
            number = action if type(action) is int else whole_number(action)
            if number is None or not 0 <= number < table.num_actions:
                raise table.refuse(action)
            legal = table.allowed[number]
            if not legal and self._settings.illegal_raises:
                raise table.refuse(number)
            self._before = (self._rng.item(), self._potential)
            table.begin_step()
            result = self._play_on(number) if legal else self._forfeit(number)
            table.sound = True
            if self.render_mode == "human":
                self.render()
        except BaseException:
            self._undo_step()
            raise
        finally:
            guard.caller = outer
        return result

    def _play_on(self, action: int) -> StepReturn:
        """Return the result of a step with a legal ``action``."""
        self._move(action)
        table = self._table
        observation, mask = table.look(self._seat)
        info = self._running_info(mask)
        if table.over:
            return observation, self._end(info), not table.truncated, table.truncated, info
        return observation, 0.0 if self._shaping is None else self._shaped(self._shaping), False, False, info

    def _shaped(self, shaping: Shaping) -> float:
        """Return the shaping term of a step after which the game runs on, and keep the new potential."""
        before = self._potential
        self._potential = self._table.potential(shaping, self._seat)
        return shaping.gamma * self._potential - before

    def _end(self, info: dict[str, Any]) -> float:
        """Write how the episode ended into ``info`` and return the reward of its last step."""
        table, reward = self._table, -self._potential if self._shaping is not None else 0.0
        result = table.result()
        if not table.truncated:
            reward += self._settings.reward.of_game(result["scores"], table.players)[self._seat]
        result["scores"] = np.array(result["scores"], np.int64)
        result["winners"] = np.array([seat in result["winners"] for seat in range(table.players)])
        info.update(seat=self._seat, **result)
        self._potential = 0.0  # that of a finished game
        return reward

    def _move(self, action: int) -> None:
        """Make the learner's move and play on up to its next decision; alone at the table, that comes at once."""
        self._table.apply(action)

    def _forfeit(self, action: int) -> StepReturn:
        """Return the result of a step with an illegal ``action``, which ends the episode."""
        warn_of_missing_masks()
        table = self._table
        message = str(table.refuse(action))
        table.stop()
        observation, mask = table.look(self._seat)
        info = self._running_info(mask)
        info.update(reason="illegal_action", seat=self._seat, action=action, message=message)
        return observation, self._settings.illegal_reward - self._potential, True, False, info

    def _undo_step(self) -> None:
        """Go back to the learner's decision at which a step began that did not end; do nothing if there is none."""
        if self._table.interrupted:
            self._rng[0], self._potential = self._before
            self._table.undo_step()
            self._table.sound = True

    def _require_game(self, asked: str) -> None:
        """Undo a step that was interrupted; raise ResetNeededError, about what was ``asked``, if there is no game."""
        self._undo_step()
        if not self._table.sound:
            raise self._table.why_unsound(asked)

    # --- looking -----------------------------------------------------------------------------------------------------
    @guarded
    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the learner's legal actions as a fresh bool array with an entry for each id, as sb3-contrib needs it.

        It is all True when the episode is over: no action is asked for, and any is allowed.
        """
        self._require_game("action_masks()")
        return self._table.mask.astype(np.bool_)

    @guarded
    def game(self) -> BaseGame:
        """Return an independent copy of the game in play, to search on, describe or record; chance draws anew in it."""
        self._require_game("game()")
        return self._table.game.clone()

    @guarded
    def render(self) -> Any:
        """Show the board with what happened since the last time, or return it as text or pixels (``display``)."""
        self._require_game("render()")
        shown = self._table.show(self.render_mode, self._shown)
        if self.render_mode is not None:
            self._shown = len(self._table.game.history)
        return shown

    @guarded
    def close(self) -> None:
        """Close the window of ``human``; there is nothing else to release. It may be called any number of times."""
        close_shown(self.render_mode)
