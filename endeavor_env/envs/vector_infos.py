"""The infos of vector environments: arrays over the games, each with the mask of the games that have an entry."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.core.constants import GRID_LEVELS, OPPOSITION, VARIANT_SOLO
from endeavor_env.envs.batch import Batch
from endeavor_env.ladder import ladder_of

Infos = dict[str, Any]
Rows = npt.NDArray[np.int64]
"""(n,): indices of games, ascending."""


def add(infos: Infos, key: str, num_envs: int, rows: Rows, values: npt.NDArray[Any]) -> None:
    """Adds ``values``, (n, ...), for ``rows`` under ``key``, and those rows to Gymnasium's mask ``_key``."""
    if key not in infos:
        infos[key] = np.zeros((num_envs, *values.shape[1:]), values.dtype)
        if values.dtype == object:
            infos[key][:] = None
        infos[f"_{key}"] = np.zeros(num_envs, bool)
    infos[key][rows] = values
    infos[f"_{key}"][rows] = True


def tell_result(batch: Batch, rows: Rows, scores: npt.NDArray[np.int64], infos: Infos) -> None:
    """Adds how the games of ``rows``, which are over, ended.

    Args:
        batch: The games.
        rows: Those that are over by the rules.
        scores: (n, seats) of them, in the solitaire game (n, 2).
        infos: Gets ``reason``, ``scores`` and ``winners`` (bool a seat); of solitaire games also ``margin``,
            ``ladder``, ``rung`` and ``panache`` (S8.3, S8.4).
    """
    solo = batch.tables["variant"][0] == VARIANT_SOLO
    # A solitaire game is won from equal scores on (S8.3); otherwise all with the highest score win (R12.10).
    winners = scores[:, :1] >= scores[:, 1:] if solo else scores == scores.max(axis=1, keepdims=True)
    columns: Infos = {"reason": np.full(rows.size, "game_over", object), "scores": scores, "winners": winners}
    if solo:
        columns.update(_ladders(batch, rows, scores))
    for key, values in columns.items():
        add(infos, key, batch.size, rows, values)


def _ladders(batch: Batch, rows: Rows, scores: npt.NDArray[np.int64]) -> Infos:
    """Returns the results of solitaire games, one column a word."""
    margins = scores[:, 0] - scores[:, OPPOSITION]
    levels = batch.boards["building_level"][batch.tables["board"][rows]]
    top = ((levels == GRID_LEVELS) & (batch.states["buildings"][rows, 0] != 0)).any(axis=1)
    results = [ladder_of(margin, level_5) for margin, level_5 in zip(margins.tolist(), top.tolist(), strict=True)]
    return {
        "margin": margins,
        "ladder": np.array([result.name for result in results], object),
        "rung": np.array([result.rung for result in results], np.int64),
        "panache": np.array([result.panache for result in results], bool),
    }


def seat_rewards_of_illegal(movers: npt.NDArray[np.int8], players: int, reward: float) -> npt.NDArray[np.float64]:
    """Returns every seat's reward, (n, players), of games that ended by an illegal action of ``movers``, (n,)."""
    paid = np.zeros((movers.size, players))
    paid[np.arange(movers.size), movers] = reward
    return paid


def final_observations(vectors: npt.NDArray[Any], masks: npt.NDArray[np.int8]) -> npt.NDArray[Any]:
    """Returns an array of the observations, one dictionary a game, as Gymnasium hands out those before a reset."""
    final = np.full(len(vectors), None, object)
    for index, (vector, mask) in enumerate(zip(vectors, masks, strict=True)):
        final[index] = {"observation": vector, "action_mask": mask}
    return final
