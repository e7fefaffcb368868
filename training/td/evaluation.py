"""What a network reaches: games against a rival on paired set-ups with rotated seats, inside the kernels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.agents.matches.statistics import wilson_interval, win_shares
from endeavor_env.endeavor.config import GameConfig
from endeavor_env.endeavor.setups import SOLO
from endeavor_env.engine.game_rules import AnyConfig
from endeavor_env.training.td.games import Played, fixtures_of
from endeavor_env.training.td.population import LEARNER_CODE
from endeavor_env.training.td.population import Table as Seats
from endeavor_env.training.td.workers import Workers

FIRST_SEED = 1_000_003
"""Of the set-ups; training draws its own from 53-bit seeds, so they differ."""


def evaluate(
    workers: Workers,
    tables: Sequence[AnyConfig],
    seats: Seats,
    games: int,
    rival: str,
    fixtures_of: Callable[..., npt.NDArray[np.void]] = fixtures_of,
    codes: tuple[int, int] = (LEARNER_CODE, LEARNER_CODE + 1),
) -> list[dict[str, Any]]:
    """Play at every kind of table and return the results, as JSON values.

    Args:
        workers: Who plays the games.
        tables: The kinds of game.
        seats: The player to measure and that of the other seats, by ``codes``.
        games: Games at each table, rounded up to whole set-ups: each is played once from every seat.
        rival: The name of the other player.
        fixtures_of: Returns the games of a subject, as ``games.fixtures_of`` does for Endeavor.
        codes: Those of the player to measure and of the other one.
    """
    rows = []
    for index, table in enumerate(tables):
        setups = -(-games // table.players)
        seeds, own = np.repeat(np.arange(setups) + FIRST_SEED, table.players), np.tile(np.arange(table.players), setups)
        seated = np.full((seeds.size, 5), codes[1])
        seated[np.arange(seeds.size), own] = codes[0]
        fixtures = fixtures_of(tables, np.full(seeds.size, index), seeds, seated)
        played = [chunk.result() for chunk in workers.submit(fixtures, seats.seated)]
        rows.append(_row(table, played, own, rival))
    return rows


def _row(table: AnyConfig, played: Sequence[Played], own: npt.NDArray[np.int64], rival: str) -> dict[str, Any]:
    """Return the results at one kind of table, for the seats ``own``."""
    solo = table.variant == SOLO
    scores = np.concatenate([chunk.scores for chunk in played])[:, : table.players + solo]
    games = np.arange(own.size)
    wins = scores[:, 0] >= scores[:, 1] if solo else win_shares(scores)[games, own]
    rate = float(wins.mean())
    row: dict[str, Any] = {
        "variant": table.variant,
        "players": table.players,
        **(_difficulty(table) if solo else {}),
        "opponent": "Opposition" if solo else rival,
        "games": int(own.size),
        "win_rate": rate,
        "interval": list(wilson_interval(rate, own.size)),
        "mean_score": float(scores[games, own].mean()),
    }
    others = (scores.sum(axis=1) - scores[games, own]) / (scores.shape[1] - 1)
    return row | {"opponents_mean_score": float(others.mean())} | ({} if solo else {"parity": 1.0 / table.players})


def _difficulty(table: AnyConfig) -> dict[str, str]:
    """Return the entry of a row that tells the solitaire games apart."""
    assert isinstance(table, GameConfig)
    return {"difficulty": table.all_options["difficulty"]}
