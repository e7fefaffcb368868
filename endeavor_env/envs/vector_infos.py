"""The infos of vector environments: arrays over the games, in memory that is used again."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.engine.batch.game_batch import Batch, Kinds
from endeavor_env.engine.kernels import turn as kernels
from endeavor_env.engine.kernels.turn import write_ends, write_starts
from endeavor_env.engine.rewards import warn_of_missing_masks

# --- Arrays for the caller to keep, made of memory that earlier callers have dropped ---------------------------------

KEPT = 4
"""Most arrays that are remembered: a learner's present and last observation, and as many again."""


def _holders(arrays: list[npt.NDArray[Any]], index: int) -> int:
    """Return how many references there are to an array of a list, those of the list and of this call included."""
    return sys.getrefcount(arrays[index])


_NOBODY = _holders([np.empty(0)], 0)
"""Result of ``_holders`` for an array that only the list holds."""


class FreshArrays:
    """Hands out arrays that nobody holds, of one shape and type.

    New memory of megabytes costs more than filling it, because the operating system provides it page by page. So an
    array that was handed out is handed out again once the caller and all views of it have let go of it; what is still
    held is never touched. Copies and pickles begin without arrays.
    """

    def __init__(self, shape: tuple[int, ...], dtype: npt.DTypeLike) -> None:
        """Set shape and type; memory is taken when it is needed."""
        self._shape, self._dtype = shape, np.dtype(dtype)
        self._arrays: list[npt.NDArray[Any]] = []

    def take(self) -> npt.NDArray[Any]:
        """Return an array that nobody else holds, with any contents."""
        for index in range(len(self._arrays)):
            if _holders(self._arrays, index) == _NOBODY:
                return self._arrays[index]
        fresh = np.empty(self._shape, self._dtype)
        if len(self._arrays) == KEPT:  # the caller keeps them all, so that looking for old ones is in vain
            self._arrays.pop(0)
        self._arrays.append(fresh)
        return fresh

    def __reduce__(self) -> tuple[Any, ...]:
        """Leave the arrays out."""
        return FreshArrays, (self._shape, self._dtype)


# --- The infos of vector environments --------------------------------------------------------------------------------
# Arrays over the games, each with the mask of the games that have an entry.

Infos = dict[str, Any]
Rows = npt.NDArray[np.int64]
"""(n,): indices of games, ascending."""


_REASONS = {kernels.OVER: "game_over", kernels.ILLEGAL: "illegal_action", kernels.TRUNCATED: "max_cycles"}


class InfoRows:
    """The games for which a step adds entries to the infos.

    Attributes:
        rows: (n,) their indices.
        mask: (num_envs,) bool, the same as Gymnasium's masks ``_<name>`` have it.
    """

    def __init__(self, num_envs: int, rows: Rows) -> None:
        """Take the number of games of the environment and the ``rows`` that get entries."""
        self.rows = rows
        self.mask = np.zeros(num_envs, bool)
        self.mask[rows] = True

    def add(self, infos: Infos, key: str, values: npt.NDArray[Any]) -> None:
        """Add ``values``, (n, ...), under ``key``, and the rows to its mask."""
        if key in infos:
            infos[f"_{key}"] |= self.mask
        else:
            make = np.empty if values.dtype == object else np.zeros  # of objects, empty is None
            infos[key] = make((self.mask.size, *values.shape[1:]), values.dtype)
            infos[f"_{key}"] = self.mask.copy()
        infos[key][self.rows] = values


class StepArrays(NamedTuple):
    """What a step returns for every game besides observations and infos, (num_envs,) each."""

    rewards: npt.NDArray[np.float64]
    terminated: npt.NDArray[np.bool_]
    truncated: npt.NDArray[np.bool_]

    @classmethod
    def fresh(cls, num_envs: int) -> StepArrays:
        """Return the arrays of a step in which nothing is paid and no game ends."""
        terminated, truncated = np.zeros((2, num_envs), bool)
        return cls(np.zeros(num_envs), terminated, truncated)


