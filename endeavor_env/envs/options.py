"""Checks of what the environments are given: options, reset options and actions."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium

from endeavor_env.errors import EndeavorError, InvalidOptionError

OBSERVATIONS = ("features", "compact")
ILLEGAL_ACTIONS = ("terminate", "raise")
RENDER_MODES = (None, "human", "ansi")


class ResetNeededError(EndeavorError, gymnasium.error.ResetNeeded, AttributeError):
    """Something was asked of an environment that has no game in play: before its first ``reset()``.

    It is an AttributeError as well, because PettingZoo promises one for ``agents`` and its like before a reset.
    """

    def __init__(self, asked: str) -> None:
        """Takes what was ``asked``, as the subject of the message."""
        super().__init__(f"{asked} is not possible before a reset(): call reset() to start a game")


class InvalidRenderModeError(InvalidOptionError, TypeError):
    """A render mode the environment does not have.

    It is a TypeError as well: ``stable_baselines3.common.env_util.make_vec_env`` first asks every environment for
    "rgb_array" and takes a TypeError for the answer that there is none.
    """


def checked_render_mode(render_mode: Any) -> str | None:
    """Returns the render mode; raises InvalidRenderModeError for one there is not."""
    if isinstance(render_mode, str | None) and render_mode in RENDER_MODES:
        return render_mode
    raise InvalidRenderModeError(f"render_mode={render_mode!r} is not possible: give None or 'human' or 'ansi'")


def one_of(name: str, value: Any, allowed: Sequence[str | None]) -> Any:
    """Returns ``value`` if it is one of ``allowed``; raises InvalidOptionError naming them otherwise."""
    if isinstance(value, str | None) and value in allowed:
        return value
    raise InvalidOptionError(f"{name}={value!r} is not possible: give {' or '.join(map(repr, allowed))}")


def seat_number(name: str, value: Any, players: int, *also: str) -> int:
    """Returns ``value`` as a seat in [0, ``players``); otherwise raises InvalidOptionError, naming ``also``, too."""
    if not isinstance(value, bool) and hasattr(value, "__index__"):
        number = operator.index(value)
        if 0 <= number < players:
            return number
    others = "".join(f", or {word!r}" for word in also)
    seats = f"a seat, 0 to {players - 1}" if players > 1 else "0, the only seat"
    raise InvalidOptionError(f"{name}={value!r} is not possible: give {seats}{others}")


def finite(name: str, value: Any) -> float:
    """Returns ``value`` as a finite float; raises InvalidOptionError otherwise."""
    if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < float("inf"):
        return float(value)
    raise InvalidOptionError(f"{name}={value!r} is not possible: give a finite number")


def reset_options(options: Any, known: Sequence[str], *, strict: bool) -> dict[str, Any]:
    """Returns the known keys of a reset's ``options`` that are not None.

    Raises:
        InvalidOptionError: Not a mapping, both ``setup`` and ``first_player``, or an unknown key when ``strict``.
    """
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise InvalidOptionError(f"reset options {options!r} are not possible: give a mapping of {', '.join(known)}")
    unknown = [key for key in options if key not in known]
    if strict and unknown:
        raise InvalidOptionError(f"reset has no option {unknown[0]!r}: its options are {', '.join(known)}")
    given = {key: options[key] for key in known if options.get(key) is not None}
    if "setup" in given and "first_player" in given:
        raise InvalidOptionError("reset options setup and first_player exclude each other: a setup has a first player")
    return given
