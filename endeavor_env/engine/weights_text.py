"""Weights of players as text, as in "disc=0.5,growth=1"."""

from __future__ import annotations

import math
from collections.abc import Collection

from endeavor_env.errors import InvalidOptionError, shown


def read_weights(settings: str, name: str, known: Collection[str], known_in_words: str) -> dict[str, float]:
    """Return the weights that ``settings``, "weight=number,...", names.

    Args:
        settings: The text after the colon of a player's name.
        name: What errors call the player.
        known: The weights that there are.
        known_in_words: How errors list them.

    Raises:
        InvalidOptionError: An unknown weight, or a value that is no finite number.
    """
    given = {}
    for setting in settings.split(","):
        weight, _, text = setting.partition("=")
        if weight not in known:
            raise InvalidOptionError(f"player {shown(name)} has no weight {shown(weight)}: they are {known_in_words}")
        given[weight] = _number(name, weight, text)
    return given


def _number(name: str, weight: str, text: str) -> float:
    """Return the value of a weight; raise InvalidOptionError unless it is a finite number."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InvalidOptionError(f"player {shown(name)} sets {weight} to {shown(text)}: it must be a finite number")
    return value
