"""What hints and the bar of who is ahead say."""

from __future__ import annotations

from typing import NamedTuple

MOST_HINTS = 3


class Hint(NamedTuple):
    """A move and what it is expected to bring."""

    move: str
    value: float | None
    """What is expected for the person: the share of the win, 0 to 1, and 0.02 for each Glory of lead; None if nobody
    says."""
    value_by: str
    """The agent that expects it."""
    share: float | None
    """How much the agent that hints likes the move, 0 to 1; None if it does not say."""


class Standing(NamedTuple):
    """Who is ahead."""

    values: list[float]
    """What ``value`` expects for each seat, in the units of a hint."""
    shares: list[float]
    """For everybody who scores a part of the bar; together they are 1."""
