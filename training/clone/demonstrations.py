"""The games of a clone: who sits where, the teacher's choices, and the newest of these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.inputs import MAX_CYCLES
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.ensure import ensure_learning_compiled
from endeavor_env.endeavor.game_rules import ENDEAVOR
from endeavor_env.endeavor.learning.demonstrations import CHOICE, PLAYS_ALL, play_demonstrations
from endeavor_env.endeavor.players import RANDOM
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import num_actions
from endeavor_env.endeavor.rules.state import SETUP, STATE
from endeavor_env.engine.game_rules import taken
from endeavor_env.engine.kernels import playouts
from endeavor_env.engine.kernels.players import SEAT_RANDOM
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.training.clone.settings import CloneSettings
from endeavor_env.training.runs.ring import Ring
from endeavor_env.training.td.games import SeatedPlayer, ensure_one_seat, seat

# --- The games of a clone: the teacher's choices in them, and the newest of these, to learn from ---------------------

TEACHER, STUDENT = 2, 3
"""The codes of both players."""
CHUNK = 20
"""Games that are played in one piece; results do not depend on it."""
CHOICES_OF_GAME = 1024
"""More choices than a game of any variant has."""


class DemonstrationBatch(NamedTuple):
    """The teacher's choices in some games."""

    states: npt.NDArray[np.void]
    """(m,) STATE."""
    choices: npt.NDArray[np.void]
    """(m,) CHOICE."""


def teach(
    board: Board,
    fixtures: npt.NDArray[np.void],
    seated: Mapping[int, SeatedPlayer],
    explore: float,
    *,
    merits: bool = False,
) -> DemonstrationBatch:
    """Play games to their ends, one after the other in this thread, and return what TEACHER would choose in them.

    Args:
        board: The board of all games.
        fixtures: (n,) FIXTURE, the games, whose players are TEACHER, STUDENT, and others.
        seated: All players; what TEACHER would do in the seats of others is left out.
        explore: Share of random moves.
        merits: Whether the best moves are recorded with their merits, too, of a teacher that judges them; they are
            zeros otherwise.
    """
    ensure_learning_compiled()
    actions = num_actions(c.VARIANT_NAMES[int(fixtures["variant"][0])])
    players, _ = seat(seated, actions)
    count = fixtures.size
    states, choices = np.empty(count * CHOICES_OF_GAME, STATE), np.zeros(count * CHOICES_OF_GAME, CHOICE)
    ends = np.empty((count, c.MAX_SEATS), np.int64), np.empty((count, c.MAX_SEATS)), np.empty(count, np.int64)
    scratch = np.zeros(1, SETUP), np.zeros(1, STATE), np.empty(actions, np.int8), seeded(0)
    given = board.array, fixtures, players, TEACHER, int(merits), round(explore * PLAYS_ALL), *scratch, MAX_CYCLES
    recorded = int(play_demonstrations(*given, states, choices, *ends, 0, count))
    movers = fixtures["policies"][choices["fixture"][:recorded], states["seat"][:recorded]]
    rows = np.flatnonzero((movers == TEACHER) | (movers == STUDENT))
    return DemonstrationBatch(taken(states[:recorded], rows), choices[rows])


class ObservedBatch(NamedTuple):
    """A batch of choices as the network sees them; the next ``Demonstrations.observe`` overwrites the arrays."""

    observations: npt.NDArray[np.float32]
    """(n, inputs)."""
    masks: npt.NDArray[np.int8]
    """(n, actions): the legal actions."""
    actions: npt.NDArray[np.int64]
    """(n,): the teacher's choices."""
    outcomes: npt.NDArray[np.float32]
    """(n,): outcome of the game for the seat."""
    best: npt.NDArray[np.int64]
    """(n, JUDGED): the best moves, of a teacher that judges them; NONE for no move."""
    merits: npt.NDArray[np.float32]
    """(n, JUDGED): the teacher's values of them."""


