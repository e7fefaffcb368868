"""A clone in the making: the teacher plays portions of games while the network learns from those before."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from sb3_contrib import MaskablePPO

from endeavor_env.agents.players.policy import logits_of_sb3
from endeavor_env.board import Board
from endeavor_env.core import constants as c
from endeavor_env.core.actions import num_actions
from endeavor_env.core.policies.policy.player import policy_memory
from endeavor_env.observation import layout_for
from endeavor_env.training.clone.demonstrations import CHUNK, STUDENT, TEACHER, Demonstrations, Taught, teach
from endeavor_env.training.clone.learner import CloneLearner, Fit
from endeavor_env.training.clone.settings import Settings
from endeavor_env.training.runs.first_policy import take_weights
from endeavor_env.training.runs.layers import device_of
from endeavor_env.training.runs.settings import falling
from endeavor_env.training.td.evaluation import evaluate
from endeavor_env.training.td.games import Seated, fixtures_of
from endeavor_env.training.td.population import LEARNER_CODE
from endeavor_env.training.td.population import Table as Seats
from endeavor_env.training.td.settings import GREEDY
from endeavor_env.training.td.workers import ThreadWorkers

Report = Callable[[int, Fit], None]
"""Called after each portion with the choices that were played so far, and how well the network fitted."""


class Clone:
    """A clone in the making.

    Attributes:
        choices: Choices of the teacher that were recorded so far.
    """

    def __init__(self, settings: Settings, model: MaskablePPO, board: Board, minutes: float | None = None) -> None:
        """Take the settings, and the untrained model, whose network learns.

        Args:
            settings: What the clone depends on.
            model: Whose network learns, on the device of the settings; it is on the CPU when all is learned.
            board: Of all games.
            minutes: After so many no more games are played; None for all portions of the settings.

        Raises:
            InvalidOptionError: The teacher cannot play this, the network to begin with does not fit, or there is no
                such device.
            CheckpointError: The file of a network cannot be used.
        """
        settings.check_teacher()
        self._settings, self._policy, self._board = settings, model.policy, board
        self._threads = settings.threads or os.cpu_count() or 1
        self._variant = c.VARIANT_NAMES.index(settings.variant)
        device = device_of(settings.device)
        first = settings.first_policy()
        if first is not None:
            take_weights(model.policy, first.weights)
        self._learner = CloneLearner(model.policy, settings.vf_coef, device, settings.temperature)  # type: ignore[arg-type]
        inputs, actions = layout_for(settings.variant, "features").size, num_actions(settings.variant)
        self._demonstrations = Demonstrations(settings.buffer_size, board, settings.batch_size, inputs, actions)
        self._begun, self._seconds = time.monotonic(), math.inf if minutes is None else 60.0 * minutes
        self.choices = 0

    @property
    def portions(self) -> int:
        """How often ``learn`` reports, at most."""
        return self._settings.iterations + (self._settings.last_epochs > 0)

    def learn(self, report: Report) -> None:
        """Play and learn to the end; whatever ends it, the network is on the CPU then."""
        settings, threads = self._settings, torch.get_num_threads()
        self._policy.set_training_mode(True)
        try:
            torch.set_num_threads(1)  # the other cores play
            self._play(report)
            torch.set_num_threads(self._threads)
            if settings.last_epochs > 0:
                last = settings.last_epochs * self._demonstrations.size
                report(self.choices, self._fit(settings.iterations, 1.0, last))
        finally:
            torch.set_num_threads(threads)
            self._learner.finish()

    def _play(self, report: Report) -> None:
        """Play all portions, or what there is time for, and learn from each while the next one is played."""
        pool = ThreadPoolExecutor(self._threads, "demonstrations")
        try:
            portion, pending = 0, self._submit(pool, 0)
            while pending:
                taught, share = [chunk.result() for chunk in pending], self._share(portion)
                pending = self._submit(pool, portion + 1) if self._share(portion + 1) < 1.0 else []
                new = self._demonstrations.add(taught)
                self.choices += new
                report(self.choices, self._fit(portion, share, self._settings.replay_ratio * new))
                portion += 1
        finally:
            pool.shutdown(cancel_futures=True)

    def _share(self, portion: int) -> float:
        """Return which share of the portions or of the time, whichever is more, is over when a portion begins now."""
        return max(portion / self._settings.iterations, min(1.0, (time.monotonic() - self._begun) / self._seconds))

    def _fit(self, portion: int, share: float, choices: float) -> Fit:
        """Learn from so many choices at the rate when a share of all is done, with the random numbers of a portion."""
        settings = self._settings
        rate = falling(settings.learning_rate, settings.last_learning_rate, share)
        steps = max(1, round(choices / settings.batch_size))
        return self._learner.learn(self._demonstrations, steps, rate, self._rng(portion, 1))

    def _rng(self, portion: int, purpose: int) -> np.random.Generator:
        """Return the generator of one thing in one portion."""
        return np.random.default_rng([self._settings.seed, portion, purpose])

    def _submit(self, pool: ThreadPoolExecutor, portion: int) -> list[Future[Taught]]:
        """Begin to play the games of a portion."""
        settings, rng = self._settings, self._rng(portion, 0)
        kinds = rng.integers(len(settings.tables), size=settings.games)
        seeds = rng.integers(1 << 53, size=settings.games)
        share = settings.student if portion > 0 else 0.0
        codes = np.where(rng.random((settings.games, c.MAX_SEATS)) < share, STUDENT, TEACHER)
        fixtures = fixtures_of(settings.tables, kinds, seeds, codes)
        seated = {TEACHER: Seated(settings.teacher), STUDENT: Seated("policy", self._memory())}
        chunks = [fixtures[low : low + CHUNK] for low in range(0, fixtures.size, CHUNK)]
        given, merits = (seated, settings.epsilon), settings.temperature > 0.0
        return [pool.submit(teach, self._board, chunk, *given, merits=merits) for chunk in chunks]

    def _memory(self) -> npt.NDArray[np.uint8]:
        """Return the memory of the network as it is, which plays its most likely move."""
        return policy_memory({self._variant: logits_of_sb3(self._policy.state_dict())})

    def measure(self, games: int) -> list[dict[str, Any]]:
        """Return the results of the network against ``greedy``, or in solo, as JSON values."""
        workers = ThreadWorkers(self._board, self._threads)
        seats = {LEARNER_CODE: Seated("policy", self._memory()), LEARNER_CODE + 1: Seated(GREEDY)}
        try:
            return evaluate(workers, self._settings.tables, Seats(seats, {}), games, GREEDY)
        finally:
            workers.close()
