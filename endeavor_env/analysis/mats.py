"""The numbers of every mat in a position: its Glory by source, its statuses, and what it holds."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.results import States, breakdowns, is_solo, scorers
from endeavor_env.endeavor.rules import constants as c


def mats_of(board: Board, states: States) -> dict[str, npt.NDArray[np.int64]]:
    """Return the columns ``MAT_COLUMNS`` of a position, (mats,) each: a mat for each of ``results.scorers``.

    Args:
        board: The board played on.
        states: (1,) STATE.
    """
    state, count = states[0], len(scorers(states))
    columns = {name: state.status[:count, status] for status, name in enumerate(c.STATUS_NAMES)}
    columns |= {
        "cities": _cities(board, states, count),
        "connections": _connections(board, states, count),
        "cards": state.num_cards[:count],
        "governors": state.num_governors[:count],
        "slavery": state.num_slavery[:count],
        "face_down": state.num_face_down[:count],
        "buildings": state.buildings[:count].sum(axis=1),
        "tokens": state.tokens[:count].sum(axis=1),
        "supply": _of_mats(state.supply, states, count),
        "harbor": state.harbor[:count],
        "discs_on_map": _cities(board, states, count) + _on_tracks(states, count),
        "regions_present": (_of_mats(state.presence, states, count) > 0).sum(axis=1),
    }
    return {name: np.asarray(values, np.int64) for name, values in columns.items()}


def parts_of(board: Board, states: States) -> npt.NDArray[np.int64]:
    """Return the Glory of every mat by source, (mats, NUM_PARTS), in the order of ``PARTS``."""
    return breakdowns(board, states).astype(np.int64)


def leads_of(scores: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return each score less the best of the others, (n,); ``scores`` has at least two."""
    best = [np.delete(scores, index).max() for index in range(scores.size)]
    return scores - np.array(best)


def _of_mats(by_side: npt.NDArray[Any], states: States, count: int) -> npt.NDArray[np.int64]:
    """Return what each mat has of a count by side, (sides, ...); the colours of the Opposition together."""
    if not is_solo(states):
        return by_side[:count].astype(np.int64)
    return np.stack([by_side[0].astype(np.int64), by_side[c.FIRST_COLOUR :].sum(axis=0, dtype=np.int64)])


def _by_mat(owners: npt.NDArray[np.int8], states: States, count: int) -> npt.NDArray[np.int64]:
    """Return how often each mat is among ``owners``, which are sides or NONE."""
    sides = np.bincount(owners[owners >= 0], minlength=c.MAX_SEATS)
    return _of_mats(sides[: c.MAX_SEATS], states, count)


def _cities(board: Board, states: States, count: int) -> npt.NDArray[np.int64]:
    return _by_mat(states["city_owner"][0][: len(board.cities)], states, count)


def _on_tracks(states: States, count: int) -> npt.NDArray[np.int64]:
    """Return the discs of each mat on and beside the shipping tracks, (mats,)."""
    beside = _of_mats(states["beside"][0], states, count).sum(axis=1)
    return _by_mat(states["track_owner"][0].ravel(), states, count) + beside


def _connections(board: Board, states: States, count: int) -> npt.NDArray[np.int64]:
    """Return the connections that each mat controls; neutral discs control none (V2S.10), nobody a blocked one (E3)."""
    number = np.arange(len(board.connections))
    ends = states["city_owner"][0][board.array["connection_city"][0][number]]
    blocked = (int(states["blocked"][0]) >> number) & 1
    controlled = (ends[:, 0] == ends[:, 1]) & (blocked == 0)
    return _by_mat(ends[controlled, 0], states, count)
