"""Threads that share a vector environment: one at a time may be inside, another gets a named error."""

from __future__ import annotations

import copy
import pickle
import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from endeavor_env.basics.thread_guard import NOBODY, OverlappingCallsError, ThreadGuard
from endeavor_env.envs.endeavor import make_endeavor_vector
from endeavor_env.envs.vector_env import GameVectorEnv
from endeavor_env.errors import EndeavorError

ANSWER_SECONDS = 60
"""A thread that has not answered after this time hangs."""


class Waiting:
    """An opponent that waits in its first answer until it is let go."""

    def __init__(self) -> None:
        self.asked, self.go = threading.Event(), threading.Event()

    def __call__(self, _observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        self.asked.set()
        assert self.go.wait(ANSWER_SECONDS)
        return masks.argmax(axis=1)


def act(env: GameVectorEnv) -> Any:
    """Make the first legal move in every game."""
    return env.step(np.ones(env.num_envs, np.int64) * env.batch.masks().argmax(axis=1))


CALLS: dict[str, Callable[[GameVectorEnv], Any]] = {
    "reset": lambda env: env.reset(seed=1),
    "step": act,
    "action_masks": lambda env: env.action_masks(),
    "call": lambda env: env.call("action_masks"),
    "get_attr": lambda env: env.get_attr("action_masks"),
    "render": lambda env: env.render(),
    "set_opponents": lambda env: env.set_opponents("random"),
    "close": lambda env: env.close(),
}


@pytest.mark.parametrize("name", list(CALLS))
def test_a_second_thread_is_refused_and_the_first_goes_on(name: str) -> None:
    opponent = Waiting()
    env = make_endeavor_vector(3, players=3, opponents=opponent, render_mode="ansi")
    alone = make_endeavor_vector(3, players=3, opponents=lambda _, masks: masks.argmax(axis=1))
    alone.reset(seed=7)
    first = threading.Thread(target=env.reset, kwargs={"seed": 7})
    first.start()
    assert opponent.asked.wait(ANSWER_SECONDS)
    with pytest.raises(OverlappingCallsError, match=r"another thread is inside (reset|restart)\(\) of this object"):
        CALLS[name](env)
    opponent.go.set()
    first.join(ANSWER_SECONDS)
    for one in (env, alone):
        act(one)
    assert env.batch.states.tobytes() == alone.batch.states.tobytes()


@pytest.mark.parametrize("threads", [1, 2])
def test_hundreds_of_overlapping_calls_end_in_named_errors_alone(threads: int) -> None:
    env = make_endeavor_vector(512, players=3, opponents="greedy", threads=threads)
    env.reset(seed=1)
    ends: Counter[str] = Counter()

    def play(calls: tuple[str, ...]) -> None:
        for name in calls * 60:
            try:
                CALLS[name](env)
                ends[name] += 1
            except EndeavorError as error:
                ends[type(error).__name__] += 1

    callers = [threading.Thread(target=play, args=(calls,)) for calls in (("step",), ("action_masks", "step")) * 2]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join(ANSWER_SECONDS)
    assert ends.total() == 360
    assert set(ends) <= {"step", "action_masks", "OverlappingCallsError"}
    assert ends["OverlappingCallsError"]
    act(env)  # nobody is left inside
    env.close()


def test_the_same_thread_may_be_inside_twice() -> None:
    found: list[Any] = []
    env = make_endeavor_vector(
        1, players=3, opponents=lambda _, masks: (found.append(env.metadata), masks.argmax(1))[1]
    )
    env.reset(seed=1)
    assert env.call("action_masks")[0].any()
    assert found


def test_nobody_is_inside_of_a_copy() -> None:
    guard = ThreadGuard()
    guard.caller = 7
    assert copy.deepcopy(guard).caller == pickle.loads(pickle.dumps(guard)).caller == NOBODY
