"""The kinds of game that are measured and audited: the base game with each number of seats, and every variant.

A kind is named by its variant, at times with a difficulty: ``standard``, ``solo``, ``solo:easier``, ``soloplay_2``, ...
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from endeavor_env.core import constants as c
from endeavor_env.core.actions import num_actions
from endeavor_env.options import EXPLOITS, options_of
from endeavor_env.setups import SOLO, STANDARD

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
        """The name, with the number of seats if that is free; for the base game only the number of seats."""
        if self.variant == STANDARD:
            return f"{self.players} seats"
        return f"{self.name}, {self.players} seats" if self.variant == EXPLOITS else self.name

    @property
    def num_actions(self) -> int:
        """Number of entries of a mask."""
        return num_actions(self.variant)

    @property
    def options(self) -> dict[str, Any]:
        """The options that the name implies."""
        difficulty = self.name.partition(":")[2]
        return {"difficulty": difficulty} if difficulty else {}

    def variations(self) -> list[dict[str, Any]]:
        """Return every combination of the options that the name leaves open, without options at their first value."""
        free = [option for option in options_of(self.variant) if option.name != "difficulty"]
        found = []
        for values in itertools.product(*(option.values for option in free)):
            chosen = {
                option.name: value for option, value in zip(free, values, strict=True) if value != option.values[0]
            }
            found.append({**self.options, **chosen})
        return found


def kinds_of(names: Iterable[str] = NAMES, seats: Iterable[int] = SEATS) -> tuple[Kind, ...]:
    """Return the kinds of game with these ``names``, each once; ``seats`` are the numbers of seats of the base game."""
    found: list[Kind] = []
    for name in names:
        least, most = c.VARIANT_PLAYERS[c.VARIANT_NAMES.index(name.partition(":")[0])]
        found += [Kind(name, players) for players in (seats if least < most else (most,))]
    return tuple(dict.fromkeys(found))
