"""Playing the games of a run, in this process or in several, and the targets that the searches give."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.inputs import MAX_CYCLES
from endeavor_env.basics.python_child import workers_without_working_folder
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.learning.searched_games import (
    DECISION,
    MOST_OPTIONS,
    RECORDS_ALL_SEARCHED,
    TURN_END,
    play_searched,
)
from endeavor_env.endeavor.players.value.player import NetworkArrays
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.state import SETUP, STATE, copy_states
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.errors import Unpicklable
from endeavor_env.training.td.games import LEARNER_CODE, SeatedPlayer, seat_ready
from endeavor_env.training.td.workers import Pending

# --- Parameters of the networks, as the kernels take them ------------------------------------------------------------


class Networks(NamedTuple):
    """The parameters of a model."""

    value: NetworkArrays
    """A value for each seat, of features and estimates."""
    logits: NetworkArrays
    """The policy, of features."""
    own_value: NetworkArrays
    """A value for the seat to move alone, on the first layer of the policy: what PPO goes on with."""


# --- Games with searches, and the targets that they give -------------------------------------------------------------

TURNS_OF_GAME = 512
"""More turns than a game of any variant has, and more decisions with a choice than those of one kind of search."""


class Searched(NamedTuple):
    """The games that were played, and what the searches in them found."""

    states: npt.NDArray[np.void]
    """(m,) STATE."""
    decisions: npt.NDArray[np.void]
    """(m,) DECISION; ``fixture`` counts from the first game."""
    end_states: npt.NDArray[np.void]
    """(k,) STATE."""
    ends: npt.NDArray[np.void]
    """(k,) TURN_END."""
    scores: npt.NDArray[np.int64]
    """(n, MAX_SEATS) Glory."""
    outcomes: npt.NDArray[np.float64]
    """(n, MAX_SEATS)."""
    moves: int
    """Decisions of all games."""
    searches: int
    """Searches of all games."""
    seconds: float
    """Time that the games took."""


def play_searches(board: Board, fixtures: npt.NDArray[np.void], seated: Mapping[int, SeatedPlayer]) -> Searched:
    """Play games to their ends, one after the other in this thread.

    ``records`` of those seated are RECORDS_* of ``endeavor.learning.searched_games``; the teacher is LEARNER_CODE.
    """
    begun = time.perf_counter()
    actions, players, records = seat_ready(fixtures, seated)
    count = fixtures.size
    room = count * TURNS_OF_GAME * 2 + 1 if records.any() else 1
    end_room = room * (MOST_OPTIONS + 1) if (records == RECORDS_ALL_SEARCHED).any() else room
    states, decisions = np.empty(room, STATE), np.empty(room, DECISION)
    end_states, ends = np.empty(end_room, STATE), np.empty(end_room, TURN_END)
    scores, outcomes = np.empty((count, c.MAX_SEATS), np.int64), np.empty((count, c.MAX_SEATS))
    made, counts = np.empty(count, np.int64), np.zeros(2, np.int64)
    scratch = np.zeros(1, SETUP), np.zeros(1, STATE), np.empty(actions, np.int8), seeded(0)
    given = board.array, fixtures, players, records, LEARNER_CODE, *scratch, MAX_CYCLES
    found = states, decisions, end_states, ends
    searches = int(play_searched(*given, *found, scores, outcomes, made, counts, 0, count))
    chosen, ended = counts.tolist()
    return Searched(
        copy_states(states[:chosen]),
        decisions[:chosen].copy(),
        copy_states(end_states[:ended]),
        ends[:ended].copy(),
        scores,
        outcomes,
        int(made.sum()),
        searches,
        time.perf_counter() - begun,
    )


def value_targets(searched: Searched, mixture: float) -> npt.NDArray[np.float32]:
    """Return what the network should say of each end of a turn, (k, MAX_SEATS), by seat.

    For a turn that was played this is the outcome of the game, of which ``mixture`` is replaced by what the next
    search found; for a turn that was only looked at, it is what that search found.
    """
    outcomes = searched.outcomes[searched.ends["fixture"]]
    found = searched.ends["found"]
    known = np.where(np.isnan(found), outcomes, found)
    weight = np.where(searched.ends["searched"] == 1, 1.0, mixture)[:, None]
    return (weight * known + (1.0 - weight) * outcomes).astype(np.float32)


# --- Processes of this machine that play the games of a run ----------------------------------------------------------

CHUNK = 4
"""Games that are played in one piece; results do not depend on it."""
_boards: list[Board] = []  # of a worker: the board of all games


def _begin(board: Board) -> None:
    """Make a process a worker, which leaves Ctrl-C to the process that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _boards[:] = [board]


def _play(fixtures: npt.NDArray[np.void], seated: Mapping[int, SeatedPlayer]) -> Searched:
    """Play games in a worker."""
    return play_searches(_boards[0], fixtures, seated)


class ProcessWorkers(Unpicklable):
    """Processes that play, so that the one that learns has its interpreter for itself."""

    def __init__(self, board: Board, processes: int) -> None:
        """Take the board of all games, and the number of processes; 0 for one on each core."""
        self.processes = processes or os.cpu_count() or 1
        with workers_without_working_folder():
            self._pool = ProcessPoolExecutor(self.processes, get_context("spawn"), _begin, (board,))

    def submit(self, fixtures: npt.NDArray[np.void], seated: Mapping[int, SeatedPlayer]) -> list[Pending]:
        """Begin to play games; return the chunks of them in order."""
        starts = range(0, fixtures.size, CHUNK)
        with workers_without_working_folder():
            return [self._pool.submit(_play, fixtures[low : low + CHUNK], seated) for low in starts]

    def close(self) -> None:
        """Stop playing: games that have not begun are not played."""
        self._pool.shutdown(wait=True, cancel_futures=True)