class Demonstrations:
    """A ring buffer of the newest choices, sampled at random and observed when sampled."""

    def __init__(self, capacity: int, board: Board, batch: int, inputs: int, actions: int) -> None:
        """Begin without choices; memory is used as they come.

        Args:
            capacity: Most choices that are kept.
            board: The board of all games.
            batch: Choices that are observed at once.
            inputs: Length of the observations.
            actions: Number of action ids.
        """
        self._ring = Ring(capacity, states=(np.uint8, (STATE.itemsize,)), choices=(CHOICE, ()))
        self._board = board
        self._seen, self._masks = np.zeros((batch, inputs), np.float32), np.zeros((batch, actions), np.int8)

    @property
    def size(self) -> int:
        """Choices held."""
        return self._ring.size

    def add(self, taught: Sequence[DemonstrationBatch]) -> int:
        """Add choices, for which the oldest ones make room; return how many were added."""
        for part in taught:
            states = part.states.view(np.uint8).reshape(part.choices.size, STATE.itemsize)
            self._ring.add(states=states, choices=part.choices)
        return sum(part.choices.size for part in taught)

    def save(self, path: Path, mark: int) -> None:
        """Write all choices to a file in one step, with a ``mark`` that ``load`` asks for."""
        self._ring.save(path, mark)

    def load(self, path: Path, mark: int) -> bool:
        """Take over the choices of a file; return whether that was possible: it is there, sound, and has ``mark``."""
        return self._ring.load(path, mark)

    def observe(self, rng: np.random.Generator) -> ObservedBatch:
        """Return a batch of random choices."""
        rows = rng.integers(self.size, size=len(self._seen))
        states = self._ring.take("states", rows).view(STATE).reshape(-1)
        seats = states["seat"].astype(np.int64)
        board = self._board.array
        playouts.write_features(*ENDEAVOR.given(board, states), seats, self._seen, 0, rows.size)
        playouts.write_masks(*ENDEAVOR.given(board, states), self._masks, 0, rows.size)
        choices = self._ring.take("choices", rows)
        actions, best = (choices[name].astype(np.int64) for name in ("action", "best"))
        return ObservedBatch(
            self._seen, self._masks, actions, choices["outcome"].copy(), best, choices["merits"].copy()
        )


# --- Who sits where in the games of a clone --------------------------------------------------------------------------
# The teacher, the student, and others from whose seats nothing is learned.

FIRST_OPPONENT = STUDENT + 1
"""The code of the first opponent; that of ``random`` is SEAT_RANDOM."""


class CloneSeats:
    """The seats of a clone's games."""

    def __init__(self, settings: CloneSettings) -> None:
        """Take the settings, whose players can be made."""
        names = [name for name, _ in settings.opponents]
        self._student, self._sizes = settings.student, np.array([table.players for table in settings.tables])
        self._codes = np.array(
            [SEAT_RANDOM if name == RANDOM else FIRST_OPPONENT + place for place, name in enumerate(names)], np.int64
        )
        self._shares = np.array([share for _, share in settings.opponents], np.float64)
        self._opponents = {int(code): SeatedPlayer(name) for code, name in zip(self._codes, names, strict=True)}
        self._teacher = SeatedPlayer(settings.teacher)

    def seated(self, student: npt.NDArray[np.uint8]) -> dict[int, SeatedPlayer]:
        """Return all players by code, the student with this memory of a policy."""
        return {TEACHER: self._teacher, STUDENT: SeatedPlayer("policy", student), **self._opponents}

    def draw(self, kinds: npt.NDArray[np.int64], rng: np.random.Generator, *, student: bool) -> npt.NDArray[np.int64]:
        """Return who sits where, (games, MAX_SEATS); each game has a seat of the teacher or the student.

        Args:
            kinds: (games,) the index of each game's table in the settings.
            rng: Draws the players.
            student: Whether the student takes its share of the seats; the teacher has them otherwise.
        """
        drawn = rng.random((kinds.size, c.MAX_SEATS))
        codes = np.where(drawn < (self._student if student else 0.0), STUDENT, TEACHER)
        ends = 1.0 - np.cumsum(self._shares)  # opponents have the highest numbers, the first of them those up to 1
        for code, end, share in zip(self._codes, ends, self._shares, strict=True):
            codes[(drawn >= end) & (drawn < end + share)] = code
        ensure_one_seat(codes, self._sizes[kinds], (TEACHER, STUDENT), TEACHER, rng)
        return codes
