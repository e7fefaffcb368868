"""Who sits down in the games of a batch: the opponents as codes of the kernels, and the caller's functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.core.batch import rows as kernels
from endeavor_env.core.batch.tables import SHARES, STAYS
from endeavor_env.errors import IllegalActionError

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


def legal_answers(
    role: str, function: BatchPolicy, answers: Any, masks: npt.NDArray[np.int8], place: Callable[[int], str]
) -> npt.NDArray[np.integer[Any]]:
    """Returns what a function of the caller's chose, (n,), one legal action for each of ``masks``, (n, actions).

    Args:
        role: What the function is.
        function: The function.
        answers: What it returned.
        masks: Those it was shown.
        place: Says in words where a row of them was.

    Raises:
        IllegalActionError: ``answers`` are no whole numbers of the right shape, or one of them is illegal.
    """
    chosen = np.asarray(answers)
    if chosen.shape != masks.shape[:1] or chosen.dtype.kind not in "iu":
        raise IllegalActionError(
            f"{role} {function!r} returned an array of shape {chosen.shape} and type {chosen.dtype}: "
            f"it must return {len(masks)} whole numbers, one for each row of the observations"
        )
    inside = (chosen >= 0) & (chosen < masks.shape[1])
    wrong = np.flatnonzero(~inside | (masks[np.arange(len(masks)), np.where(inside, chosen, 0)] != 1))
    if wrong.size:
        row = int(wrong[0])
        raise IllegalActionError(
            f"{role} {function!r} chose {chosen[row]} in {place(row)}, which is illegal there; "
            f"legal are {np.flatnonzero(masks[row]).tolist()}"
        )
    return chosen


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
