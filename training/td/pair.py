"""A compiled player and the one among whose copies it is measured; either can be ``random``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from endeavor_env.players import RANDOM, check_plays, player_of
from endeavor_env.rails.kernels.players import SEAT_RANDOM
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


def check_play(names: Iterable[str], variants: Iterable[str]) -> None:
    """Raise an error unless all names are those of compiled players that play all variants.

    Raises:
        InvalidOptionError: An unknown name, or a variant that a player does not play.
        CheckpointError: The file of a network cannot be used.
    """
    played = tuple(variants)
    for name in names:
        if name != RANDOM:
            player_of(name)
        for variant in played:
            check_plays(name, variant)
