"""Batch: N games as arrays, advanced by compiled kernels on several threads. Knows no framework.

Ownership: all arrays belong to the batch and are changed by its methods; copy what you keep. Any of them may be viewed
by PyTorch without a copy (``torch.from_numpy(batch.masks)``).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.board import Board
from endeavor_env.compilation import ensure_batch_compiled
from endeavor_env.core import batch as kernels
from endeavor_env.core import greedy, greedy_value
from endeavor_env.core.actions import num_actions
from endeavor_env.core.constants import MAX_SEATS, NONE, VARIANT_NAMES
from endeavor_env.core.rng import seeded
from endeavor_env.core.state import SETUP, STATE
from endeavor_env.errors import IllegalActionError
from endeavor_env.observation import layout_for

SMALL = 256
"""Fewer games than this for each thread are not worth handing to another one."""

BatchPolicy = Callable[[npt.NDArray[Any], npt.NDArray[np.int8]], npt.NDArray[Any]]
"""(observations (n, size), masks (n, actions) int8) -> (n,) legal action ids, one for each row."""

COMPILED = {"random": kernels.SEAT_RANDOM, "greedy": kernels.SEAT_GREEDY, "automa": kernels.SEAT_AUTOMA}


def default_threads() -> int:
    """Returns the number of cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Batch:
    """N games of one variant. Every method that changes games works on the rows it names and on no other.

    Attributes:
        tables: (N,) TABLE, see ``core.batch``: whose seat the learner has, who the opponents are, what came of a step.
        states: (N,) STATE.
        masks: (N, actions) int8, 1 = legal for the seat to move; all 0 when a game is over.
        decisions: Decisions made by all seats so far.
    """

    def __init__(
        self,
        size: int,
        *,
        boards: Sequence[Board],
        variant: str,
        players: int,
        options: npt.NDArray[np.int8],
        observation: str,
        policies: Sequence[BatchPolicy] = (),
        greedy_weights: npt.NDArray[np.float64] | None = None,
        threads: int | None = None,
    ) -> None:
        """Lays out the arrays; ``restart`` begins games. All arguments are checked by the caller.

        Args:
            size: Number of games.
            boards: Board i is that of rows i, i + len(boards), ...
            variant: A name of VARIANT_NAMES.
            players: Number of seats.
            options: (NUM_OPTIONS,) int8.
            observation: "features" or "compact".
            policies: Functions for seats with the code SEAT_CALLABLE + index.
            greedy_weights: (NUM_WEIGHTS,) float64; needed if a seat is SEAT_GREEDY.
            threads: At most this many; None for all cores.
        """
        self.size = size
        self.boards = np.concatenate([board.array for board in boards])
        self.policies = list(policies)
        self.threads = max(1, min(threads or default_threads(), -(-size // SMALL)))
        self.layout = layout_for(variant, observation)
        self.tables = np.zeros(size, kernels.TABLE)
        self.states = np.zeros(size, STATE)
        self.masks = np.zeros((size, num_actions(variant)), np.int8)
        self.decisions = 0
        self._rows = np.arange(size)
        self._observe = kernels.observe_features_of if observation == "features" else kernels.observe_compact_of
        self._weights = np.zeros(greedy_value.NUM_WEIGHTS) if greedy_weights is None else greedy_weights
        self._scratch = [self._thread_scratch() for _ in range(self.threads)]
        self._pool: ThreadPoolExecutor | None = None
        self._all_kinds = False  # whether any seat is played by a compiled policy besides ``random``
        self.tables["variant"] = VARIANT_NAMES.index(variant)
        self.tables["options"] = options
        self.tables["players"] = players
        self.tables["board"] = self._rows % len(boards)
        self.tables["status"] = kernels.OVER

    def _thread_scratch(self) -> tuple[Any, ...]:
        masks = np.zeros((greedy.DEPTH, self.masks.shape[1]), np.int8)
        return np.zeros(1, SETUP), self._weights, np.zeros(greedy.DEPTH, STATE), masks

    # --- running ranges on threads -----------------------------------------------------------------------------------
    def _in_threads(self, work: Callable[[int, int, int], int | None], count: int) -> int:
        """Calls ``work(thread, low, high)`` for ranges that cover [0, ``count``); returns the sum of the results."""
        threads = min(self.threads, max(1, count // SMALL))
        if threads == 1:
            return int(work(0, 0, count) or 0)
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads - 1, "endeavor-batch")
        bounds = np.linspace(0, count, threads + 1).astype(int).tolist()
        others = [self._pool.submit(work, t, bounds[t], bounds[t + 1]) for t in range(1, threads)]
        own = int(work(0, bounds[0], bounds[1]) or 0)
        return own + sum(int(other.result() or 0) for other in others)

    # --- games -------------------------------------------------------------------------------------------------------
    def seat(self, learner: int, rotates: bool, opponents: Sequence[int]) -> None:
        """Says who sits where from the next games on, in all rows.

        Args:
            learner: Seat; NONE if the learner decides for every seat.
            rotates: Whether the learner moves one seat further each game.
            opponents: SEAT_* code of each other seat in playing order after the learner.
        """
        self.tables["learner"] = learner
        self.tables["rotates"] = rotates
        self.tables["opponents"][:, : len(opponents)] = opponents
        self._all_kinds = any(kernels.SEAT_RANDOM < code < kernels.SEAT_CALLABLE for code in opponents)

    def seed_game(self, row: int, seed: int) -> None:
        """Makes the next game of ``row`` that of ``seed``, below 2**63; those after it depend on the seed, too."""
        self.tables["stream"][row] = seeded(seed)
        self.tables["game_seed"][row] = seed
        self.tables["seeded"][row] = 1

    def seed_stream(self, row: int, seed: int) -> None:
        """Makes the next games of ``row`` depend on ``seed`` alone."""
        self.tables["stream"][row] = seeded(seed)
        self.tables["seeded"][row] = 0

    def restart(self, rows: npt.NDArray[np.int64]) -> None:
        """Starts new games in ``rows`` and lets the opponents play up to the learner's first decision."""
        boards, tables, states, masks = self.boards, self.tables, self.states, self.masks

        def work(thread: int, low: int, high: int) -> int:
            setups, *greedy_arguments = self._scratch[thread]
            shared = (boards, tables, states, masks, rows, low, high, setups)
            if everything:
                return int(kernels.restart_all(*shared, *greedy_arguments))
            return int(kernels.restart_random(*shared))

        everything = self._prepare()
        self.decisions += self._in_threads(work, int(rows.size))
        self._serve()

    def step(self, actions: npt.NDArray[np.int64]) -> None:
        """Makes the moves ``actions``, (N,) int64, NONE for none, and lets the opponents play.

        A game whose action is illegal stays as it is, with the status ILLEGAL.
        """
        self._advance(actions)
        self._serve()

    def _prepare(self) -> bool:
        """Compiles what is needed; tells whether it takes the kernels of every compiled policy."""
        ensure_batch_compiled(self._all_kinds)
        return self._all_kinds

    def _advance(self, actions: npt.NDArray[np.int64]) -> None:
        boards, tables, states, masks = self.boards, self.tables, self.states, self.masks

        def work(thread: int, low: int, high: int) -> int:
            shared = (boards, tables, states, actions, masks, low, high)
            if everything:
                return int(kernels.step_all(*shared, *self._scratch[thread][1:]))
            return int(kernels.step_random(*shared))

        everything = self._prepare()
        self.decisions += self._in_threads(work, self.size)

    def _serve(self) -> None:
        """Lets the caller's functions play until no seat of theirs is to move."""
        while self.policies:
            waiting = np.flatnonzero(self.tables["status"] == kernels.WAITING)
            if not waiting.size:
                return
            codes = self.tables["policies"][waiting, self.states["seat"][waiting]]
            actions = np.full(self.size, NONE, np.int64)
            for code in np.unique(codes).tolist():
                rows = waiting[codes == code]
                actions[rows] = self._ask(self.policies[code - kernels.SEAT_CALLABLE], rows)
            self._advance(actions)

    def _ask(self, policy: BatchPolicy, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Returns the actions of ``policy`` for ``rows``; raises IllegalActionError unless all are legal."""
        masks = self.masks[rows]
        chosen = np.asarray(policy(self.observe(rows), masks))
        if chosen.shape != rows.shape or chosen.dtype.kind not in "iu":
            raise IllegalActionError(
                f"opponent {policy!r} returned an array of shape {chosen.shape} and type {chosen.dtype}: "
                f"it must return {rows.size} whole numbers, one for each row of the observations"
            )
        inside = (chosen >= 0) & (chosen < masks.shape[1])
        legal = inside & (masks[np.arange(rows.size), np.where(inside, chosen, 0)] == 1)
        if not legal.all():
            wrong = int(np.flatnonzero(~legal)[0])
            raise IllegalActionError(
                f"opponent {policy!r} chose {chosen[wrong]} in game {rows[wrong]}, which is illegal there; "
                f"legal are {np.flatnonzero(masks[wrong]).tolist()}"
            )
        return chosen

    def observe(
        self, rows: npt.NDArray[np.int64] | None = None, out: npt.NDArray[Any] | None = None
    ) -> npt.NDArray[Any]:
        """Writes and returns the observations of ``rows`` (None: all), (n, size), from the learner's seat.

        A row that waits for a function of the caller's is seen from the seat to move.
        """
        rows = self._rows if rows is None else rows
        target = np.empty((rows.size, self.layout.size), self.layout.dtype) if out is None else out

        def work(thread: int, low: int, high: int) -> None:
            self._observe(self.boards, self.tables, self.states, rows, target, low, high)

        self._in_threads(work, rows.size)
        return target

    def scores(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int16]:
        """Returns the Glory as if the games of ``rows`` ended now, (n, MAX_SEATS); in solo 1 is the Opposition."""
        out = np.empty((rows.size, MAX_SEATS), np.int16)

        def work(thread: int, low: int, high: int) -> None:
            kernels.score_games(self.boards, self.tables, self.states, rows, out, low, high)

        self._in_threads(work, rows.size)
        return out

    def sample(self, rngs: npt.NDArray[np.uint64], out: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Writes and returns a random legal action for each game, (N,), NONE for a finished one.

        ``rngs`` (N, 1) uint64 are the generators of the choice, as ``core.rng.seeded`` makes them.
        """

        def work(thread: int, low: int, high: int) -> None:
            kernels.sample_actions(self.masks, rngs, out, low, high)

        self._in_threads(work, self.size)
        return out

    @property
    def bytes_a_game(self) -> int:
        """Memory of one game without its observation: state, mask, and what the batch keeps beside them."""
        return STATE.itemsize + kernels.TABLE.itemsize + self.masks.shape[1]

    def close(self) -> None:
        """Ends the threads."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None
