"""The error of an environment that has no game in play."""

from __future__ import annotations

import gymnasium

from endeavor_env.errors import EndeavorError


class ResetNeededError(EndeavorError, gymnasium.error.ResetNeeded, AttributeError):
    """A request to an environment that has no game in play, as before its first ``reset()``.

    It is an AttributeError as well, because PettingZoo promises one for ``agents`` and similar attributes before a
    reset.
    """

    def __init__(self, asked: str) -> None:
        """Take what was ``asked``, as the subject of the message."""
        super().__init__(f"{asked} is not possible before a reset(): call reset() to start a game")
