"""Who decides for a seat of a batch or a rollout: compiled players by name, and functions of the caller."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.engine.game_players import check_player
from endeavor_env.engine.game_rules import GameRules
from endeavor_env.engine.kernels.players import SEAT_CALLABLE
from endeavor_env.errors import IllegalActionError, shown

BatchPolicy = Callable[[npt.NDArray[Any], npt.NDArray[np.int8]], npt.NDArray[Any]]
"""(observations (n, size), masks (n, actions) int8) -> (n,) legal action ids, one for each row."""

BatchOpponent = str | BatchPolicy
"""A name of a compiled player of the game, or a function of (observations, masks)."""


def check_policy(role: str, policy: object, function: str, rules: GameRules, variants: Sequence[str]) -> None:
    """Raise InvalidOptionError unless ``policy`` can play: the name of a compiled player, or a function and no class.

    Args:
        role: What the place calls who plays there, as "opponent".
        policy: Who was asked for.
        function: What a function there must be, for messages.
        rules: The game, which must have a compiled player of this name; ``random`` plays all.
        variants: Those of its variants that are played.
    """
    if callable(policy) and not isinstance(policy, type | str):
        return
    check_player(rules.players, role, policy, variants, (function,))


def is_function(code: int) -> bool:
    """Return whether the code of a seat stands for a function of the caller."""
    return code >= SEAT_CALLABLE


def legal_answers(
    role: str, function: BatchPolicy, answers: Any, masks: npt.NDArray[np.int8], place: Callable[[int], str]
) -> npt.NDArray[np.integer[Any]]:
    """Return the actions that a function of the caller chose, (n,), if each is legal in its row of ``masks``.

    Args:
        role: What the function is used as, for the message.
        function: The function.
        answers: What it returned.
        masks: (n, actions) int8, the legal actions; not the array that the function was given, and may have changed.
        place: Returns the words for a row of the masks, for the message.

    Raises:
        IllegalActionError: ``answers`` are no whole numbers of the right shape, or one of them is illegal.
    """
    wanted = f"it must return {len(masks)} whole numbers, one for each row of the observations"
    try:
        chosen = np.asarray(answers)
    except Exception as error:  # ragged lists, tensors with gradients, classes of the caller's
        raise IllegalActionError(f"{role} {shown(function)} returned {shown(answers)}: {wanted}") from error
    if chosen.shape != masks.shape[:1] or chosen.dtype.kind not in "iu":
        raise IllegalActionError(
            f"{role} {shown(function)} returned an array of shape {chosen.shape} and type {chosen.dtype}: {wanted}"
        )
    inside = (chosen >= 0) & (chosen < masks.shape[1])
    wrong = np.flatnonzero(~inside | (masks[np.arange(len(masks)), np.where(inside, chosen, 0)] != 1))
    if wrong.size:
        row = int(wrong[0])
        raise IllegalActionError(
            f"{role} {shown(function)} chose {chosen[row]} in {place(row)}, which is illegal there; "
            f"legal are {np.flatnonzero(masks[row]).tolist()}"
        )
    return chosen
