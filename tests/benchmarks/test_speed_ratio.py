"""A change that makes the package several times slower fails here; the speed of the machine does not matter.

Each test plays random games and does fixed work of the same sort beside it, in turns: a compiled loop beside the
compiled ones, a loop of plain Python and NumPy beside those that go through Python. Compared is the time of a decision
with the time of a step of that work, each in its least disturbed round: a slow machine slows down both, and rounds are
short enough that some pass undisturbed on a busy one.

A failure means that a decision has become ``MARGIN`` times as slow as it was when its usual ratio was noted, against
work that has stayed the same. Look for what is done again at every decision: a kernel that allocates or is compiled for
other types, a copy, a check, a wrapper. If the decision is meant to do that much more, measure the ratio on a quiet
machine (it is printed with ``pytest tests/benchmarks/test_speed_ratio.py -rP``) and note it here.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from endeavor_env import endeavor_v0
from endeavor_env.benchmarks import kernels
from endeavor_env.benchmarks.batches import LEARNER, SELF_PLAY, BatchSetting, BatchTurns, EnvTurns
from endeavor_env.benchmarks.core import KernelGames
from endeavor_env.benchmarks.loops import aec_games, plain_sampler
from endeavor_env.endeavor.rules.actions import NUM_ACTIONS
from endeavor_env.engine.kernels.rng import seeded

ROUNDS = 40
MARGIN = 3.0
Work = Callable[[], int]
"""Returns how many decisions or steps it has made."""


def several(turn: Work) -> Work:
    """Return work of about a millisecond, less than an operating system lets a process run at a time."""
    return lambda: sum(turn() for _ in range(3))


def core_games() -> Work:
    bench = KernelGames()
    return lambda: bench.play_games(50)


def batch_turns(observation: str) -> Work:
    return several(BatchTurns(BatchSetting("Batch", SELF_PLAY, observation, 256, 1)).turn)


def vector_steps() -> Work:
    return several(EnvTurns(BatchSetting("make_vec", LEARNER, "compact", 256, 1)).turn)


def aec_loop() -> Work:
    return aec_games(endeavor_v0.raw_env(players=4, observation="compact"), plain_sampler(), 1)


def compiled_reference() -> Work:
    mask, rng, steps = np.zeros(NUM_ACTIONS, np.int8), seeded(0), 10_000

    def work() -> int:
        kernels.reference_steps(mask, rng, steps)
        return steps

    return work


def python_reference() -> Work:
    source, choose, steps = np.arange(NUM_ACTIONS, dtype=np.int8) % 17 == 0, plain_sampler(), 800

    def work() -> int:
        seen: dict[str, Any] = {}
        for _ in range(steps):
            seen = {"observation": np.zeros(700, np.int8), "action_mask": source.copy()}
            seen["chosen"] = choose(None, "seat", seen["action_mask"])
        return steps

    return work


class Stopwatch:
    """Work, and the nanoseconds of one of the things it counts, call by call."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.times: list[float] = []

    def __call__(self) -> None:
        start = time.perf_counter_ns()
        count = self.work()
        self.times.append((time.perf_counter_ns() - start) / count)


def compared(measured: Stopwatch, reference: Stopwatch) -> float:
    """Return the ratio of the fastest rounds, after as many in turns as are missing.

    Those are all of them where pytest-benchmark makes only one, as it does under pytest-xdist.
    """
    while len(measured.times) < ROUNDS:
        reference()
        measured()
    return min(measured.times) / min(reference.times)


@pytest.mark.parametrize(
    ("make", "make_reference", "usual"),
    [
        pytest.param(core_games, compiled_reference, 1.0, id="core"),
        pytest.param(lambda: batch_turns("none"), compiled_reference, 2.1, id="batch"),
        pytest.param(lambda: batch_turns("compact"), compiled_reference, 3.5, id="batch-compact"),
        pytest.param(lambda: batch_turns("features"), compiled_reference, 6.2, id="batch-features"),
        pytest.param(vector_steps, compiled_reference, 2.6, id="make_vec"),
        pytest.param(aec_loop, python_reference, 2.8, id="aec"),
    ],
)
def test_a_decision_takes_no_more_than_some_times_the_reference(
    benchmark: Any, make: Callable[[], Work], make_reference: Callable[[], Work], usual: float
) -> None:
    measured, reference = Stopwatch(make()), Stopwatch(make_reference())
    benchmark.pedantic(measured, setup=reference, rounds=ROUNDS, warmup_rounds=1)
    ratio = compared(measured, reference)
    benchmark.extra_info["ratio"] = ratio
    print(f"{ratio:.2f} times the reference, usually {usual}")
    assert ratio < MARGIN * usual


@pytest.mark.parametrize("make_reference", [compiled_reference, python_reference])
def test_work_that_has_become_slower_than_the_margin_is_noticed(make_reference: Callable[[], Work]) -> None:
    steps = make_reference()

    def slower() -> int:
        return sum(steps() for _ in range(6)) // 6

    assert compared(Stopwatch(slower), Stopwatch(make_reference())) > MARGIN
    assert compared(Stopwatch(steps), Stopwatch(make_reference())) < MARGIN
