"""The toy game in plain Python."""

from __future__ import annotations

import numpy as np

from endeavor_env.engine.kernels.rng import next_below, reseed
from endeavor_env.engine.kernels.tables import seed_chance
from tests.toy_game.rules import FACES, PLAY, ROLL, SEATS


class ReferenceGame:
    """The toy game once more, in plain Python, with the same cards and dice as any game of the same seed."""

    def __init__(self, seed: int) -> None:
        """Deal."""
        rng = np.zeros(1, np.uint64)
        reseed(rng, seed)
        self.hand = [1 + int(next_below(rng, FACES)) for _ in range(SEATS)]
        self.turn = int(next_below(rng, SEATS))
        self.score, self.turns = [0] * SEATS, 0
        self._die = np.zeros(1, np.uint64)
        seed_chance(self._die, seed)

    def play(self, action: int) -> None:
        """Let the seat to move roll or play its card."""
        gained = self.hand[self.turn] if action == PLAY else 1 + int(next_below(self._die, FACES))
        if action == PLAY:
            self.hand[self.turn] = 0
        self.score[self.turn] += gained
        self.turn, self.turns = (self.turn + 1) % SEATS, self.turns + 1

    @property
    def legal(self) -> list[int]:
        """The legal actions."""
        return [ROLL, PLAY] if self.hand[self.turn] else [ROLL]

    def seen(self) -> list[int]:
        """Return what the seat to move sees."""
        seats = [(self.turn + distance) % SEATS for distance in range(SEATS)]
        have = [int(self.hand[seat] > 0) for seat in seats]
        return [self.hand[self.turn], *(self.score[seat] for seat in seats), *have, self.turns // SEATS]
