"""Results of the solitaire game: every agent alone at each difficulty, on the same set-ups."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.agents.matches.statistics import mean_interval, ranks
from endeavor_env.agents.tournament.figures import PayoffMatrix, Share, Standing, make_matrix
from endeavor_env.agents.tournament.matchups import Matchup
from endeavor_env.agents.tournament.seats import fields_to_dicts


@dataclass(frozen=True, eq=False)
class SoloTableResult:
    """The games of all agents at all difficulties."""

    names: tuple[str, ...]
    """Names of all agents."""
    fields: tuple[Matchup, ...]
    """An agent and a difficulty each; agents in their order, each at every difficulty."""
    scores: npt.NDArray[np.int64]
    """(fields, set-ups, 1, 2): Glory of the agent and of the Opposition."""
    rounds: npt.NDArray[np.int64]
    """(fields, set-ups, 1, rounds, 2): the same at the end of each round, as if the game ended then."""

    players = 1

    @property
    def games(self) -> int:
        """Number of games."""
        return self.scores.shape[0] * self.scores.shape[1]

    @cached_property
    def leads(self) -> npt.NDArray[np.int64]:
        """(agents, difficulties, set-ups): the agent's Glory minus the Opposition's; 0 or more is a win (S8.3)."""
        leads = self.scores[:, :, 0, 0] - self.scores[:, :, 0, 1]
        return leads.reshape(len(self.names), -1, self.scores.shape[1])

    @cached_property
    def shares(self) -> tuple[Share, ...]:
        """Win rate of each agent at each difficulty, by matchup."""
        leads = self.leads.reshape(len(self.fields), -1)
        return tuple(
            Share(
                agent=field.agents[0],
                field=number,
                label=field.label(self.names),
                share=float((leads[number] >= 0).mean()),
                games=leads.shape[1],
                parity=None,
            )
            for number, field in enumerate(self.fields)
        )

    @cached_property
    def mean_leads(self) -> tuple[tuple[float, tuple[float, float]], ...]:
        """The mean lead and its 95 % interval of each field."""
        leads = self.leads.reshape(len(self.fields), -1)
        return tuple((float(lead.mean()), mean_interval(lead)) for lead in leads)

    @cached_property
    def matrix(self) -> PayoffMatrix:
        """Share of the games that each agent ends with a greater lead than each other, equal leads counting half."""
        leads = self.leads.reshape(len(self.names), -1)
        cells = {
            (row, column): (float((np.sign(leads[row] - leads[column]) + 1).mean() / 2), leads.shape[1])
            for row in range(len(self.names))
            for column in range(len(self.names))
            if row != column
        }
        return make_matrix(len(self.names), cells, 0.5)

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """Standing of each agent, in their order."""
        places = ranks(np.moveaxis(self.leads, 0, -1))
        by_agent = (len(self.names), -1)
        standings = []
        for agent in range(len(self.names)):
            scores, won = self.scores[:, :, 0, 0].reshape(by_agent)[agent], self.leads.reshape(by_agent)[agent] >= 0
            rounds = self.rounds[:, :, 0, :, 0].reshape(*by_agent, self.rounds.shape[3])[agent]
            standings.append(
                Standing(
                    agent=agent,
                    mean_score=float(scores.mean()),
                    mean_winning_score=float(scores[won].mean()) if won.any() else None,
                    mean_rank=float(places[..., agent].mean()),
                    rounds=tuple(rounds.mean(axis=0).tolist()),
                    worst=min((share for share in self.shares if share.agent == agent), key=lambda share: share.share),
                    best_response=None,
                )
            )
        return tuple(standings)

    def rankings(self, rng: np.random.Generator) -> list[list[list[int]]]:
        """Return for each set-up a ranking of the agents' leads at each difficulty, equal ones at random."""
        drawn = np.moveaxis(self.leads, 0, -1) + rng.random((*self.leads.shape[1:], len(self.names)))
        return np.moveaxis(np.argsort(-drawn, axis=-1), 1, 0).tolist()

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        fields = fields_to_dicts(self.fields, self.names, self.shares)
        for field, (mean, interval) in zip(fields, self.mean_leads, strict=True):
            field.update({"mean_lead": mean, "lead_interval": list(interval)})
        return {
            "players": 1,
            "setups": self.scores.shape[1],
            "games": self.games,
            "fields": fields,
            "matrix": self.matrix.to_dict(),
            "standings": [standing.to_dict() for standing in self.standings],
            "scores": self.scores.tolist(),
        }
