"""Who sits where in the games of a clone: the teacher, the student, and others from whose seats nothing is learned."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.players import RANDOM
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.engine.kernels.players import SEAT_RANDOM
from endeavor_env.training.clone.demonstrations import STUDENT, TEACHER
from endeavor_env.training.clone.settings import Settings
from endeavor_env.training.td.games import Seated, seat_somebody

FIRST_OPPONENT = STUDENT + 1
"""The code of the first opponent; that of ``random`` is SEAT_RANDOM."""


class Seats:
    """The seats of a clone's games."""

    def __init__(self, settings: Settings) -> None:
        """Take the settings, whose players can be made."""
        names = [name for name, _ in settings.opponents]
        self._student, self._sizes = settings.student, np.array([table.players for table in settings.tables])
        self._codes = np.array(
            [SEAT_RANDOM if name == RANDOM else FIRST_OPPONENT + place for place, name in enumerate(names)], np.int64
        )
        self._shares = np.array([share for _, share in settings.opponents], np.float64)
        self._opponents = {int(code): Seated(name) for code, name in zip(self._codes, names, strict=True)}
        self._teacher = Seated(settings.teacher)

    def seated(self, student: npt.NDArray[np.uint8]) -> dict[int, Seated]:
        """Return all players by code, the student with this memory of a policy."""
        return {TEACHER: self._teacher, STUDENT: Seated("policy", student), **self._opponents}

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
        seat_somebody(codes, self._sizes[kinds], (TEACHER, STUDENT), TEACHER, rng)
        return codes
