"""The infos of the PettingZoo environment: the same keys, types and shapes from the first step to the last."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.batch.game_kinds import Kind
from endeavor_env.results import breakdown_keys
from endeavor_env.setups import SOLO


def unfinished_info(kind: Kind) -> dict[str, Any]:
    """Return the entries of an agent's info, without its mask, as they stand while the game runs."""
    info: dict[str, Any] = {
        "reason": "",
        "scores": _shared([0] * kind.scores, np.int64),
        "winners": _shared([0] * kind.players, np.bool_),
        "agent": "",
        "action": -1,
        "message": "",
    }
    if kind.variant == SOLO:
        breakdown = dict.fromkeys(breakdown_keys(kind.variant), 0)
        info |= {"margin": 0, "ladder": "", "rung": 0, "panache": False}
        info |= {"breakdown": breakdown, "opposition_breakdown": dict(breakdown)}
    return info


def finished_info(kind: Kind, result: dict[str, Any]) -> dict[str, Any]:
    """Return the entries of an agent's info, without its mask, for a game with this ``result`` of ``Table.result``."""
    winners = [seat in result["winners"] for seat in range(kind.players)]
    arrays = {"scores": _shared(result["scores"], np.int64), "winners": _shared(winners, np.bool_)}
    return {**unfinished_info(kind), **result, **arrays}


def _shared(values: list[int] | list[bool], dtype: type[np.generic]) -> npt.NDArray[Any]:
    """Return an array that cannot be written to, because the infos of all agents share it."""
    array = np.array(values, dtype)
    array.flags.writeable = False
    return array
