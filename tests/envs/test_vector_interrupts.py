"""Ctrl-C inside the vector environments: no thread works on, no step goes on from half a turn, a reset begins again."""

from __future__ import annotations

import random
import signal
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from endeavor_env.engine.batch import threads
from endeavor_env.engine.batch.threads import ThreadPool
from endeavor_env.envs.endeavor import make_endeavor_vector
from endeavor_env.envs.table import ResetNeededError
from endeavor_env.envs.vector_env import GameVectorEnv
from endeavor_env.sb3 import EndeavorVecEnv
from tests.kits.interrupts import interrupt_while
from tests.kits.vector import QUICK

pytestmark = pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="interrupts cannot be sent to a thread")

GAMES = 48
MOST_TURNS = 1500
"""Interrupts come at random moments; on a busy machine few of them come while a step is being made."""


@pytest.fixture(autouse=True)
def shared_by_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let few games be shared by several threads."""
    monkeypatch.setattr(threads, "SMALL", 8)
    monkeypatch.setattr(threads, "SMALL", 8)


def turns(least: int, refused: list[int], enough: int) -> Iterator[int]:
    """Count turns from 0: at least so many, and more until enough are refused, but not without end."""
    for turn in range(MOST_TURNS):
        if turn >= least and len(refused) >= enough:
            return
        yield turn


def first_legal(_observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    return masks.argmax(axis=1)


def start_and_steps(env: GameVectorEnv, seed: int) -> list[bytes]:
    """Return the positions after a reset and after each of three steps."""
    env.reset(seed=seed)
    found = [env.batch.states.tobytes()]
    for _ in range(3):
        env.step(env.action_masks().argmax(axis=1))
        found.append(env.batch.states.tobytes())
    return found


def play_to_an_end(env: GameVectorEnv) -> None:
    """Play until a game ends, so that everything has been called that a step can call."""
    env.reset(seed=5)
    ended = False
    while not ended:
        _, _, terminated, truncated, _ = env.step(env.action_masks().argmax(axis=1))
        ended = bool((terminated | truncated).any())


@pytest.mark.parametrize(
    "options",
    [
        {"autoreset_mode": "SAME_STEP", "copy": False, "shaping": {}, "learner_seat": "rotate"},
        {"opponents": ["random", first_legal], "games": [{"players": 3}, {"players": 4}]},
    ],
    ids=["random opponents", "functions"],
)
def test_after_an_interrupt_a_step_asks_for_a_reset_which_is_sound(options: dict[str, Any]) -> None:
    options = {**QUICK, **options}
    if "games" in options:
        options.pop("players")
        options["opponents"] = {"random": 1.0, first_legal: 1.0}
    env, calm = (make_endeavor_vector(GAMES, **options, threads=3) for _ in range(2))
    wanted, rng, refused = start_and_steps(calm, 5), random.Random(1), list[int]()
    play_to_an_end(calm)  # loads all kernels, which takes longer than any step
    for turn in turns(150, refused, 30):
        env.reset(seed=turn)
        actions = env.action_masks().argmax(axis=1)
        interrupt_while(lambda actions=actions: env.step(actions), rng.uniform(0, 0.003))
        assert env.batch.states.tobytes() == env.batch.states.tobytes()
        try:
            env.step(actions)
        except ResetNeededError:
            refused.append(turn)
        assert start_and_steps(env, 5) == wanted
    assert len(refused) >= 30
    env.close()


def test_after_an_interrupt_of_a_reset_too() -> None:
    env, calm = (make_endeavor_vector(GAMES, **QUICK, threads=3, opponents="random") for _ in range(2))
    wanted, rng, refused = start_and_steps(calm, 5), random.Random(2), list[int]()
    some = np.arange(GAMES) % 2 == 0
    for turn in turns(60, refused, 10):
        env.reset(seed=turn)
        interrupt_while(lambda turn=turn: env.reset(seed=turn, options={"reset_mask": some}), rng.uniform(0, 0.002))
        try:
            env.step(np.zeros(GAMES, int))
        except ResetNeededError:
            refused.append(turn)
        assert start_and_steps(env, 5) == wanted
    assert len(refused) >= 10
    env.close()


def test_after_an_interrupt_the_adapter_asks_for_a_reset_too() -> None:
    env, calm = (EndeavorVecEnv("Endeavor-v0", GAMES, **QUICK, threads=3) for _ in range(2))
    rng, refused = random.Random(3), list[int]()

    def trajectory(env: EndeavorVecEnv) -> list[bytes]:
        env.seed(9)
        found = [env.reset().tobytes()]
        for _ in range(3):
            seen, _, _, infos = env.step(env.action_masks().argmax(axis=1))
            found += [seen.tobytes(), repr([info.get("episode", {}).get("l") for info in infos]).encode()]
        return found

    wanted = trajectory(calm)
    for turn in turns(100, refused, 20):
        env.seed(turn)
        env.reset()
        actions = env.action_masks().argmax(axis=1)
        interrupt_while(lambda actions=actions: env.step(actions), rng.uniform(0, 0.003))
        try:
            env.step(actions)
        except ResetNeededError:
            refused.append(turn)
        assert trajectory(env) == wanted
    assert len(refused) >= 20
    env.close()


def test_no_thread_works_when_the_pool_returns_or_raises() -> None:
    pool, rng = ThreadPool(4, 1000), random.Random(4)
    active: set[int] = set()
    done: list[int] = []

    def work(thread: int, low: int, high: int) -> None:
        active.add(thread)
        time.sleep(0.0004)
        done.append(high - low)
        active.discard(thread)

    def run() -> None:
        active.discard(0)  # this thread, which may have been interrupted inside the work
        done.clear()
        pool.run(work, 64)
        assert not active
        assert sum(done) == 64

    for _ in range(200):
        interrupt_while(run, rng.uniform(0, 0.002))
        assert active <= {0}
    run()
    pool.close()


def raises(_thread: int, low: int, _high: int) -> None:
    if low:
        raise ZeroDivisionError(low)


def returns(_thread: int, _low: int, _high: int) -> None:
    pass


@pytest.mark.parametrize("work", [raises, returns])
def test_an_error_of_any_thread_is_raised_and_the_pool_works_on(work: Callable[[int, int, int], None]) -> None:
    pool = ThreadPool(3, 100)
    if work is raises:
        with pytest.raises(ZeroDivisionError):
            pool.run(work, 100)
    rows: list[int] = []
    pool.run(lambda _, low, high: rows.extend(range(low, high)), 100)
    assert sorted(rows) == list(range(100))
    pool.close()
