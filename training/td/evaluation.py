"""Evaluation of a network: games against a rival on paired set-ups, and the table of results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt
from rich.table import Table

from endeavor_env.agents.statistics import wilson_interval, win_shares
from endeavor_env.endeavor.game import GameConfig
from endeavor_env.endeavor.players import RANDOM
from endeavor_env.endeavor.setups import SOLO
from endeavor_env.engine.game import GameConfig as AnyConfig
from endeavor_env.engine.kernels.players import SEAT_RANDOM
from endeavor_env.training.td.games import LEARNER_CODE, PlayedGames, PlayerMix, SeatedPlayer, fixtures_of
from endeavor_env.training.td.workers import Workers

# --- A compiled player and the one among whose copies it is measured; either can be ``random`` -----------------------


class Pair(NamedTuple):
    """The player to measure, and that of the other seats, by their names."""

    player: str
    rival: str

    @property
    def codes(self) -> tuple[int, int]:
        """The codes by which fixtures name the two: kernels know ``random`` by one of its own."""
        codes = zip(self, (LEARNER_CODE, LEARNER_CODE + 1), strict=True)
        player, rival = (SEAT_RANDOM if name == RANDOM else code for name, code in codes)
        return player, rival

    @property
    def seats(self) -> PlayerMix:
        """The two by their codes, as ``evaluate`` takes them."""
        return PlayerMix({code: SeatedPlayer(name) for code, name in zip(self.codes, self, strict=True)}, {})


# --- What a network reaches: games against a rival on paired set-ups with rotated seats, inside the kernels ----------

FIRST_SEED = 1_000_003
"""Of the set-ups; training draws its own from 53-bit seeds, so they differ."""


def evaluate(
    workers: Workers,
    tables: Sequence[AnyConfig],
    seats: PlayerMix,
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
        fixtures_of: Returns the games of an adapter, as ``games.fixtures_of`` does for Endeavor.
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


def _row(table: AnyConfig, played: Sequence[PlayedGames], own: npt.NDArray[np.int64], rival: str) -> dict[str, Any]:
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
    return {"difficulty": cast(GameConfig, table).all_options["difficulty"]}


# --- The results of an evaluation as a table to print ----------------------------------------------------------------


def results_table(rows: Sequence[dict[str, Any]], title: str, subject: str, caption: str | None = None) -> Table:
    """Return the rows of ``td.evaluation.evaluate`` as a table; ``subject`` names the player measured."""
    table = Table(title=title, caption=caption)
    headings = "table", "games", f"{subject} wins", "95 % interval", "parity", "wins / parity", "score", "theirs"
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(*_cells(row))
    return table


def _cells(row: dict[str, Any]) -> list[str]:
    """Return the cells of a row; the solitaire game has difficulties, and no parity."""
    low, high = row["interval"]
    where = f"{row['players']} seats" if "parity" in row else row["difficulty"]
    parity = (f"{row['parity']:.1%}", f"{row['win_rate'] / row['parity']:.2f}") if "parity" in row else ("", "")
    return [
        f"{row['variant']}, {where}",
        str(row["games"]),
        f"{row['win_rate']:.1%}",
        f"{low:.1%} to {high:.1%}",
        *parity,
        f"{row['mean_score']:.1f}",
        f"{row['opponents_mean_score']:.1f}",
    ]
