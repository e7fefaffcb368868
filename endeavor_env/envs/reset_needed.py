"""The error of an environment that has no game in play, and the attributes that raise it before a reset."""

from __future__ import annotations

from typing import Any

import gymnasium

from endeavor_env.errors import EndeavorError


class ResetNeededError(EndeavorError, gymnasium.error.ResetNeeded, AttributeError):
    """A request to an environment that has no game in play, as before its first ``reset()``.

    It is an AttributeError as well, because PettingZoo promises one for ``agents`` and similar attributes before a
    reset.
    """

    def __init__(self, asked: str) -> None:
        """Take what was ``asked``, as the subject of the message."""
        self.asked = asked
        super().__init__(f"{asked} is not possible before a reset(): call reset() to start a game")

    def __reduce__(self) -> tuple[type[ResetNeededError], tuple[str]]:
        """Pickle the argument."""
        return type(self), (self.asked,)


class SetByReset:
    """An attribute that only ``reset`` sets; before that, looking at it raises ResetNeededError.

    What ``reset`` stores in the instance takes its place. A ``__getattr__`` would make every other attribute of the
    class slower, too: Python then looks at it before the attribute.
    """

    def __set_name__(self, owner: type, name: str) -> None:
        """Learn the name of the attribute."""
        self._name = name

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        """Return the descriptor itself to a class; raise ResetNeededError to an instance."""
        if instance is None:
            return self
        raise ResetNeededError(self._name)
