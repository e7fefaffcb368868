"""Pickled and deep-copied vector environments go on identically, with threads of their own."""

from __future__ import annotations

import copy
import pickle
import threading
from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
import numpy as np
import pytest

from endeavor_env.engine.batch import threads
from endeavor_env.engine.kernels.turn import turn
from endeavor_env.envs.endeavor import make_endeavor_solo_vector, make_endeavor_vector
from endeavor_env.envs.sampling import generator
from endeavor_env.envs.vector_env import GameVectorEnv
from endeavor_env.kernels.kernels import JIT_DISABLED
from endeavor_env.sb3 import EndeavorVecEnv
from tests.kits.vector import QUICK, random_actions


def through_pickle(env: Any) -> Any:
    return pickle.loads(pickle.dumps(env))


def first_legal(_observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    return masks.argmax(axis=1)


def half(scores: Sequence[int]) -> list[float]:
    return [score / 1000 for score in scores]


COPIES = pytest.mark.parametrize("duplicate", [copy.deepcopy, through_pickle])
MAKES: dict[str, Callable[[], GameVectorEnv]] = {
    "mix": lambda: make_endeavor_vector(
        40, **QUICK, threads=3, opponents={"random": 1.0, "greedy": 0.1, first_legal: 0.5}, learner_seat="rotate"
    ),
    "kinds": lambda: make_endeavor_vector(
        40, games=[{"players": 3}, {"variant": "solo"}], game_choice="draw", threads=3, observation="compact",
        autoreset_mode="SAME_STEP", shaping={"gamma": 0.9}, copy=False, reward="margin",
    ),
    "all": lambda: make_endeavor_vector(40, **QUICK, threads=3, learner_seat="all", max_cycles=60, reward=half),
    "exploits": lambda: make_endeavor_vector(
        40, exploits="random", threads=3, opponents={"random": 1.0, "greedy": 0.1}, learner_seat="rotate",
        autoreset_mode="SAME_STEP", shaping={}, observation="compact",
    ),
    "solo": lambda: make_endeavor_solo_vector(40, threads=3, flat=True, mask_dtype="bool", copy=False),
}  # fmt: skip


def vectors(seen: Any) -> np.ndarray:
    return seen if isinstance(seen, np.ndarray) else seen["observation"]


@COPIES
@pytest.mark.parametrize("name", MAKES)
def test_a_copy_goes_on_identically(name: str, duplicate: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "SMALL", 4)
    env, rng = MAKES[name](), generator(1)
    env.reset(seed=1)
    for _ in range(20):
        env.step(random_actions(env.action_masks(), rng))
    before, compiled = set(threading.enumerate()), len(getattr(turn, "signatures", ()))
    other = duplicate(env)
    assert not set(threading.enumerate()) - before, "threads are started by the first work"
    for step in range(40):
        if step == 20:
            assert vectors(env.reset()[0]).tobytes() == vectors(other.reset()[0]).tobytes()
        actions = random_actions(env.action_masks(), rng)
        (seen, *results, _), (wanted, *expected, _) = other.step(actions), env.step(actions)
        assert vectors(seen).tobytes() == vectors(wanted).tobytes()
        assert all(np.array_equal(one, two) for one, two in zip(results, expected, strict=True))
    assert other.batch.states.tobytes() == env.batch.states.tobytes()
    assert other.batch.tables.tobytes() == env.batch.tables.tobytes()
    # Not the number of all threads: those of environments that other tests have closed are still ending.
    assert len(set(threading.enumerate()) - before) == (0 if JIT_DISABLED else 2)
    assert JIT_DISABLED or len(getattr(turn, "signatures", ())) == compiled, "nothing is compiled again"
    other.set_opponents("automa")
    env.close()
    other.close()


@COPIES
def test_copies_share_nothing(duplicate: Any) -> None:
    env = make_endeavor_vector(3, **QUICK, copy=False)
    env.reset(seed=1)
    other, before = duplicate(env), env.batch.states.tobytes()
    other.step(other.action_masks().argmax(axis=1))
    assert env.batch.states.tobytes() == before
    assert np.shares_memory(other.batch.seats._tables, other.batch.tables)
    assert not np.shares_memory(env.batch.tables, other.batch.tables)
    assert env.metadata == other.metadata


@COPIES
def test_environments_made_by_gymnasium_before_and_after_a_reset_are_copied(duplicate: Any) -> None:
    env: Any = gymnasium.make_vec("Endeavor-v0", num_envs=3, opponents="greedy", **QUICK)
    fresh = duplicate(env)
    assert fresh.reset(seed=3)[0]["observation"].tobytes() == env.reset(seed=3)[0]["observation"].tobytes()
    again = duplicate(env)
    assert again.spec == env.spec
    actions = env.unwrapped.call("action_masks")
    chosen = np.array(actions).argmax(axis=1)
    assert again.step(chosen)[0]["observation"].tobytes() == env.step(chosen)[0]["observation"].tobytes()


@COPIES
def test_the_adapter_is_copied_with_the_returns_so_far(duplicate: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "SMALL", 4)
    env, rng = EndeavorVecEnv("Endeavor-v0", 12, **QUICK, threads=2, shaping={}, reward="margin"), generator(1)
    env.seed(4)
    env.reset()
    for _ in range(15):
        env.step(random_actions(env.action_masks(), rng))
    other, ends = duplicate(env), 0
    while ends < 12:
        actions = random_actions(env.action_masks(), rng)
        (seen, rewards, dones, infos), (wanted, paid, ended, there) = other.step(actions), env.step(actions)
        assert seen.tobytes() == wanted.tobytes()
        assert rewards.tobytes() == paid.tobytes()
        for row in np.flatnonzero(ended):
            assert dones[row]
            assert infos[row]["game"] == there[row]["game"]
            assert [infos[row]["episode"][key] for key in "rl"] == [there[row]["episode"][key] for key in "rl"]
            ends += 1
    env.close()
    other.close()


def test_opponents_that_are_functions_are_pickled_by_reference() -> None:
    env = make_endeavor_vector(2, **QUICK, opponents=first_legal)
    env.reset(seed=1)
    assert through_pickle(env).batch.seats.function(int(env.batch.tables["policies"].max())) is first_legal
    with pytest.raises((pickle.PicklingError, AttributeError), match="lambda"):
        pickle.dumps(make_endeavor_vector(2, **QUICK, opponents=lambda _seen, masks: masks.argmax(axis=1)))
