"""Sibling labels: for some positions of a run's games, all ends of the turn at hand and what each is worth.

``learning.siblings`` finds and labels them; here are how that is set, and the decisions that a run keeps to learn
from. ``learner.order_loss`` is what learns their order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.learning.self_play import write_all_inputs
from endeavor_env.endeavor.learning.siblings import list_siblings, play_out_siblings, search_siblings
from endeavor_env.endeavor.players.search.tree import SLOTS, TURN
from endeavor_env.endeavor.rules.state import STATE
from endeavor_env.engine.game_rules import taken
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.training.runs.ring import Ring

PLAYOUTS, SEARCHES = "playouts", "search"
"""Sources of labels."""


class Labelling(NamedTuple):
    """The settings of the labels of siblings."""

    memory: npt.NDArray[np.uint8]
    """Of the player that lists and labels them: a value player that values all decisions, or a search player."""
    share: float
    """The share of positions whose siblings are labelled."""
    best: int
    """Most siblings of a position that are labelled because the network likes them."""
    drawn: int
    """Most others that are labelled."""
    by: str = PLAYOUTS
    """PLAYOUTS or SEARCHES."""
    playouts: int = 1
    """Playouts of each sibling."""
    rounds: int = -1
    """Rounds after that of the position that playouts last; -1 for up to the seat's next turn."""

    @property
    def width(self) -> int:
        """Return the most siblings of a position."""
        return self.best + self.drawn


class Siblings(NamedTuple):
    """The labelled siblings of some positions."""

    ends: npt.NDArray[np.uint8]
    """(n, width, bytes of a state)."""
    seats: npt.NDArray[np.int64]
    """(n,) the seats whose turns they are."""
    counts: npt.NDArray[np.int64]
    """(n,) how many siblings there are; entries behind them repeat the first one."""
    labels: npt.NDArray[np.float32]
    """(n, width) what each is worth to the seat."""


def label(board: Board, states: npt.NDArray[np.void], labelling: Labelling, actions: int, seed: int) -> Siblings:
    """Return the labelled siblings of some of the positions ``states`` at which there is something to choose.

    Args:
        board: The board of all positions.
        states: (m,) STATE.
        labelling: How they are labelled.
        actions: Number of action ids of the games.
        seed: Of the positions and siblings that are drawn, and of the playouts.
    """
    rng = np.random.default_rng(seed)
    roots = taken(states, rng.random(states.size) < labelling.share)
    count, width = roots.size, labelling.width
    memory, generator = labelling.memory.copy(), seeded(seed)
    ends, counts = np.zeros(count * width, STATE), np.zeros(count, np.int64)
    guesses, labels = np.zeros((count, width)), np.zeros((count, width))
    turns, seen = np.zeros(width + 1, TURN), np.zeros((2, SLOTS), np.uint64)
    given = board.array, roots, memory
    list_siblings(*given, labelling.best, turns, seen, generator, ends, guesses, counts, 0, count)
    if labelling.by == SEARCHES:
        search_siblings(*given, ends, counts, labels, 0, count)
    else:
        how = labelling.playouts, labelling.rounds, rng.integers(1 << 52, size=count)
        scratch = np.zeros(1, STATE), np.empty(actions, np.int8), generator
        play_out_siblings(*given, *how, *scratch, ends, counts, labels, 0, count)
    rows = np.flatnonzero(counts)
    place = np.where(np.arange(width) < counts[rows, None], np.arange(width), 0)
    kept = ends.view(np.uint8).reshape(count, width, STATE.itemsize)[rows[:, None], place]
    return Siblings(kept, roots["seat"][rows].astype(np.int64), counts[rows], labels[rows].astype(np.float32))


class SiblingReplay(Ring):
    """A ring of decisions with their labelled siblings."""

    def __init__(self, capacity: int, width: int, board: Board) -> None:
        """Make an empty ring for ``capacity`` decisions of up to ``width`` siblings; memory is used as it fills."""
        self._board = board
        super().__init__(
            capacity,
            ends=(np.uint8, (width, STATE.itemsize)),
            seats=(np.int64, ()),
            counts=(np.int64, ()),
            labels=(np.float32, (width,)),
        )

    def add_found(self, found: Sequence[Siblings]) -> int:
        """Add decisions as the newest, the oldest ones make room; return the number of labels."""
        self.begin()
        for siblings in found:
            self.add(**siblings._asdict())
        return sum(int(siblings.counts.sum()) for siblings in found)

    def draw_seen(
        self, decisions: int, inputs: int, rng: np.random.Generator
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], npt.NDArray[np.int64]]:
        """Return what networks see of the siblings of random decisions, their labels, and their numbers.

        Shapes: (decisions * width, inputs), (decisions, width), (decisions,).
        """
        rows = rng.integers(self.size, size=decisions)
        ends, seats, counts, labels = (self.take(name, rows) for name in ("ends", "seats", "counts", "labels"))
        width = labels.shape[1]
        seen = np.empty((decisions * width, inputs), np.float32)
        states = ends.reshape(-1, STATE.itemsize).view(STATE).reshape(-1)
        write_all_inputs(self._board.array, states, np.repeat(seats, width), seen, 0, states.size)
        return seen, labels, counts
