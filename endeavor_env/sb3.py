"""The vector environments of any game as a Stable-Baselines3 ``VecEnv``. Needs the extra ``train``."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from endeavor_env.basics.inputs import check_seed, listed, spread_seeds
from endeavor_env.basics.thread_guard import ThreadGuard, guarded
from endeavor_env.basics.version import ENVIRONMENT
from endeavor_env.engine.declaration import loaded
from endeavor_env.engine.game import GameConfig
from endeavor_env.envs.registration import gymnasium_specs
from endeavor_env.envs.table import ResetNeededError
from endeavor_env.envs.vector_env import GameVectorEnv
from endeavor_env.envs.vector_settings import ALL
from endeavor_env.errors import IllegalActionError, InvalidOptionError, shown

try:
    from stable_baselines3.common.vec_env import VecEnv
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"endeavor_env.sb3 needs {missing.name}: install it with pip install 'endeavor-env[train]'", name=missing.name
    ) from missing

OWN_OPTIONS = {
    "copy": "the observations are the environment's own buffers, see EndeavorVecEnv",
    "autoreset_mode": "a finished game starts again in the same step, as Stable-Baselines3 wants it",
    "flat": "the observations are the vectors alone",
    "observation_key": "the observations are the vectors alone, which have no keys",
    "mask_dtype": "the masks, which action_masks() returns, are bool",
}
"""Options that the adapter sets itself, with the reason."""

StepReturn = tuple[npt.NDArray[Any], npt.NDArray[np.float32], npt.NDArray[np.bool_], list[dict[str, Any]]]
"""Observations (num_envs, size), rewards (num_envs,), dones (num_envs,), infos."""


class EndeavorVecEnv(VecEnv):
    """``num_envs`` games as one Stable-Baselines3 environment; they are played by the native vector environment.

    ``EndeavorVecEnv("Endeavor-v0", 256, learner_seat="rotate", opponents="greedy")``

    ## Observations and masks

    Observations are the plain array, (num_envs, size) float32 (compact: int8). The mask of legal actions is not among
    them: MaskablePPO asks for it by ``env_method("action_masks")``.

    ## Who owns the arrays

    The observations returned are in one of two buffers of the environment, used in turn: no copy is made, and
    ``torch.from_numpy`` views them as they are. The result of ``reset`` or ``step`` stays valid during the next call of
    either and is overwritten by the one after it. Stable-Baselines3 needs no more: it holds the last observation for
    one step and copies it into its rollout buffer. Copy what you keep longer. Everything else returned (rewards,
    dones, infos, terminal observations, masks) is a fresh object each time, which you may keep.

    ## Infos

    A fresh list of dictionaries, empty unless the game has ended. Those of ended games hold "terminal_observation"
    (the last one of the old game), "TimeLimit.truncated" (whether ``max_cycles`` cut the game short), "episode" ({"r":
    sum of rewards, "l": decisions, "t": seconds since the environment was made}), "reason" ("game_over",
    "illegal_action" or "max_cycles"), if an illegal action ended the game "action", and, if the rules ended it, "game"
    ({"players", "win": the share of the first place, "score", "margin": points before the best other}); in the
    solitaire game the Opposition is the other. ``reset_infos`` hold "seat", and "seed" if it drew the set-up and tells
    nothing hidden (see ``envs.endeavor.make_endeavor_vector``).

    ## Interrupts and copies

    After an interrupt (Ctrl-C) in ``step`` or ``reset``, ``step`` raises ResetNeededError and ``reset`` begins again.
    An environment can be pickled and copied between calls, as the vector environment can.

    ## Seeds

    ``seed(s)`` gives each game a seed of its own at the next ``reset``, as ``reset(seed=s)`` of the vector environment
    does.

    Attributes:
        vector_env: The native environment. Change it between steps only, and never step or reset it yourself.
    """

    def __init__(
        self, game: str | GameConfig | Sequence[GameConfig] = ENVIRONMENT, num_envs: int = 1, **options: Any
    ) -> None:
        """Make the games; nothing is played before ``reset``.

        Args:
            game: Id of an environment, "Endeavor-v0", "EndeavorSolo-v0", "Merchants-v0" or that of another game that
                is installed; or what is played: a config, or a list of kinds of games (see ``GameVectorEnv``).
            num_envs: Number of games.
            options: Those of the vector environment, without those of ``OWN_OPTIONS``; ``learner_seat`` is one seat or
                "rotate".

        Raises:
            InvalidOptionError: Another id, an option the adapter sets itself, or one the environment refuses.
            InvalidBoardError: A board that is not valid.
        """
        for name in OWN_OPTIONS.keys() & options.keys():
            raise InvalidOptionError(
                f"{name}={shown(options[name])} is not possible: {OWN_OPTIONS[name]}; leave it out"
            )
        if isinstance(seat := options.get("learner_seat"), str) and seat == ALL:
            raise InvalidOptionError(
                "learner_seat='all' is not possible: Stable-Baselines3 learns from one seat's rewards a game; give a "
                "seat or 'rotate', and let a copy of the learner play the others as an opponent"
            )
        own = {"autoreset_mode": AutoresetMode.SAME_STEP, "copy": False, "flat": True}
        self.vector_env = _make(game, num_envs, {**own, **options})
        spaces = self.vector_env.single_observation_space, self.vector_env.single_action_space
        super().__init__(self.vector_env.num_envs, *spaces)
        self._actions: Any = None
        self._guard = ThreadGuard()
        self._whole = True  # whether the last step or reset returned; otherwise the games are ahead of the caller
        self._start = time.time()
        self._returns = np.zeros(self.num_envs)
        self._lengths = np.zeros(self.num_envs, np.int64)

    # --- playing -----------------------------------------------------------------------------------------------------
    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Set the seeds of the next ``reset``, one for each game, which follow from ``seed``, and return them.

        Args:
            seed: One seed; None draws one.

        Raises:
            InvalidOptionError: Not a whole number from 0 on, or one too large for a seed.
        """
        single = super().seed(check_seed(seed))[0]
        assert single is not None
        self._seeds = spread_seeds(single, self.num_envs).tolist()
        return self._seeds

    def set_options(self, options: list[dict[str, Any]] | dict[str, Any] | None = None) -> None:
        """Set the options with which the next ``reset`` starts each game, those of the single environments' ``reset``.

        Args:
            options: One dictionary for all games or a list of one for each, with any of "setup", "first_player" and
                "learner_seat". They are for the next ``reset`` alone, which refuses other names.

        Raises:
            InvalidOptionError: Neither a dictionary nor a list of dictionaries, or a list of another length.
        """
        several = listed(options)
        each: list[Any] = [{} if options is None else options] if several is None else several
        if not all(isinstance(one, Mapping) for one in each):
            raise InvalidOptionError(
                f"options={shown(options)} is not possible: give a dictionary, or a list of {self.num_envs} of them"
            )
        if several is not None and len(several) != self.num_envs:
            raise InvalidOptionError(f"options has {len(several)} entries: give one, or a list of {self.num_envs}")
        plain: list[dict[str, Any]] = [dict(one) for one in each]
        super().set_options(plain[0] if several is None else plain)

    @guarded
    def reset(self) -> npt.NDArray[Any]:
        """Start a new game in every row and return the learner's first observations, (num_envs, size).

        Games without a seed (see ``seed``) go on in the streams their last seeds started.

        Raises:
            InvalidOptionError: Options (see ``set_options``) that do not fit; the games go on as they were.
            InvalidSetupError: A set-up that does not fit its game; the games go on as they were.
        """
        seeds = None if self._seeds[0] is None else self._seeds
        options, self._actions = self._options, None
        self._reset_options()
        names = {name for one in options for name in one}
        given = {name: [one.get(name) for one in options] for name in names}
        observations, infos = self.vector_env.reset(seed=seeds, options=given)
        self._whole = False
        self._reset_seeds()
        self._returns[:] = self._lengths[:] = 0
        self.reset_infos = [
            {name: infos[name][row].item() for name in ("seed", "seat") if name in infos and infos[f"_{name}"][row]}
            for row in range(self.num_envs)
        ]
        self._whole = True
        return observations

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Store the learner's actions, (num_envs,) whole numbers; ``step_wait`` plays them."""
        self._actions = actions

    @guarded
    def step(self, actions: npt.NDArray[Any]) -> StepReturn:
        """Call ``step_async`` and return the result of ``step_wait``."""
        self.step_async(actions)
        return self.step_wait()

    @guarded
    def step_wait(self) -> StepReturn:
        """Play every game on to the learner's next decision; ended games start again.

        Returns:
            Observations (num_envs, size), rewards (num_envs,) float32, dones (num_envs,) bool, infos (see the class).

        Raises:
            IllegalActionError: ``step_async`` was not called, or what ``step`` of the vector environment refuses.
            ResetNeededError: Before the first reset, or after a step or reset that failed or was interrupted.
        """
        if not self._whole:
            raise ResetNeededError("step() after a step or reset that was interrupted")
        if self._actions is None:
            raise IllegalActionError("step_wait() has no actions to play: call step_async(actions), or step(actions)")
        actions, self._actions = self._actions, None
        observations, rewards, terminated, truncated, vector_infos = self.vector_env.step(actions)
        self._whole = False
        dones = terminated | truncated
        self._returns += rewards
        self._lengths += 1
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        ended = np.flatnonzero(dones)
        for row in ended.tolist():
            infos[row] = self._final_info(row, bool(truncated[row]), vector_infos)
        self._returns[ended] = self._lengths[ended] = 0
        result = observations, rewards.astype(np.float32), dones, infos
        self._whole = True
        return result

    def _final_info(self, row: int, truncated: bool, vector_infos: dict[str, Any]) -> dict[str, Any]:
        """Return the info of game ``row``, which has ended, from the infos of the vector environment."""
        info: dict[str, Any] = {
            "terminal_observation": vector_infos["final_obs"][row],
            "TimeLimit.truncated": truncated,
            "episode": {
                "r": float(self._returns[row]),
                "l": int(self._lengths[row]),
                "t": round(time.time() - self._start, 6),
            },
        }
        final = vector_infos["final_info"]
        reason = info["reason"] = final["reason"][row]
        if reason == "game_over":
            info["game"] = self._result(row, final)
        elif reason == "illegal_action":
            info["action"] = int(final["action"][row])
        return info

    def _result(self, row: int, final: dict[str, Any]) -> dict[str, Any]:
        """Return the learner's result of game ``row``, from the infos of finished games."""
        kind = self.vector_env.games[int(final["game"][row]) if "game" in final else 0]
        seat = int(final["seat"][row])
        scores, winners = final["scores"][row][: kind.num_scores].tolist(), final["winners"][row]
        return {
            "players": kind.players,
            "win": 1.0 / int(winners.sum()) if winners[seat] else 0.0,
            "score": scores[seat],
            "margin": scores[seat] - max(score for other, score in enumerate(scores) if other != seat),
        }

    def close(self) -> None:
        """End the threads of the environment."""
        self.vector_env.close()

    # --- questions to the single environments ------------------------------------------------------------------------
    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the legal actions, (num_envs, actions) bool, a fresh array; raise ResetNeededError before reset."""
        return self.vector_env.action_masks()

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """Return the masks of the games ``indices`` (None: all) for "action_masks".

        Raises:
            AttributeError: Another method: the games are no environments of their own.
        """
        if method_name != "action_masks" or method_args or method_kwargs:
            raise AttributeError(f"the games have no method {method_name!r}: only action_masks, without arguments")
        masks = self.action_masks()
        return [masks[index] for index in self._get_indices(indices)]

    def has_attr(self, attr_name: str) -> bool:
        """Return whether each game has ``attr_name``: action_masks, render_mode."""
        return attr_name in ("action_masks", "render_mode")

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return ``render_mode``, the same for every game; raise AttributeError for anything else."""
        if attr_name != "render_mode":
            raise AttributeError(f"the games have no attribute {attr_name!r}: only render_mode")
        return [self.vector_env.render_mode for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[npt.NDArray[np.uint8]]:  # type: ignore[override]  # without None: all have one
        """Return a (800, 1280, 3) picture of each of the first ``render_games`` games, for ``VecVideoRecorder``."""
        return self.vector_env.render() or ()

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Raise AttributeError: no attribute of a game can be set."""
        raise AttributeError(f"attribute {attr_name!r} cannot be set: the games take their options when they are made")

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        """Return False for each game: nothing wraps it."""
        return [False for _ in self._get_indices(indices)]


def _make(game: Any, num_envs: int, options: dict[str, Any]) -> GameVectorEnv[Any]:
    """Return the vector environment of an id or of configs; raise InvalidOptionError for another id."""
    if not isinstance(game, str):
        return GameVectorEnv(num_envs, config=game, **options)
    specs = gymnasium_specs()
    if game not in specs:
        raise InvalidOptionError(f"environment {shown(game)} is unknown: give one of {', '.join(specs)}")
    spec = specs[game]
    made: GameVectorEnv[Any] = loaded(spec["vector_entry_point"])(num_envs, **spec.get("kwargs", {}), **options)
    return made
