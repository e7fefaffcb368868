"""The worth of weights of the greedy player: trials in which candidates play the same set-ups."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.agents.matches import DIFFICULTIES
from endeavor_env.agents.statistics import mean_interval, wilson_interval, win_shares
from endeavor_env.endeavor.players.greedy.weights import EXPLOIT_PREFIX, NAMES, SOLO_PREFIX, WEIGHTS
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.engine.games import game_named, named_games
from endeavor_env.training.tune_greedy.games import AUTOMA, Starts, play, solo_starts, table_starts

TABLE, SOLO, EXPLOITS = "table", "solo", "exploits"
OTHERS = tuple(name for name, game in named_games().items() if "weights" in game.own)
"""Games whose own module plays their trials (``GameDeclaration.own``)."""
GAMES = (TABLE, SOLO, EXPLOITS, *OTHERS)
TABLE_SIZES = (3, 4, 5)
SEED_END = 1 << 53
LEAD_WEIGHT = 0.02
"""Weight of each Glory of lead beside a win, which counts 1."""
MOST_LEAD = {TABLE: 30, SOLO: 40, EXPLOITS: 30}
"""Leads and deficits beyond this count no more."""

Array = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]


def _module_of(game: str) -> Any:
    """Return the module that plays the trials of a game in OTHERS."""
    return game_named(game).part("weights")


def weight_places(game: str) -> Places:
    """Return where the weights of ``game``, one of GAMES, stand in the array of all weights."""
    if game in OTHERS:
        return np.arange(len(_module_of(game).WEIGHTS))
    prefixes = {SOLO: SOLO_PREFIX, EXPLOITS: EXPLOIT_PREFIX}
    if game in prefixes:
        return np.flatnonzero([name.startswith(prefixes[game]) for name in NAMES])
    return np.flatnonzero([not name.startswith(tuple(prefixes.values())) for name in NAMES])


def weights_of_player(game: str) -> dict[str, float]:
    """Return all weights of the player of ``game``, one of GAMES, by name: those of other games are their own."""
    if game in OTHERS:
        return _module_of(game).WEIGHTS._asdict()
    return dict(zip(NAMES, WEIGHTS.as_array().tolist(), strict=True))


def trial(game: str, candidates: Array, field: Array, games: int, rng: np.random.Generator) -> Array:
    """Return the mean result of each candidate, (C,): wins, and LEAD_WEIGHT for each Glory of lead.

    Every candidate plays the same ``games`` set-ups, drawn with ``rng``: at a table those of each size in turn, from
    the same seats against the same others; of the solitaire game those of each difficulty in turn.

    Args:
        game: One of GAMES.
        candidates: (C, NUM_WEIGHTS).
        field: (F, NUM_WEIGHTS) the others at a table, see ``_table_games``.
        games: Set-ups.
        rng: Draws set-ups, seats and others.
    """
    if game in OTHERS:
        return _module_of(game).trial(candidates, field, games, rng)
    starts, seats, others = _solo_games(games, rng) if game == SOLO else _table_games(game, games, len(field), rng)
    own, of_games = np.indices((len(candidates), games)).reshape(2, -1)
    players = np.where(others == AUTOMA, AUTOMA, len(candidates) + others)[of_games]
    players[np.arange(len(own)), seats[of_games]] = own
    scores = play(starts, of_games, players, np.concatenate([candidates, field]))
    wins, leads = results(game, scores, starts.seats[of_games], seats[of_games])
    most = MOST_LEAD[game]
    return (wins + LEAD_WEIGHT * leads.clip(-most, most)).reshape(len(candidates), games).mean(axis=1)


def _solo_games(games: int, rng: np.random.Generator) -> tuple[Starts, Places, Places]:
    """Return what ``_table_games`` does, for solitaire games of each difficulty in turn."""
    seeds = rng.integers(SEED_END, size=games).tolist()
    starts = solo_starts([DIFFICULTIES[number % len(DIFFICULTIES)] for number in range(games)], seeds)
    return starts, np.zeros(games, np.int64), np.zeros((games, c.MAX_SEATS), np.int64)


def _table_games(game: str, games: int, size: int, rng: np.random.Generator) -> tuple[Starts, Places, Places]:
    """Return set-ups of each table size in turn.

    Return as well the seat of the candidate, (games,), and the others, (games, MAX_SEATS): on a quarter of the set-ups
    AUTOMA in all seats, on three eighths member 0 of a field of ``size``, on the rest any member.
    """
    seeds = rng.integers(SEED_END, size=games).tolist()
    sizes = [TABLE_SIZES[number % len(TABLE_SIZES)] for number in range(games)]
    starts = table_starts(sizes, seeds, with_exploits=game == EXPLOITS)
    seats = rng.integers(starts.seats)
    others = rng.integers(size, size=(games, c.MAX_SEATS))
    order = rng.permutation(games)
    others[order < 5 * games // 8] = 0
    others[order < games // 4] = AUTOMA
    return starts, seats, others


def results(game: str, scores: npt.NDArray[Any], players: Places, seats: Places) -> tuple[Array, Array]:
    """Return the share of the win and the lead of one seat of each game, both (G,).

    Args:
        game: One of GAMES.
        scores: (G, MAX_SEATS) the final Glory.
        players: (G,) the number of players.
        seats: (G,) the seat.
    """
    if game == SOLO:
        leads = (scores[:, 0] - scores[:, c.OPPOSITION]).astype(float)
        return (leads >= 0).astype(float), leads
    table = scores.astype(float)
    table[np.arange(c.MAX_SEATS) >= players[:, None]] = -np.inf
    rows = np.arange(len(table))
    wins, own = win_shares(table)[rows, seats], table[rows, seats]
    table[rows, seats] = -np.inf
    return wins, own - table.max(axis=1)


def compare(game: str, found: Array, start: Array, games: int, seed: int) -> list[dict[str, Any]]:
    """Return the results of ``found`` and ``start`` on the same set-ups, one row a match.

    At a table each of both plays alone among the others' and among automas at each size, every set-up in every seating.
    Of the solitaire game each plays every difficulty.

    Args:
        game: One of GAMES.
        found: (NUM_WEIGHTS,).
        start: (NUM_WEIGHTS,).
        games: Games of each match, at a table a multiple of every size.
        seed: Draws the set-ups.
    """
    if game in OTHERS:
        return _module_of(game).compare(found, start, games, seed)
    names, weights, rows = ("found", "start"), np.stack([found, start]), []
    for kind in DIFFICULTIES if game == SOLO else TABLE_SIZES:
        for one, other in ((0, 1), (1, 0)) if game == SOLO else ((0, 1), (1, 0), (0, AUTOMA), (1, AUTOMA)):
            wins, leads = _match(game, kind, one, other, weights, games, seed)
            others = "automa" if other == AUTOMA else names[other]
            rows.append(
                {
                    "player": names[one],
                    "against": str(kind) if game == SOLO else f"{int(kind) - 1} x {others}",
                    "games": len(wins),
                    "win_rate": float(wins.mean()),
                    "interval": list(wilson_interval(float(wins.mean()), len(wins))),
                    "mean_lead": float(leads.mean()),
                    "lead_interval": list(mean_interval(leads)),
                }
            )
    return rows


def _match(game: str, kind: Any, one: int, other: int, weights: Array, games: int, seed: int) -> tuple[Array, Array]:
    """Return wins and leads of player ``one``, a row of ``weights``, at a difficulty or at a table among ``other``."""
    rng = np.random.default_rng(seed)
    if game == SOLO:
        starts = solo_starts([kind] * games, rng.integers(SEED_END, size=games).tolist())
        of_games, seats = np.arange(games), np.zeros(games, np.int64)
    else:
        setups = games // kind
        seeds = rng.integers(SEED_END, size=setups).tolist()
        starts = table_starts([kind] * setups, seeds, with_exploits=game == EXPLOITS)
        of_games, seats = np.repeat(np.arange(setups), kind), np.tile(np.arange(kind), setups)
    players = np.full((len(of_games), c.MAX_SEATS), other)
    players[np.arange(len(of_games)), seats] = one
    return results(game, play(starts, of_games, players, weights), starts.seats[of_games], seats)
