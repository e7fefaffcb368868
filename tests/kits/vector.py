"""What the tests of the vector environments share: stepping beside Gymnasium's, and comparing all that comes out."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from endeavor_env.basics.inputs import spread_seeds
from endeavor_env.engine.game import GameConfig
from endeavor_env.envs.endeavor import (
    make_endeavor,
    make_endeavor_solo,
    make_endeavor_solo_vector,
    make_endeavor_vector,
)
from endeavor_env.envs.gym_env import GameEnv
from endeavor_env.envs.sampling import generator, sample_action
from endeavor_env.envs.vector_env import GameVectorEnv

NOT_IN_BATCHES = {"message", "breakdown", "opposition_breakdown"}
"""Keys that only the infos of single environments have."""
QUICK: dict[str, Any] = {"players": 3, "observation": "compact"}


def pair(
    mode: AutoresetMode,
    num_envs: int,
    solo: bool = False,
    batch_opponents: Any = None,
    config: GameConfig | None = None,
    **options: Any,
) -> tuple[GameVectorEnv, SyncVectorEnv]:
    """Return a native vector environment and Gymnasium's, over single environments with the same options.

    ``batch_opponents`` are the native one's ``opponents``, where they cannot be the same; ``config`` is another game.
    """
    single, vector = (make_endeavor_solo, make_endeavor_solo_vector) if solo else (make_endeavor, make_endeavor_vector)
    if config is not None:
        single, vector = partial(GameEnv, config), partial(GameVectorEnv, config=config)
    theirs = SyncVectorEnv([lambda: single(**options)] * num_envs, autoreset_mode=mode)
    if batch_opponents is not None:
        options["opponents"] = batch_opponents
    return vector(num_envs, autoreset_mode=mode, **options), theirs


def random_actions(masks: np.ndarray, rng: Any) -> np.ndarray:
    """Return a random legal action for each row."""
    return np.array([sample_action(mask, rng) for mask in masks])


def play(env: GameVectorEnv, steps: int, seed: int = 0) -> list[bytes]:
    """Reset with ``seed``, make random legal moves, and return everything that came out as bytes."""
    rng = generator(seed)
    seen, _ = env.reset(seed=seed)
    out = [seen["observation"].tobytes(), seen["action_mask"].tobytes()]
    for _ in range(steps):
        seen, rewards, terminated, _, _ = env.step(random_actions(env.action_masks(), rng))
        out += [seen["observation"].tobytes(), seen["action_mask"].tobytes(), rewards.tobytes(), terminated.tobytes()]
    return out


def assert_same_observations(ours: Any, theirs: Any) -> None:
    """Compare observations, of a batch or of one game, with or without masks, by value, type and shape."""
    if isinstance(theirs, np.ndarray):
        ours, theirs = {"flat": ours}, {"flat": theirs}
    assert ours.keys() == theirs.keys()
    for key, value in theirs.items():
        assert (ours[key].dtype, ours[key].shape) == (value.dtype, value.shape)
        assert (ours[key] == value).all()


def assert_same_infos(ours: dict[str, Any], theirs: dict[str, Any], players: int) -> None:
    """Compare names, masks, and the values under each mask."""
    theirs = _without_empty_texts(theirs)
    wanted = {key for key in theirs if key.removeprefix("_") not in NOT_IN_BATCHES}
    assert set(ours) == wanted
    for key in (key for key in wanted if not key.startswith("_")):
        assert (ours[f"_{key}"] == theirs[f"_{key}"]).all(), key
        assert ours[f"_{key}"].dtype == np.bool_
        if key == "final_info":
            assert_same_infos(ours[key], theirs[key], players)
            continue
        for row in np.flatnonzero(theirs[f"_{key}"]):
            _assert_same_value(key, ours[key][row], theirs[key][row], players)


def _without_empty_texts(infos: dict[str, Any]) -> dict[str, Any]:
    """Return infos without texts that are empty: single games have those texts from the first step on, batches not."""
    kept = dict(infos)
    for key in ("reason", "ladder"):
        if key in kept:
            kept[f"_{key}"] = kept[f"_{key}"] & np.array([bool(text) for text in kept[key]])
            if not kept[f"_{key}"].any():
                del kept[key], kept[f"_{key}"]
    return kept


def _assert_same_value(key: str, ours: Any, theirs: Any, players: int) -> None:
    if key == "final_obs":
        assert_same_observations(ours, theirs)
    elif key == "winners":
        assert (ours.shape, ours.dtype) == ((players,), np.bool_)
        assert (ours[: len(theirs)] == theirs).all()
        assert not ours[len(theirs) :].any()
    elif key == "scores":
        assert (ours == theirs).all()
    else:
        assert np.array_equal(ours, theirs), key
        assert getattr(ours, "dtype", None) == getattr(theirs, "dtype", None), key


def assert_same_resets(ours: GameVectorEnv, theirs: SyncVectorEnv, **reset: Any) -> np.ndarray:
    """Reset both and compare; return the masks. Gymnasium's would count on from a single seed, and gets a list."""
    options, seed = reset.pop("options", None), reset.pop("seed", None)
    seen, infos = ours.reset(options=options, seed=seed)
    seeds = spread_seeds(seed, ours.num_envs).tolist() if isinstance(seed, int) else seed
    seen_there, infos_there = theirs.reset(options=None if options is None else dict(options), seed=seeds)
    assert_same_observations(seen, seen_there)
    assert_same_infos(infos, infos_there, ours.players)
    return infos["action_mask"]


def assert_same_steps(ours: GameVectorEnv, theirs: SyncVectorEnv, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Step both and compare everything exactly; return the masks, and which games ended."""
    seen, rewards, terminated, truncated, infos = ours.step(actions)
    seen_there, rewards_there, terminated_there, truncated_there, infos_there = theirs.step(actions)
    assert_same_observations(seen, seen_there)
    assert (rewards.dtype, rewards.tolist()) == (rewards_there.dtype, rewards_there.tolist())
    assert (terminated.dtype, terminated.tolist()) == (terminated_there.dtype, terminated_there.tolist())
    assert (truncated.dtype, truncated.tolist()) == (truncated_there.dtype, truncated_there.tolist())
    assert_same_infos(infos, infos_there, ours.players)
    return infos["action_mask"], terminated | truncated
