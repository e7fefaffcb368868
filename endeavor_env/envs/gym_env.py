"""The Gymnasium environment of any game: one seat learns, opponents play the others."""

from __future__ import annotations

import copy
from _thread import get_ident
from collections.abc import Sequence
from typing import Any, Unpack

import gymnasium
import numpy as np
import numpy.typing as npt

from endeavor_env.basics.inputs import check_reset_options, check_seed, seat_number, whole_number
from endeavor_env.basics.thread_guard import NOBODY, ThreadGuard, guarded
from endeavor_env.engine.batch.game_batch import MOST_DRAWN, Kinds, never_asked
from endeavor_env.engine.game import GameConfig
from endeavor_env.engine.kernels.rng import next_seed, seeded
from endeavor_env.engine.kernels.rules import NONE
from endeavor_env.engine.rewards import Shaping, warn_of_missing_masks
from endeavor_env.envs.display import METADATA, metadata_for
from endeavor_env.envs.opponents import RANDOM, Opponent, check_opponents, opponent_action, reset_opponents
from endeavor_env.envs.settings import DEFAULTS, MEANINGS, EnvOptions, check_settings
from endeavor_env.envs.signatures import shows_options
from endeavor_env.envs.table import MAX_GAME_SEED, G, Mask, Observation, Table, TableEnv
from endeavor_env.errors import GameOverError

ROTATE = "rotate"
StepReturn = tuple[Observation, float, bool, bool, dict[str, Any]]
"""Observation, reward, terminated, truncated and info."""


@shows_options("GameEnv", EnvOptions, DEFAULTS, MEANINGS)
class GameEnv(TableEnv[G], gymnasium.Env[Observation, int]):
    """A game of a config for one learner among opponents, one decision of the learner per step.

    Spaces, rewards, infos and the end of an episode are those of ``Endeavor-v0`` (``endeavor.make_endeavor``): a
    ``Discrete`` of action ids; a ``Dict`` of observation and mask, which show what the learner's seat may see; rewards
    by name or by a function of the final scores. What chance decides during a game is drawn from the game's seed, and
    no step is asked for it. Where draws to come or hidden parts follow from the seed ``info`` has none, and ``game()``
    draws anew. A game that ends before the learner is asked for a decision gives way to the next one.

    Arguments:
        config: What is played.
        learner_seat: A seat, or ``"rotate"``: the next seat every reset; after a reset with a seed, seed % players.
        opponents: One for all other seats or a list of them in playing order after the learner: ``"random"`` or
            another compiled player of the game, an object with ``act(game)`` (and ``reset(seed)``, if it has one), or a
            function to an action id, which gets a dictionary of the observation and the mask of the seat to move, also
            with ``flat``. An object gets a copy of the game as its seat knows it, with hidden parts and the draws to
            come drawn anew; one with ``sees_everything = True`` gets all.

    - the options of ``EnvOptions``.
    """

    metadata = METADATA

    def __init__(
        self,
        config: GameConfig,
        *,
        learner_seat: int | str = 0,
        opponents: Opponent | Sequence[Opponent] = RANDOM,
        **given: Unpack[EnvOptions],
    ) -> None:
        """Check the options and prepare an empty table. Raise InvalidOptionError."""
        self._settings = settings = check_settings(Kinds([config]), **given)
        self._table = table = Table(settings)
        self.metadata = metadata_for(config.rules.presenter, self.metadata)
        self._shaping = settings.shaping
        self.render_mode = settings.render_mode
        self.observation_space, self.action_space = settings.spaces_of(config.variant)
        self._stream: npt.NDArray[np.uint64] | None = None
        self._shown = 0
        self._potential = 0.0
        self._rng = seeded(0)
        self._guard = ThreadGuard()
        self._before = (0, 0.0)  # the opponents' generator and the potential when the step in progress began
        self._rotates = isinstance(learner_seat, str) and learner_seat == ROTATE
        self._home_seat = 0 if self._rotates else seat_number("learner_seat", learner_seat, table.players, ROTATE)
        self._opponents = check_opponents(opponents, config)
        named_random = [isinstance(opponent, str) and opponent == RANDOM for opponent in self._opponents]
        self._all_random = bool(named_random) and all(named_random)
        compiled = {opponent for opponent in self._opponents if isinstance(opponent, str)}
        self._codes = {name: table.seat_compiled(name) for name in compiled}
        self._seat = self._home_seat

    # --- starting ----------------------------------------------------------------------------------------------------
    @guarded
    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start a game and let the opponents play up to the learner's first decision.

        A game that ends before it gives way to the next one, as a reset without a seed draws it.

        Args:
            seed: The seed of the set-up and the opponents; without one they follow from the last seed given.
            options: ``setup`` or ``first_player``, if the game takes it, and ``learner_seat``; alone at the table
                ``setup``.

        Raises:
            InvalidOptionError: A seed or option that is not possible; the game in play goes on. Or one with which no
                game comes to a decision of the learner; then another reset is needed.
            InvalidSetupError: A set-up that does not fit; the game in play goes on.
        """
        table, seed = self._table, check_seed(seed)
        names = (*table.setup_options, "learner_seat") if self._opponents else ("setup",)
        given = table.checked(check_reset_options(options, names, strict=True))
        learner_seat = given.pop("learner_seat", None)
        if learner_seat is not None:
            learner_seat = seat_number("learner_seat", learner_seat, table.players)
        for _ in range(MOST_DRAWN):
            seed, opponent_seed = self._start(seed, given)
            self._seat = self._next_seat(seed) if learner_seat is None else learner_seat
            if self._opponents:
                self._rng = seeded(opponent_seed)
                reset_opponents(self._opponents, opponent_seed)
                self._move(NONE)
            if not table.over:
                return self._first_decision()
            seed = None
        raise never_asked(self._seat)

    def _next_seat(self, seed: int | None) -> int:
        """Return the learner's seat; a rotating one depends on the seed, so that a seed always gives the same game."""
        if not self._rotates:
            return self._home_seat
        seat = self._home_seat if seed is None else seed % self._table.players
        self._home_seat = (seat + 1) % self._table.players
        return seat

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
        """Make the learner's move, NONE for none, and let the opponents play up to its next decision."""
        table = self._table
        if self._all_random:
            table.play_random_until(self._seat, self._rng, action)
            return
        if action != NONE:
            table.apply(action)
        while not table.over and table.seat != self._seat:
            opponent = self._opponents[(table.seat - self._seat) % table.players - 1]
            if not isinstance(opponent, str):
                table.apply(opponent_action(opponent, table))
            elif opponent == RANDOM:
                table.play_random(self._rng)
            else:
                table.play_compiled(self._codes[opponent], self._rng)

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

    # --- looking -----------------------------------------------------------------------------------------------------
    @guarded
    def render(self) -> Any:
        """Show the board with what happened since the last time, or return it as text or pixels (``display``)."""
        self._require_game("render()")
        shown = self._table.show(self.render_mode, self._shown)
        if self.render_mode is not None:
            self._shown = len(self._table.game.history)
        return shown
