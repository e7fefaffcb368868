"""What the vector environments share: N games behind Gymnasium's vector API."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from endeavor_env.batch.batch import Batch, Pay
from endeavor_env.batch.final_rewards import BatchReward
from endeavor_env.batch.seats import BatchOpponent
from endeavor_env.core import constants as c
from endeavor_env.core.batch import rows as kernels
from endeavor_env.core.state import SETUP
from endeavor_env.envs.options import ILLEGAL_ACTIONS, OBSERVATIONS, ResetNeededError, finite, one_of
from endeavor_env.envs.table import MAX_GAME_SEED, Table
from endeavor_env.envs.vector.checks import (
    check_first_seed,
    read_actions,
    read_count,
    read_flag,
    read_learner_seat,
    read_mode,
    read_seeds,
    refuse_action,
)
from endeavor_env.envs.vector.infos import Infos, Rows, Told, tell_end, tell_last_sight
from endeavor_env.envs.vector.kinds import Kinds
from endeavor_env.envs.vector.resets import Reset, read_reset
from endeavor_env.envs.vector.seating import read_opponents
from endeavor_env.errors import GameOverError, InvalidOptionError
from endeavor_env.rewards import MARGIN_SCALE, RewardFunction, Shaping, shaping_option

Observations = dict[str, npt.NDArray[Any]]
Seeds = int | Sequence[int | None] | npt.NDArray[np.integer[Any]] | None


class VectorGames(VectorEnv[Observations, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """N games; what is played and who sits in the other seats is up to the subclass.

    Attributes:
        batch: The games as arrays. Read them as you like; what you change is changed in the games.
        players: Number of seats, at tables of several sizes the most.
        variant: A name of VARIANT_NAMES, None if the games are of several variants.
        games: What is played, one ``Kind`` for each kind of game.
        kinds: The same with what they have in common.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012 (as Gymnasium declares it)

    def __init__(
        self,
        num_envs: int,
        *,
        kinds: Kinds,
        learner_seat: int | str,
        opponents: Any,
        observation: str,
        reward: str | RewardFunction,
        shaping: dict[str, float] | Shaping | None,
        illegal_action: str,
        illegal_reward: float,
        seed: int | None,
        autoreset_mode: AutoresetMode | str,
        threads: int | None,
        copy: bool,
        render_mode: str | None,
    ) -> None:
        """Checks the options and lays out the games. Raises InvalidOptionError or InvalidBoardError."""
        if render_mode is not None:
            raise InvalidOptionError(f"render_mode={render_mode!r} is not possible: use the single environment to look")
        self.num_envs = read_count("num_envs", num_envs)
        one_of("observation", observation, OBSERVATIONS)
        self.kinds, self.games = kinds, kinds.games
        self.players, self.variant = kinds.most, kinds.variant
        self.single_observation_space, self.single_action_space = _spaces(kinds, observation)
        self._reward = BatchReward(reward, kinds.games)
        self._shaping = shaping_option(shaping)
        self._illegal_raises = one_of("illegal_action", illegal_action, ILLEGAL_ACTIONS) == "raise"
        self._first_seed = check_first_seed(seed, self.num_envs)
        self._mode = read_mode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self._mode}
        self._copy = read_flag("copy", copy)
        home, rotates = read_learner_seat(learner_seat, kinds.least, kinds.drawn)
        self._self_play = home == c.NONE
        if self._self_play and self._shaping is not None:
            raise InvalidOptionError("shaping needs one learner seat: with learner_seat='all' shape in the learner")
        seated = read_opponents(opponents, self.players)
        self.batch = Batch(
            self.num_envs,
            boards=kinds.boards(),
            kinds=kinds.array(),
            draws=kinds.drawn,
            variant=kinds.layout_variant,
            observation=observation,
            pay=Pay(self._reward.code, finite("illegal_reward", illegal_reward)),
            threads=None if threads is None else read_count("threads", threads),
        )
        self.batch.seats.seat_learner(home, rotates)
        self.batch.seats.seat_opponents(*seated)
        shape = (self.num_envs, self.batch.layout.size)
        self._buffers = [] if self._copy else [np.zeros(shape, self.batch.layout.dtype) for _ in range(2)]
        self._no_action = np.broadcast_to(np.zeros(self.batch.masks.shape[1], np.int8), self.batch.masks.shape)
        self._potential = np.zeros(self.num_envs)
        self._seeded = self._playing = False

    def set_opponents(self, opponents: BatchOpponent | Sequence[BatchOpponent] | Mapping[Any, float]) -> None:
        """Changes who sits down in games that start from now on; games under way keep their opponents.

        Args:
            opponents: As for the constructor. Functions that no game needs any more are forgotten.

        Raises:
            InvalidOptionError: Something that cannot play; nothing is changed.
        """
        self.batch.seats.seat_opponents(*read_opponents(opponents, self.players))

    # The batched spaces are as large as two batches of observations, and most programs never ask for them.
    @functools.cached_property
    def observation_space(self) -> gymnasium.Space[Any]:  # type: ignore[override]
        """The space of a whole batch of observations."""
        return batch_space(self.single_observation_space, self.num_envs)

    @functools.cached_property
    def action_space(self) -> gymnasium.Space[Any]:  # type: ignore[override]
        """The space of a whole batch of actions."""
        return batch_space(self.single_action_space, self.num_envs)

    # --- starting ----------------------------------------------------------------------------------------------------
    def reset(  # type: ignore[override]  # Gymnasium's own vector environments take lists of seeds as well
        self, *, seed: Seeds = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Starts games and returns the observations of all.

        Args:
            seed: None, one seed (game i gets seed + i), or a list with one for each game. A game without a seed goes
                on in the stream that its last seed started.
            options: ``reset_mask``, (num_envs,) bool: the games to start; all others go on. And those of the single
                environment, ``setup`` or ``first_player``, and ``learner_seat``, for the games that start here and none
                after them: one value for all, or a list of one for each game, None where nothing is given. ``setup``
                is refused where games draw their kind, ``learner_seat`` in self-play.

        Raises:
            InvalidOptionError: A seed, list or option that does not fit; nothing is changed.
            InvalidSetupError: A set-up that does not fit its game; nothing is changed.
            IllegalActionError: An opponent chose an illegal action: then only a reset of all games helps.
        """
        asked = read_reset(options, self.kinds, self.batch.tables["kind"], self._playing, self._self_play)
        if seed is None and not self._seeded:
            seed = self._first_seed
        seeds, first = read_seeds(seed, self.num_envs)
        super().reset(seed=first)
        for row in asked.rows.tolist():
            given = seeds[row]
            if given is not None:
                self.batch.seed_game(row, given)
            elif not self._seeded:
                self.batch.seed_stream(row, int(self.np_random.integers(MAX_GAME_SEED)))
        self._seeded = True
        self._playing = False  # until it is done: an opponent that fails leaves its game half way
        self._start(asked)
        self._playing = True
        infos: Infos = {}
        told = Told(self.num_envs, asked.rows)
        self._tell_start(told, infos, asked.drawn)
        if self._self_play:
            told.add(infos, "seat", self.batch.states["seat"][asked.rows].astype(np.int64))
        if self._shaping is not None:
            self._potential[asked.rows] = self._potentials(asked.rows)
        out = self._buffer()
        self.batch.observe(None, out)
        return self._show(out, asked.rows, infos), infos

    def _start(self, asked: Reset) -> None:
        """Starts the games asked for."""
        rows, tables, given = asked.rows, self.batch.tables, asked.has_setup
        tables["given_first"][rows] = asked.first_players
        tables["given_learner"][rows] = asked.learner_seats
        tables["given_setup"][rows] = given
        if not given.all():
            self.batch.restart(rows[~given])
        if given.any():
            self.batch.restart(rows[given], np.concatenate([np.zeros(1, SETUP), asked.setups[given]]))

    def _tell_start(self, told: Told, infos: Infos, drawn: npt.NDArray[np.bool_] | None = None) -> None:
        """Tells of the games that have just begun; a set-up that is not ``drawn`` (None: all are) has no seed."""
        tables, rows = self.batch.tables, told.rows
        with_seed = told if drawn is None or drawn.all() else Told(self.num_envs, rows[drawn])
        with_seed.add(infos, "seed", tables["game_seed"][with_seed.rows])
        if len(self.games) > 1:
            told.add(infos, "game", tables["kind"][rows].astype(np.int64))
        if not self._self_play:
            told.add(infos, "seat", tables["learner"][rows].astype(np.int64))

    # --- stepping ----------------------------------------------------------------------------------------------------
    def step(
        self, actions: npt.NDArray[Any]
    ) -> tuple[Observations, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        """Makes a move in every game and lets the opponents play up to the learner's next decision.

        Args:
            actions: (num_envs,) action ids; what stands for a game that restarts in this step does not matter.

        Returns:
            Observations, rewards (num_envs,) float64, terminations and truncations (num_envs,) bool, and infos.

        Raises:
            ResetNeededError: Before the first reset, or after an opponent or a reward function failed.
            GameOverError: A game has ended and ``autoreset_mode`` is DISABLED.
            IllegalActionError: Not whole numbers of the right shape, or an illegal one with
                ``illegal_action="raise"``: nothing is changed. Or an opponent chose an illegal action: then only a
                reset of all games helps.
        """
        chosen = self._checked(actions)
        begun = np.flatnonzero(self.batch.status >= kernels.OVER)  # with NEXT_STEP; with DISABLED there are none here
        out = self._buffer()
        self._playing = False  # until it is done: an opponent or a reward function that fails leaves games half way
        ended, sights = self.batch.turn(self._mode is AutoresetMode.SAME_STEP, out)
        rewards, terminated = np.zeros(self.num_envs), np.zeros(self.num_envs, bool)
        if self._shaping is not None:
            self._shape(rewards, begun, ended["row"])
        infos: Infos = {}
        if ended.size:
            rewards[ended["row"]] += self._reward.pay(ended)
            terminated[ended["row"]] = True
            self._tell_ends(ended, sights, chosen, infos)
        if begun.size:
            self._tell_start(Told(self.num_envs, begun), infos)
        if self._self_play:
            infos["seat"], infos["_seat"] = self.batch.states["seat"].astype(np.int64), np.ones(self.num_envs, bool)
        self._playing = True
        return self._show(out, None, infos), rewards, terminated, np.zeros(self.num_envs, bool), infos

    def _checked(self, actions: Any) -> npt.NDArray[np.int64]:
        """Returns the actions, which the batch has taken; raises what ``step`` does."""
        if not self._playing:
            raise ResetNeededError("step() after a step or reset that failed" if self._seeded else "step()")
        if self._mode is AutoresetMode.DISABLED:
            over = np.flatnonzero(self.batch.status >= kernels.OVER)
            if over.size:
                raise GameOverError(
                    f"step() is not possible: game {over[0]} is over; reset it with the option reset_mask of reset()"
                )
        chosen = read_actions(actions, self.num_envs)
        wrong = self.batch.check(chosen, self._illegal_raises, self._mode is AutoresetMode.NEXT_STEP)
        if wrong != c.NONE:
            raise refuse_action(np.asarray(actions)[wrong], wrong, self.batch.masks[wrong])
        return chosen

    def _tell_ends(
        self,
        ended: npt.NDArray[np.void],
        sights: npt.NDArray[Any] | None,
        chosen: npt.NDArray[np.int64],
        infos: Infos,
    ) -> None:
        """Tells how games ended; with SAME_STEP, of which there are ``sights``, also how those after them begin."""
        told = Told(self.num_envs, ended["row"].copy())
        closing = infos if sights is None else {}
        tell_end(closing, told, ended, chosen[told.rows], self.kinds, self._self_play)
        if sights is not None:
            tell_last_sight(infos, told, closing, sights, self._no_action)
            self._tell_start(told, infos)

    # --- shaping -----------------------------------------------------------------------------------------------------
    def _potentials(self, rows: Rows | None) -> npt.NDArray[np.float64]:
        """Returns the potential of the learner's seat in ``rows``, None: in all."""
        assert self._shaping is not None
        return np.asarray(self._shaping.weight * self.batch.leads(rows) / MARGIN_SCALE, np.float64)

    def _shape(self, rewards: npt.NDArray[np.float64], begun: Rows, ended: Rows) -> None:
        """Adds the shaping term of the games that were moved in; the potential of a finished one is 0."""
        assert self._shaping is not None
        now = self._potentials(None)
        after = now.copy()
        after[ended] = 0.0
        rewards += self._shaping.gamma * after - self._potential
        rewards[begun] = 0.0
        self._potential = now

    # --- what is shown -----------------------------------------------------------------------------------------------
    def _buffer(self) -> npt.NDArray[Any]:
        """Returns where the next observations go: a fresh array, or the older one of the two buffers."""
        if self._copy:
            return np.empty((self.num_envs, self.batch.layout.size), self.batch.layout.dtype)
        self._buffers.reverse()
        return self._buffers[0]

    def _show(self, observations: npt.NDArray[Any], rows: Rows | None, infos: Infos) -> Observations:
        """Returns the observations of all games and adds the masks of ``rows`` (None: all) to ``infos``."""
        masks = self.batch.masks.copy() if self._copy else self.batch.masks
        told = np.ones(self.num_envs, bool)
        if rows is not None:
            told[:] = False
            told[rows] = True
        infos["action_mask"], infos["_action_mask"] = masks, told
        return {"observation": observations, "action_mask": masks}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Returns the legal actions, (num_envs, actions) bool, a fresh array; all False for a finished game."""
        if not self._playing:
            raise ResetNeededError("action_masks()")
        return self.batch.masks != 0

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Returns what the single environments would for ``name``, which is "action_masks": a mask a game.

        Raises:
            InvalidOptionError: Another name, or arguments: the games are no environments of their own.
            ResetNeededError: Before the first reset.
        """
        if name != "action_masks" or args or kwargs:
            raise InvalidOptionError(f"call({name!r}, ...) is not possible: the games answer to 'action_masks' alone")
        return tuple(self.action_masks())

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """Is ``call`` without arguments, as in Gymnasium's other vector environments."""
        return self.call(name)

    def close_extras(self, **kwargs: Any) -> None:
        """Ends the threads."""
        self.batch.close()


def _spaces(kinds: Kinds, observation: str) -> tuple[gymnasium.Space[Any], gymnasium.Space[Any]]:
    """Returns the observation and action space of a game."""
    kind = next(kind for kind in kinds.games if kind.variant == kinds.layout_variant)
    return Table(kind.board, kind.players, kind.variant, observation).spaces()
