"""Rollouts with functions of the caller: all games of a chunk make one decision, then all make the next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.engine.batch.seats import BatchPolicy, is_function, legal_answers
from endeavor_env.engine.kernels import playouts as kernels
from endeavor_env.engine.kernels import ranges, single
from endeavor_env.engine.kernels.players import SEAT_CALLABLE, SEAT_RANDOM
from endeavor_env.engine.kernels.rules import CHANCE_MOVE, NONE
from endeavor_env.engine.search.any_positions import AnyPositions
from endeavor_env.engine.seating import Roster

CHUNK = 4096
"""Rollouts at once: enough to keep a network busy, few enough to need only a few MB."""


class LockstepRollouts:
    """The rollouts of one chunk.

    Attributes:
        games: (n,) positions, played on in place.
        made: (n,) int32, decisions made.
    """

    def __init__(
        self,
        games: AnyPositions,
        rngs: npt.NDArray[np.uint64],
        codes: npt.NDArray[np.int64],
        roster: Roster,
        functions: Sequence[BatchPolicy],
        observation: str,
    ) -> None:
        """Take the rollouts at their start.

        Args:
            games: (n,) positions.
            rngs: (n, 1) uint64, a generator for each.
            codes: (players,) SEAT_* of each seat.
            roster: The compiled players of the codes.
            functions: Those of the codes from SEAT_CALLABLE on.
            observation: "features" or "compact", the input of the functions.
        """
        self.games = games
        self.made = np.zeros(len(games), np.int32)
        self._rngs = rngs
        self._codes = codes
        self._functions = functions
        self._observation = observation
        self._has_chance = games.rules.entries[CHANCE_MOVE] is not None
        self._players = roster.seated(codes.tolist(), games.rules.num_actions(games.variant))

    def play(self, limit: int) -> None:
        """Play until every game is over or has made ``limit`` decisions."""
        self._draw()
        while True:
            rows = np.flatnonzero(~self.games.over() & (self.made < limit))
            if not rows.size:
                return
            masks = self.games.masks()
            actions = np.full(len(self.games), NONE, np.int64)
            codes = self._codes[self.games.seats()[rows]]
            for code in np.unique(codes).tolist():
                chosen = rows[codes == code]
                if is_function(code):
                    function = self._functions[code - SEAT_CALLABLE]
                    actions[chosen] = self._function_actions(function, chosen, masks[chosen])
                else:
                    actions[chosen] = [self._compiled_action(code, row, masks) for row in chosen.tolist()]
            self.games.step(actions)
            self._draw()
            self.made[rows] += 1

    def _draw(self) -> None:
        """Draw what chance decides before the next decisions."""
        if self._has_chance:
            ranges.draw_chance(*self.games.games, self._rngs, 0, len(self.games))

    def _compiled_action(self, code: int, row: int, masks: npt.NDArray[np.int8]) -> int:
        """Return the action of a compiled player, the same as the rollout kernel's."""
        if code == SEAT_RANDOM:
            return int(single.choose(masks[row], self._rngs[row]))
        _, boards, positions = self.games.games
        mask, rng = masks[row], self._rngs[row]
        return int(single.choose_compiled(code, self._players, boards, positions[row : row + 1], mask, rng))

    def _function_actions(
        self, function: BatchPolicy, rows: npt.NDArray[np.int64], masks: npt.NDArray[np.int8]
    ) -> npt.NDArray[np.integer[Any]]:
        """Return the actions of a function; raise IllegalActionError unless all are legal."""
        answers = function(self.games[rows].observe(self._observation), masks.copy())
        return legal_answers("policy", function, answers, masks, lambda row: f"row {row} of what it was shown")


def play_in_lockstep(
    positions: AnyPositions,
    rollouts: tuple[npt.NDArray[np.int64], int, int],
    codes: npt.NDArray[np.int64],
    roster: Roster,
    functions: Sequence[BatchPolicy],
    observation: str,
    threads: int,
    out: tuple[npt.NDArray[np.int16], npt.NDArray[np.int32], npt.NDArray[np.int8]],
) -> None:
    """Play all rollouts, chunk by chunk.

    Args:
        positions: Their starts.
        rollouts: Seeds of the rows, repeats and limit.
        codes: (players,) SEAT_* of each seat.
        roster: The compiled players of the codes.
        functions: Those of the codes from SEAT_CALLABLE on.
        observation: "features" or "compact", the input of the functions.
        threads: At most this many.
        out: Gets scores, decisions made and ends, in the arrays that the kernel ``engine.kernels.playouts.rollout``
            writes.
    """
    seeds, repeats, limit = rollouts
    scores, made, ended = out
    scores[:] = 0
    for first in range(0, made.size, CHUNK):
        jobs = np.arange(first, min(first + CHUNK, made.size))
        games, rngs = positions[jobs // repeats], np.empty((jobs.size, 1), np.uint64)
        games.threads = threads
        kernels.seed_rollouts(rngs, seeds, repeats, first)
        chunk = LockstepRollouts(games, rngs, codes, roster, functions, observation)
        chunk.play(limit)
        found = games.scores()
        scores[jobs, : found.shape[1]], made[jobs], ended[jobs] = found, chunk.made, games.over()
