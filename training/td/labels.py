"""Labels of auxiliary heads: what became of the games in which positions were recorded, as their seats see it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.flow.scoring import NUM_PARTS
from endeavor_env.endeavor.learning.self_play import MOST_ROUNDS, UNKNOWN
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.training.td.games import PlayedGames
from endeavor_env.training.td.settings import CITIES, GLORY, REPLY, ROUNDS

NOBODY = c.MAX_SEATS
"""Stands among the labels of cities for nobody, and for neutral discs."""
LABEL_SHAPES: dict[str, tuple[int, ...]] = {
    GLORY: (c.MAX_SEATS, NUM_PARTS),
    ROUNDS: (MOST_ROUNDS, c.MAX_SEATS),
    CITIES: (c.MAX_CITIES,),
    REPLY: (),
}
"""The shape of the labels of a position, by name. Mats count from that of the seat, as in observations."""


def labels_of(played: PlayedGames, names: Sequence[str]) -> dict[str, npt.NDArray[np.int16]]:
    """Return the labels ``names`` of all recorded positions, (m, ...) each; what has no label is UNKNOWN.

    Positions that a search only looked at have none: nobody played on from there.
    """
    if not names:
        return {}
    assert played.ends is not None
    assert played.replies is not None
    moments, ends = played.moments, played.ends[played.moments["fixture"]]
    seats, mats = moments["seat"].astype(np.int64)[:, None], ends["mats"].astype(np.int64)[:, None]
    place = np.arange(c.MAX_SEATS)
    order, there = np.where(place < mats, (seats + place) % mats, place), place < mats
    found: dict[str, npt.NDArray[np.int16]] = {}
    if GLORY in names:
        parts = np.take_along_axis(ends["parts"], order[:, :, None], 1)
        found[GLORY] = np.where(there[:, :, None], parts, UNKNOWN)
    if ROUNDS in names:
        rounds = np.take_along_axis(ends["rounds"], order[:, None, :], 2)
        to_come = np.arange(1, MOST_ROUNDS + 1) >= played.states["round_number"][:, None]
        found[ROUNDS] = np.where(to_come[:, :, None], rounds, UNKNOWN)
    if CITIES in names:
        holders = ends["holders"].astype(np.int64)
        relative = np.where(holders == c.NONE, NOBODY, (holders - seats) % mats)
        found[CITIES] = np.where(holders == UNKNOWN, UNKNOWN, relative)
    if REPLY in names:
        found[REPLY] = played.replies.copy()
    for labels in found.values():
        labels[moments["searched"] == 1] = UNKNOWN
    return {name: found[name].astype(np.int16) for name in names}
