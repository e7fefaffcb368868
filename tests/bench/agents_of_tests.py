"""Submissions that break the rules of the benchmark, and one that keeps them."""

from __future__ import annotations

from typing import NamedTuple

from endeavor_env import Game


class First:
    """Plays the first legal action."""

    name = "first"

    def reset(self, seed: int) -> None:
        self.decisions = 0

    def act(self, game: Game) -> int:
        self.decisions += 1
        return game.legal_actions()[0]


class Illegal(First):
    """Plays an action that is not legal at its third decision."""

    def act(self, game: Game) -> int:
        action = super().act(game)
        return 10_000 if self.decisions == 3 else action


class Clock:
    """A clock that goes on only when it is told to."""

    now = 0.0

    @classmethod
    def process_time(cls) -> float:
        return cls.now

    @staticmethod
    def perf_counter() -> float:
        return 0.0


class Slow(First):
    """Takes long for its second decision, on that clock."""

    def act(self, game: Game) -> int:
        Clock.now += 2.0 * (self.decisions == 1)
        return super().act(game)


class Fault(NamedTuple):
    kind: str


class Died(First):
    """Says at its fifth decision that its program has died."""

    fault: Fault | None = None

    def reset(self, seed: int) -> None:
        super().reset(seed)
        self.fault = None

    def act(self, game: Game) -> int:
        action = super().act(game)
        self.fault = Fault("died") if self.decisions >= 5 else None
        return action


class NoAgent:
    """Cannot play."""
