"""RailsPositions: N positions of a game on the engine as an array, for searches that draw chance and what is hidden."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.inputs import seat_number
from endeavor_env.basics.thread_guard import guarded
from endeavor_env.engine.game import RailsConfig, RailsGame
from endeavor_env.engine.kernels import ranges as kernels
from endeavor_env.engine.kernels.rules import CHANCE_MOVE, NONE, RESAMPLE
from endeavor_env.engine.search.any_positions import AnyPositions, joined, listed
from endeavor_env.engine.search.seeds import Rng, row_generators
from endeavor_env.errors import InvalidOptionError, counted


class RailsPositions(AnyPositions):
    """N positions of what a ``RailsConfig`` says is played. Every row is independent of the others.

    A row where chance is to move has its outcomes in ``masks``, in ``step`` and as children in ``expand``; ``draw``
    lets chance decide. Rows hold hidden parts as well: ``resample`` draws those anew that a seat cannot know.

    Attributes:
        config: What is played.
    """

    def __init__(self, config: RailsConfig, states: npt.NDArray[np.void], threads: int | None = None) -> None:
        """Wrap ``states`` without copying them.

        Args:
            config: What is played.
            states: (N,) positions of it, contiguous and writable.
            threads: At most this many; None for all cores. Copies and children inherit it.

        Raises:
            InvalidOptionError: Another array, or rows of different kinds of game.
        """
        super().__init__(config.rules, config.board_array, states, config.num_scores, threads)
        self.config = config

    @classmethod
    def of(cls, games: RailsGame | Sequence[RailsGame], copies: int = 1, threads: int | None = None) -> Self:
        """Return the positions of ``games``, each ``copies`` times in succession; the games stay as they are.

        Raises:
            InvalidOptionError: No game at all, games of which not the same is played, or more copies than the memory
                holds.
        """
        given = listed(games, RailsGame)
        first = given[0].config
        if any(game.config is not first and game.config.to_dict() != first.to_dict() for game in given):
            raise InvalidOptionError("these games are of different kinds: positions are those of one kind of game")
        return cls(first, joined([game.state for game in given]), threads).repeat(copies)

    @guarded
    def draw(self, rng: Rng) -> None:
        """Let chance decide in every row where it is to move, until a seat is, in place.

        Args:
            rng: As for ``rollout``: what is drawn in a row depends on nothing but the seed of the row.
        """
        generators = row_generators(rng, len(self))
        if self.rules.entries[CHANCE_MOVE] is not None:
            self._run(lambda low, high: kernels.draw_chance(*self.games, generators, low, high))

    @guarded
    def resample(self, seat: int | None, rng: Rng) -> None:
        """Draw anew, in place, what a seat cannot know, so that each row agrees with what this seat has seen.

        Args:
            seat: The observer; None for each row's seat to move.
            rng: As for ``draw``.

        Raises:
            InvalidOptionError: There is no such seat, or ``rng`` is not possible.
        """
        generators, seats = row_generators(rng, len(self)), np.maximum(self.seats(), NONE)
        if seat is not None:
            seats[:] = seat_number("seat", seat, self.players)
        if self.rules.entries[RESAMPLE] is not None:
            self._run(lambda low, high: kernels.resample(*self.games, seats, generators, low, high))

    def __repr__(self) -> str:
        count = counted(len(self), "position")
        return f"<RailsPositions: {count} of {self.rules.name}, {self.variant}, {self.players} seats>"
