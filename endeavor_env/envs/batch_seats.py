"""Who sits down in the games of a batch: the opponents as codes of the kernels, and the caller's functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.core import batch as kernels
from endeavor_env.core.batch_games import SHARES, STAYS

BatchPolicy = Callable[[npt.NDArray[Any], npt.NDArray[np.int8]], npt.NDArray[Any]]
"""(observations (n, size), masks (n, actions) int8) -> (n,) legal action ids, one for each row."""

BatchOpponent = str | BatchPolicy
"""``"random"``, ``"greedy"``, ``"automa"``, or a function of (observations, masks)."""

COMPILED = {"random": kernels.SEAT_RANDOM, "greedy": kernels.SEAT_GREEDY, "automa": kernels.SEAT_AUTOMA}


def cumulative_shares(weights: Sequence[float]) -> npt.NDArray[np.int64]:
    """Returns for each of the positive ``weights`` up to which of SHARES it is drawn, at least one share each."""
    parts = np.cumsum(np.asarray(weights, np.float64) / np.sum(weights))
    until = np.rint(parts * (SHARES - len(weights))).astype(np.int64) + np.arange(1, len(weights) + 1)
    until[-1] = SHARES
    return until


class Seats:
    """Fills ``TABLE.home``, ``rotates`` and ``opponents``, keeps the mix of opponents, and the functions' slots.

    Attributes:
        mix: (M,) MIX: who may sit down in new games, empty if that is fixed by distance from the learner.
        functions: Whether any seat may be a function's.
        all_compiled: Whether any seat may be played by a compiled policy besides ``random``.
    """

    def __init__(self, tables: npt.NDArray[np.void], status: npt.NDArray[np.int8]) -> None:
        """Takes the arrays of the batch."""
        self._tables, self._status = tables, status
        self._slots: list[BatchPolicy | None] = []
        self.mix = np.zeros(0, kernels.MIX)
        self.functions = self.all_compiled = False

    def seat_learner(self, home: int, rotates: int = STAYS) -> None:
        """Says where the learner sits from the next games on: at first at ``home``, NONE for every seat."""
        self._tables["home"] = home
        self._tables["rotates"] = rotates

    def seat_opponents(self, opponents: Sequence[BatchOpponent], weights: Sequence[float] | None = None) -> None:
        """Says who sits down in games that start from now on; games under way keep theirs.

        Args:
            opponents: Checked by the caller: those at distance 1, 2, ... from the learner; with weights those of whom
                each seat of each game draws one.
            weights: Above 0, one for each.
        """
        seated = self._seated()
        codes = self._codes(opponents, seated)
        if weights is None:
            self.mix = np.zeros(0, kernels.MIX)
            self._tables["opponents"][:, : len(codes)] = codes
        else:
            self.mix = np.zeros(len(codes), kernels.MIX)
            self.mix["policy"] = codes
            self.mix["until"] = cumulative_shares(weights)
        every = {*seated, *codes}
        self.functions = max(every, default=0) >= kernels.SEAT_CALLABLE
        self.all_compiled = any(kernels.SEAT_RANDOM < code < kernels.SEAT_CALLABLE for code in every)

    def function(self, code: int) -> BatchPolicy:
        """Returns the function of a seat's ``code``."""
        function = self._slots[code - kernels.SEAT_CALLABLE]
        assert function is not None
        return function

    def _seated(self) -> set[int]:
        """Returns the codes of the seats of games under way."""
        return set(np.unique(self._tables["policies"][self._status < kernels.OVER]).tolist())

    def _codes(self, opponents: Sequence[BatchOpponent], seated: set[int]) -> list[int]:
        """Returns the codes of ``opponents``; functions that nobody needs any more give up their slots to new ones."""
        wanted = [other for other in opponents if not isinstance(other, str)]
        for slot, function in enumerate(self._slots):
            if kernels.SEAT_CALLABLE + slot not in seated and not any(function is other for other in wanted):
                self._slots[slot] = None
        return [COMPILED[other] if isinstance(other, str) else self._slot_of(other) for other in opponents]

    def _slot_of(self, function: BatchPolicy) -> int:
        """Returns the code of ``function``, which gets a slot if it has none."""
        for sought in (function, None):
            for slot, known in enumerate(self._slots):
                if known is sought:
                    self._slots[slot] = function
                    return kernels.SEAT_CALLABLE + slot
        self._slots.append(function)
        return kernels.SEAT_CALLABLE + len(self._slots) - 1