def add_ends(
    infos: Infos, step: StepArrays, games: npt.NDArray[np.void], actions: Rows, kinds: Kinds, seat_rewards: bool
) -> None:
    """Add how games ended.

    Args:
        infos: Gets ``seat`` and ``reason``; for games over by the rules, or cut short and as they stand, ``scores`` (n,
            most scores) and ``winners`` (n, most seats), for games against an opponent without a seat what the game
            says of them (``GameRules.solitaire``); for illegal actions ``action``. Entries that a smaller table does
            not have are 0 or False.
        step: Gets what these games are paid, and which of them are over or cut short.
        games: (n,) ENDED, by row, at least one.
        actions: (num_envs,): the last actions.
        kinds: The kinds of game; if there are several, infos get ``game``, the index of the kind.
        seat_rewards: Whether infos get ``seat_rewards``, (n, most seats), as well.
    """
    num_envs, rows = actions.size, games["row"]
    seats, paid = np.zeros(num_envs, np.int64), np.zeros((num_envs, kinds.most))
    scores, winners = np.zeros((num_envs, kinds.scores), np.int64), np.zeros((num_envs, kinds.most), bool)
    masks = np.zeros((5, num_envs), bool)
    illegal, solo = write_ends(games, *step, seats, paid, scores, winners, masks[:3], masks[3:])
    of_reasons, of_seats, of_rewards, of_scores, of_winners = masks
    reasons = np.empty(num_envs, object)  # all None
    for row, status in zip(rows.tolist(), games["status"].tolist(), strict=True):  # few: NumPy would take longer
        reasons[row] = _REASONS[status]
    infos["reason"], infos["_reason"] = reasons, of_reasons
    infos["seat"], infos["_seat"] = seats, of_seats
    if seat_rewards:
        infos["seat_rewards"], infos["_seat_rewards"] = paid, of_rewards
    if len(kinds.games) > 1:
        InfoRows(num_envs, rows.copy()).add(infos, "game", games["kind"].astype(np.int64))
    if illegal:
        warn_of_missing_masks()
        forfeited = rows[games["status"] == kernels.ILLEGAL]
        InfoRows(num_envs, forfeited).add(infos, "action", actions[forfeited])
    if illegal < games.size:
        infos["scores"], infos["_scores"] = scores, of_scores
        infos["winners"], infos["_winners"] = winners, of_winners
    if solo:
        of_solo = games[games["alone"] != 0]
        solo_rows = InfoRows(num_envs, of_solo["row"].copy())
        for key, values in kinds.rules.solitaire.of_games(of_solo["scores"], of_solo["note"]).items():
            solo_rows.add(infos, key, values)


def add_starts(
    infos: Infos, batch: Batch, rows: Rows, drawn: npt.NDArray[np.bool_], with_kinds: bool, with_seats: bool
) -> None:
    """Add how the games of ``rows`` began.

    Args:
        infos: Gets ``seed``, unless it tells what seats cannot know.
        batch: The games.
        rows: The games that began.
        drawn: (n,) whether their set-ups were drawn; others have no seed.
        with_kinds: Whether infos get ``game``, the index of the kind.
        with_seats: Whether infos get ``seat``, the learner's.
    """
    seeds = _numbers({} if batch.rules.seed_tells else infos, "seed", batch.size)
    kinds = _numbers(infos, "game", batch.size) if with_kinds else _NO_NUMBERS
    seats = _numbers(infos, "seat", batch.size) if with_seats else _NO_NUMBERS
    write_starts(batch.tables, rows, drawn, *seeds, *kinds, *seats)


def _numbers(infos: Infos, key: str, num_envs: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Return the array of numbers under ``key``, (num_envs,), and its mask, made if need be."""
    if key not in infos:
        infos[key], infos[f"_{key}"] = np.zeros(num_envs, np.int64), np.zeros(num_envs, bool)
    return infos[key], infos[f"_{key}"]


_NO_NUMBERS = np.zeros(0, np.int64), np.zeros(0, bool)


def add_final_observations(
    infos: Infos, ended: InfoRows, final_info: Infos, observations: Sequence[Any], masks: npt.NDArray[Any]
) -> None:
    """Add the last observations and infos of finished games under the names that SAME_STEP asks for.

    Args:
        infos: Gets ``final_obs``, an observation for each game, and ``final_info``.
        ended: The games that ended.
        final_info: Their infos; gets their masks as well.
        observations: One for each of the games that ended.
        masks: (num_envs, actions), the masks of games that have ended.
    """
    final = np.empty(ended.mask.size, object)
    for row, observation in zip(ended.rows.tolist(), observations, strict=True):
        final[row] = observation
    final_info["action_mask"], final_info["_action_mask"] = masks, ended.mask.copy()
    infos["final_obs"], infos["_final_obs"] = final, ended.mask.copy()
    infos["final_info"], infos["_final_info"] = final_info, ended.mask.copy()
