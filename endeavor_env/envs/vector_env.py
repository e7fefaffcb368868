"""The vector environment of any game: many games behind Gymnasium's vector API, played in compiled loops."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar, Unpack, cast

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from endeavor_env.basics.inputs import PACKED, InvalidRenderModeError, action_array, check_seeds, listed
from endeavor_env.basics.thread_guard import ThreadGuard, guarded
from endeavor_env.engine.batch.game_batch import Batch, Ended, Kinds, Pay
from endeavor_env.engine.game import GameConfig
from endeavor_env.engine.game_rules import GameRules
from endeavor_env.engine.kernels.rules import NONE
from endeavor_env.engine.rewards import Shaping, margin_scale
from endeavor_env.engine.seating import BatchOpponent
from endeavor_env.envs.display import METADATA, close_shown, show_positions
from endeavor_env.envs.opponents import RANDOM
from endeavor_env.envs.settings import VECTOR_DEFAULTS, VectorOptions, ended_mask
from endeavor_env.envs.signatures import shows_options
from endeavor_env.envs.table import MAX_GAME_SEED, ResetNeededError
from endeavor_env.envs.vector_infos import (
    FreshArrays,
    InfoRows,
    Infos,
    Rows,
    StepArrays,
    add_ends,
    add_final_observations,
    add_starts,
)
from endeavor_env.envs.vector_settings import (
    Reset,
    check_batch_opponents,
    check_reset,
    check_vector_settings,
)
from endeavor_env.errors import GameOverError, IllegalActionError, InvalidOptionError, shown

Observations = Any
"""``{"observation": vectors, "action_mask": masks}``, or with ``flat`` the vectors alone."""
Seeds = int | Sequence[int | None] | npt.NDArray[np.integer[Any]] | None


C = TypeVar("C", bound=GameConfig)


@shows_options("GameVectorEnv", VectorOptions, VECTOR_DEFAULTS)
class GameVectorEnv(VectorEnv[Observations, npt.NDArray[np.int64], npt.NDArray[Any]], Generic[C]):
    """``num_envs`` games, played by compiled kernels; what chance decides is drawn inside of them.

    Everything is as in ``make_vec("Endeavor-v0", ...)`` (``endeavor.make_endeavor_vector``). A game of which a position
    alone cannot be shown (``Presenter.shows_positions``) has no ``render_mode``.

    Arguments:
        num_envs: Number of games.
        config: What is played, or a list: with ``game_choice="row"`` row i plays kind i modulo their number, with
            ``"draw"`` each new game draws one. All are of the same game.
        game_choice: See ``config``.
        weights: How often games of each kind are drawn, in proportion to the others; None for equally often.
        learner_seat: A seat, ``"rotate"``, or ``"all"`` for self-play.
        opponents: One for all other seats, a list by distance, or a mapping to weights: ``"random"`` or another
            compiled player of the game, or a function from observations and masks to actions.

    - the options of ``VectorOptions``.

    Attributes:
        batch: The games as arrays. Reading them is always possible; what you change is changed in the games.
        players: Number of seats, at tables of several sizes the most.
        variant: A name of VARIANT_NAMES, None if the games are of several variants.
        games: What is played, a config for each kind of game.
        kinds: The same with what they have in common.
        autoreset_mode: When finished games start again; also in ``metadata``.
    """

    metadata = {**METADATA, "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012 (as Gymnasium declares it)
    closed = True  # until it is made: Gymnasium 1.2 closes what is not, also what the constructor has refused

    games: tuple[C, ...]

    def __init__(
        self,
        num_envs: int = 1,
        *,
        config: C | Sequence[C],
        game_choice: str = "row",
        weights: Sequence[float] | None = None,
        learner_seat: int | str = 0,
        opponents: BatchOpponent | Sequence[BatchOpponent] | Mapping[Any, float] = RANDOM,
        **given: Unpack[VectorOptions],
    ) -> None:
        """Check the options and prepare the games; ``reset`` begins them. Raise InvalidOptionError."""
        kinds = Kinds(_configs(config), game_choice, weights)
        settings = check_vector_settings(num_envs, kinds, learner_seat=learner_seat, opponents=opponents, **given)
        env = settings.env
        if env.render_mode is not None and not kinds.rules.presenter.shows_positions:
            raise InvalidRenderModeError(
                f"render_mode {env.render_mode!r} is not possible: many games of {kinds.rules.presenter.title} are not "
                "shown together; make a single environment"
            )
        self.num_envs = settings.num_envs
        self.kinds, self.games = kinds, cast("tuple[C, ...]", kinds.games)
        self.players, self.variant = kinds.most, kinds.variant
        self.single_observation_space, self.single_action_space = env.spaces_of(kinds.layout_variant)
        self.autoreset_mode = settings.autoreset_mode
        self.metadata = {**self.metadata, "autoreset_mode": settings.autoreset_mode}
        self._settings, self._copy = env, settings.copy  # not the opponents: functions that nobody needs must be freed
        self._self_play = settings.self_play
        self.render_mode, self._render_games = settings.env.render_mode, settings.render_games
        self._reward = env.reward
        self.batch = Batch(
            self.num_envs,
            rules=kinds.rules,
            boards=np.concatenate(kinds.boards()),
            kinds=kinds.array(),
            draws=kinds.drawn,
            variant=kinds.layout_variant,
            observation=env.observation,
            pay=Pay(env.reward.code, env.illegal_reward),
            max_cycles=env.max_cycles,
            threads=settings.threads,
        )
        self.batch.seats.seat_learner(settings.home, settings.rotates)
        self.batch.seats.seat_opponents(*settings.opponents)
        self._shaping = None if env.shaping is None else BatchShaping(env.shaping, self.batch, kinds)
        shape, dtype = (self.num_envs, self.batch.layout.size), self.batch.layout.dtype
        masks = (self.num_envs, self.batch.num_actions)
        self._fresh = FreshArrays(shape, dtype), FreshArrays(masks, np.int8)
        self._buffers = [] if settings.copy else [np.zeros(shape, dtype) for _ in range(2)]
        self._mask_buffer = None if env.mask_dtype == PACKED or settings.copy else np.ones(masks, np.int8)
        self._all = np.ones(self.num_envs, bool)
        self._seeded = self._playing = False
        self._guard = ThreadGuard()
        self.closed = False

    @guarded
    def set_opponents(self, opponents: BatchOpponent | Sequence[BatchOpponent] | Mapping[Any, float]) -> None:
        """Set the opponents of games that start from now on; games under way keep theirs.

        Args:
            opponents: As for the constructor. Functions that no game needs any more are forgotten.

        Raises:
            InvalidOptionError: Something that cannot play; nothing is changed.
        """
        self.batch.seats.seat_opponents(*check_batch_opponents(opponents, self.kinds))

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
    @guarded
    def reset(  # type: ignore[override]  # Gymnasium's own vector environments take lists of seeds as well
        self, *, seed: Seeds = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Start games and return the observations of all.

        Args:
            seed: None, one seed, from which each game gets its own, or a list with one for each game. A game without a
                seed goes on in the stream that its last seed started.
            options: ``reset_mask``, (num_envs,) bool: the games to start; all others go on. And those of the single
                environment, ``setup`` or ``first_player``, and ``learner_seat``, for the games that start here and none
                after them: one value for all, or a list of one for each game, None where nothing is given. ``setup``
                is refused where games draw their kind, ``learner_seat`` in self-play.

        Raises:
            InvalidOptionError: A seed, list or option that does not fit; nothing is changed.
            InvalidSetupError: A set-up that does not fit its game; nothing is changed.
            IllegalActionError: An opponent chose an illegal action: then only a reset of all games helps.
        """
        asked = check_reset(options, self.kinds, self.batch.tables["kind"], self._playing, self._self_play)
        if seed is None and not self._seeded:
            seed = self._settings.seed
        seeds, first = check_seeds(seed, self.num_envs)
        self._playing = False  # until it is done: an opponent that fails, or an interrupt, leaves games half way
        super().reset(seed=first)
        self._seed_games(asked.rows, seeds)
        self._start(asked)
        infos: Infos = {}
        self._add_starts(infos, asked.rows, asked.drawn)
        if self._self_play:
            InfoRows(self.num_envs, asked.rows).add(infos, "seat", self.batch.movers[asked.rows].astype(np.int64))
        if self._shaping is not None:
            self._shaping.start(asked.rows)
        out, masks = self._next_buffers()
        self.batch.observe(None, out)
        if masks is not None:
            self.batch.write_masks(masks)
        result = self._observations(out, masks, asked.rows, infos), infos
        self._playing = True
        if self.render_mode == "human":
            self.render()
        return result

    def _seed_games(self, rows: Rows, seeds: Sequence[int | None]) -> None:
        """Give each game of ``rows`` its seed, or at the first reset a stream drawn from ``np_random``."""
        for row in rows.tolist():
            given = seeds[row]
            if given is not None:
                self.batch.seed_game(row, given)
            elif not self._seeded:
                self.batch.seed_stream(row, int(self.np_random.integers(MAX_GAME_SEED)))
        self._seeded = True

    def _start(self, asked: Reset) -> None:
        """Start the games asked for."""
        rows, tables, given = asked.rows, self.batch.tables, asked.has_setup
        tables["given_first"][rows] = asked.first_players
        tables["given_learner"][rows] = asked.learner_seats
        tables["given_setup"][rows] = given
        if not given.all():
            self.batch.restart(rows[~given])
        if given.any():
            self.batch.restart(rows[given], asked.setups[given])

    def _add_starts(self, infos: Infos, rows: Rows, drawn: npt.NDArray[np.bool_] | None = None) -> None:
        """Add how games have just begun; the set-ups of those ``drawn`` (n,), None for all, have seeds."""
        all_drawn = self._all[: rows.size] if drawn is None else drawn
        add_starts(infos, self.batch, rows, all_drawn, len(self.games) > 1, not self._self_play)

    # --- stepping ----------------------------------------------------------------------------------------------------
    @guarded
    def step(
        self, actions: npt.NDArray[Any]
    ) -> tuple[Observations, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        """Make a move in every game and let the opponents play up to the learner's next decision.

        Args:
            actions: (num_envs,) action ids; the id for a game that restarts in this step does not matter.

        Returns:
            Observations, rewards (num_envs,) float64, terminations and truncations (num_envs,) bool, and infos.

        Raises:
            ResetNeededError: Before the first reset, or after an opponent or a reward function failed, or after an
                interrupt (Ctrl-C) in a step or reset: only a reset of all games helps.
            GameOverError: A game has ended and ``autoreset_mode`` is DISABLED.
            IllegalActionError: Not whole numbers of the right shape, or an illegal one with
                ``illegal_action="raise"``: nothing is changed. Or an opponent chose an illegal action: then only a
                reset of all games helps.
        """
        chosen, begun = self._check_actions(actions)
        self._playing = False  # until it is done: an opponent or reward function that fails, or an interrupt
        out, masks = self._next_buffers()
        ended = self.batch.turn(self.autoreset_mode is AutoresetMode.SAME_STEP, out, masks)
        step, infos = StepArrays.fresh(self.num_envs), {}
        if self._shaping is not None:
            self._shaping.add_terms(step.rewards, begun, ended.games["row"])
        if ended.games.size:
            self._reward.pay(ended.games)
            self._add_ends(infos, step, ended, chosen)
        if begun.size:
            self._add_starts(infos, begun)
        if self._self_play:
            infos["seat"], infos["_seat"] = self.batch.movers.astype(np.int64), self._all.copy()
        observations = self._observations(out, masks, None, infos)
        result = observations, step.rewards, step.terminated, step.truncated, infos
        self._playing = True
        if self.render_mode == "human":
            self.render()
        return result

    def _check_actions(self, actions: Any) -> tuple[npt.NDArray[np.int64], Rows]:
        """Give the actions to the batch; return them, (num_envs,), and the games that the turn starts again.

        Raises:
            ResetNeededError, GameOverError, IllegalActionError: See ``step``; nothing is changed.
        """
        if not self._playing:
            raise ResetNeededError("step() after a step or reset that failed" if self._seeded else "step()")
        given = action_array(actions, self.num_envs)
        chosen = given.astype(np.int64)  # a copy: kernels would be compiled again for a view, or what is read only
        raises, autoreset = self._settings.illegal_raises, self.autoreset_mode is AutoresetMode.NEXT_STEP
        wrong, over = self.batch.check(chosen, raises, autoreset)
        if over.size and self.autoreset_mode is AutoresetMode.DISABLED:
            raise GameOverError(
                f"step() is not possible: game {over[0]} is over; reset it with the option reset_mask of reset()"
            )
        if wrong != NONE:
            raise _illegal_action(given[wrong], wrong, self.batch.masks(np.array([wrong]))[0])
        return chosen, over

    def _add_ends(self, infos: Infos, step: StepArrays, ended: Ended, chosen: npt.NDArray[np.int64]) -> None:
        """Add how games ended; with SAME_STEP also the infos of the games that began in their place."""
        final_info = infos if ended.observations is None else {}
        add_ends(final_info, step, ended.games, chosen, self.kinds, self._self_play)
        if ended.observations is not None:
            rows = InfoRows(self.num_envs, ended.games["row"].copy())
            final = [self._seat_observation(vector) for vector in ended.observations]
            add_final_observations(infos, rows, final_info, final, self._ended_masks(self.num_envs))
            self._add_starts(infos, rows.rows)

    # --- observations and masks --------------------------------------------------------------------------------------
    def _next_buffers(self) -> tuple[npt.NDArray[Any], npt.NDArray[np.int8] | None]:
        """Return the arrays for the next observations and masks: fresh ones, or buffers.

        Of the two buffers for observations it is the older one. There is none for masks that stay packed.
        """
        if self._copy:
            vectors, masks = self._fresh
            return vectors.take(), None if self._settings.mask_dtype == PACKED else masks.take()
        self._buffers.reverse()
        return self._buffers[0], self._mask_buffer

    def _observations(
        self, vectors: npt.NDArray[Any], written: npt.NDArray[np.int8] | None, rows: Rows | None, infos: Infos
    ) -> Observations:
        """Return the observations of all games, with masks, and add the masks of ``rows`` (None: all) to ``infos``.

        The masks are ``written`` as bytes; with None they stay packed.
        """
        masks: npt.NDArray[Any]
        if written is None:
            masks = self.batch.words.view(np.uint64)
            masks = masks.copy() if self._copy else masks
        else:
            masks = written.view(self._settings.mask_dtype)
        changed = self._all.copy()
        if rows is not None:
            changed[:] = False
            changed[rows] = True
        infos["action_mask"], infos["_action_mask"] = masks, changed
        return vectors if self._settings.flat else {self._settings.observation_key: vectors, "action_mask": masks}

    def _seat_observation(self, vector: npt.NDArray[Any]) -> Observations:
        """Return the observation of a game that has ended, as ``single_observation_space`` has it."""
        if self._settings.flat:
            return vector
        return {self._settings.observation_key: vector, "action_mask": self._ended_masks().copy()}

    def _ended_masks(self, *games: int) -> npt.NDArray[Any]:
        """Return the mask of a game that has ended, or that of so many ``games``, read only: all ones."""
        size = self.batch.num_actions
        one = ended_mask(size) if self._settings.mask_dtype == PACKED else np.ones(size, self._settings.mask_dtype)
        return np.broadcast_to(one, (*games, one.size))

    @guarded
    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the legal actions, (num_envs, actions) bool, a fresh array.

        All are True for a game that has ended: it asks for no action and ignores any.
        """
        if not self._playing:
            raise ResetNeededError("action_masks()")
        return self.batch.masks().view(np.bool_)

    @guarded
    def render(self) -> tuple[Any, ...] | None:
        """Show the first ``render_games`` games as they stand: a tuple of texts or pictures, or a grid in a window.

        Raises:
            ResetNeededError: Before the first reset.
            MissingLibraryError: pygame-ce is not installed, and the mode is "human" or "rgb_array".
            NoWindowError: The mode is "human", and this machine has no display.
        """
        if not self._playing:
            raise ResetNeededError("render()")
        kinds = self.batch.tables["kind"][: self._render_games].tolist()
        positions = [(self.games[kind], self.batch.states[row : row + 1]) for row, kind in enumerate(kinds)]
        shown: tuple[Any, ...] | None = show_positions(positions, self.kinds.rules.presenter, self.render_mode)
        return shown

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Return the results that the method ``name`` has in single environments.

        Args:
            name: "action_masks" for the mask of each game, or "render" for what ``render`` returns, None for each game
                if that is nothing.
            args: None: neither method has arguments.
            kwargs: None.

        Raises:
            InvalidOptionError: Another name, or arguments: the games are no environments of their own.
            ResetNeededError: Before the first reset.
        """
        if not isinstance(name, str) or name not in ("action_masks", "render") or args or kwargs:
            raise InvalidOptionError(
                f"call({shown(name)}, ...) is not possible: the games answer to 'action_masks' and 'render' alone"
            )
        if name == "render":
            return self.render() or (None,) * self.num_envs
        return tuple(self.action_masks())

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """Return ``call(name)``, as Gymnasium's other vector environments do."""
        return self.call(name)

    @guarded
    def close_extras(self, **kwargs: Any) -> None:
        """End the threads, and close the window of ``human``."""
        self.batch.close()
        close_shown(self.render_mode)


def _illegal_action(action: Any, game: int, mask: npt.NDArray[np.int8]) -> IllegalActionError:
    """Return the error for an action that is no id, or that is illegal where ``illegal_action="raise"``."""
    if 0 <= action < mask.size:
        return IllegalActionError(
            f"action {action} is illegal in game {game}; legal there are {np.flatnonzero(mask).tolist()}"
        )
    return IllegalActionError(f"action {action} of game {game} is not an action id: ids are 0 to {mask.size - 1}")


def _configs(config: Any) -> list[Any]:
    """Return one or several kinds of game as a list; raise InvalidOptionError for anything else."""
    several = [config] if _is_config(config) else listed(config)
    if not several or not all(map(_is_config, several)):
        raise InvalidOptionError(f"config={shown(config)} is not possible: give the config of a game, or a list")
    return several


def _is_config(one: Any) -> bool:
    """Return whether an object says what is played."""
    return isinstance(getattr(one, "rules", None), GameRules)


class BatchShaping:
    """The shaping terms of the learner's rewards: gamma * phi(next decision) - phi(this one), see ``Shaping``."""

    def __init__(self, shaping: Shaping, batch: Batch, kinds: Kinds) -> None:
        """Take the option, the games and their kinds."""
        self._shaping, self._batch = shaping, batch
        scale = kinds.rules.scale
        # leads that count as 1, by kind
        self._scales = np.array([margin_scale(scale, game.num_scores > game.players) for game in kinds.games])
        self._potential = np.zeros(batch.size)

    def start(self, rows: Rows) -> None:
        """Note the potentials of games at their first decision."""
        self._potential[rows] = self._potentials(rows)

    def add_terms(self, rewards: npt.NDArray[np.float64], begun: Rows, ended: Rows) -> None:
        """Add the terms of a step to ``rewards``, (N,).

        Args:
            rewards: Written.
            begun: Games that began in this step without a move: they get 0.
            ended: Games that ended in this step, in any way: the potential of a finished game is 0.
        """
        now = self._potentials(None)
        after = now.copy()
        after[ended] = 0.0
        rewards += self._shaping.gamma * after - self._potential
        rewards[begun] = 0.0
        self._potential = now

    def _potentials(self, rows: Rows | None) -> npt.NDArray[np.float64]:
        """Return the potential of the learner's seat in ``rows``, None for all."""
        kinds = self._batch.tables["kind"] if rows is None else self._batch.tables["kind"][rows]
        return np.asarray(self._shaping.weight * self._batch.leads(rows) / self._scales[kinds], np.float64)
