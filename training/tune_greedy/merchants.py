"""The worth of weights of Merchants of Europe's greedy player: games among players with other weights."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.agents.statistics import mean_interval, wilson_interval, win_shares
from endeavor_env.engine.search.positions import Positions
from endeavor_env.engine.search.rollouts import Rollouts, rollout
from endeavor_env.merchants.game import MerchantsConfig
from endeavor_env.merchants.players.greedy.weights import NAMES
from endeavor_env.merchants.players.greedy.weights import WEIGHTS as WEIGHTS

TABLES = (("short", 3), ("short", 4), ("expert", 3), ("expert", 4))
"""Side and players of the games, which are played in turn."""
CHECKED = (("short", 4), ("short", 3), ("expert", 4))
"""Those of the comparison."""
LEAD_WEIGHT = 0.05
"""Weight of each good of lead beside a win, which counts 1."""
SEED_END = 1 << 53
RANDOM = "random"

Array = npt.NDArray[np.float64]


class TuningMatch(NamedTuple):
    """Games of one kind in which one seat is measured."""

    side: str
    players: int
    seat: int
    seeds: list[int]


def name_of(weights: Array) -> str:
    """Return the name of the greedy player with these weights."""
    return "greedy:" + ",".join(f"{name}={float(value)!r}" for name, value in zip(NAMES, weights, strict=True))


def play(match: TuningMatch, own: str, others: str) -> tuple[Array, Array, Rollouts]:
    """Return the shares of the win and the leads of the seat, (games,) each, and the games."""
    config = MerchantsConfig(match.players, match.side)
    positions = Positions.of([config.new_game(seed) for seed in match.seeds])
    names = [own if seat == match.seat else others for seat in range(match.players)]
    played = rollout(positions, names, match.seeds)
    scores = played.scores[:, 0].astype(float)
    wins, own_score = win_shares(scores)[:, match.seat], scores[:, match.seat]
    return wins, own_score - np.delete(scores, match.seat, axis=1).max(axis=1), played


def trial(candidates: Array, field: Array, games: int, rng: np.random.Generator) -> Array:
    """Return the mean result of each candidate, (C,): shares of the win, and LEAD_WEIGHT for each good of lead.

    Every candidate plays the same games from the same seats against the same others: half of them against the first
    of the field, the rest against any member.

    Args:
        candidates: (C, number of weights).
        field: (F, number of weights) the others.
        games: Games of each candidate.
        rng: Draws seeds, seats and others.
    """
    matches = list(_matches(games, rng))
    others = [0 if rng.random() < 0.5 else int(rng.integers(len(field))) for _ in matches]
    totals = np.zeros(len(candidates))
    for match, other in zip(matches, others, strict=True):
        against = name_of(field[other])
        for row, weights in enumerate(candidates):
            wins, leads, _ = play(match, name_of(weights), against)
            totals[row] += (wins + LEAD_WEIGHT * leads).sum()
    return totals / games


def _matches(games: int, rng: np.random.Generator) -> Iterator[TuningMatch]:
    """Yield matches of as many games together, of each of TABLES alike as far as that goes, with a drawn seat each."""
    counts = np.bincount(np.arange(games) % len(TABLES), minlength=len(TABLES)).tolist()
    for (side, players), count in zip(TABLES, counts, strict=True):
        first = int(rng.integers(players))
        seeds: list[int] = rng.integers(SEED_END, size=count).tolist()
        for turn in range(players):
            if own := seeds[turn::players]:
                yield TuningMatch(side, players, (first + turn) % players, own)


def compare(found: Array, start: Array, games: int, seed: int) -> list[dict[str, Any]]:
    """Return the results of ``found`` and ``start`` alone among each other and among ``random``, one row a match.

    Args:
        found: (number of weights,).
        start: (number of weights,).
        games: Games of each match, each seat alike often.
        seed: Draws the games.
    """
    names = {"found": name_of(found), "start": name_of(start), RANDOM: RANDOM}
    rows = []
    for side, players in CHECKED:
        for one, other in (("found", "start"), ("start", "found"), ("found", RANDOM)):
            seeds: list[int] = np.random.default_rng(seed).integers(SEED_END, size=games).tolist()
            matches = [TuningMatch(side, players, seat, seeds[seat::players]) for seat in range(players)]
            parts = [play(match, names[one], names[other]) for match in matches]
            wins = np.concatenate([part[0] for part in parts])
            leads = np.concatenate([part[1] for part in parts])
            rows.append(_row(one, f"{players - 1} x {other} ({side})", wins, leads))
    return rows


def _row(player: str, against: str, wins: Array, leads: Array) -> dict[str, Any]:
    """Return a row of a comparison."""
    return {
        "player": player,
        "against": against,
        "games": len(wins),
        "win_rate": float(wins.mean()),
        "interval": list(wilson_interval(float(wins.mean()), len(wins))),
        "mean_lead": float(leads.mean()),
        "lead_interval": list(mean_interval(leads)),
    }
