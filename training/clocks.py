"""Clocks around the calls of a training run, and a comparison that divides the time of the compiled loop."""

from __future__ import annotations

import inspect
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest import mock

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from endeavor_env.core.batch import turn as turn_kernel
from endeavor_env.core.policies.choose import SEAT_CALLABLE, SEAT_RANDOM
from endeavor_env.sb3 import EndeavorVecEnv
from training.opponents import SampledPolicy
from training.practice import Practice, PracticeBuffer

RULES = "environment: rules and new games"
OBSERVATIONS = "environment: observations"
BOOKKEEPING = "environment: asking opponents, rewards, infos"
COMPILED = "compiled opponents"
NETWORKS = "opponents' networks"
ROLLOUTS = "rollouts played inside the kernels"
CHOOSING = "learner: choosing moves"
BUFFER = "learner: rollout buffer"
GRADIENTS = "learner: gradient steps"
REST = "the rest: SB3's loop, checkpoints, curves"
KERNELS = "rules, observations, compiled opponents"
PARTS = (RULES, OBSERVATIONS, BOOKKEEPING, COMPILED, NETWORKS, ROLLOUTS, CHOOSING, BUFFER, GRADIENTS, REST)

CLOCKS: tuple[tuple[Any, str, str], ...] = (
    (EndeavorVecEnv, "step_wait", BOOKKEEPING),
    (EndeavorVecEnv, "reset", BOOKKEEPING),
    (EndeavorVecEnv, "env_method", BOOKKEEPING),
    (SampledPolicy, "__call__", NETWORKS),
    (Practice, "play", ROLLOUTS),
    (MaskableActorCriticPolicy, "forward", CHOOSING),
    (MaskableActorCriticPolicy, "predict_values", CHOOSING),
    (MaskablePPO, "train", GRADIENTS),
    (MaskableRolloutBuffer, "reset", BUFFER),
    (PracticeBuffer, "reset", BUFFER),
    (MaskableRolloutBuffer, "add", BUFFER),
    (MaskableRolloutBuffer, "compute_returns_and_advantage", BUFFER),
    (MaskableRolloutBuffer, "_get_samples", BUFFER),
)
"""Class and method of every clocked call, and the part that gets its time, less that of the clocked calls inside it."""
PLAYING = "turn"
"""The kernel that plays the rules and the compiled opponents, and observes."""
ARGUMENTS = tuple(inspect.signature(turn_kernel.turn).parameters)
"""The names of its arguments."""
CHANGED, OBSERVED = ("mix", "tables", "states", "words", "status"), ("observed", "observed_raw", "last", "last_raw")
"""Those that a comparison copies, and those that are left out where nothing is observed."""
EVERY = 16
"""Calls of this kernel from one comparison to the next."""
AS_IS, RANDOM, UNOBSERVED = "as is", "random", "random and unobserved"


class Clocks:
    """Seconds of the main thread by part. Time during ``pause`` counts for no part."""

    def __init__(self) -> None:
        """Start all clocks at 0."""
        self.seconds: dict[str, float] = dict.fromkeys((*PARTS, KERNELS), 0.0)
        self.paused = 0.0
        self._inside = 0.0
        self._thread = threading.get_ident()

    def around(self, call: Callable[..., Any], part: str) -> Callable[..., Any]:
        """Return a function that does ``call`` and adds its time to ``part``."""

        def timed(*args: Any, **kwargs: Any) -> Any:
            if threading.get_ident() != self._thread:  # the main thread waits, so this time is counted there
                return call(*args, **kwargs)
            outer, self._inside, start = self._inside, 0.0, time.perf_counter()
            try:
                return call(*args, **kwargs)
            finally:
                took = time.perf_counter() - start
                self.seconds[part] += took - self._inside
                self._inside = outer + took

        return timed

    def pause(self, call: Callable[[], None]) -> None:
        """Do ``call`` while all clocks are stopped."""
        start = time.perf_counter()
        call()
        took = time.perf_counter() - start
        self.paused += took
        self._inside += took


class Comparison:
    """How the time of the kernel ``PLAYING`` divides into rules, observations and compiled opponents.

    It is one compiled loop, which no clock can look into. In every 16th call it is run on copies of the games as well:
    as it is, with random opponents instead of the others, and with these but without observations.
    """

    def __init__(self, clocks: Clocks) -> None:
        """Start with no comparison; ``clocks`` are paused during each."""
        self._clocks = clocks
        self._calls = 0
        self._ways = [AS_IS, RANDOM, UNOBSERVED]
        self.seconds = dict.fromkeys(self._ways, 0.0)

    def around(self, kernel: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that calls ``kernel``, the one of ``PLAYING``, after a comparison in every 16th call."""

        def compared(*args: Any) -> Any:
            self._calls += 1
            if self._calls % EVERY == 0 and threading.current_thread() is threading.main_thread():
                self._clocks.pause(lambda: self._compare(kernel, args))
            return kernel(*args)

        return compared

    def _compare(self, kernel: Callable[..., Any], args: tuple[Any, ...]) -> None:
        """Run ``kernel`` in each way on copies of what it is called with, and add up the times."""
        given = dict(zip(ARGUMENTS, args, strict=True))
        all_policies = given["players"].addresses.size > 0  # there are other players than random
        self._ways.append(self._ways.pop(0))  # take turns, because the first finds colder caches
        for way in self._ways:
            if way == RANDOM and not all_policies:
                continue
            copied = {name: given[name].copy() for name in CHANGED}
            if way != AS_IS:
                for codes in (copied["mix"]["policy"], copied["tables"]["policies"], copied["tables"]["opponents"]):
                    codes[(codes > SEAT_RANDOM) & (codes < SEAT_CALLABLE)] = SEAT_RANDOM
            if way == UNOBSERVED:
                copied |= {name: given[name][:0] for name in OBSERVED}
            copied |= {"parts": 1, "size": given["rows"].size}
            start = time.thread_time()  # processor time, for other programs disturb the comparison of three short times
            kernel(*{**given, **copied}.values())
            took = time.thread_time() - start
            self.seconds[way] += took
            if way == AS_IS and not all_policies:
                self.seconds[RANDOM] += took

    def shares(self) -> dict[str, float]:
        """Return the shares of rules, observations and compiled opponents in the time of the kernels."""
        whole = self.seconds[AS_IS]
        if not whole:
            return {RULES: 1.0}
        compiled = max(0.0, 1.0 - self.seconds[RANDOM] / whole)
        observations = max(0.0, (self.seconds[RANDOM] - self.seconds[UNOBSERVED]) / whole)
        return {RULES: 1.0 - compiled - observations, OBSERVATIONS: observations, COMPILED: compiled}


@contextmanager
def measured(clocks: Clocks, comparison: Comparison) -> Iterator[None]:
    """Measure the calls of ``CLOCKS`` and ``PLAYING`` inside this context."""
    with ExitStack() as patches:
        for owner, name, part in CLOCKS:
            patches.enter_context(mock.patch.object(owner, name, clocks.around(getattr(owner, name), part)))
        kernel = clocks.around(comparison.around(getattr(turn_kernel, PLAYING)), KERNELS)
        patches.enter_context(mock.patch.object(turn_kernel, PLAYING, kernel))
        yield
