"""Fields of a tournament: which agents sit at a table together, or which agent plays the solitaire game how."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from endeavor_env.agents.matches.solo import DIFFICULTIES


@dataclass(frozen=True)
class Matchup:
    """The agents at a table. Its games are every set-up in ``len(agents)`` seatings."""

    agents: tuple[int, ...]
    """Numbers of the agents; in seating r the agent at position i has seat (i + r) modulo their number."""
    difficulty: str | None = None
    """One of DIFFICULTIES in the solitaire game, whose only agent plays alone; None in other games."""

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.agents)

    @property
    def counts(self) -> Counter[int]:
        """Number of seats of each agent."""
        return Counter(self.agents)

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """Every (X, Y) for which this is the field "one X among Ys"; two at a table of two, none at a mixed table."""
        counts = self.counts
        if len(counts) != 2:
            return ()
        (first, times), (second, others) = counts.items()
        return ((first, second),) * (times == 1) + ((second, first),) * (others == 1)

    def label(self, names: Sequence[str]) -> str:
        """Return what to call the field, given the names of all agents."""
        if self.difficulty is not None:
            return f"{names[self.agents[0]]}, {self.difficulty}"
        if self.pairs:
            one, others = self.pairs[0]
            times = self.players - 1
            return f"{names[one]} among {times} {names[others]}" if times > 1 else f"{names[one]}, {names[others]}"
        return ", ".join(
            f"{times} {names[agent]}" if times > 1 else names[agent] for agent, times in self.counts.items()
        )


def table_matchups(agents: int, players: int, most_mixed: int, seed: int) -> list[Matchup]:
    """Return the fields at tables of ``players`` seats: one X among Ys for every X and Y, then the mixed tables.

    Args:
        agents: Number of agents, at least 2.
        players: Number of seats, at least 2.
        most_mixed: The most mixed tables, at least 0; if there are more, a sample is drawn in which all agents have
            about as many seats.
        seed: Draws the sample.
    """
    one_among = [
        Matchup((one, *[others] * (players - 1)))
        for one in range(agents)
        for others in range(agents)
        if one != others and (players > 2 or one < others)
    ]
    met = {tuple(sorted(field.agents)) for field in one_among}
    mixed = [table for table in _mixed_tables(agents, players, most_mixed, seed) if table not in met]
    return one_among + [Matchup(table) for table in mixed]


def solo_matchups(agents: int, difficulties: Sequence[str] = DIFFICULTIES) -> list[Matchup]:
    """Return the fields of the solitaire game: every agent alone at each difficulty."""
    return [Matchup((agent,), difficulty) for agent in range(agents) for difficulty in difficulties]


def _mixed_tables(agents: int, players: int, most: int, seed: int) -> list[tuple[int, ...]]:
    """Return tables of different agents, sorted; with fewer agents than seats all agents, repeated evenly."""
    if agents < players:
        times, rest = divmod(players, agents)
        tables = [tuple(sorted([*range(agents)] * times + list(more))) for more in combinations(range(agents), rest)]
        return tables[:most]
    if math.comb(agents, players) <= most:
        return list(combinations(range(agents), players))
    return _dealt_tables(agents, players, most, seed)


def _dealt_tables(agents: int, players: int, count: int, seed: int) -> list[tuple[int, ...]]:
    """Return different tables of different agents: shuffle all agents, deal them to tables, shuffle again, and so on.

    Fewer than a table that are left over sit at the next one, so that nobody gets ahead by more than a seat a shuffle.
    """
    rng = np.random.default_rng(seed)
    tables: dict[tuple[int, ...], None] = {}
    left: list[int] = []
    while len(tables) < count:
        deck = [int(agent) for agent in rng.permutation(agents)]
        deck = left + [agent for agent in deck if agent not in left] + [agent for agent in deck if agent in left]
        while len(deck) >= players and len(tables) < count:
            tables[tuple(sorted(deck[:players]))] = None
            deck = deck[players:]
        left = deck
    return sorted(tables)
