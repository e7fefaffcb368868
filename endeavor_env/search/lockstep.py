"""Rollouts with functions of the caller's: all games of a chunk make one decision, then all the next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.batch.seats import BatchPolicy, legal_answers
from endeavor_env.compilation import ensure_automa_compiled, ensure_greedy_compiled
from endeavor_env.core import constants as c
from endeavor_env.core import entry
from endeavor_env.core.actions import num_actions
from endeavor_env.core.batch import positions as kernels
from endeavor_env.core.batch.rows import SEAT_AUTOMA, SEAT_CALLABLE, SEAT_GREEDY, SEAT_RANDOM
from endeavor_env.core.policies.automa import choice as automa
from endeavor_env.core.policies.greedy import turn_search as greedy
from endeavor_env.core.policies.greedy.weights import WEIGHTS
from endeavor_env.core.state import STATE
from endeavor_env.search.positions import Positions

CHUNK = 4096
"""Rollouts at once: enough for a network to be busy, few enough to need a few MB."""


class Lockstep:
    """The rollouts of one chunk, under way.

    Attributes:
        games: (n,) positions, played on in place.
        made: (n,) int32, decisions made.
    """

    def __init__(
        self,
        games: Positions,
        rngs: npt.NDArray[np.uint64],
        codes: npt.NDArray[np.int8],
        functions: Sequence[BatchPolicy],
        observation: str,
    ) -> None:
        """Takes the positions, a generator for each, (n, 1), the SEAT_* codes by seat, and what functions see."""
        self.games = games
        self.made = np.zeros(len(games), np.int32)
        self._rngs = rngs
        self._codes = codes
        self._functions = functions
        self._observation = observation
        self._weights = WEIGHTS.as_array()
        self._scratch = np.zeros(greedy.DEPTH, STATE)
        self._scratch_masks = np.empty((greedy.DEPTH, num_actions(games.variant)), np.int8)

    def play(self, limit: int) -> None:
        """Plays until every game is over or has made ``limit`` decisions."""
        while True:
            rows = np.flatnonzero(~self.games.over() & (self.made < limit))
            if not rows.size:
                return
            masks = self.games.masks()
            actions = np.full(len(self.games), c.NONE, np.int64)
            codes = self._codes[self.games.seats()[rows]]
            for code in np.unique(codes).tolist():
                chosen = rows[codes == code]
                if code >= SEAT_CALLABLE:
                    actions[chosen] = self._ask(self._functions[code - SEAT_CALLABLE], chosen, masks[chosen])
                else:
                    actions[chosen] = [self._choose(code, row, masks) for row in chosen.tolist()]
            self.games.step(actions)
            self.made[rows] += 1

    def _choose(self, code: int, row: int, masks: npt.NDArray[np.int8]) -> int:
        """Returns the action of a compiled policy, as the kernels of ``core.search`` choose it."""
        if code == SEAT_RANDOM:
            return int(entry.choose(masks[row], self._rngs[row]))
        board, state = self.games.board.array, self.games.states[row : row + 1]
        if code == SEAT_AUTOMA:
            return int(automa.choose(board, state, masks[row]))
        return int(greedy.choose(board, state, self._weights, self._scratch, self._scratch_masks, self._rngs[row]))

    def _ask(self, function: BatchPolicy, rows: npt.NDArray[np.int64], masks: npt.NDArray[np.int8]) -> Any:
        """Returns the actions of a function; raises IllegalActionError unless all are legal."""
        answers = function(self.games[rows].observe(self._observation), masks.copy())
        return legal_answers("policy", function, answers, masks, lambda row: f"row {row} of what it was shown")


def play_in_step(
    positions: Positions,
    rollouts: tuple[npt.NDArray[np.int64], int, int],
    codes: npt.NDArray[np.int8],
    functions: Sequence[BatchPolicy],
    observation: str,
    threads: int,
    out: tuple[npt.NDArray[np.int16], npt.NDArray[np.int32], npt.NDArray[np.int8]],
) -> None:
    """Plays all rollouts, chunk by chunk.

    Args:
        positions: Where they start.
        rollouts: Seeds of the rows, repeats and limit.
        codes: (players,) SEAT_* of each seat.
        functions: Those of the codes from SEAT_CALLABLE on.
        observation: What the functions see.
        threads: At most this many.
        out: Scores, decisions made and ends, as ``core.search.rollout_random`` writes them.
    """
    if SEAT_GREEDY in codes:
        ensure_greedy_compiled()
    if SEAT_AUTOMA in codes:
        ensure_automa_compiled()
    seeds, repeats, limit = rollouts
    scores, made, ended = out
    scores[:] = 0
    for first in range(0, made.size, CHUNK):
        jobs = np.arange(first, min(first + CHUNK, made.size))
        games, rngs = positions[jobs // repeats], np.empty((jobs.size, 1), np.uint64)
        games.threads = threads
        kernels.seed_rollouts(rngs, seeds, repeats, first)
        chunk = Lockstep(games, rngs, codes, functions, observation)
        chunk.play(limit)
        found = games.scores()
        scores[jobs, : found.shape[1]], made[jobs], ended[jobs] = found, chunk.made, games.over()
