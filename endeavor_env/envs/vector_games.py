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

from endeavor_env.core import batch as kernels
from endeavor_env.core.constants import NONE
from endeavor_env.envs.batch import Batch
from endeavor_env.envs.options import ILLEGAL_ACTIONS, OBSERVATIONS, ResetNeededError, finite, one_of
from endeavor_env.envs.table import MAX_GAME_SEED, Table
from endeavor_env.envs.vector_infos import Infos, Rows, add, final_observations, seat_rewards_of_illegal, tell_result
from endeavor_env.envs.vector_options import (
    check_first_seed,
    read_actions,
    read_boards,
    read_count,
    read_flag,
    read_learner_seat,
    read_mode,
    read_opponents,
    read_reset,
    read_seeds,
    refuse_illegal,
)
from endeavor_env.envs.vector_rewards import batch_reward, best_other
from endeavor_env.errors import GameOverError, InvalidOptionError
from endeavor_env.options import check_options
from endeavor_env.rewards import MARGIN_SCALE, RewardFunction, Shaping, shaping_option
from endeavor_env.setups import SOLO

Observations = dict[str, npt.NDArray[Any]]
Seeds = int | Sequence[int | None] | npt.NDArray[np.integer[Any]] | None


class VectorGames(VectorEnv[Observations, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """N games of one variant; who sits in the other seats is up to the subclass.

    Attributes:
        batch: The games as arrays. Read them as you like; what you change is changed in the games.
        players: Number of seats.
        variant: A name of VARIANT_NAMES.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012 (as Gymnasium declares it)

    def __init__(
        self,
        num_envs: int,
        *,
        players: int | None,
        variant: str,
        options: Mapping[str, Any] | None,
        board: Any,
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
        tables = [Table(one, players, variant, observation, options) for one in read_boards(board)]
        self.players, self.variant = tables[0].players, variant
        self.single_observation_space, self.single_action_space = tables[0].spaces()
        self._reward = batch_reward(reward, self.players, variant)
        self._shaping = shaping_option(shaping)
        self._illegal_raises = one_of("illegal_action", illegal_action, ILLEGAL_ACTIONS) == "raise"
        self._illegal_reward = finite("illegal_reward", illegal_reward)
        self._first_seed = check_first_seed(seed, self.num_envs)
        self._mode = read_mode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self._mode}
        self._copy = read_flag("copy", copy)
        seat, rotates = read_learner_seat(learner_seat, self.players)
        self._self_play = seat == NONE
        if self._self_play and self._shaping is not None:
            raise InvalidOptionError("shaping needs one learner seat: with learner_seat='all' shape in the learner")
        codes, policies, weights = read_opponents(opponents, self.players)
        self.batch = Batch(
            self.num_envs,
            boards=[table.board for table in tables],
            variant=variant,
            players=self.players,
            options=check_options(options, variant),
            observation=observation,
            policies=policies,
            greedy_weights=weights,
            threads=None if threads is None else read_count("threads", threads),
        )
        self.batch.seat(seat, rotates, codes)
        shape = (self.num_envs, self.batch.layout.size)
        self._buffers = [] if self._copy else [np.zeros(shape, self.batch.layout.dtype) for _ in range(2)]
        self._ended = np.ones(self.num_envs, bool)
        self._potential = np.zeros(self.num_envs)
        self._seeded = self._playing = False

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
            options: ``reset_mask``, (num_envs,) bool: the games to start; all others go on.

        Raises:
            InvalidOptionError: A seed, list or mask that does not fit; nothing is changed.
            IllegalActionError: An opponent chose an illegal action: then only a reset of all games helps.
        """
        rows = read_reset(options, self.num_envs, self._playing)
        if seed is None and not self._seeded:
            seed = self._first_seed
        seeds, first = read_seeds(seed, self.num_envs)
        super().reset(seed=first)
        for row in rows.tolist():
            given = seeds[row]
            if given is not None:
                self.batch.seed_game(row, given)
            elif not self._seeded:
                self.batch.seed_stream(row, int(self.np_random.integers(MAX_GAME_SEED)))
        self._seeded = True
        self._playing = False  # until it is done: an opponent that fails leaves its game half way
        infos: Infos = {}
        self._begin(rows, infos)
        self._playing = True
        return self._show(rows, infos), infos

    def _begin(self, rows: Rows, infos: Infos) -> None:
        """Starts new games in ``rows``."""
        self.batch.restart(rows)
        self._ended[rows] = False
        if self._shaping is not None:
            self._potential[rows] = self._potentials(rows)
        self._add(infos, "seed", rows, self.batch.tables["game_seed"][rows])
        self._add_seats(infos, rows)

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
        resting = self._ended.copy()
        movers = self.batch.states["seat"].copy() if self._self_play else self.batch.tables["learner"].copy()
        self._playing = False  # until it is done
        self.batch.step(chosen)
        infos: Infos = {}
        rewards, terminated = self._settle(chosen, movers, resting, infos)
        waiting = np.flatnonzero(resting)
        if waiting.size:
            self._begin(waiting, infos)
        self._playing = True
        if self._self_play:
            self._add_seats(infos, np.arange(self.num_envs))
        return self._show(None, infos), rewards, terminated, np.zeros(self.num_envs, bool), infos

    def _checked(self, actions: Any) -> npt.NDArray[np.int64]:
        """Returns the actions to carry out, NONE in the games that are over; raises what ``step`` does."""
        if not self._playing:
            raise ResetNeededError("step() after a step or reset that failed" if self._seeded else "step()")
        over = np.flatnonzero(self._ended)
        if self._mode is AutoresetMode.DISABLED and over.size:
            raise GameOverError(
                f"step() is not possible: game {over[0]} is over; reset it with the option reset_mask of reset()"
            )
        chosen = read_actions(actions, self.batch.masks, ~self._ended)
        if self._illegal_raises:
            refuse_illegal(chosen, self.batch.masks)
        return chosen

    def _settle(
        self,
        chosen: npt.NDArray[np.int64],
        movers: npt.NDArray[np.int8],
        resting: npt.NDArray[np.bool_],
        infos: Infos,
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
        """Returns rewards and terminations of a step; with SAME_STEP also starts the next games."""
        status = self.batch.tables["status"]
        over = np.flatnonzero((status == kernels.OVER) & ~resting)
        illegal = np.flatnonzero((status == kernels.ILLEGAL) & ~resting)
        rewards, terminated = np.zeros(self.num_envs), np.zeros(self.num_envs, bool)
        if self._shaping is not None:
            self._shape(rewards, ~resting, status == kernels.RUNNING)
        ended = np.union1d(over, illegal)
        if not ended.size:
            return rewards, terminated
        terminated[ended] = self._ended[ended] = True
        same_step = self._mode is AutoresetMode.SAME_STEP
        closing: Infos = {} if same_step else infos
        if over.size:
            self._close(over, rewards, movers, closing)
        if illegal.size:
            self._close_illegal(illegal, rewards, movers, closing)
            self._add(closing, "action", illegal, chosen[illegal])
        self._add_seats(closing, ended)
        if same_step:
            self._keep_final(ended, closing, infos)
            self._begin(ended, infos)
        return rewards, terminated

    def _close(self, rows: Rows, rewards: npt.NDArray[np.float64], movers: npt.NDArray[np.int8], infos: Infos) -> None:
        """Pays the rewards of games that ended by the rules and tells how they ended."""
        scores = self._scores(rows)
        paid = self._reward(scores)
        rewards[rows] += paid[np.arange(rows.size), movers[rows]]
        tell_result(self.batch, rows, scores, infos)
        if self._self_play:
            self._add(infos, "seat_rewards", rows, paid)

    def _close_illegal(
        self, rows: Rows, rewards: npt.NDArray[np.float64], movers: npt.NDArray[np.int8], infos: Infos
    ) -> None:
        """Ends games at the cost of who made the illegal move."""
        self.batch.masks[rows] = 0
        rewards[rows] += self._illegal_reward
        self._add(infos, "reason", rows, np.full(rows.size, "illegal_action", object))
        if self._self_play:
            paid = seat_rewards_of_illegal(movers[rows], self.players, self._illegal_reward)
            self._add(infos, "seat_rewards", rows, paid)

    def _keep_final(self, rows: Rows, closing: Infos, infos: Infos) -> None:
        """Puts the last observations and infos of finished games where SAME_STEP wants them."""
        masks = self.batch.masks[rows]
        self._add(infos, "final_obs", rows, final_observations(self.batch.observe(rows), masks))
        self._add(closing, "action_mask", rows, masks)
        infos["final_info"] = closing
        infos["_final_info"] = infos["_final_obs"].copy()

    # --- scores and shaping ------------------------------------------------------------------------------------------
    def _scores(self, rows: Rows) -> npt.NDArray[np.int64]:
        """Returns the Glory in ``rows`` as if the games ended now, (n, seats), in ``solo`` with the Opposition's."""
        sides = self.players + (self.variant == SOLO)
        return self.batch.scores(rows)[:, :sides].astype(np.int64)

    def _potentials(self, rows: Rows) -> npt.NDArray[np.float64]:
        """Returns the potential of the learner's seat in ``rows``."""
        assert self._shaping is not None
        scores = self._scores(rows)
        margins = (scores - best_other(scores))[np.arange(rows.size), self.batch.tables["learner"][rows]]
        return np.asarray(self._shaping.weight * margins / MARGIN_SCALE, np.float64)

    def _shape(
        self, rewards: npt.NDArray[np.float64], moved: npt.NDArray[np.bool_], running: npt.NDArray[np.bool_]
    ) -> None:
        """Adds the shaping term of the games that were moved in; the potential of a finished one is 0."""
        assert self._shaping is not None
        after = np.zeros(self.num_envs)
        rows = np.flatnonzero(running & moved)
        after[rows] = self._potentials(rows)
        rewards[moved] += self._shaping.gamma * after[moved] - self._potential[moved]
        self._potential[moved] = after[moved]

    # --- what is shown -----------------------------------------------------------------------------------------------
    def _show(self, rows: Rows | None, infos: Infos) -> Observations:
        """Returns the observations of all games and adds the masks of ``rows`` (None: all) to ``infos``."""
        if self._copy:
            observations, masks = self.batch.observe(), self.batch.masks.copy()
        else:
            self._buffers.reverse()
            observations, masks = self.batch.observe(None, self._buffers[0]), self.batch.masks
        told = np.zeros(self.num_envs, bool)
        told[slice(None) if rows is None else rows] = True
        infos["action_mask"], infos["_action_mask"] = masks, told
        return {"observation": observations, "action_mask": masks}

    def _add(self, infos: Infos, key: str, rows: Rows, values: npt.NDArray[Any]) -> None:
        """Adds ``values`` for ``rows`` under ``key``."""
        add(infos, key, self.num_envs, rows, values)

    def _add_seats(self, infos: Infos, rows: Rows) -> None:
        """Adds the learner's seat, or with ``learner_seat="all"`` the one to move, -1 at the end."""
        seats = self.batch.states["seat"] if self._self_play else self.batch.tables["learner"]
        self._add(infos, "seat", rows, seats[rows].astype(np.int64))

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
