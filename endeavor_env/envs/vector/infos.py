"""The infos of vector environments: arrays over the games, each with the mask of the games that have an entry."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.core import constants as c
from endeavor_env.core.batch import rows as kernels
from endeavor_env.envs.vector.kinds import Kinds
from endeavor_env.ladder import ladder_of

Infos = dict[str, Any]
Rows = npt.NDArray[np.int64]
"""(n,): indices of games, ascending."""
Mask = npt.NDArray[np.int8]


class Told:
    """The games of which a step tells something, as Gymnasium's masks ``_<name>`` say it."""

    def __init__(self, num_envs: int, rows: Rows) -> None:
        """Takes the number of games of the environment, and the ``rows`` that are told of."""
        self.rows = rows
        self.mask = np.zeros(num_envs, bool)
        self.mask[rows] = True

    def add(self, infos: Infos, key: str, values: npt.NDArray[Any]) -> None:
        """Adds ``values``, (n, ...), under ``key``, and the rows to its mask."""
        if key in infos:
            infos[f"_{key}"] |= self.mask
        else:
            make = np.empty if values.dtype == object else np.zeros  # of objects, empty is None
            infos[key] = make((self.mask.size, *values.shape[1:]), values.dtype)
            infos[f"_{key}"] = self.mask.copy()
        infos[key][self.rows] = values


def tell_end(
    infos: Infos, told: Told, games: npt.NDArray[np.void], actions: Rows, kinds: Kinds, seat_rewards: bool
) -> None:
    """Adds how games ended.

    Args:
        infos: Gets ``seat`` and ``reason``; of games over by the rules ``scores`` (n, most scores) and ``winners`` (n,
            most seats), of solitaire games also ``margin``, ``ladder``, ``rung`` and ``panache`` (S8.3, S8.4); of
            illegal actions ``action``. What a smaller table does not have is 0 or False.
        told: The rows of ``games``.
        games: (n,) ENDED, by row.
        actions: (n,): the last actions.
        kinds: What is played; if that is of several kinds, ``game`` tells which this was.
        seat_rewards: Whether ``seat_rewards``, (n, most seats), are told as well.
    """
    illegal = games["status"] == kernels.ILLEGAL
    reasons = np.full(games.size, "game_over", object)
    reasons[illegal] = "illegal_action"
    told.add(infos, "reason", reasons)
    told.add(infos, "seat", games["seat"])
    if seat_rewards:
        told.add(infos, "seat_rewards", games["paid"][:, : kinds.most])
    if len(kinds.games) > 1:
        told.add(infos, "game", games["kind"].astype(np.int64))
    if not illegal.any():
        _tell_results(infos, told, games, kinds)
        return
    wrong = Told(told.mask.size, told.rows[illegal])
    wrong.add(infos, "action", actions[illegal])
    if not illegal.all():
        _tell_results(infos, Told(told.mask.size, told.rows[~illegal]), games[~illegal], kinds)


def _tell_results(infos: Infos, told: Told, games: npt.NDArray[np.void], kinds: Kinds) -> None:
    """Adds the results of games that are over by the rules."""
    scores = games["scores"][:, : kinds.scores]
    told.add(infos, "scores", scores)
    if kinds.most == kinds.least == kinds.scores:
        told.add(infos, "winners", scores == scores.max(axis=1, keepdims=True))  # R12.10
        return
    told.add(infos, "winners", _winners(games)[:, : kinds.most])
    solo = games["solo"] != 0
    if solo.any():
        of_solo = Told(told.mask.size, told.rows[solo])
        for key, values in _ladders(games[solo]).items():
            of_solo.add(infos, key, values)


def _winners(games: npt.NDArray[np.void]) -> npt.NDArray[np.bool_]:
    """Returns who won, (n, MAX_SEATS): all with the highest score (R12.10); in solo from equal scores on (S8.3)."""
    scores, seats = games["scores"], np.arange(games["scores"].shape[1])
    best = np.where(seats < games["sides"][:, None], scores, scores.min()).max(axis=1, keepdims=True)
    return (scores == best) & (seats < games["players"][:, None])


def _ladders(games: npt.NDArray[np.void]) -> Infos:
    """Returns the results of solitaire games, one column a word."""
    margins = games["scores"][:, 0] - games["scores"][:, c.OPPOSITION]
    level_5 = games["level_5"] != 0
    results = [ladder_of(margin, top) for margin, top in zip(margins.tolist(), level_5.tolist(), strict=True)]
    return {
        "margin": margins,
        "ladder": np.array([result.name for result in results], object),
        "rung": np.array([result.rung for result in results], np.int64),
        "panache": np.array([result.panache for result in results], bool),
    }


def tell_last_sight(infos: Infos, told: Told, closing: Infos, vectors: npt.NDArray[Any], no_action: Mask) -> None:
    """Puts the last observations and infos of finished games where SAME_STEP wants them.

    Args:
        infos: Gets ``final_obs``, one dictionary a game, and ``final_info``.
        told: The games that ended.
        closing: What becomes ``final_info``; gets its masks: no action is legal any more.
        vectors: (n, size): the last observations.
        no_action: (num_envs, actions) int8, all 0 and read only.
    """
    final = np.empty(told.mask.size, object)
    masks = np.zeros((len(vectors), no_action.shape[1]), np.int8)
    for row, vector, mask in zip(told.rows.tolist(), vectors, masks, strict=True):
        final[row] = {"observation": vector, "action_mask": mask}
    closing["action_mask"], closing["_action_mask"] = no_action, told.mask.copy()
    infos["final_obs"], infos["_final_obs"] = final, told.mask.copy()
    infos["final_info"], infos["_final_info"] = closing, told.mask.copy()
