"""A clone in the making: the teacher plays portions of games while the network learns from those before."""

from __future__ import annotations

import os
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

    def __init__(self, settings: Settings, model: MaskablePPO, board: Board) -> None:
        """Take the settings, and the untrained model, whose network learns.

        Raises:
            InvalidOptionError: The teacher cannot play this.
            CheckpointError: The file of the teacher's network cannot be used.
        """
        settings.check_teacher()
        self._settings, self._policy, self._board = settings, model.policy, board
        self._threads = settings.threads or os.cpu_count() or 1
        self._variant = c.VARIANT_NAMES.index(settings.variant)
        self._learner = CloneLearner(model.policy, settings.vf_coef)  # type: ignore[arg-type]
        inputs, actions = layout_for(settings.variant, "features").size, num_actions(settings.variant)
        self._demonstrations = Demonstrations(settings.buffer_size, board, settings.batch_size, inputs, actions)
        self.choices = 0

    @property
    def portions(self) -> int:
        """How often ``learn`` reports."""
        return self._settings.iterations + (self._settings.last_epochs > 0)

    def learn(self, report: Report) -> None:
        """Play and learn to the end."""
        settings = self._settings
        self._policy.set_training_mode(True)
        threads = torch.get_num_threads()
        torch.set_num_threads(1)  # the other cores play
        pool = ThreadPoolExecutor(self._threads, "demonstrations")
        try:
            pending = self._submit(pool, 0)
            for portion in range(settings.iterations):
                taught = [chunk.result() for chunk in pending]
                if portion + 1 < settings.iterations:
                    pending = self._submit(pool, portion + 1)
                new = self._demonstrations.add(taught)
                self.choices += new
                report(self.choices, self._fit(portion, settings.replay_ratio * new))
        finally:
            pool.shutdown(cancel_futures=True)
            torch.set_num_threads(threads)
        if settings.last_epochs > 0:
            torch.set_num_threads(self._threads)
            report(self.choices, self._fit(settings.iterations, settings.last_epochs * self._demonstrations.size))
            torch.set_num_threads(threads)

    def _fit(self, portion: int, choices: float) -> Fit:
        """Learn from so many choices at the rate of a portion; the end counts as the portion after the last one."""
        settings = self._settings
        share = portion / settings.iterations
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
        return [pool.submit(teach, self._board, chunk, seated, settings.epsilon) for chunk in chunks]

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
