"""Moves as text: what a game tells the engine, so that people and records can name its actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from endeavor_env.engine.kernels.rules import NONE


class Words(Protocol):
    """The texts of a game's actions; no two of one seat are the same.

    They may depend on the ``seat`` that moves in a game of ``seats``, as where ids count the other seats from it on.
    """

    def text(self, action: int, seat: int = NONE, seats: int = 0) -> str | None:
        """Return the text of an action id, 0 or above; None if the id names no move."""
        ...

    def action(self, text: str, seat: int = NONE, seats: int = 0) -> int | None:
        """Return the action id of a text; None if the text names no move."""
        ...


class NumberWords:
    """The ids themselves as texts, for games that have no words."""

    def text(self, action: int, seat: int = NONE, seats: int = 0) -> str | None:
        """Return the digits of an id."""
        return str(action)

    def action(self, text: str, seat: int = NONE, seats: int = 0) -> int | None:
        """Return the id of some digits, which are written as ``text`` writes them."""
        return int(text) if text.isascii() and text.isdecimal() and len(text) < 5 and text == str(int(text)) else None


class ListedWords:
    """The texts of a list, one for each action id."""

    def __init__(self, texts: Sequence[str]) -> None:
        """Take the texts, in the order of the ids."""
        self._texts = tuple(texts)
        self._actions = {text: action for action, text in enumerate(self._texts)}
        assert len(self._actions) == len(self._texts)

    def text(self, action: int, seat: int = NONE, seats: int = 0) -> str | None:
        """Return the text of an id."""
        return self._texts[action] if action < len(self._texts) else None

    def action(self, text: str, seat: int = NONE, seats: int = 0) -> int | None:
        """Return the id of a text."""
        return self._actions.get(text)
