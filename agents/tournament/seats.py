"""Results of games of several seats at one table size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.agents.matches.statistics import ranks, win_shares
from endeavor_env.agents.tournament.figures import PayoffMatrix, Share, Standing, make_matrix
from endeavor_env.agents.tournament.matchups import Matchup


@dataclass(frozen=True, eq=False)
class SeatResult:
    """The games of all fields at one table size."""

    names: tuple[str, ...]
    """Names of all agents."""
    players: int
    """Number of seats."""
    fields: tuple[Matchup, ...]
    """The fields."""
    scores: npt.NDArray[np.int64]
    """(fields, set-ups, seatings, positions): scores. In seating r position i has seat (i + r) modulo ``players``."""
    rounds: npt.NDArray[np.int64]
    """(fields, set-ups, seatings, rounds, positions): scores at the end of each round, as if the game ended then."""

    @property
    def games(self) -> int:
        """Number of games."""
        return int(np.prod(self.scores.shape[:3]))

    @cached_property
    def win_shares(self) -> npt.NDArray[np.float64]:
        """(fields, set-ups, seatings, positions): share of the win, 1/k for each of k who share the first place."""
        return win_shares(self.scores)

    @cached_property
    def shares(self) -> tuple[Share, ...]:
        """Win rates of the agents of each matchup, by matchup and in the order of its agents."""
        games = self.scores.shape[1] * self.scores.shape[2]
        means = self.win_shares.mean(axis=(1, 2))
        return tuple(
            Share(
                agent=agent,
                field=number,
                label=field.label(self.names),
                share=min(1.0, float(means[number, np.array(field.agents) == agent].sum())),
                games=games,
                parity=seats / self.players,
            )
            for number, field in enumerate(self.fields)
            for agent, seats in field.counts.items()
        )

    @cached_property
    def matrix(self) -> PayoffMatrix:
        """The payoff matrix of one X among Ys."""
        found = {(share.field, share.agent): (share.share, share.games) for share in self.shares}
        cells = {pair: found[number, pair[0]] for number, field in enumerate(self.fields) for pair in field.pairs}
        return make_matrix(len(self.names), cells, 1 / self.players)

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """Standing of each agent, in their order."""
        owners = np.array([field.agents for field in self.fields])
        places = ranks(self.scores)
        standings = []
        for agent in range(len(self.names)):
            at = owners == agent
            scores, won = (np.moveaxis(table, 3, 1)[at] for table in (self.scores, self.win_shares))
            standings.append(
                Standing(
                    agent=agent,
                    mean_score=float(scores.mean()),
                    mean_winning_score=float(scores[won > 0].mean()) if won.any() else None,
                    mean_rank=float(np.moveaxis(places, 3, 1)[at].mean()),
                    rounds=tuple(np.moveaxis(self.rounds, 4, 1)[at].mean(axis=(0, 1, 2)).tolist()),
                    worst=min(self._challenges(agent), key=lambda share: share.odds),
                    best_response=max(self._responses(agent), key=lambda share: share.share),
                )
            )
        return tuple(standings)

    def _challenges(self, agent: int) -> list[Share]:
        """Return the shares of an agent in its fields, but not where a single other one is among seats of it."""
        alone = {number for number, field in enumerate(self.fields) for one, _ in field.pairs if one == agent}
        mixed = {number for number, field in enumerate(self.fields) if not field.pairs}
        return [share for share in self.shares if share.agent == agent and share.field in alone | mixed]

    def _responses(self, agent: int) -> list[Share]:
        """Return the win rates of the other agents, each alone among seats of this one."""
        pairs = {
            (number, one) for number, field in enumerate(self.fields) for one, others in field.pairs if others == agent
        }
        return [share for share in self.shares if (share.field, share.agent) in pairs]

    def rankings(self, rng: np.random.Generator) -> list[list[list[int]]]:
        """Return for each set-up the rankings of its games: agents from the best to the worst, equal ones at random."""
        drawn = self.scores + rng.random(self.scores.shape)  # scores are whole, so only equal ones change order
        order = np.argsort(-drawn, axis=-1)
        owners = np.array([field.agents for field in self.fields])[:, None, None, :]
        ranked = np.take_along_axis(np.broadcast_to(owners, order.shape), order, axis=-1)
        setups = self.scores.shape[1]
        return np.moveaxis(ranked, 1, 0).reshape(setups, -1, self.players).tolist()

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        return {
            "players": self.players,
            "setups": self.scores.shape[1],
            "games": self.games,
            "fields": fields_to_dicts(self.fields, self.names, self.shares),
            "matrix": self.matrix.to_dict(),
            "standings": [standing.to_dict() for standing in self.standings],
            "scores": self.scores.tolist(),
        }


def fields_to_dicts(fields: Sequence[Matchup], names: Sequence[str], shares: Sequence[Share]) -> list[dict[str, Any]]:
    """Return the fields as plain JSON values, with the shares of their agents."""
    return [
        {
            "label": field.label(names),
            "agents": list(field.agents),
            "difficulty": field.difficulty,
            "shares": [share.to_dict() for share in shares if share.field == number],
        }
        for number, field in enumerate(fields)
    ]
