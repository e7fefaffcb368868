"""A compiled player and the one among whose copies it is measured; either can be ``random``."""

from __future__ import annotations

from typing import NamedTuple

from endeavor_env.endeavor.players import RANDOM
from endeavor_env.engine.kernels.players import SEAT_RANDOM
from endeavor_env.training.td.games import Seated
from endeavor_env.training.td.population import LEARNER_CODE
from endeavor_env.training.td.population import Table as Seats


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
    def seats(self) -> Seats:
        """The two by their codes, as ``evaluate`` takes them."""
        return Seats({code: Seated(name) for code, name in zip(self.codes, self, strict=True)}, {})
