"""The figures of a tournament: of an agent in a field, of an agent in all its fields, and of pairs of agents."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.agents.matches.statistics import wilson_interval


@dataclass(frozen=True)
class Share:
    """The win rate of an agent in a matchup."""

    agent: int
    """Number of the agent."""
    field: int
    """Index of the field among those of the table size."""
    label: str
    """The field in words."""
    share: float
    """Wins per game of all its seats together, 0..1; k seats that share first place get 1/k each."""
    games: int
    """Number of games."""
    parity: float | None
    """Win rate among equal agents: seats of the agent / players; None in the solitaire game."""

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of ``share``, with the games treated as independent."""
        return wilson_interval(self.share, self.games)

    @property
    def odds(self) -> float:
        """The odds of a win, divided by those at parity: comparable between fields where it has one seat, or several.

        1 is parity; infinite for an agent that always wins. In the solitaire game they are divided by nothing.
        """
        parity = 0.5 if self.parity is None else self.parity
        return math.inf if self.share == 1 else self.share / (1 - self.share) * (1 - parity) / parity

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        return {
            "agent": self.agent,
            "field": self.field,
            "label": self.label,
            "share": self.share,
            "interval": list(self.interval),
            "games": self.games,
            "parity": self.parity,
        }


@dataclass(frozen=True, eq=False)
class PayoffMatrix:
    """The payoff matrix: how each agent, a row, does against each other, a column. The diagonal is NaN."""

    share: npt.NDArray[np.float64]
    """(agents, agents): win rate of one X among Ys; in the solitaire game the share of the games that X ends with the
    greater lead, equal leads counting half."""
    low: npt.NDArray[np.float64]
    """(agents, agents): lower ends of Wilson's 95 % intervals."""
    high: npt.NDArray[np.float64]
    """(agents, agents): upper ends."""
    parity: float
    """Win rate among equal agents."""

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values; the diagonal is null."""
        arrays = {"share": self.share, "low": self.low, "high": self.high}
        return {"parity": self.parity, **{name: _without_nan(array) for name, array in arrays.items()}}


def make_matrix(agents: int, cells: dict[tuple[int, int], tuple[float, int]], parity: float) -> PayoffMatrix:
    """Return a matrix, given the share and the number of games of each (row, column)."""
    arrays = np.full((3, agents, agents), np.nan)
    for (row, column), (share, games) in cells.items():
        arrays[:, row, column] = (share, *wilson_interval(share, games))
    return PayoffMatrix(*arrays, parity=parity)


@dataclass(frozen=True)
class Standing:
    """The results of an agent at a table size, over all its seats in all matchups."""

    agent: int
    """Number of the agent."""
    mean_score: float
    """Mean Glory."""
    mean_winning_score: float | None
    """Mean Glory of the games it wins, shared wins included; None if it never wins."""
    mean_rank: float
    """1 is the best; ties get the mean of their ranks. In the solitaire game the rank of its lead among those of all
    agents in the same game."""
    rounds: tuple[float, ...]
    """Mean Glory at the end of each round, as if the game ended then."""
    worst: Share
    """The field with the lowest ``odds`` among those of one of it among others, and mixed tables."""
    best_response: Share | None
    """The best response to this agent: the agent with the highest win rate as the only one among seats of it; None in
    the solitaire game."""

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        return {
            "agent": self.agent,
            "mean_score": self.mean_score,
            "mean_winning_score": self.mean_winning_score,
            "mean_rank": self.mean_rank,
            "rounds": list(self.rounds),
            "worst": self.worst.to_dict(),
            "intruder": None if self.best_response is None else self.best_response.to_dict(),
        }


def _without_nan(array: npt.NDArray[np.float64]) -> list[list[float | None]]:
    """Return a table of numbers with None for NaN, which JSON does not have."""
    return [[None if np.isnan(value) else float(value) for value in row] for row in array]
