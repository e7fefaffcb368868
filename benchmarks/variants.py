"""What is measured and played at length: the base game with each number of seats, and every variant.

Variants go by a name, in which a difficulty may follow: ``standard``, ``solo``, ``solo:easier``, ``soloplay_2``, ...
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from endeavor_env.core import constants as c
from endeavor_env.core.actions import num_actions
from endeavor_env.options import options_of

STANDARD, SOLO = c.VARIANT_NAMES[0], c.VARIANT_NAMES[c.VARIANT_SOLO]
SEATS = tuple(range(c.MIN_PLAYERS, c.MAX_PLAYERS + 1))
NAMES = tuple(
    name
    for variant in c.VARIANT_NAMES
    for name in ([SOLO, *(f"{SOLO}:{level}" for level in c.DIFFICULTY_NAMES[1:])] if variant == SOLO else [variant])
)
"""Every name, the difficulties of the solitaire game included."""


@dataclass(frozen=True)
class Kind:
    """A kind of game: a name of NAMES and a number of seats."""

    name: str
    players: int

    @property
    def variant(self) -> str:
        """The variant, as ``Game.new`` takes it."""
        return self.name.partition(":")[0]

    @property
    def label(self) -> str:
        """The name, for the base game the number of seats."""
        return f"{self.players} seats" if self.variant == STANDARD else self.name

    @property
    def num_actions(self) -> int:
        """Entries of a mask."""
        return num_actions(self.variant)

    @property
    def options(self) -> dict[str, Any]:
        """The options that the name stands for."""
        difficulty = self.name.partition(":")[2]
        return {"difficulty": difficulty} if difficulty else {}

    def variations(self) -> list[dict[str, Any]]:
        """Returns every set of options the name leaves open, those at their first value left out."""
        free = [option for option in options_of(self.variant) if option.name != "difficulty"]
        found = []
        for values in itertools.product(*(option.values for option in free)):
            chosen = {
                option.name: value for option, value in zip(free, values, strict=True) if value != option.values[0]
            }
            found.append({**self.options, **chosen})
        return found


def kinds_of(names: Iterable[str] = NAMES, seats: Iterable[int] = SEATS) -> tuple[Kind, ...]:
    """Returns the kinds of game of some ``names``, each once; ``seats`` are those of the base game."""
    found: list[Kind] = []
    for name in names:
        least, most = c.VARIANT_PLAYERS[c.VARIANT_NAMES.index(name.partition(":")[0])]
        found += [Kind(name, players) for players in (seats if least < most else (most,))]
    return tuple(dict.fromkeys(found))
