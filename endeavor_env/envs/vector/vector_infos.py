"""The infos of vector environments: arrays over the games, each with the mask of the games that have an entry."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.batch.game_kinds import Kinds
from endeavor_env.core import constants as c
from endeavor_env.core.batch import rows as kernels
from endeavor_env.ladder import ladder_of

Infos = dict[str, Any]
Rows = npt.NDArray[np.int64]
"""(n,): indices of games, ascending."""


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

    def only(self, chosen: npt.NDArray[np.bool_]) -> InfoRows:
        """Return those of the rows where ``chosen``, (n,), is True."""
        return InfoRows(self.mask.size, self.rows[chosen])


def add_ends(
    infos: Infos, ended: InfoRows, games: npt.NDArray[np.void], actions: Rows, kinds: Kinds, seat_rewards: bool
) -> None:
    """Add how games ended.

    Args:
        infos: Gets ``seat`` and ``reason``; for games over by the rules, or cut short and as they stand, ``scores`` (n,
            most scores) and ``winners`` (n, most seats), for solitaire games also ``margin``, ``ladder``, ``rung`` and
            ``panache`` (S8.3, S8.4); for illegal actions ``action``. Entries that a smaller table does not have are 0
            or False.
        ended: The rows of ``games``.
        games: (n,) ENDED, by row.
        actions: (n,): the last actions.
        kinds: The kinds of game; if there are several, infos get ``game``, the index of the kind.
        seat_rewards: Whether infos get ``seat_rewards``, (n, most seats), as well.
    """
    illegal = games["status"] == kernels.ILLEGAL
    reasons = np.full(games.size, "game_over", object)
    reasons[illegal] = "illegal_action"
    reasons[games["status"] == kernels.TRUNCATED] = "max_cycles"
    ended.add(infos, "reason", reasons)
    ended.add(infos, "seat", games["seat"])
    if seat_rewards:
        ended.add(infos, "seat_rewards", games["paid"][:, : kinds.most])
    if len(kinds.games) > 1:
        ended.add(infos, "game", games["kind"].astype(np.int64))
    if not illegal.any():
        _add_results(infos, ended, games, kinds)
        return
    ended.only(illegal).add(infos, "action", actions[illegal])
    if not illegal.all():
        _add_results(infos, ended.only(~illegal), games[~illegal], kinds)


def _add_results(infos: Infos, ended: InfoRows, games: npt.NDArray[np.void], kinds: Kinds) -> None:
    """Add the results of games that are over by the rules or were cut short."""
    scores = games["scores"][:, : kinds.scores]
    ended.add(infos, "scores", scores)
    if kinds.most == kinds.least == kinds.scores:
        ended.add(infos, "winners", scores == scores.max(axis=1, keepdims=True))  # R12.10
        return
    ended.add(infos, "winners", _winners(games)[:, : kinds.most])
    solo = games["solo"] != 0
    if solo.any():
        solo_rows = ended.only(solo)
        for key, values in _ladder_results(games[solo]).items():
            solo_rows.add(infos, key, values)


def _winners(games: npt.NDArray[np.void]) -> npt.NDArray[np.bool_]:
    """Return who won, (n, MAX_SEATS): all with the highest score (R12.10); in solo from equal scores on (S8.3)."""
    scores, seats = games["scores"], np.arange(games["scores"].shape[1])
    best = np.where(seats < games["sides"][:, None], scores, scores.min()).max(axis=1, keepdims=True)
    return (scores == best) & (seats < games["players"][:, None])


def _ladder_results(games: npt.NDArray[np.void]) -> Infos:
    """Return the results of solitaire games, an array (n,) under each name."""
    margins = games["scores"][:, 0] - games["scores"][:, c.OPPOSITION]
    level_5 = games["level_5"] != 0
    results = [ladder_of(margin, top) for margin, top in zip(margins.tolist(), level_5.tolist(), strict=True)]
    return {
        "margin": margins,
        "ladder": np.array([result.name for result in results], object),
        "rung": np.array([result.rung for result in results], np.int64),
        "panache": np.array([result.panache for result in results], bool),
    }


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
