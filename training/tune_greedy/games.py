"""Games of greedy players that have different weights, and automas, played inside a compiled kernel on all cores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.game import GameConfig
from endeavor_env.endeavor.options import EXPLOITS
from endeavor_env.endeavor.players.greedy.player import greedy_memory
from endeavor_env.endeavor.players.greedy.weights import Weights
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import num_actions
from endeavor_env.endeavor.setups import SOLO, STANDARD
from endeavor_env.engine.batch.threads import default_threads, run_shared
from endeavor_env.training.td.games import SeatedPlayer, fixtures_of
from endeavor_env.training.td.games import play as play_fixtures

AUTOMA = -1
"""Stands for the automa where players are named by their weights."""
FIRST_CODE = 3
"""The code of the first weights in the games; that of the automa is the one before it."""
CHUNK = 512
"""Games between two looks at the keyboard and the clock: about a second of both cores."""


@dataclass(frozen=True, eq=False)
class Starts:
    """Set-ups, all of one variant."""

    fixtures: npt.NDArray[np.void]
    """(N,) FIXTURE of ``endeavor.learning.self_play``; who plays is filled in later."""
    variant: str
    """The variant of all of them."""

    @property
    def seats(self) -> npt.NDArray[np.int64]:
        """(N,) int64, the number of players."""
        return self.fixtures["players"]

    def __len__(self) -> int:
        """Return the number of starts."""
        return self.fixtures.size


def table_starts(seats: Sequence[int], seeds: Sequence[int], with_exploits: bool = False) -> Starts:
    """Return set-ups for so many ``seats`` each, drawn with ``seeds``: of the base game, or of it with Exploits."""
    variant = EXPLOITS if with_exploits else STANDARD
    return _starts([GameConfig(variant, players) for players in seats], seeds, variant)


def solo_starts(difficulties: Sequence[str], seeds: Sequence[int]) -> Starts:
    """Return set-ups of the solitaire game of these ``difficulties``, drawn with ``seeds``."""
    return _starts([GameConfig(SOLO, options={"difficulty": level}) for level in difficulties], seeds, SOLO)


def _starts(tables: Sequence[GameConfig], seeds: Sequence[int], variant: str) -> Starts:
    """Return a start for each table and seed."""
    kinds = list(dict.fromkeys(tables))
    places, nobody = [kinds.index(table) for table in tables], np.zeros((len(seeds), c.MAX_SEATS), np.int64)
    return Starts(fixtures_of(kinds, np.array(places, np.int64), np.array(seeds, np.int64), nobody), variant)


def play(
    starts: Starts, of_games: npt.NDArray[np.int64], players: npt.NDArray[np.int64], weights: npt.NDArray[np.float64]
) -> npt.NDArray[np.int64]:
    """Return the final scores of games, (G, MAX_SEATS) int64; column 1 is the Opposition's in the solitaire game.

    Args:
        starts: Where they start.
        of_games: (G,) the start of each game.
        players: (G, MAX_SEATS) the row of ``weights`` for each seat, or AUTOMA; entries beyond the seats do not matter.
        weights: (W, NUM_WEIGHTS).
    """
    board, actions = Board.default(), num_actions(starts.variant)
    seated = {FIRST_CODE + AUTOMA: SeatedPlayer("automa")}
    for row, own in enumerate(weights):
        seated[FIRST_CODE + row] = SeatedPlayer("greedy", greedy_memory(actions, Weights.from_array(own)))
    fixtures, scores = starts.fixtures[of_games], np.zeros((len(of_games), c.MAX_SEATS), np.int64)
    fixtures["policies"] = FIRST_CODE + players
    for first in range(0, fixtures.size, CHUNK):
        part = fixtures[first : first + CHUNK]

        def work(low: int, high: int, first: int = first, part: npt.NDArray[np.void] = part) -> None:
            scores[first + low : first + high] = play_fixtures(board, part[low:high], seated).scores

        run_shared(work, part.size, default_threads(), 1)
    return scores
